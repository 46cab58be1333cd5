//! `/status`: what runs in the background.

use sayso_channel::{Language, text};
use sayso_store::processes::ProcessRow;

/// The longest command that is named, in characters.
const COMMAND_CHARS: usize = 120;
const MINUTE_MS: i64 = 60_000;

/// Names what runs in the background here, if anything does.
pub fn lines(running: &[ProcessRow], now_ms: i64, language: Language) -> Option<String> {
    if running.is_empty() {
        return None;
    }
    let lines = running.iter().map(|process| {
        let since = (now_ms - process.started_ms).max(0) / MINUTE_MS;
        let left = (process.until_ms - now_ms).max(0).div_euclid(MINUTE_MS) + 1;
        let command = named(&process.command);
        text!(language, "commands-background-none", command, since, left)
    });
    let lines = lines.collect::<Vec<_>>().join("\n");
    Some(text!(language, "commands-background-lines", lines))
}

fn named(command: &str) -> String {
    let line = command.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut letters = line.chars();
    let mut short: String = letters.by_ref().take(COMMAND_CHARS).collect();
    if letters.next().is_some() {
        short.push('…');
    }
    format!("`{}`", short.replace('`', "'"))
}

#[cfg(test)]
mod tests {
    use sayso_core::transcript::TurnId;

    use sayso_channel::Language::{Chinese, English};

    use super::*;

    #[test]
    fn chat_f13_what_runs_is_named_with_its_times() {
        let row = ProcessRow {
            id: 1,
            turn_id: TurnId(7),
            command: "npm start".to_owned(),
            started_ms: 0,
            until_ms: 60 * MINUTE_MS,
        };
        let told = |language| lines(std::slice::from_ref(&row), 5 * MINUTE_MS, language).unwrap();
        insta::assert_snapshot!(told(English), @"
        **In the background** (`/stop` ends it)
        - `npm start`, for 5 min, ended in 56 min at the latest
        ");
        insta::assert_snapshot!(told(Chinese), @"
        **后台运行**（`/stop` 可停止）
        - `npm start`，已运行 5 分钟，最迟 56 分钟后结束
        ");
        assert_eq!(lines(&[], 0, English), None);
    }
}
