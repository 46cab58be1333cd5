//! What is said of processes in the background, to people.

use sayso_channel::Language::{self, Chinese, English};
use sayso_tools::ProcessEnd;

/// The longest command that is named, in characters.
const COMMAND_CHARS: usize = 120;

/// A process ended without a request to stop it.
pub fn ended(command: &str, end: &ProcessEnd, language: Language) -> String {
    let (command, how) = (named(command), how(end, language));
    match language {
        English => format!("⚠️ What ran in the background has ended: {command}\n{how}"),
        Chinese => format!("⚠️ 后台运行的命令已结束：{command}\n{how}"),
    }
}

fn how(end: &ProcessEnd, language: Language) -> String {
    let [english, chinese] = match end {
        ProcessEnd::Exited { code } => {
            return match language {
                English => format!("It ended by itself with exit code {code}."),
                Chinese => format!("它自行退出，退出码 {code}。"),
            };
        }
        ProcessEnd::Killed { signal } => {
            return match language {
                English => format!("It was ended by {signal}."),
                Chinese => format!("它被 {signal} 终止。"),
            };
        }
        ProcessEnd::Overdrawn(_) => [
            "It used more memory, processes or disk than it may.",
            "它使用的内存、进程或磁盘超出了限制。",
        ],
        ProcessEnd::TimedOut => [
            "Its time was up. Ask me to start it again if you still need it.",
            "运行时间已到。如果还需要，请让我重新启动。",
        ],
        ProcessEnd::Stopped => ["It was stopped.", "它已被停止。"],
        ProcessEnd::Lost => ["How it ended is not known.", "不清楚它是怎么结束的。"],
        ProcessEnd::NotStarted => ["It could not be started.", "无法启动。"],
        ProcessEnd::WithProgram => [
            "It ended when I was restarted. Ask me to start it again if you still need it.",
            "我重启时它也随之结束。如果还需要，请让我重新启动。",
        ],
    };
    match language {
        English => english.to_owned(),
        Chinese => chinese.to_owned(),
    }
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
