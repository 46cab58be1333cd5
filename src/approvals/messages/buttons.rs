//! What the buttons of a card say.

use sayso_channel::{Language, text};

/// The button that lets a call run once.
pub fn approve(language: Language) -> &'static str {
    text!(language, "approvals-buttons-approve")
}

/// The button that lets exactly this call run from now on.
pub fn always(language: Language) -> &'static str {
    text!(language, "approvals-buttons-always")
}

/// The button that lets patches in this project run from now on.
pub fn always_in_project(language: Language) -> &'static str {
    text!(language, "approvals-buttons-always-in-project")
}

/// Returns the project that a stored pattern covers patches in.
pub fn covered_project(pattern: &str) -> Option<String> {
    let pattern: serde_json::Value = serde_json::from_str(pattern).ok()?;
    Some(pattern.get("project")?.as_str()?.to_owned())
}

/// The button that lets calls run from now on that begin with these words.
pub fn always_alike(words: &str, language: Language) -> String {
    text!(language, "approvals-buttons-always-alike", words)
}

/// Returns the words that a stored prefix covers.
pub fn covered_words(pattern: &str) -> Option<String> {
    let pattern: serde_json::Value = serde_json::from_str(pattern).ok()?;
    Some(pattern.get("prefix")?.as_str()?.to_owned())
}

/// The button that keeps a call from running, and lets the presser say why.
pub fn deny_and_say_why(language: Language) -> &'static str {
    text!(language, "approvals-buttons-deny-and-say-why")
}

/// The button that keeps a call from running.
pub fn deny(language: Language) -> &'static str {
    text!(language, "approvals-buttons-deny")
}

/// The button that lets all calls of a card run.
pub fn approve_all(language: Language) -> &'static str {
    text!(language, "approvals-buttons-approve-all")
}

/// The button that keeps all calls of a card from running.
pub fn deny_all(language: Language) -> &'static str {
    text!(language, "approvals-buttons-deny-all")
}

/// The button that gives each of many calls buttons of its own.
pub fn one_by_one(language: Language) -> &'static str {
    text!(language, "approvals-buttons-one-by-one")
}

/// The button that takes back what an "always" gave.
pub fn take_back(language: Language) -> &'static str {
    text!(language, "approvals-buttons-take-back")
}

/// The button that makes the request of an expired card anew.
pub fn ask_again(language: Language) -> &'static str {
    text!(language, "approvals-buttons-ask-again")
}
