//! What an open card says above and below its calls.

use std::time::Duration;

use sayso_channel::Language::{self, Chinese, English};
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
    match (in_group, language) {
        (false, English) => format!(
            "{name} (`{account}`) asks for this. It reaches past what is theirs, so only an owner may approve it."
        ),
        (true, English) => format!(
            "{name} (`{account}`) asks for this in a group. It reaches past what is theirs, so only an owner may approve it."
        ),
        (false, Chinese) => {
            format!(
                "{name}（`{account}`）提出了这个请求。它超出了对方自己的范围，只有管理者可以批准。"
            )
        }
        (true, Chinese) => format!(
            "{name}（`{account}`）在群组中提出了这个请求。它超出了对方自己的范围，只有管理者可以批准。"
        ),
    }
}

/// The question of an open card that only an owner may approve, in the chat of the asker.
fn waits_for_owner(view: &CardView, language: Language) -> Option<String> {
    let text = match (view.card.approved_in, language) {
        (ApprovedIn::Elsewhere, English) => {
            "⏳ **This waits for an owner.** It reaches past what is yours, so I asked the owners. Deny takes it back.".to_owned()
        }
        (ApprovedIn::Elsewhere, Chinese) => {
            "⏳ **正在等待管理者批准。** 它超出了你自己的范围，所以我去问了管理者。按“拒绝”可以撤回。".to_owned()
        }
        (ApprovedIn::Both, English) => format!("{} Only an owner may approve it.", may_i(view, language)),
        (ApprovedIn::Both, Chinese) => format!("{}只有管理者可以批准。", may_i(view, language)),
        _ => return None,
    };
    Some(text)
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
    let [one, several] = questions(kind, language);
    let question = match count {
        ..=1 => one.to_owned(),
        _ => several.replace('N', &count.to_string()),
    };
    match view.card.claim {
        None => format!("**{question}**"),
        Some(_) => question,
    }
}

/// The question about one call of a kind, and about several, `N` of them.
fn questions(kind: CallKind, language: Language) -> [&'static str; 2] {
    match (kind, language) {
        (CallKind::Exec, English) => ["May I run this?", "May I run these N?"],
        (CallKind::Exec, Chinese) => ["可以执行吗？", "可以执行这 N 项吗？"],
        (CallKind::Write, English) => ["May I write this?", "May I write these N?"],
        (CallKind::Write, Chinese) => ["可以写入吗？", "可以写入这 N 项吗？"],
        (CallKind::Remember, English) => ["May I remember this?", "May I remember these N?"],
        (CallKind::Remember, Chinese) => ["可以记住吗？", "可以记住这 N 项吗？"],
        (CallKind::Read, English) => ["May I use this file?", "May I use these N files?"],
        (CallKind::Read, Chinese) => ["可以使用这个文件吗？", "可以使用这 N 个文件吗？"],
        (CallKind::Fetch, English) => [
            "May I look this up on the internet?",
            "May I look these N up on the internet?",
        ],
        (CallKind::Fetch, Chinese) => ["可以上网查询吗？", "可以上网查询这 N 项吗？"],
        (CallKind::Send, English) => ["May I send this?", "May I send these N?"],
        (CallKind::Send, Chinese) => ["可以发送吗？", "可以发送这 N 项吗？"],
        (CallKind::Configure, English) => [
            "May I change this setting?",
            "May I change these N settings?",
        ],
        (CallKind::Configure, Chinese) => ["可以修改这项设置吗？", "可以修改这 N 项设置吗？"],
        (CallKind::Other, English) => ["May I do this?", "May I do these N things?"],
        (CallKind::Other, Chinese) => ["可以这样做吗？", "可以做这 N 件事吗？"],
    }
}

/// What stands above the reasons that all calls of a card share.
pub fn all_of_these(language: Language) -> &'static str {
    match language {
        English => "All of these:",
        Chinese => "以上都：",
    }
}

/// The last line of an open card: what confines its calls, and until when it may be pressed.
pub fn footer(confinement: Option<&str>, view: &CardView, language: Language) -> String {
    let expires = expires_in(view, language);
    match confinement {
        Some(confinement) => format!("{confinement} · {expires}"),
        None => match language {
            English => expires.replacen('e', "E", 1),
            Chinese => expires,
        },
    }
}

fn expires_in(view: &CardView, language: Language) -> String {
    let timeout = Duration::from_millis(u64::try_from(view.card.timeout_ms).unwrap_or_default());
    let span = span(timeout, language);
    match language {
        English => format!("expires in {span}"),
        Chinese => format!("{span}后失效"),
    }
}

/// What stands on the card of a call that is too long for it.
pub fn stands_above(language: Language) -> &'static str {
    match language {
        English => "It stands above, in full.",
        Chinese => "完整内容见上一条消息。",
    }
}

/// What stands on the card of a call that is too long for it and is attached.
pub fn stands_in_file(language: Language) -> &'static str {
    match language {
        English => "It is attached, in full.",
        Chinese => "完整内容见附件。",
    }
}
