//! Texts of the listener: errors for the operator, in English, and the few replies to interactions
//! that are not passed to the agent.

use sayso_channel::{Language, text};

/// Discord cannot be reached.
pub(super) fn unreachable(why: &str) -> String {
    format!("Discord cannot be reached: {why}")
}

/// Discord asks for a pause.
pub(super) fn asked_to_wait(seconds: u64) -> String {
    format!("Discord asks to wait {seconds} s")
}

/// Discord counts how many sessions begin in a day.
pub(super) fn no_session_left(seconds: u64) -> String {
    format!(
        "Discord lets no further session begin for {} minutes; the bot connected too often",
        seconds.div_ceil(60)
    )
}

/// More events came than there is room for.
pub(super) fn overrun() -> String {
    "more is said on Discord than can be stored now; the rest is read back".to_owned()
}

/// The store refuses.
pub(super) fn store_is_closed() -> String {
    "what was heard cannot be stored now; it is kept and offered again".to_owned()
}

/// A command could not be stored.
pub(super) fn command_not_stored(language: Language) -> String {
    text!(language, "discord-command-not-stored").to_owned()
}

/// A press could not be stored.
pub(super) fn press_not_stored(language: Language) -> String {
    text!(language, "discord-press-not-stored").to_owned()
}

/// The app is used where the bot is not.
pub(super) fn not_a_member(language: Language) -> String {
    text!(language, "discord-not-a-member").to_owned()
}

/// An interaction of an unknown kind.
pub(super) fn not_understood(language: Language) -> String {
    text!(language, "discord-not-understood").to_owned()
}
