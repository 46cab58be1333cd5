//! What is said of processes in the background, to people.

use sayso_channel::{Language, text};
use sayso_tools::ProcessEnd;

/// The longest command that is named, in characters.
const COMMAND_CHARS: usize = 120;

/// A process ended without a request to stop it.
pub fn ended(command: &str, end: &ProcessEnd, language: Language) -> String {
    let (command, how) = (named(command), how(end, language));
    text!(language, "processes-ended", command, how)
}

fn how(end: &ProcessEnd, language: Language) -> String {
    match end {
        ProcessEnd::Exited { code } => return text!(language, "processes-how-exited", code),
        ProcessEnd::Killed { signal } => return text!(language, "processes-how-killed", signal),
        ProcessEnd::Overdrawn(_) => text!(language, "processes-how-overdrawn"),
        ProcessEnd::TimedOut => text!(language, "processes-how-timed-out"),
        ProcessEnd::Stopped => text!(language, "processes-how-stopped"),
        ProcessEnd::Lost => text!(language, "processes-how-lost"),
        ProcessEnd::NotStarted => text!(language, "processes-how-not-started"),
        ProcessEnd::WithProgram => text!(language, "processes-how-with-program"),
    }
    .to_owned()
}

/// Quotes a command on one line.
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
    use sayso_channel::Language::{Chinese, English};

    use super::*;

    #[test]
    fn chat_f13_an_end_is_told_in_both_languages() {
        let said = |end: ProcessEnd, language| ended("npm  start\n--`x`", &end, language);
        insta::assert_snapshot!(said(ProcessEnd::Exited { code: 1 }, English), @"
        ⚠️ What ran in the background has ended: `npm start --'x'`
        It ended by itself with exit code 1.
        ");
        insta::assert_snapshot!(said(ProcessEnd::WithProgram, Chinese), @"
        ⚠️ 后台运行的命令已结束：`npm start --'x'`
        我重启时它也随之结束。如果还需要，请让我重新启动。
        ");
        insta::assert_snapshot!(said(ProcessEnd::TimedOut, English), @"
        ⚠️ What ran in the background has ended: `npm start --'x'`
        Its time was up. Ask me to start it again if you still need it.
        ");
    }
}
