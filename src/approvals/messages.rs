//! What a card and its buttons say.

use sayso_channel::Language::{self, Chinese, English};

use super::card_view::{AskedBy, CardView, Reader};
use super::token::Verb;

/// How much of a reason its card shows, in characters; the model is given all of it.
const SHOWN_REASON_CHARS: usize = 200;

/// The first line of a card, and for an owner elsewhere who asked.
pub fn title(view: &CardView, reader: Reader<'_>, language: Language) -> String {
    match reader {
        Reader::Asker => first_line(view, reader, language),
        Reader::Owner(asked_by) => {
            let who = asked(asked_by, language);
            format!("{}\n{who}", first_line(view, reader, language))
        }
    }
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
    let text = match (view.card.approved_in.as_str(), language) {
        ("elsewhere", English) => {
            "⏳ **This waits for an owner.** It reaches past what is yours, so I asked the owners. Deny takes it back.".to_owned()
        }
        ("elsewhere", Chinese) => {
            "⏳ **正在等待管理者批准。** 它超出了你自己的范围，所以我去问了管理者。按“拒绝”可以撤回。".to_owned()
        }
        ("both", English) => format!("{} Only an owner may approve it.", may_i(view, language)),
        ("both", Chinese) => format!("{}只有管理者可以批准。", may_i(view, language)),
        _ => return None,
    };
    Some(text)
}

/// The first line of a card.
fn first_line(view: &CardView, reader: Reader<'_>, language: Language) -> String {
    let by = view.decided_by.as_deref().map(plain);
    let by = by.filter(|name| !name.is_empty());
    let by = match (by, language) {
        (Some(name), English) => format!(" by {name}"),
        (Some(name), Chinese) => format!("（{name}）"),
        (None, English | Chinese) => String::new(),
    };
    let verdicts: Vec<_> = view
        .calls
        .iter()
        .filter_map(|call| call.verdict.as_deref())
        .collect();
    let all =
        |verdict| verdicts.len() == view.calls.len() && verdicts.iter().all(|v| *v == verdict);
    let any = |verdict| verdicts.contains(&verdict);
    match language {
        English if view.card.why_by.is_some() && view.card.state == "open" => format!(
            "❌ **Denied**{by}. Why? Say it here within two minutes, or reply to this message."
        ),
        English if view.card.state == "open" => question(view, reader, language),
        English if all("approved") => format!("✅ **Approved**{by}"),
        English if all("denied") => format!("❌ **Denied**{by}{}", quoted_reason(view)),
        English if any("expired") => {
            "⌛ **Expired**: nobody answered in time. Nothing of this was run.".to_owned()
        }
        English if any("dropped") => "⏹ **Stopped**: nothing of this was run.".to_owned(),
        English => format!("**Decided**{by}"),
        Chinese if view.card.why_by.is_some() && view.card.state == "open" => {
            format!("❌ **已拒绝**{by}。为什么？请在两分钟内在这里说明，或回复这条消息。")
        }
        Chinese if view.card.state == "open" => question(view, reader, language),
        Chinese if all("approved") => format!("✅ **已批准**{by}"),
        Chinese if all("denied") => format!("❌ **已拒绝**{by}{}", quoted_reason(view)),
        Chinese if any("expired") => "⌛ **已过期**：没有人及时答复，以下都没有执行。".to_owned(),
        Chinese if any("dropped") => "⏹ **已停止**：以下都没有执行。".to_owned(),
        Chinese => format!("**已决定**{by}"),
    }
}

/// The first line of a card that is open.
fn question(view: &CardView, reader: Reader<'_>, language: Language) -> String {
    let waiting = match reader {
        Reader::Asker => waits_for_owner(view, language),
        Reader::Owner(_) => None,
    };
    waiting.unwrap_or_else(|| may_i(view, language).to_owned())
}

/// The question of an open card: it says what kind of call waits.
fn may_i(view: &CardView, language: Language) -> &'static str {
    let mut kinds = view.calls.iter().map(|call| call.kind.as_str());
    let first = kinds.next().unwrap_or("exec");
    let kind = if kinds.all(|kind| kind == first) {
        first
    } else {
        "other"
    };
    match (kind, language) {
        ("exec", English) => "**May I run this?**",
        ("exec", Chinese) => "**可以执行吗？**",
        ("write", English) => "**May I write this?**",
        ("write", Chinese) => "**可以写入吗？**",
        (_, English) => "**May I do this?**",
        (_, Chinese) => "**可以这样做吗？**",
    }
}

/// The reason of a denial behind its title, on one line and without formatting of its own.
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
    format!(": {shown}{more}")
}

/// Returns a name without anything that could pass for our own formatting.
fn plain(name: &str) -> String {
    let is_hidden = |letter: char| {
        letter.is_control()
            || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
    };
    name.chars()
        .filter(|letter| !is_hidden(*letter) && !"*_`[]<>~|\\".contains(*letter))
        .collect()
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

/// What stands behind a call that was decided.
pub fn verdict_mark(verdict: Option<&str>, language: Language) -> &'static str {
    match (verdict, language) {
        (Some("approved"), English) => " — approved",
        (Some("approved"), Chinese) => " — 已批准",
        (Some("denied"), English) => " — denied",
        (Some("denied"), Chinese) => " — 已拒绝",
        _ => "",
    }
}

/// The button that lets a call run once.
pub fn approve(language: Language) -> &'static str {
    match language {
        English => "Approve",
        Chinese => "批准",
    }
}

/// The button that lets a call run from now on.
pub fn always(language: Language) -> &'static str {
    match language {
        English => "Always",
        Chinese => "总是允许",
    }
}

/// The button that lets calls run from now on that begin with these words.
pub fn always_alike(words: &str, language: Language) -> String {
    match language {
        English => format!("Always: {words} …"),
        Chinese => format!("总是允许：{words} …"),
    }
}

/// Returns the words that a stored prefix covers.
pub fn covered_words(pattern: &str) -> Option<String> {
    let pattern: serde_json::Value = serde_json::from_str(pattern).ok()?;
    Some(pattern.get("prefix")?.as_str()?.to_owned())
}

/// The button that keeps a call from running, and lets the presser say why.
pub fn deny_and_say_why(language: Language) -> &'static str {
    match language {
        English => "Deny and say why",
        Chinese => "拒绝并说明",
    }
}

/// The button that keeps a call from running.
pub fn deny(language: Language) -> &'static str {
    match language {
        English => "Deny",
        Chinese => "拒绝",
    }
}

/// The button that lets all calls of a card run.
pub fn approve_all(language: Language) -> &'static str {
    match language {
        English => "Approve all",
        Chinese => "全部批准",
    }
}

/// The button that keeps all calls of a card from running.
pub fn deny_all(language: Language) -> &'static str {
    match language {
        English => "Deny all",
        Chinese => "全部拒绝",
    }
}

/// A press counted.
pub fn counted(verb: Verb, language: Language) -> String {
    let text = match (verb, language) {
        (Verb::Approve | Verb::ApproveAll, English) => "Approved.",
        (Verb::Approve | Verb::ApproveAll, Chinese) => "已批准。",
        (Verb::DenyWhy, English) => {
            "Denied. Say why within two minutes: reply to the card, or in a direct chat just write."
        }
        (Verb::DenyWhy, Chinese) => {
            "已拒绝。请在两分钟内说明原因：回复这张卡片，私聊中直接写即可。"
        }
        (Verb::Always | Verb::AlwaysAlike, English) => {
            "Approved, and from now on in this session. /grants lists and revokes."
        }
        (Verb::Always | Verb::AlwaysAlike, Chinese) => {
            "已批准，本会话内不再询问。用 /grants 查看或撤销。"
        }
        (Verb::Deny | Verb::DenyAll, English) => "Denied.",
        (Verb::Deny | Verb::DenyAll, Chinese) => "已拒绝。",
    };
    text.to_owned()
}

/// A press on a button that we do not know, or not in this chat.
pub fn unknown(language: Language) -> String {
    match language {
        English => "This button does nothing here.".to_owned(),
        Chinese => "这个按钮在这里无效。".to_owned(),
    }
}

/// A press by somebody who may not.
pub fn not_yours(language: Language) -> String {
    match language {
        English => "Only the person who asked, or an owner, can answer this.".to_owned(),
        Chinese => "只有提出请求的人或管理者可以答复。".to_owned(),
    }
}

/// A press on an approval that only an owner may give.
pub fn owners_approve(language: Language) -> String {
    match language {
        English => "Only an owner can approve this. You can deny it if it is yours.".to_owned(),
        Chinese => "只有管理者可以批准。如果是你提出的，可以拒绝它。".to_owned(),
    }
}

/// A press that approved what the presser may approve, and not the rest.
pub fn partly_approved(language: Language) -> String {
    match language {
        English => "Approved what you may approve. The rest waits for an owner.".to_owned(),
        Chinese => "已批准你可以批准的部分，其余等待管理者批准。".to_owned(),
    }
}

/// A press on something that was already decided.
pub fn already_decided(language: Language) -> String {
    match language {
        English => "This was already decided. Nothing changed.".to_owned(),
        Chinese => "已经有了决定，没有任何改变。".to_owned(),
    }
}

/// A press after the time was over.
pub fn too_late(language: Language) -> String {
    match language {
        English => "Too late: this has expired. Ask again if you still want it.".to_owned(),
        Chinese => "太晚了：已经过期。如仍需要，请重新提出。".to_owned(),
    }
}

/// A press after the turn was stopped.
pub fn stopped_before(language: Language) -> String {
    match language {
        English => "Too late: this was stopped.".to_owned(),
        Chinese => "太晚了：已经停止。".to_owned(),
    }
}
