//! What an open card says above and below its calls.

use std::time::Duration;

use sayso_channel::Language;
use sayso_channel::text;
use sayso_store::cards::ApprovedIn;
use sayso_store::cards::CallKind;

use super::names::plain;
use super::settled::span;
use crate::approvals::card_view::{AskedBy, CardView, Reader};

/// The first lines of an open card: what the model says of its calls, in quotation marks, and our
/// question; for an owner elsewhere who asked, too.
pub fn title(view: &CardView, reader: Reader<'_>, language: Language) -> String {
    let claim = view.card.claim.as_deref();
    let mut lines: Vec<String> = claim
        .map(|claim| format!("**“{claim}”**"))
        .into_iter()
        .collect();
    let question = match reader {
        Reader::Asker => waits_for_owner(view, language),
        Reader::Owner(_) => None,
    };
    lines.push(question.unwrap_or_else(|| may_i(view, language)));
    if let Reader::Owner(asked_by) = reader {
        lines.push(asked(asked_by, language));
    }
    lines.join("\n")
}

/// Who asked, and why an owner is asked about it.
fn asked(by: &AskedBy, language: Language) -> String {
    let AskedBy {
        name,
        account,
        in_group,
    } = by;
    let name = plain(name);
    if *in_group {
        text!(language, "approvals-title-asked-in-group", name, account)
    } else {
        text!(
            language,
            "approvals-title-asked-in-direct-chat",
            name,
            account
        )
    }
}

/// The question of an open card that only an owner may approve, in the chat of the asker.
fn waits_for_owner(view: &CardView, language: Language) -> Option<String> {
    match view.card.approved_in {
        ApprovedIn::Elsewhere => {
            Some(text!(language, "approvals-title-waits-for-owner").to_owned())
        }
        ApprovedIn::Both => {
            let question = may_i(view, language);
            Some(text!(language, "approvals-title-only-an-owner", question))
        }
        ApprovedIn::Here => None,
    }
}

/// The question of an open card: it says what kind of call waits, and how many. It is the title
/// where the model said nothing.
fn may_i(view: &CardView, language: Language) -> String {
    let mut kinds = view.calls.iter().map(|call| call.kind);
    let first = kinds.next().unwrap_or(CallKind::Exec);
    let kind = if kinds.all(|kind| kind == first) {
        first
    } else {
        CallKind::Other
    };
    let count = view.calls.len();
    let question = question(kind, count, language);
    match view.card.claim {
        None => format!("**{question}**"),
        Some(_) => question,
    }
}

/// The question about some calls of a kind.
fn question(kind: CallKind, count: usize, language: Language) -> String {
    match kind {
        CallKind::Exec => text!(language, "approvals-title-may-i-exec", count),
        CallKind::Write => text!(language, "approvals-title-may-i-write", count),
        CallKind::Remember => text!(language, "approvals-title-may-i-remember", count),
        CallKind::Read => text!(language, "approvals-title-may-i-read", count),
        CallKind::Fetch => text!(language, "approvals-title-may-i-fetch", count),
        CallKind::Send => text!(language, "approvals-title-may-i-send", count),
        CallKind::Configure => text!(language, "approvals-title-may-i-configure", count),
        CallKind::Other => text!(language, "approvals-title-may-i-other", count),
    }
}

/// What stands above the reasons that all calls of a card share.
pub fn all_of_these(language: Language) -> &'static str {
    text!(language, "approvals-title-all-of-these")
}

/// The last line of an open card: what confines its calls, and until when it may be pressed.
pub fn footer(confinement: Option<&str>, view: &CardView, language: Language) -> String {
    if let Some(confinement) = confinement {
        return format!("{confinement} · {}", expires_in(view, language));
    }
    let span = span_of(view, language);
    text!(language, "approvals-title-expires-in-alone", span)
}

fn expires_in(view: &CardView, language: Language) -> String {
    let span = span_of(view, language);
    text!(language, "approvals-title-expires-in", span)
}

fn span_of(view: &CardView, language: Language) -> String {
    let timeout = Duration::from_millis(u64::try_from(view.card.timeout_ms).unwrap_or_default());
    span(timeout, language)
}

/// What stands on the card of a call that is too long for it.
pub fn stands_above(language: Language) -> &'static str {
    text!(language, "approvals-title-stands-above")
}

/// What stands on the card of a call that is too long for it and is attached.
pub fn stands_in_file(language: Language) -> &'static str {
    text!(language, "approvals-title-stands-in-file")
}
