//! What stands of a card once it is decided: one or two lines, with the calls cut short. The whole
//! stood there before, and stands in the audit.

use std::time::Duration;

use sayso_channel::Language;
use sayso_channel::text;
use sayso_store::cards::CallKind;
use sayso_store::cards::CallVerdict;
use sayso_store::cards::HeldRow;

use super::buttons::{covered_project, covered_words};
use super::names::plain;
use crate::approvals::card_view::{CardView, Reader};

/// How much of a reason its card shows, in characters; the model is given all of it.
const SHOWN_REASON_CHARS: usize = 200;
/// How much of a call that is alone is shown, in characters.
const ALONE_CHARS: usize = 80;
/// How much of each of several calls is shown, in characters.
const EACH_CHARS: usize = 40;
/// How many of several calls with one verdict are shown.
const SHOWN_CALLS: usize = 3;

/// What a decided card says.
pub fn settled(view: &CardView, reader: Reader<'_>, language: Language) -> String {
    let calls = shown_calls(&view.calls, language);
    let all = |verdict| view.calls.iter().all(|call| is(call, verdict));
    let any = |verdict| view.calls.iter().any(|call| is(call, verdict));
    let text = if all(CallVerdict::Approved) {
        let standing = standing_permission(view, language);
        format!(
            "{}{}{calls}{standing}",
            approved(view, language),
            colon(language)
        )
    } else if all(CallVerdict::Denied) {
        let reason = quoted_reason(view);
        format!(
            "{}{}{calls}{reason}",
            denied(view, language),
            colon(language)
        )
    } else if any(CallVerdict::Expired) {
        format!("{}{calls}", expired(view, language))
    } else if any(CallVerdict::Dropped) {
        text!(language, "approvals-settled", calls)
    } else {
        format!("{}\n{}", decided(view, language), each_verdict(view))
    };
    match reader {
        Reader::Asker => text,
        Reader::Owner(by) => text!(
            language,
            "approvals-settled-owner",
            text,
            name = plain(&by.name)
        ),
    }
}

/// What a denied card says while the reason is waited for.
pub fn waits_for_reason(view: &CardView, language: Language) -> String {
    let calls = shown_calls(&view.calls, language);
    let denied = denied(view, language);
    text!(
        language,
        "approvals-settled-waits-for-reason",
        denied,
        calls
    )
}

fn is(call: &HeldRow, verdict: CallVerdict) -> bool {
    call.verdict == Some(verdict)
}

fn colon(language: Language) -> &'static str {
    text!(language, "list-colon")
}

/// Returns who decided, without formatting of its own.
fn decider(view: &CardView) -> Option<String> {
    let name = view.decided_by.as_deref().map(plain);
    name.filter(|name| !name.is_empty())
}

/// Returns whether a name ends with a Latin letter, for languages that set a space behind it.
fn last_letter(name: &str) -> &'static str {
    if name.ends_with(|letter: char| letter.is_ascii()) {
        "latin"
    } else {
        "other"
    }
}

fn approved(view: &CardView, language: Language) -> String {
    match decider(view) {
        Some(name) => text!(
            language,
            "approvals-settled-approved-by",
            name,
            end = last_letter(&name)
        ),
        None => text!(language, "approvals-settled-approved").to_owned(),
    }
}

fn denied(view: &CardView, language: Language) -> String {
    match decider(view) {
        Some(name) => text!(
            language,
            "approvals-settled-denied-by",
            name,
            end = last_letter(&name)
        ),
        None => text!(language, "approvals-settled-denied").to_owned(),
    }
}

fn decided(view: &CardView, language: Language) -> String {
    match decider(view) {
        Some(name) => text!(
            language,
            "approvals-settled-decided-by",
            name,
            end = last_letter(&name)
        ),
        None => text!(language, "approvals-settled-decided").to_owned(),
    }
}

fn expired(view: &CardView, language: Language) -> String {
    let timeout = Duration::from_millis(u64::try_from(view.card.timeout_ms).unwrap_or_default());
    let span = span(timeout, language);
    text!(language, "approvals-settled-expired", span)
}

/// A time to wait, in the largest unit that gives a whole number.
pub fn span(time: Duration, language: Language) -> String {
    let seconds = time.as_secs().max(1);
    match seconds {
        _ if seconds >= 7_200 && seconds.is_multiple_of(3_600) => {
            text!(
                language,
                "approvals-settled-hours",
                number = seconds / 3_600
            )
        }
        60.. => text!(language, "approvals-settled-minutes", number = seconds / 60),
        _ => text!(language, "approvals-settled-seconds", number = seconds),
    }
}

/// What an "always" gave, and that it was taken back.
fn standing_permission(view: &CardView, language: Language) -> String {
    let given = view.calls.iter().find(|call| call.grant_id.is_some());
    let Some(call) = given else {
        return String::new();
    };
    if call.taken_back {
        return text!(language, "approvals-settled-standing-permission").to_owned();
    }
    let prefix = call.prefix.as_deref().filter(|_| call.granted_alike);
    let words = prefix.and_then(covered_words);
    let project = call.pattern.as_deref().and_then(covered_project);
    if let Some(project) = project.filter(|_| words.is_none()) {
        let project = in_code(&project);
        return text!(
            language,
            "approvals-settled-standing-permission-project",
            project
        );
    }
    match words {
        Some(words) => text!(
            language,
            "approvals-settled-standing-permission-alike",
            words = in_code(&words)
        ),
        None => text!(language, "approvals-settled-standing-permission-exact").to_owned(),
    }
}

/// The reason of a denial on a line of its own, without formatting of its own.
fn quoted_reason(view: &CardView) -> String {
    let reason = view
        .calls
        .first()
        .and_then(|call| call.verdict_why.as_deref());
    let Some(reason) = reason.filter(|reason| !reason.is_empty()) else {
        return String::new();
    };
    let words: Vec<&str> = reason.split_whitespace().collect();
    let line = plain(&words.join(" "));
    let shown: String = line.chars().take(SHOWN_REASON_CHARS).collect();
    let more = if shown.len() < line.len() { "…" } else { "" };
    format!("\n“{shown}{more}”")
}

/// Calls on one line, as code.
pub(super) fn shown_calls(calls: &[HeldRow], language: Language) -> String {
    let each = if calls.len() == 1 {
        ALONE_CHARS
    } else {
        EACH_CHARS
    };
    let shown: Vec<String> = calls
        .iter()
        .take(SHOWN_CALLS)
        .map(|call| cut(call, each))
        .collect();
    let more = calls.len().saturating_sub(SHOWN_CALLS);
    let shown = shown.join(" · ");
    if more == 0 {
        return shown;
    }
    text!(
        language,
        "approvals-settled-more-calls",
        shown,
        more,
        all = calls.len()
    )
}

/// Each call on a line with its verdict.
fn each_verdict(view: &CardView) -> String {
    let lines: Vec<String> = view
        .calls
        .iter()
        .map(|call| format!("{} {}", mark(call.verdict), cut(call, EACH_CHARS)))
        .collect();
    lines.join("\n")
}

fn mark(verdict: Option<CallVerdict>) -> &'static str {
    match verdict {
        Some(CallVerdict::Approved) => "✅",
        Some(CallVerdict::Denied) => "❌",
        Some(CallVerdict::Expired) => "⌛",
        Some(CallVerdict::Dropped) | None => "⏹",
    }
}

/// What stands behind the number of a call that is decided while others are not.
pub fn verdict_mark(verdict: Option<CallVerdict>, language: Language) -> &'static str {
    match verdict {
        Some(CallVerdict::Approved) => text!(language, "approvals-settled-mark-approved"),
        Some(CallVerdict::Denied) => text!(language, "approvals-settled-mark-denied"),
        Some(CallVerdict::Expired | CallVerdict::Dropped) | None => "",
    }
}

/// Returns the beginning of a call as code on one line: of a command all lines, of others the
/// first.
fn cut(call: &HeldRow, most: usize) -> String {
    let text = match call.kind {
        CallKind::Exec => call.summary.as_str(),
        _ => call.summary.lines().next().unwrap_or_default(),
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = in_code(&words.join(" "));
    let shown: String = line.chars().take(most).collect();
    let more = if shown.len() < line.len() { "…" } else { "" };
    format!("`{}{more}`", shown.trim_end())
}

/// Returns a text that cannot close the code that it stands in.
fn in_code(text: &str) -> String {
    text.replace('`', "'")
}
