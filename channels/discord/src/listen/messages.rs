//! Texts of the listener: errors for the operator, in English, and the few replies to interactions
//! that are not passed to the agent.

use sayso_channel::Language;

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
    match language {
        Language::English => "I could not take this command just now. Please give it again.",
        Language::Chinese => "我现在无法接收这条命令，请再试一次。",
    }
    .to_owned()
}

/// A press could not be stored.
pub(super) fn press_not_stored(language: Language) -> String {
    match language {
        Language::English => "I could not take this press just now. Please press again.",
        Language::Chinese => "我现在无法处理这次点击，请再按一次。",
    }
    .to_owned()
}

/// The app is used where the bot is not.
pub(super) fn not_a_member(language: Language) -> String {
    match language {
        Language::English => {
            "I cannot speak here. Write me a direct message, or use me in a server that I am in."
        }
        Language::Chinese => "我无法在这里发言。请私信我，或在我所在的服务器中使用我。",
    }
    .to_owned()
}

/// An interaction of an unknown kind.
pub(super) fn not_understood(language: Language) -> String {
    match language {
        Language::English => "This version of Sayso does not know what to do with that.",
        Language::Chinese => "此版本的 Sayso 不知道如何处理这个操作。",
    }
    .to_owned()
}
