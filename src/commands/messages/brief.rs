//! The few lines that commands answer first, and the buttons to the details and back.

use sayso_channel::Language::{self, Chinese, English};
use sayso_channel::{HealthState, HealthStatus};
use sayso_core::transcript::{OutsideReason, first_chars};
use sayso_policy::{AutonomyLevel, Deed, Effective, Treatment};

use super::plain;
use super::skills::{Listed, what_it_is};
use crate::commands::layer::Layer;
use crate::skills::SkillSource;

/// The most of a request that a line quotes, in characters.
const REQUEST_CHARS: usize = 80;
/// How many skills are named before the others are counted.
const NAMED_SKILLS: usize = 12;

/// What `/status` says first.
pub struct BriefStatus<'a> {
    /// The model that is asked first here, `server/model` or `model`.
    pub model: &'a str,
    /// The channels by their names.
    pub channels: &'a [(&'a str, HealthState)],
    /// What goes on here: whether it waits for an approval, and the request.
    pub turns: &'a [(bool, String)],
    /// Whether the kernel holds commands to the folder.
    pub are_commands_confined: bool,
    /// Why what is read in the person's folder counts as text from outside.
    pub outside: Option<OutsideReason>,
}

/// `/status`, in at most five lines.
pub fn brief_status(status: &BriefStatus<'_>, language: Language) -> String {
    let troubled = status.channels.iter().find_map(|(name, health)| {
        let why = match &health.status {
            HealthStatus::Waiting(why) | HealthStatus::Stopped(why) => why,
            HealthStatus::Starting | HealthStatus::Connected => return None,
        };
        Some((platform(name), why))
    });
    let head = match (troubled, language) {
        (None, English) => "**All is well.**".to_owned(),
        (None, Chinese) => "**一切正常。**".to_owned(),
        (Some((name, why)), English) => format!("**{name} is not connected:** {}", plain(why)),
        (Some((name, why)), Chinese) => format!("**{name} 没有连上：**{}", plain(why)),
    };
    let model = status.model.rsplit('/').next().unwrap_or(status.model);
    let model = match language {
        English => format!("Model: `{model}`"),
        Chinese => format!("模型：`{model}`"),
    };
    let states = status.channels.iter().filter_map(|(name, health)| {
        let name = platform(name);
        match (&health.status, language) {
            (HealthStatus::Connected, English) => Some(format!(" · {name}: online")),
            (HealthStatus::Connected, Chinese) => Some(format!(" · {name}：在线")),
            (HealthStatus::Starting, English) => Some(format!(" · {name}: starting")),
            (HealthStatus::Starting, Chinese) => Some(format!(" · {name}：正在启动")),
            (HealthStatus::Waiting(_) | HealthStatus::Stopped(_), _) => None,
        }
    });
    let online: String = states.collect();
    let mut lines = vec![
        head,
        format!("{model}{online}"),
        work(status.turns, language),
    ];
    lines.push(commands(status.are_commands_confined, language).to_owned());
    lines.extend(
        status
            .outside
            .map(|why| foreign_files(why, language).to_owned()),
    );
    lines.join("\n")
}

/// Returns the name of a channel's platform as people write it, with a capital letter, and which
/// of several channels of it is meant.
fn platform(channel: &str) -> String {
    let (name, of) = channel.split_once('.').unwrap_or((channel, ""));
    let mut letters = name.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    let name: String = first.into_iter().chain(letters).collect();
    if of.is_empty() {
        name
    } else {
        format!("{name} ({of})")
    }
}

fn work(turns: &[(bool, String)], language: Language) -> String {
    let Some((is_waiting, request)) = turns.first() else {
        return match language {
            English => "Nothing is running here.".to_owned(),
            Chinese => "这里没有进行中的任务。".to_owned(),
        };
    };
    let whole = request.split_whitespace().collect::<Vec<_>>().join(" ");
    let words = match first_chars(&whole, REQUEST_CHARS) {
        Some(kept) => format!("{}…", plain(kept)),
        None => plain(&whole),
    };
    let line = match (is_waiting, language) {
        (true, English) => format!("Waiting for approval: “{words}”"),
        (true, Chinese) => format!("等待批准：“{words}”"),
        (false, English) => format!("Working on: “{words}”"),
        (false, Chinese) => format!("正在处理：“{words}”"),
    };
    match (turns.len() - 1, language) {
        (0, _) => line,
        (more, English) => format!("{line}, and {more} more"),
        (more, Chinese) => format!("{line}，另有 {more} 件"),
    }
}

fn commands(are_confined: bool, language: Language) -> &'static str {
    match (are_confined, language) {
        (true, English) => "Commands: only in your folder, no internet",
        (true, Chinese) => "命令：仅限你的文件夹，不联网",
        (false, English) => "Commands: nothing on this machine holds them to your folder",
        (false, Chinese) => "命令：这台机器无法把它们限制在你的文件夹内",
    }
}

fn foreign_files(why: OutsideReason, language: Language) -> &'static str {
    match (why, language) {
        (OutsideReason::Unreadable, English) => {
            "I cannot look through your whole folder, so I ask a little more often."
        }
        (OutsideReason::Unreadable, Chinese) => "我无法看完你的整个文件夹，所以会多问几次。",
        (_, English) => {
            "Your folder holds files that I did not make, so I ask a little more often."
        }
        (_, Chinese) => "你的文件夹里有外来文件，所以我会多问几次。",
    }
}

/// `/autonomy`, in a sentence or two.
pub fn brief_autonomy(effective: &Effective, language: Language) -> String {
    let writes = effective.deeds.iter().any(|(deed, treatment)| {
        matches!(deed, Deed::WritesFiles) && *treatment == Treatment::Unasked
    });
    let text = match (effective.level, writes, language) {
        (AutonomyLevel::ReadOnly, _, English) => "I only look, and change nothing.",
        (AutonomyLevel::ReadOnly, _, Chinese) => "我只查看，不做任何修改。",
        (AutonomyLevel::Supervised, false, English) => {
            "I ask before I change anything. Without asking I only read in your folder."
        }
        (AutonomyLevel::Supervised, false, Chinese) => {
            "修改任何东西前我会先问；不问时只在你的文件夹里读取。"
        }
        (AutonomyLevel::Supervised, true, English) => {
            "I read and write in your folder without asking. Before I change anything else, I ask."
        }
        (AutonomyLevel::Supervised, true, Chinese) => {
            "在你的文件夹里读写不问；修改其他任何东西前我会先问。"
        }
        (AutonomyLevel::Full, _, English) => {
            "I do what my settings allow without asking, and nothing else."
        }
        (AutonomyLevel::Full, _, Chinese) => "设置允许的事我直接做，其他的都不做。",
    };
    let owners = match language {
        English => "\nWhat goes beyond your own folder, an owner decides.",
        Chinese => "\n超出你自己文件夹的事由管理者决定。",
    };
    let owners = if effective.asks_owners { owners } else { "" };
    format!("{text}{owners}")
}

/// The button that sets a level.
pub fn level_button(level: AutonomyLevel, language: Language) -> &'static str {
    match (level, language) {
        (AutonomyLevel::ReadOnly, English) => "Read only",
        (AutonomyLevel::ReadOnly, Chinese) => "只读",
        (AutonomyLevel::Supervised, English) => "Ask first",
        (AutonomyLevel::Supervised, Chinese) => "先询问",
        (AutonomyLevel::Full, English) => "Without asking",
        (AutonomyLevel::Full, Chinese) => "不询问",
    }
}

/// `/skills`: what the skills that are on here are good for.
pub fn brief_skills(listed: &[Listed], left_out: usize, language: Language) -> String {
    let is_own = |one: &&Listed| one.skill.source != SkillSource::Builtin;
    let on = || listed.iter().filter(|one| !one.is_off);
    // Those for everyday work stand last in the catalogue.
    let built_in = on().filter(|one| !is_own(one)).rev();
    let names: Vec<String> = on()
        .filter(is_own)
        .chain(built_in)
        .map(|one| plain(&what_it_is(&one.skill.description)))
        .collect();
    let shown = names.get(..NAMED_SKILLS).unwrap_or(&names).join(" · ");
    let more = names.len().saturating_sub(NAMED_SKILLS);
    let mut lines = vec![match (names.is_empty(), more, language) {
        (true, _, English) => "No skill is switched on here.".to_owned(),
        (true, _, Chinese) => "这里没有启用任何技能。".to_owned(),
        (false, 0, English) => format!("I am good at: {shown}"),
        (false, 0, Chinese) => format!("我擅长：{shown}"),
        (false, _, English) => format!("I am good at: {shown}, and {more} more"),
        (false, _, Chinese) => format!("我擅长：{shown}，另有 {more} 项"),
    }];
    let off = listed.iter().filter(|one| one.is_off).count();
    lines.extend((off > 0).then(|| match language {
        English => format!("Switched off here: {off}"),
        Chinese => format!("这里停用了 {off} 项"),
    }));
    lines.extend((left_out > 0).then(|| match language {
        English => format!("Not loaded, with the reason under Details: {left_out}"),
        Chinese => format!("未加载 {left_out} 项，原因见详情"),
    }));
    lines.join("\n")
}

/// The button that shows the other layer.
pub fn layer_button(layer: Layer, language: Language) -> &'static str {
    match (layer, language) {
        (Layer::Details, English) => "Details",
        (Layer::Details, Chinese) => "详情",
        (Layer::Brief, English) => "Less",
        (Layer::Brief, Chinese) => "收起",
    }
}

/// A press on the answer to a command of somebody else.
pub fn answer_of_others(language: Language) -> &'static str {
    match language {
        English => "Somebody else asked for this. Give the command yourself for your own answer.",
        Chinese => "这是别人要的。请自己发送命令来查看你的。",
    }
}

#[cfg(test)]
mod tests {
    use sayso_channel::Health;

    use super::*;

    fn both(status: &BriefStatus<'_>) -> String {
        [English, Chinese]
            .map(|language| brief_status(status, language))
            .join("\n---\n")
    }

    #[test]
    fn u17_status_is_five_lines_that_everybody_understands() {
        let health = HealthState {
            status: HealthStatus::Connected,
            ..Health::new().read()
        };
        let channels = [("telegram", health.clone())];
        let turns = [(true, "sort\nmy photos".to_owned())];
        let status = BriefStatus {
            model: "main/gpt-4o-mini",
            channels: &channels,
            turns: &turns,
            are_commands_confined: true,
            outside: Some(OutsideReason::FoundThere),
        };
        insta::assert_snapshot!(both(&status), @r"
        **All is well.**
        Model: `gpt-4o-mini` · Telegram: online
        Waiting for approval: “sort my photos”
        Commands: only in your folder, no internet
        Your folder holds files that I did not make, so I ask a little more often.
        ---
        **一切正常。**
        模型：`gpt-4o-mini` · Telegram：在线
        等待批准：“sort my photos”
        命令：仅限你的文件夹，不联网
        你的文件夹里有外来文件，所以我会多问几次。
        ");
        let waiting = HealthState {
            status: HealthStatus::Waiting("the network is away".to_owned()),
            ..health.clone()
        };
        let channels = [("telegram", health), ("discord.work", waiting)];
        let status = BriefStatus {
            channels: &channels,
            turns: &[],
            outside: None,
            ..status
        };
        insta::assert_snapshot!(both(&status), @r"
        **Discord (work) is not connected:** the network is away
        Model: `gpt-4o-mini` · Telegram: online
        Nothing is running here.
        Commands: only in your folder, no internet
        ---
        **Discord (work) 没有连上：**the network is away
        模型：`gpt-4o-mini` · Telegram：在线
        这里没有进行中的任务。
        命令：仅限你的文件夹，不联网
        ");
    }
}
