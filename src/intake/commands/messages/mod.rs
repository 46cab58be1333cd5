//! What the commands say.

pub mod background;
mod effective;
mod mcp;
mod memory;
mod model;
mod routines;
mod skills;
mod stop;
mod work;

use std::time::Instant;

use chrono::{DateTime, Local};
use sayso_channel::Language::{self, Chinese, English};
use sayso_channel::{Argument, ArgumentKind, Choice, Command, HealthState, HealthStatus, Inbound};

pub use mcp::{tools_left_out, wait_for_logins};

pub use memory::{
    export_is_cut, exported, found_by, memory_heading, memory_kind, memory_recalls,
    memory_replaced, memory_since, memory_source, memory_topic, memory_until, memory_usage,
    nothing_remembered, profile, profile_cleared, profile_gives_orders, profile_in_group,
    profile_too_long, profile_written,
};

pub use routines::{RoutineButton, routine_button, routine_done, routine_is_over, routines};

pub use skills::{
    Listed, skill_switched, skill_unknown, skills, skills_owners_only, skills_suggested,
    skills_usage,
};

pub use effective::{Shown, Why, autonomy, sandbox};

pub use model::{
    model_auto, model_chosen, model_gone, model_list_of_others, model_owners_only, model_unknown,
    models,
};

pub use stop::stop;

use super::Known;
use crate::policy::AutonomyLevel;
use crate::transcript::{OutsideReason, Role};
use work::{INTERRUPT, QUEUE, STEER, UNDO, WORDS};

/// The word behind `/autonomy` that only shows what holds.
pub const SHOW: &str = "show";

/// What may be written behind `/forget` for everything.
const EVERYTHING: [&str; 3] = ["everything", "一切", "全部"];

/// Returns whether all of a person is meant by what is written behind `/forget`.
pub fn is_everything(written: &str) -> bool {
    EVERYTHING.contains(&written.trim().to_lowercase().as_str())
}

/// What may be written behind `/autonomy`.
const AUTONOMY: &[Choice] = &[
    Choice {
        value: SHOW,
        english: "Show what holds here",
        chinese: "查看这里的级别",
    },
    Choice {
        value: "read_only",
        english: "Read only: change nothing",
        chinese: "只读：不做任何改动",
    },
    Choice {
        value: "supervised",
        english: "Supervised: ask before anything risky",
        chinese: "监督：有风险的事先询问",
    },
    Choice {
        value: "full",
        english: "Full: do what the configuration allows, without asking",
        chinese: "完全：配置允许的事不询问就做",
    },
];

/// `/forget` in menu and help: its name, in English, in 简体中文.
const FORGET: (&str, &str, &str) = (
    "forget",
    "Forget some of what I remember, or everything",
    "忘掉我记住的某些内容，或者一切",
);
/// `/memory` in menu and help.
const MEMORY: (&str, &str, &str) = (
    "memory",
    "What I remember, as files",
    "把我记住的内容作为文件发出",
);

/// `/skills` in menu and help.
const SKILLS: (&str, &str, &str) = (
    "skills",
    "What I know how to do well, and which of it is used here",
    "我擅长的技能，以及这里启用了哪些",
);

/// `/model` in menu and help.
const MODEL: (&str, &str, &str) = ("model", "Which model answers here", "这里由哪个模型回答");

/// `/routines` in menu and help.
const ROUTINES: (&str, &str, &str) = (
    "routines",
    "What you want done at set times",
    "你要定时做的事",
);

/// The line of a command in menu and help. A new command does not build without one.
pub(super) fn menu_entry(command: Known) -> Command {
    let (name, english, chinese) = match command {
        Known::Start => (
            "start",
            "Say hello, or pair with a code",
            "打招呼，或用配对码配对",
        ),
        Known::Help => (
            "help",
            "What I can do, and the commands",
            "我能做什么，有哪些命令",
        ),
        Known::New => ("new", "Begin a new conversation", "开始新的对话"),
        Known::Stop => ("stop", "Stop what I am doing for you", "停止正在为你做的事"),
        Known::Steer => STEER,
        Known::Queue => QUEUE,
        Known::Interrupt => INTERRUPT,
        Known::Undo => UNDO,
        Known::Status => (
            "status",
            "How I am, and what I am doing",
            "运行状态和正在做的事",
        ),
        Known::WhoAmI => ("whoami", "Who you are to me", "我所知道的你是谁"),
        Known::Link => LINK,
        Known::Unlink => (
            "unlink",
            "Part this account from your others",
            "将此账号与你的其他账号分开",
        ),
        Known::Autonomy => (
            "autonomy",
            "What I may do without asking",
            "哪些事我可以不询问就做",
        ),
        Known::Grants => (
            "grants",
            "List or revoke what you always allow",
            "查看或撤销“总是允许”",
        ),
        Known::Usage => (
            "usage",
            "What you used today, and what is left",
            "今天的用量和剩余",
        ),
        Known::Compact => COMPACT,
        Known::Forget => FORGET,
        Known::Memory => MEMORY,
        Known::Model => MODEL,
        Known::Skills => SKILLS,
        Known::Routines => ROUTINES,
    };
    Command {
        name,
        english,
        chinese,
        argument: argument(command),
    }
}

/// `/link`.
const LINK: (&str, &str, &str) = (
    "link",
    "Join another account of yours, so that I know you on both",
    "关联你的另一个账号，让我在两边都认得你",
);

/// `/compact`.
const COMPACT: (&str, &str, &str) = (
    "compact",
    "Sum up the earlier part of our conversation",
    "概括我们较早的对话",
);

/// What may be written behind `/skills`.
const OF_SKILLS: Argument = Argument {
    name: "what",
    english: "`suggest WORDS`, `on NAME` or `off NAME`; empty lists them",
    chinese: "`suggest 内容`、`on 名称` 或 `off 名称`；留空则列出",
    kind: ArgumentKind::Text,
};

/// What may be written behind the name.
fn argument(command: Known) -> Option<Argument> {
    match command {
        Known::Start => Some(Argument {
            name: "code",
            english: "The pairing code, if you have one",
            chinese: "配对码（如果有）",
            kind: ArgumentKind::Text,
        }),
        Known::Link => Some(Argument {
            name: "code",
            english: "The code from your other account; empty gives one",
            chinese: "另一个账号上得到的关联码；留空则生成一个",
            kind: ArgumentKind::Text,
        }),
        Known::Autonomy => Some(Argument {
            name: "level",
            english: "Show the level, or the one to lower it to",
            chinese: "查看级别，或要调低到的级别",
            kind: ArgumentKind::Choice(AUTONOMY),
        }),
        Known::Grants => Some(Argument {
            name: "revoke",
            english: "`revoke 2` or `revoke all`; empty lists them",
            chinese: "`revoke 2` 或 `revoke all`；留空则列出",
            kind: ArgumentKind::Text,
        }),
        Known::Forget => Some(Argument {
            name: "what",
            english: "`everything`: I ask once before",
            chinese: "`everything`：之前会再问一次",
            kind: ArgumentKind::Text,
        }),
        Known::Memory => Some(Argument {
            name: "what",
            english: "`export`: files; `profile`: what is always in view of you",
            chinese: "`export`：文件；`profile`：始终参考的你的档案",
            kind: ArgumentKind::Text,
        }),
        Known::Model => Some(Argument {
            name: "which",
            english: "The number or name of a model, or `auto`; empty lists them",
            chinese: "模型的编号或名称，或 `auto`；留空则列出",
            kind: ArgumentKind::Text,
        }),
        Known::Skills => Some(OF_SKILLS),
        Known::Steer | Known::Queue | Known::Interrupt => Some(WORDS),
        Known::Help
        | Known::New
        | Known::Stop
        | Known::Undo
        | Known::Status
        | Known::WhoAmI
        | Known::Unlink
        | Known::Usage
        | Known::Routines
        | Known::Compact => None,
    }
}

/// `/help`.
pub fn help(commands: &[Command], language: Language) -> String {
    let head = match language {
        English => {
            "I am Sayso. Tell me what you need in your own words: I can run commands, read and write files in your workspace, remember things for you, and I ask before anything risky."
        }
        Chinese => {
            "我是 Sayso。直接说需要什么：我可以执行命令、读写你工作区里的文件、替你记住事情，有风险的操作会先询问。"
        }
    };
    let lines: Vec<String> = commands
        .iter()
        .map(|command| match language {
            English => format!("/{} – {}", command.name, command.english),
            Chinese => format!("/{} – {}", command.name, command.chinese),
        })
        .collect();
    format!("{head}\n\n{}", lines.join("\n"))
}

/// `/new`.
pub fn begun_anew(language: Language) -> String {
    match language {
        English => "A new conversation. What was said before is out of view, and what was always allowed here is revoked.".to_owned(),
        Chinese => "开始新的对话。之前的内容不再参考，在这里“总是允许”的也已撤销。".to_owned(),
    }
}

/// `/whoami`, with the accounts that the same person has.
pub fn who_am_i(inbound: &Inbound, role: Role, linked: &[String], language: Language) -> String {
    let account = format!("{}:{}", inbound.address.channel, inbound.sender.key);
    let role = match (role, language) {
        (Role::Owner, English) => "owner",
        (Role::Owner, Chinese) => "管理者",
        (Role::Member, English) => "member",
        (Role::Member, Chinese) => "成员",
    };
    let who = match language {
        English => format!("You are `{account}`, and your role is **{role}**."),
        Chinese => format!("你是 `{account}`，身份：**{role}**。"),
    };
    if linked.is_empty() {
        return who;
    }
    let linked = linked.join("\n");
    match language {
        English => format!("{who}\nLinked with:\n{linked}"),
        Chinese => format!("{who}\n已关联：\n{linked}"),
    }
}

/// A line of `/status` about a channel: what it does, the age of its last contact, how often it
/// was interrupted, and the last fault while that is over.
pub fn channel_line(name: &str, health: &HealthState, language: Language) -> String {
    let state = match (&health.status, language) {
        (HealthStatus::Starting, English) => "starting".to_owned(),
        (HealthStatus::Starting, Chinese) => "正在启动".to_owned(),
        (HealthStatus::Connected, English) => "connected".to_owned(),
        (HealthStatus::Connected, Chinese) => "已连接".to_owned(),
        (HealthStatus::Waiting(why), English) => format!("waiting: {why}"),
        (HealthStatus::Waiting(why), Chinese) => format!("等待中：{why}"),
        (HealthStatus::Stopped(why), English) => format!("stopped: {why}"),
        (HealthStatus::Stopped(why), Chinese) => format!("已停止：{why}"),
    };
    let contact = health.last_contact.map(|contact| {
        let age = age(contact, language);
        match language {
            English => format!("last contact {age} ago"),
            Chinese => format!("{age}前有响应"),
        }
    });
    let interruptions = match (health.interruptions, language) {
        (0, _) => None,
        (1, English) => Some("interrupted once".to_owned()),
        (count, English) => Some(format!("interrupted {count} times")),
        (count, Chinese) => Some(format!("中断 {count} 次")),
    };
    let fault = match (&health.status, &health.last_fault) {
        (HealthStatus::Connected, Some((why, at))) => Some(last_fault(why, *at, language)),
        _ => None,
    };
    let parts: Vec<String> = [Some(state), contact, interruptions, fault]
        .into_iter()
        .flatten()
        .collect();
    match language {
        English => format!("- `{name}`: {}", parts.join(", ")),
        Chinese => format!("- `{name}`：{}", parts.join("，")),
    }
}

fn last_fault(why: &str, at: Instant, language: Language) -> String {
    let age = age(at, language);
    match language {
        English => format!("last fault {age} ago: {why}"),
        Chinese => format!("最近一次故障在 {age}前：{why}"),
    }
}

/// Returns how long ago something was, in the unit that tells most.
pub(super) fn age(since: Instant, language: Language) -> String {
    let seconds = since.elapsed().as_secs();
    match (seconds, language) {
        (0..120, English) => format!("{seconds} s"),
        (0..120, Chinese) => format!("{seconds} 秒"),
        (120..7200, English) => format!("{} min", seconds / 60),
        (120..7200, Chinese) => format!("{} 分钟", seconds / 60),
        (_, English) => format!("{} h", seconds / 3600),
        (_, Chinese) => format!("{} 小时", seconds / 3600),
    }
}

/// `/status`; `sandbox` is the line about it.
pub fn status(
    model: &str,
    sandbox: &str,
    channels: &[String],
    turns: &[(bool, String)],
    language: Language,
) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let work: Vec<String> = turns
        .iter()
        .map(|(parked, request)| match (parked, language) {
            (true, English) => format!("- waiting for approval: {request}"),
            (true, Chinese) => format!("- 等待批准：{request}"),
            (false, English) => format!("- working on: {request}"),
            (false, Chinese) => format!("- 正在处理：{request}"),
        })
        .collect();
    let idle = match language {
        English => "- nothing is going on here",
        Chinese => "- 这里没有正在进行的事",
    };
    let work = if work.is_empty() {
        idle.to_owned()
    } else {
        work.join("\n")
    };
    let channels = channels.join("\n");
    match language {
        English => format!(
            "Sayso {version}, model `{model}`\n{sandbox}\n\n**Channels**\n{channels}\n\n**Here**\n{work}"
        ),
        Chinese => {
            format!(
                "Sayso {version}，模型 `{model}`\n{sandbox}\n\n**通道**\n{channels}\n\n**本会话**\n{work}"
            )
        }
    }
}

/// `/status`: what owners changed of the configuration, if anything.
pub fn changed_in_chat(changes: &[(String, String)], language: Language) -> Option<String> {
    if changes.is_empty() {
        return None;
    }
    let changes: Vec<String> = changes
        .iter()
        .map(|(key, value)| format!("`{key} = {value}`"))
        .collect();
    Some(match language {
        English => format!("Changed in chat by an owner: {}", changes.join(", ")),
        Chinese => format!("管理者在聊天中修改了：{}", changes.join("、")),
    })
}

/// `/status`: whether what is read in the workspace counts as text from outside, and why.
pub fn workspace(outside: Option<(i64, OutsideReason)>, language: Language) -> String {
    let Some((since_ms, why)) = outside else {
        return match language {
            English => "Your workspace holds nothing from outside that I know of: what I read there does not make me ask.",
            Chinese => "据我所知，你的工作区里没有外来内容：读取其中的文件不会让我多问。",
        }
        .to_owned();
    };
    let why = intrusion(why, language);
    let day = day_of(since_ms).map_or_else(String::new, |day| match language {
        English => format!(" since {day}"),
        Chinese => format!("自 {day} 起，"),
    });
    match language {
        English => format!(
            "What I read in the workspace counts as text from outside{day}: {why}. While such text is in view I ask even where you said Always."
        ),
        Chinese => format!(
            "{day}我在工作区读到的内容视为外来文本：{why}。对话中有这类文本时，即使你选过“始终允许”我也会询问。"
        ),
    }
}

fn intrusion(why: OutsideReason, language: Language) -> &'static str {
    match (why, language) {
        (OutsideReason::Shared, English) => "everybody in this group writes there",
        (OutsideReason::Shared, Chinese) => "群里每个人都能写入",
        (OutsideReason::FoundThere, English) => "files were in it that I did not make",
        (OutsideReason::FoundThere, Chinese) => "里面有不是由我创建的文件",
        (OutsideReason::ChangedElsewhere, English) => "something else than I changed it",
        (OutsideReason::ChangedElsewhere, Chinese) => "它被我以外的程序改动过",
        (OutsideReason::BroughtIn, English) => {
            "a call changed it that had the network, or text from outside in view"
        }
        (OutsideReason::BroughtIn, Chinese) => "有联网的、或受外来文本影响的操作改动过它",
        (OutsideReason::ReachedOut, English) => "a command ran that nothing held to the workspace",
        (OutsideReason::ReachedOut, Chinese) => "运行过不受工作区限制的命令",
        (OutsideReason::Unreadable, English) => {
            "I cannot look through it: too many files, a mount, or no right to"
        }
        (OutsideReason::Unreadable, Chinese) => "无法完整检查它：文件太多、有挂载点或没有权限",
    }
}

/// Returns the day of a time, in the zone of this machine.
fn day_of(at_ms: i64) -> Option<String> {
    let at = DateTime::from_timestamp_millis(at_ms).filter(|_| at_ms > 0)?;
    Some(at.with_timezone(&Local).format("%Y-%m-%d").to_string())
}

/// `/autonomy LEVEL` by a member.
pub fn autonomy_owners_only(language: Language) -> String {
    match language {
        English => "Only an owner can change this.".to_owned(),
        Chinese => "只有管理者可以更改。".to_owned(),
    }
}

/// `/autonomy` with a word that is no level.
pub fn autonomy_unknown(wanted: &str, language: Language) -> String {
    let wanted: String = wanted
        .chars()
        .filter(|letter| *letter != '`')
        .take(40)
        .collect();
    match language {
        English => {
            format!("There is no level `{wanted}`. Levels: `read_only`, `supervised`, `full`.")
        }
        Chinese => format!("没有 `{wanted}` 这个级别。可用：`read_only`、`supervised`、`full`。"),
    }
}

/// `/autonomy` above what the configuration allows.
pub fn autonomy_above_ceiling(
    wanted: AutonomyLevel,
    ceiling: AutonomyLevel,
    language: Language,
) -> String {
    let (wanted, ceiling) = (wanted.as_str(), ceiling.as_str());
    match language {
        English => format!(
            "`{wanted}` is more than the configuration allows (`{ceiling}`).\n*Hint:* raise `agent.autonomy`, or your entry in `access.autonomy`, in `sayso.toml` and restart."
        ),
        Chinese => format!(
            "`{wanted}` 超过了配置允许的 `{ceiling}`。\n*提示：*修改 `sayso.toml` 的 `agent.autonomy` 或 `access.autonomy` 中的条目并重启。"
        ),
    }
}

/// `/grants`.
pub fn grants(commands: &[String], language: Language) -> String {
    if commands.is_empty() {
        return match language {
            English => "You always allow nothing here: I ask every time.".to_owned(),
            Chinese => "这里没有“总是允许”的命令：每次都会询问。".to_owned(),
        };
    }
    let lines: Vec<String> = commands
        .iter()
        .enumerate()
        .map(|(position, command)| format!("{}. `{command}`", position + 1))
        .collect();
    let list = lines.join("\n") + covers_more(commands, language);
    match language {
        English => format!(
            "Here you always allow exactly these commands:\n{list}\n\n`/grants revoke 1` revokes one, `/grants revoke all` all."
        ),
        Chinese => format!(
            "在这里总是允许的命令（完全一致才算）：\n{list}\n\n`/grants revoke 1` 撤销一条，`/grants revoke all` 全部撤销。"
        ),
    }
}

/// What the dots behind a listed prefix mean.
fn covers_more(commands: &[String], language: Language) -> &'static str {
    if !commands.iter().any(|command| command.ends_with(" …")) {
        return "";
    }
    match language {
        English => "\n… stands for options and names that are safe behind these words.",
        Chinese => "\n… 表示这些词后面可以安全附加的选项和名称。",
    }
}

/// `/grants revoke`.
pub fn revoked(count: u64, language: Language) -> String {
    match language {
        English => format!("Revoked: {count}."),
        Chinese => format!("已撤销 {count} 条。"),
    }
}

/// `/grants revoke` with a number that is none.
pub fn no_such_grant(which: &str, count: usize, language: Language) -> String {
    let which: String = which
        .chars()
        .filter(|letter| *letter != '`')
        .take(20)
        .collect();
    match language {
        English => {
            format!("There is no grant `{which}`. You have {count}; use its number or `all`.")
        }
        Chinese => format!("没有第 `{which}` 条。共 {count} 条，请用编号或 `all`。"),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use sayso_channel::Health;

    use super::*;

    /// Both languages, one below the other.
    fn lines(state: &HealthState) -> String {
        [English, Chinese]
            .map(|language| channel_line("telegram.work", state, language))
            .join("\n")
    }

    fn ago(seconds: u64) -> Instant {
        Instant::now()
            .checked_sub(Duration::from_secs(seconds))
            .unwrap()
    }

    #[test]
    fn new_channel_is_starting() {
        insta::assert_snapshot!(lines(&Health::new().read()), @r"
        - `telegram.work`: starting
        - `telegram.work`：正在启动
        ");
    }

    #[test]
    fn connection_tells_its_past() {
        let state = HealthState {
            status: HealthStatus::Connected,
            last_contact: Some(ago(3)),
            interruptions: 2,
            last_fault: Some(("the line was cut".to_owned(), ago(600))),
        };
        insta::assert_snapshot!(lines(&state), @r"
        - `telegram.work`: connected, last contact 3 s ago, interrupted 2 times, last fault 10 min ago: the line was cut
        - `telegram.work`：已连接，3 秒前有响应，中断 2 次，最近一次故障在 10 分钟前：the line was cut
        ");
    }

    #[test]
    fn what_waits_or_has_stopped_says_why() {
        let waiting = HealthState {
            status: HealthStatus::Waiting("the line is cut".to_owned()),
            last_contact: Some(ago(8000)),
            interruptions: 1,
            last_fault: Some(("the line is cut".to_owned(), ago(1))),
        };
        insta::assert_snapshot!(lines(&waiting), @r"
        - `telegram.work`: waiting: the line is cut, last contact 2 h ago, interrupted once
        - `telegram.work`：等待中：the line is cut，2 小时前有响应，中断 1 次
        ");
        let stopped = HealthState {
            status: HealthStatus::Stopped("the token is wrong".to_owned()),
            last_contact: None,
            interruptions: 0,
            ..waiting
        };
        insta::assert_snapshot!(lines(&stopped), @r"
        - `telegram.work`: stopped: the token is wrong
        - `telegram.work`：已停止：the token is wrong
        ");
    }
}
