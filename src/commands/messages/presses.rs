//! What presses on buttons are answered with, beside refusals that all prompts share.

use sayso_channel::{Language, text};

/// A press on the notice about what waits, when no turn is in its way any more.
pub fn comes_next(language: Language) -> String {
    text!(language, "commands-presses-comes-next").to_owned()
}

/// A press on that notice when nothing waits any more.
pub fn nothing_queued(language: Language) -> String {
    text!(language, "commands-presses-nothing-queued").to_owned()
}

/// A press on the notice about somebody else's message.
pub fn not_your_message(language: Language) -> String {
    text!(language, "commands-presses-not-your-message").to_owned()
}

/// A press that stops a turn.
pub fn stopping(language: Language) -> String {
    text!(language, "commands-presses-stopping").to_owned()
}

/// A press that would stop somebody else's turn.
pub fn not_your_turn(language: Language) -> String {
    text!(language, "commands-presses-not-your-turn").to_owned()
}

/// A press that would stop a turn that has ended.
pub fn turn_is_over(language: Language) -> String {
    text!(language, "commands-presses-turn-is-over").to_owned()
}

/// A press that would make a request anew whose words are not kept any more.
pub fn request_is_gone(language: Language) -> String {
    text!(language, "commands-presses-request-is-gone").to_owned()
}

/// A press that has the request of a failed turn run again.
pub fn tries_again(language: Language) -> String {
    text!(language, "commands-presses-tries-again").to_owned()
}

/// After what was learned was taken back.
pub fn undone(language: Language) -> String {
    text!(language, "commands-presses-undone").to_owned()
}
