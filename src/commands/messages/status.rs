//! What `/status` says.

use std::time::Instant;

use chrono::{DateTime, Local};
use sayso_channel::Language::{self, Chinese, English};
use sayso_channel::{HealthState, HealthStatus};
use sayso_core::transcript::OutsideReason;

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
                "Sayso {version}，模型 `{model}`\n{sandbox}\n\n**通道**\n{channels}\n\n**本对话**\n{work}"
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
pub fn workspace_trusted(language: Language) -> String {
    match language {
        English => "Your folder holds nothing from outside that I know of: what I read there does not make me ask.",
        Chinese => "据我所知，你的文件夹里没有外来内容：读取其中的文件不会让我多问。",
    }
    .to_owned()
}

/// `/status`: since when and why what is read in the folder counts as text from outside.
pub fn workspace_tainted(since_ms: i64, why: OutsideReason, language: Language) -> String {
    let why = intrusion(why, language);
    let day = day_of(since_ms).map_or_else(String::new, |day| match language {
        English => format!(" since {day}"),
        Chinese => format!("自 {day} 起，"),
    });
    match language {
        English => format!(
            "Your folder holds things that are not from you or me{day}: {why}. When I have read them, I ask a little more often, even where you said Always."
        ),
        Chinese => format!(
            "{day}你的文件夹里有外来内容：{why}。读过之后我会多问几次，即使你选过“始终允许”。"
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
            ..Health::new().read()
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
            ..Health::new().read()
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
