//! What presses on buttons are answered with, beside refusals that all prompts share.

use sayso_channel::Language::{self, Chinese, English};

/// Returns the text in the right language.
fn pick(language: Language, english: &str, chinese: &str) -> String {
    match language {
        English => english.to_owned(),
        Chinese => chinese.to_owned(),
    }
}

/// A press on the notice about what waits, when no turn is in its way any more.
pub fn comes_next(language: Language) -> String {
    pick(language, "It comes next anyway.", "接下来就会处理。")
}

/// A press on that notice when nothing waits any more.
pub fn nothing_queued(language: Language) -> String {
    pick(
        language,
        "Nothing is queued any more. Nothing changed.",
        "没有在排队的了，没有任何改变。",
    )
}

/// A press on the notice about somebody else's message.
pub fn not_your_message(language: Language) -> String {
    pick(
        language,
        "This is about somebody else's message.",
        "这是别人的消息。",
    )
}

/// A press that stops a turn.
pub fn stopping(language: Language) -> String {
    pick(language, "⏹ Stopping.", "⏹ 正在停止。")
}

/// A press that would stop somebody else's turn.
pub fn not_your_turn(language: Language) -> String {
    pick(
        language,
        "Only the person who asked, or an owner, can stop this.",
        "只有提出请求的人或管理者可以停止。",
    )
}

/// A press that would stop a turn that has ended.
pub fn turn_is_over(language: Language) -> String {
    pick(
        language,
        "This is over already. Nothing changed.",
        "已经结束，没有任何改变。",
    )
}

/// A press that would make a request anew whose words are not kept any more.
pub fn request_is_gone(language: Language) -> String {
    pick(
        language,
        "I do not have your request any more. Please write it again.",
        "原来的请求已经不在了，请再写一次。",
    )
}

/// A press that has the request of a failed turn run again.
pub fn tries_again(language: Language) -> String {
    pick(language, "Trying again.", "正在重试。")
}

/// After what was learned was taken back.
pub fn undone(language: Language) -> String {
    pick(language, "Undone.", "已撤销。")
}
