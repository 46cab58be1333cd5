//! What presses on a card are answered with, and what answers a yes or no in words.

use sayso_channel::Language::{self, Chinese, English};
use sayso_store::cards::HeldRow;

use super::buttons::covered_words;
use super::settled::shown_calls;
use crate::approvals::card_view::CardView;
use crate::approvals::token::Verb;

fn pick(language: Language, english: &str, chinese: &str) -> String {
    match language {
        English => english.to_owned(),
        Chinese => chinese.to_owned(),
    }
}

/// What answers a person who says yes or no in words: the buttons below it decide.
pub fn remind(view: &CardView, language: Language) -> String {
    let calls = shown_calls(&view.calls, language);
    match language {
        English => format!("Please press a button for this: {calls}"),
        Chinese => format!("请用按钮决定：{calls}"),
    }
}

/// A press counted; `call` is the one that it is about, where it is about one.
pub fn counted(verb: Verb, call: Option<&HeldRow>, language: Language) -> String {
    match verb {
        Verb::Approve | Verb::ApproveAll => pick(language, "Approved.", "已批准。"),
        Verb::Deny | Verb::DenyAll => pick(language, "Denied.", "已拒绝。"),
        Verb::DenyWhy => pick(
            language,
            "Not run. What should I do instead?",
            "没有执行。那该怎么做？",
        ),
        Verb::Always => pick(
            language,
            "Approved. I won't ask again for exactly this command in this conversation.",
            "已批准。本次对话中不再询问这条命令。",
        ),
        Verb::AlwaysAlike => {
            let words = call.and_then(|call| call.prefix.as_deref());
            let words = words.and_then(covered_words).unwrap_or_default();
            match language {
                English => {
                    format!("Approved. I won't ask again for {words} … in this conversation.")
                }
                Chinese => format!("已批准。本次对话中不再询问 {words} …"),
            }
        }
        Verb::OneByOne => pick(language, "Choose for each one.", "请逐个决定。"),
        Verb::TakeBack => taken_back(language),
        Verb::AskAgain => asks_again(language),
    }
}

/// A press on a button that we do not know, or not in this chat.
pub fn unknown(language: Language) -> String {
    pick(
        language,
        "This button does nothing here.",
        "这个按钮在这里无效。",
    )
}

/// A press by somebody who may not.
pub fn not_yours(language: Language) -> String {
    pick(
        language,
        "Only the person who asked, or an owner, can answer this.",
        "只有提出请求的人或管理者可以答复。",
    )
}

/// A press on an approval that only an owner may give.
pub fn owners_approve(language: Language) -> String {
    pick(
        language,
        "Only an owner can approve this. You can deny it if it is yours.",
        "只有管理者可以批准。如果是你提出的，可以拒绝它。",
    )
}

/// A press that approved what the presser may approve, and not the rest.
pub fn partly_approved(language: Language) -> String {
    pick(
        language,
        "Approved what you may approve. The rest waits for an owner.",
        "已批准你可以批准的部分，其余等待管理者批准。",
    )
}

/// A press on something that was already decided.
pub fn already_decided(language: Language) -> String {
    pick(
        language,
        "This was already decided. Nothing changed.",
        "已经有了决定，没有任何改变。",
    )
}

/// A press after the time was over.
pub fn too_late(language: Language) -> String {
    pick(
        language,
        "Too late: this has expired. Ask again if you still want it.",
        "太晚了：已经过期。如仍需要，请重新提出。",
    )
}

/// A press after the turn was stopped.
pub fn stopped_before(language: Language) -> String {
    pick(
        language,
        "Too late: this was stopped.",
        "太晚了：已经停止。",
    )
}

/// A press that took back what an "always" gave.
pub fn taken_back(language: Language) -> String {
    pick(
        language,
        "Taken back. I ask again from now on.",
        "已撤回，之后会再询问。",
    )
}

/// The same, where it held no more anyway.
pub fn lapsed(language: Language) -> String {
    pick(
        language,
        "It did not hold any more. I ask each time.",
        "它早已失效，每次都会询问。",
    )
}

/// A second press of that kind.
pub fn taken_back_before(language: Language) -> String {
    pick(
        language,
        "This was taken back before. Nothing changed.",
        "之前已经撤回，没有任何改变。",
    )
}

/// A press that would make the request of somebody else anew.
pub fn not_your_request(language: Language) -> String {
    pick(
        language,
        "Only the person who asked can do that.",
        "只有提出请求的人可以这样做。",
    )
}

/// A press that makes the request of an expired card anew.
pub fn asks_again(language: Language) -> String {
    pick(language, "I start on it again.", "我重新开始处理。")
}

/// A second press of that kind.
pub fn asks_already(language: Language) -> String {
    pick(
        language,
        "I have started on it again already. Nothing changed.",
        "已经重新开始处理了，没有任何改变。",
    )
}
