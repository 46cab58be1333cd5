//! What is said to a command that does not exist.

use sayso_channel::{Language, text};

/// There is no such command; perhaps another one is meant.
pub fn no_such_command(name: &str, meant: Option<&str>, language: Language) -> String {
    match meant {
        Some(meant) => text!(language, "commands-unknown-did-you-mean", name, meant),
        None => text!(language, "commands-unknown-no-such-command", name),
    }
}

/// The button that runs the other one.
pub fn yes_that_command(meant: &str, language: Language) -> String {
    text!(language, "commands-unknown-yes-that-command", meant)
}

/// In place of the question once its button was pressed.
pub fn meant_command(meant: &str) -> String {
    format!("→ /{meant}")
}

/// In place of the question when its time is over.
pub fn command_guess_expired(language: Language) -> &'static str {
    text!(language, "commands-unknown-command-guess-expired")
}
