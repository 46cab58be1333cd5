//! What a card and its buttons say.

use sayso_channel::Language::{self, Chinese, English};

use super::card::CardView;
use super::token::Verb;

/// The first line of a card.
pub fn title(view: &CardView, language: Language) -> String {
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
        English if view.card.state == "open" => "**May I run this?**".to_owned(),
        English if all("approved") => format!("✅ **Approved**{by}"),
        English if all("denied") => format!("❌ **Denied**{by}"),
        English if any("expired") => {
            "⌛ **Expired**: nobody answered in time. Nothing of this was run.".to_owned()
        }
        English if any("dropped") => "⏹ **Stopped**: nothing of this was run.".to_owned(),
        English => format!("**Decided**{by}"),
        Chinese if view.card.state == "open" => "**可以执行吗？**".to_owned(),
        Chinese if all("approved") => format!("✅ **已批准**{by}"),
        Chinese if all("denied") => format!("❌ **已拒绝**{by}"),
        Chinese if any("expired") => "⌛ **已过期**：没有人及时答复，以下都没有执行。".to_owned(),
        Chinese if any("dropped") => "⏹ **已停止**：以下都没有执行。".to_owned(),
        Chinese => format!("**已决定**{by}"),
    }
}

/// Returns a name without anything that could pass for our own formatting.
fn plain(name: &str) -> String {
    name.chars()
        .filter(|letter| !letter.is_control() && !"*_`[]<>~|\\".contains(*letter))
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
        (Verb::Always, English) => {
            "Approved, and from now on in this session. /grants lists and revokes."
        }
        (Verb::Always, Chinese) => "已批准，本会话内不再询问。用 /grants 查看或撤销。",
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
