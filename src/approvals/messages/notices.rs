//! What presses on a card are answered with, and what answers a yes or no in words.

use sayso_channel::{Language, text};
use sayso_store::cards::HeldRow;

use super::buttons::{covered_project, covered_words};
use super::settled::shown_calls;
use crate::approvals::card_view::CardView;
use crate::approvals::token::Verb;

/// What answers a person who says yes or no in words: the buttons below it decide.
pub fn remind(view: &CardView, language: Language) -> String {
    let calls = shown_calls(&view.calls, language);
    text!(language, "approvals-notices-remind", calls)
}

/// A press counted; `call` is the one that it is about, where it is about one.
pub fn counted(verb: Verb, call: Option<&HeldRow>, language: Language) -> String {
    match verb {
        Verb::Approve | Verb::ApproveAll => {
            text!(language, "approvals-notices-counted-approve-all").to_owned()
        }
        Verb::Deny | Verb::DenyAll => {
            text!(language, "approvals-notices-counted-deny-all").to_owned()
        }
        Verb::DenyWhy => text!(language, "approvals-notices-counted-deny-why").to_owned(),
        Verb::Always => {
            let pattern = call.and_then(|call| call.pattern.as_deref());
            match pattern.and_then(covered_project) {
                Some(project) => {
                    text!(
                        language,
                        "approvals-notices-counted-always-in-project",
                        project
                    )
                }
                None => text!(language, "approvals-notices-counted-always").to_owned(),
            }
        }
        Verb::AlwaysAlike => {
            let words = call.and_then(|call| call.prefix.as_deref());
            let words = words.and_then(covered_words).unwrap_or_default();
            text!(language, "approvals-notices-counted", words)
        }
        Verb::OneByOne => text!(language, "approvals-notices-counted-one-by-one").to_owned(),
        Verb::TakeBack => taken_back(language),
        Verb::AskAgain => asks_again(language),
    }
}

/// A press on a button that we do not know, or not in this chat.
pub fn unknown(language: Language) -> String {
    text!(language, "approvals-notices-unknown").to_owned()
}

/// A press by somebody who may not.
pub fn not_yours(language: Language) -> String {
    text!(language, "approvals-notices-not-yours").to_owned()
}

/// A press on an approval that only an owner may give.
pub fn owners_approve(language: Language) -> String {
    text!(language, "approvals-notices-owners-approve").to_owned()
}

/// A press that approved what the presser may approve, and not the rest.
pub fn partly_approved(language: Language) -> String {
    text!(language, "approvals-notices-partly-approved").to_owned()
}

/// A press on something that was already decided.
pub fn already_decided(language: Language) -> String {
    text!(language, "approvals-notices-already-decided").to_owned()
}

/// A press after the time was over.
pub fn too_late(language: Language) -> String {
    text!(language, "approvals-notices-too-late").to_owned()
}

/// A press after the turn was stopped.
pub fn stopped_before(language: Language) -> String {
    text!(language, "approvals-notices-stopped-before").to_owned()
}

/// A press that took back what an "always" gave.
pub fn taken_back(language: Language) -> String {
    text!(language, "approvals-notices-taken-back").to_owned()
}

/// The same, where it held no more anyway.
pub fn lapsed(language: Language) -> String {
    text!(language, "approvals-notices-lapsed").to_owned()
}

/// A second press of that kind.
pub fn taken_back_before(language: Language) -> String {
    text!(language, "approvals-notices-taken-back-before").to_owned()
}

/// A press that would make the request of somebody else anew.
pub fn not_your_request(language: Language) -> String {
    text!(language, "approvals-notices-not-your-request").to_owned()
}

/// A press that makes the request of an expired card anew.
pub fn asks_again(language: Language) -> String {
    text!(language, "approvals-notices-asks-again").to_owned()
}

/// A second press of that kind.
pub fn asks_already(language: Language) -> String {
    text!(language, "approvals-notices-asks-already").to_owned()
}
