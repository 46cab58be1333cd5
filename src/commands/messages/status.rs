//! What `/status` says.

use std::time::Instant;

use chrono::{DateTime, Local};
use sayso_channel::Language;
use sayso_channel::text;
use sayso_channel::{HealthState, HealthStatus};
use sayso_core::transcript::OutsideReason;

/// A line of `/status` about a channel: what it does, the age of its last contact, how often it
/// was interrupted, and the last fault while that is over.
pub fn channel_line(name: &str, health: &HealthState, language: Language) -> String {
    let state = match &health.status {
        HealthStatus::Starting => {
            text!(language, "commands-status-channel-line-state-starting").to_owned()
        }
        HealthStatus::Connected => {
            text!(language, "commands-status-channel-line-state-connected").to_owned()
        }
        HealthStatus::Waiting(why) => {
            text!(language, "commands-status-channel-line-state-waiting", why)
        }
        HealthStatus::Stopped(why) => {
            text!(language, "commands-status-channel-line-state-stopped", why)
        }
    };
    let contact = health.last_contact.map(|contact| {
        let age = age(contact, language);
        text!(language, "commands-status-channel-line-contact", age)
    });
    let count = health.interruptions;
    let interruptions =
        (count > 0).then(|| text!(language, "commands-status-interruptions", count));
    let fault = match (&health.status, &health.last_fault) {
        (HealthStatus::Connected, Some((why, at))) => Some(last_fault(why, *at, language)),
        _ => None,
    };
    let parts: Vec<String> = [Some(state), contact, interruptions, fault]
        .into_iter()
        .flatten()
        .collect();
    text!(
        language,
        "commands-status-channel-line",
        name,
        parts = parts.join(text!(language, "list-clauses"))
    )
}

fn last_fault(why: &str, at: Instant, language: Language) -> String {
    let age = age(at, language);
    text!(language, "commands-status-last-fault", age, why)
}

/// Returns how long ago something was, in the unit that tells most.
pub(super) fn age(since: Instant, language: Language) -> String {
    let seconds = since.elapsed().as_secs();
    match seconds {
        0..120 => text!(language, "commands-status-age-seconds", seconds),
        120..7200 => text!(
            language,
            "commands-status-age-minutes",
            seconds = seconds / 60
        ),
        _ => text!(
            language,
            "commands-status-age-hours",
            seconds = seconds / 3600
        ),
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
        .map(|(parked, request)| {
            if *parked {
                text!(language, "commands-status-work-waiting", request)
            } else {
                text!(language, "commands-status-work-on", request)
            }
        })
        .collect();
    let idle = text!(language, "commands-status-idle");
    let work = if work.is_empty() {
        idle.to_owned()
    } else {
        work.join("\n")
    };
    let channels = channels.join("\n");
    text!(
        language,
        "commands-status",
        version,
        model,
        sandbox,
        channels,
        work
    )
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
    Some(text!(
        language,
        "commands-status-changed-in-chat",
        changes = changes.join(text!(language, "list-names"))
    ))
}

/// `/status`: whether what is read in the workspace counts as text from outside, and why.
pub fn workspace_trusted(language: Language) -> String {
    text!(language, "commands-status-workspace-trusted").to_owned()
}

/// `/status`: since when and why what is read in the folder counts as text from outside.
pub fn workspace_tainted(since_ms: i64, why: OutsideReason, language: Language) -> String {
    let why = intrusion(why, language);
    let day = day_of(since_ms).map_or_else(String::new, |day| {
        text!(language, "commands-status-workspace-tainted-day", day)
    });
    text!(language, "commands-status-workspace-tainted", day, why)
}

fn intrusion(why: OutsideReason, language: Language) -> &'static str {
    match why {
        OutsideReason::Shared => text!(language, "commands-status-intrusion-shared"),
        OutsideReason::FoundThere => text!(language, "commands-status-intrusion-found-there"),
        OutsideReason::ChangedElsewhere => {
            text!(language, "commands-status-intrusion-changed-elsewhere")
        }
        OutsideReason::BroughtIn => text!(language, "commands-status-intrusion-brought-in"),
        OutsideReason::ReachedOut => text!(language, "commands-status-intrusion-reached-out"),
        OutsideReason::Unreadable => text!(language, "commands-status-intrusion-unreadable"),
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

    use sayso_channel::Language::{Chinese, English};

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
