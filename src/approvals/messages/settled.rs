//! What stands of a card once it is decided: one or two lines, with the calls cut short. The whole
//! stood there before, and stands in the audit.

use std::time::Duration;

use sayso_channel::Language::{self, Chinese, English};
use sayso_store::cards::CallKind;
use sayso_store::cards::CallVerdict;
use sayso_store::cards::HeldRow;

use super::buttons::covered_words;
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
        match language {
            English => format!("⏹ **Stopped**, not run: {calls}"),
            Chinese => format!("⏹ **已停止**，未执行：{calls}"),
        }
    } else {
        format!("{}\n{}", decided(view, language), each_verdict(view))
    };
    match (reader, language) {
        (Reader::Asker, _) => text,
        (Reader::Owner(by), English) => format!("{text}\nAsked by {}", plain(&by.name)),
        (Reader::Owner(by), Chinese) => format!("{text}\n提出者：{}", plain(&by.name)),
    }
}

/// What a denied card says while the reason is waited for.
pub fn waits_for_reason(view: &CardView, language: Language) -> String {
    let calls = shown_calls(&view.calls, language);
    let denied = denied(view, language);
    match language {
        English => format!(
            "{denied}: {calls}\nWhat should I do instead? Reply to this, or in a direct chat just write (2 min)."
        ),
        Chinese => {
            format!("{denied}：{calls}\n那该怎么做？两分钟内回复这条消息，私聊里直接写也行。")
        }
    }
}

fn is(call: &HeldRow, verdict: CallVerdict) -> bool {
    call.verdict == Some(verdict)
}

fn colon(language: Language) -> &'static str {
    match language {
        English => ": ",
        Chinese => "：",
    }
}

/// Returns who decided, without formatting of its own.
fn decider(view: &CardView) -> Option<String> {
    let name = view.decided_by.as_deref().map(plain);
    name.filter(|name| !name.is_empty())
}

/// Returns a name as it stands before Chinese words: behind Latin letters there is a space.
fn before_chinese(name: &str) -> String {
    let space = if name.ends_with(|letter: char| letter.is_ascii()) {
        " "
    } else {
        ""
    };
    format!("{name}{space}")
}

fn approved(view: &CardView, language: Language) -> String {
    match (decider(view), language) {
        (Some(name), English) => format!("✅ **Approved** by {name}"),
        (None, English) => "✅ **Approved**".to_owned(),
        (Some(name), Chinese) => format!("✅ {}**已批准**", before_chinese(&name)),
        (None, Chinese) => "✅ **已批准**".to_owned(),
    }
}

fn denied(view: &CardView, language: Language) -> String {
    match (decider(view), language) {
        (Some(name), English) => format!("❌ **Denied** by {name}"),
        (None, English) => "❌ **Denied**".to_owned(),
        (Some(name), Chinese) => format!("❌ {}**已拒绝**", before_chinese(&name)),
        (None, Chinese) => "❌ **已拒绝**".to_owned(),
    }
}

fn decided(view: &CardView, language: Language) -> String {
    match (decider(view), language) {
        (Some(name), English) => format!("**Decided** by {name}:"),
        (None, English) => "**Decided**:".to_owned(),
        (Some(name), Chinese) => format!("{}**已决定**：", before_chinese(&name)),
        (None, Chinese) => "**已决定**：".to_owned(),
    }
}

fn expired(view: &CardView, language: Language) -> String {
    let timeout = Duration::from_millis(u64::try_from(view.card.timeout_ms).unwrap_or_default());
    let span = span(timeout, language);
    match language {
        English => format!("⌛ **Not run**: no answer in {span}. "),
        Chinese => format!("⌛ {span}内无答复，**未执行**："),
    }
}

/// A time to wait, in the largest unit that gives a whole number.
pub fn span(time: Duration, language: Language) -> String {
    let seconds = time.as_secs().max(1);
    let (number, english, chinese) = match seconds {
        _ if seconds >= 7_200 && seconds.is_multiple_of(3_600) => (seconds / 3_600, "h", "小时"),
        60.. => (seconds / 60, "min", "分钟"),
        _ => (seconds, "s", "秒"),
    };
    match language {
        English => format!("{number} {english}"),
        Chinese => format!("{number} {chinese}"),
    }
}

/// What an "always" gave, and that it was taken back.
fn standing_permission(view: &CardView, language: Language) -> String {
    let given = view.calls.iter().find(|call| call.grant_id.is_some());
    let Some(call) = given else {
        return String::new();
    };
    if call.taken_back {
        return match language {
            English => "\nTaken back: I ask again each time.".to_owned(),
            Chinese => "\n已撤回：之后每次都会询问。".to_owned(),
        };
    }
    let prefix = call.prefix.as_deref().filter(|_| call.granted_alike);
    let words = prefix.and_then(covered_words);
    match (words, language) {
        (Some(words), English) => {
            format!("\nFrom now on without asking: `{} …`", in_code(&words))
        }
        (Some(words), Chinese) => format!("\n之后不再询问：`{} …`", in_code(&words)),
        (None, English) => "\nFrom now on without asking: exactly this command".to_owned(),
        (None, Chinese) => "\n之后不再询问：这条命令（完全一致）".to_owned(),
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
    match (more, language) {
        (0, _) => shown,
        (more, English) => format!("{shown} and {more} more"),
        (more, Chinese) => format!("{shown} 等共 {} 项", SHOWN_CALLS + more),
    }
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
    match (verdict, language) {
        (Some(CallVerdict::Approved), English) => " ✅ approved",
        (Some(CallVerdict::Approved), Chinese) => " ✅ 已批准",
        (Some(CallVerdict::Denied), English) => " ❌ denied",
        (Some(CallVerdict::Denied), Chinese) => " ❌ 已拒绝",
        (Some(CallVerdict::Expired | CallVerdict::Dropped) | None, _) => "",
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
