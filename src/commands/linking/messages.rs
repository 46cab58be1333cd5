//! What is said about joining and parting accounts.

use sayso_channel::{Language, text};
use sayso_store::links::{RequestState, Wish};
use sayso_store::people::AccountRow;

use crate::commands::messages::plain;

/// Why no confirmation is requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotTaken {
    /// There is no such code, or none any more.
    Unknown,
    /// Too many were wrong.
    TooManyTries,
    /// It is the account's own.
    Own,
    /// Both accounts are one person already.
    AlreadyOne,
    /// The person would have too many accounts.
    TooManyAccounts,
}

/// Names an account: its display name, and its unique id, which cannot be imitated.
pub fn account(name: &str, channel: &str, sender: &str) -> String {
    format!("{} (`{channel}:{sender}`)", plain(name))
}

/// One line of a list of accounts.
pub fn account_line(row: &AccountRow) -> String {
    format!("- {}", account(&row.name, &row.channel, &row.sender))
}

/// `/link` or `/unlink` in a group.
pub fn only_direct(language: Language) -> String {
    text!(language, "linking-only-direct").to_owned()
}

/// `/link`: the code.
pub fn code(code: &str, language: Language) -> String {
    text!(language, "linking-code", code)
}

/// `/link CODE`, when no confirmation is requested.
pub fn not_taken(why: NotTaken, language: Language) -> String {
    match why {
        NotTaken::Unknown => text!(language, "linking-not-taken-unknown").to_owned(),
        NotTaken::TooManyTries => text!(language, "linking-not-taken-too-many-tries").to_owned(),
        NotTaken::Own => text!(language, "linking-not-taken-own").to_owned(),
        NotTaken::AlreadyOne => text!(language, "linking-not-taken-already-one").to_owned(),
        NotTaken::TooManyAccounts => {
            text!(language, "linking-not-taken-too-many-accounts").to_owned()
        }
    }
}

/// `/unlink` by somebody with one account.
pub fn nothing_linked(language: Language) -> String {
    text!(language, "linking-nothing-linked").to_owned()
}

/// The card that asks whether two accounts are one person's.
pub fn join(other: &str, linked: &[String], language: Language) -> String {
    let also = match linked {
        [] => String::new(),
        lines => text!(language, "linking-join-also", lines = lines.join("\n")),
    };
    text!(language, "linking-join", other, also)
}

/// The same card, confirmed on this side only.
pub fn join_confirmed_here(other: &str, language: Language) -> String {
    text!(language, "linking-join-confirmed-here", other)
}

/// The same card, closed.
pub fn join_ended(state: RequestState, other: &str, language: Language) -> String {
    match state {
        RequestState::Open | RequestState::Done => {
            text!(language, "linking-join-ended-open-done", other)
        }
        RequestState::Refused => text!(language, "linking-join-ended-refused", other),
        RequestState::Expired => text!(language, "linking-join-ended-expired", other),
        RequestState::Dropped => text!(language, "linking-join-ended-dropped", other),
    }
}

/// The card that asks whether an account is to be parted.
pub fn part(this: &str, linked: &[String], language: Language) -> String {
    let linked = linked.join("\n");
    text!(language, "linking-part", this, linked)
}

/// The same card, closed.
pub fn part_ended(state: RequestState, this: &str, language: Language) -> String {
    match state {
        RequestState::Open | RequestState::Done => {
            text!(language, "linking-part-ended-open-done", this)
        }
        RequestState::Refused => text!(language, "linking-part-ended-refused", this),
        RequestState::Expired => text!(language, "linking-part-ended-expired", this),
        RequestState::Dropped => text!(language, "linking-part-ended-dropped").to_owned(),
    }
}

/// The buttons: yes and no.
pub fn labels(wish: Wish, language: Language) -> (&'static str, &'static str) {
    match wish {
        Wish::Join => (
            text!(language, "linking-confirm"),
            text!(language, "linking-refuse"),
        ),
        Wish::Part => (
            text!(language, "linking-unlink"),
            text!(language, "linking-keep"),
        ),
    }
}

/// A yes, of which one is still missing.
pub fn confirmed(language: Language) -> String {
    text!(language, "linking-confirmed").to_owned()
}

/// A second yes on the same side.
pub fn confirmed_already(language: Language) -> String {
    text!(language, "linking-confirmed-already").to_owned()
}

/// A no.
pub fn refused(language: Language) -> String {
    text!(language, "linking-refused").to_owned()
}

/// The last yes.
pub fn done(wish: Wish, language: Language) -> String {
    match wish {
        Wish::Join => text!(language, "linking-done-join").to_owned(),
        Wish::Part => text!(language, "linking-done-part").to_owned(),
    }
}

/// A press on a card whose request was dropped.
pub fn dropped(language: Language) -> String {
    text!(language, "linking-dropped").to_owned()
}

/// The last yes, while the other account is no longer let in.
pub fn not_let_in(language: Language) -> String {
    text!(language, "linking-not-let-in").to_owned()
}
