//! What is said to a command that does not exist.

use sayso_channel::Language::{self, Chinese, English};

/// There is no such command; perhaps another one is meant.
pub fn no_such_command(name: &str, meant: Option<&str>, language: Language) -> String {
    match (meant, language) {
        (Some(meant), English) => format!("No command /{name}. Did you mean /{meant}?"),
        (Some(meant), Chinese) => format!("没有 /{name} 命令，是 /{meant} 吗？"),
        (None, English) => format!("There is no command /{name}. /help lists them."),
        (None, Chinese) => format!("没有 /{name} 命令。发送 /help 可查看全部命令。"),
    }
}

/// The button that runs the other one.
pub fn yes_that_command(meant: &str, language: Language) -> String {
    match language {
        English => format!("Yes, /{meant}"),
        Chinese => format!("是，/{meant}"),
    }
}

/// In place of the question once its button was pressed.
pub fn meant_command(meant: &str) -> String {
    format!("→ /{meant}")
}

/// In place of the question when its time is over.
pub fn command_guess_expired(language: Language) -> &'static str {
    match language {
        English => "There is no such command. /help lists them.",
        Chinese => "没有这个命令。发送 /help 可查看全部命令。",
    }
}
