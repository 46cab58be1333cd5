//! What a text wants with its time: to be reminded, to know something, or neither.

use super::folded::Folded;

/// What a text wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Intent {
    /// A moment is wanted at which something is said.
    Reminder,
    /// A span is asked about.
    Question,
    /// Neither is said.
    Open,
}

const REMINDER: [&str; 20] = [
    "remind",
    "wake me",
    "alarm",
    "alert me",
    "ping me",
    "notify me",
    "nudge me",
    "don't let me forget",
    "提醒",
    "叫我",
    "叫醒",
    "闹钟",
    "通知我",
    "喊我",
    "记得",
    "别忘",
    "催我",
    "告诉我一声",
    "闹铃",
    "嘱咐我",
];

/// Words with which questions begin.
const OPENING: [&str; 32] = [
    "what",
    "whats",
    "when",
    "who",
    "which",
    "where",
    "how",
    "am",
    "is",
    "are",
    "do",
    "does",
    "did",
    "was",
    "were",
    "will",
    "have",
    "has",
    "had",
    "show",
    "list",
    "any",
    "anything",
    "find",
    "check",
    "can",
    "could",
    "whos",
    "look",
    "see",
    "give",
    "summarize",
];

const QUESTION: [&str; 24] = [
    "?",
    "calendar",
    "agenda",
    "am i free",
    "available",
    "什么",
    "吗",
    "呢",
    "哪些",
    "哪几",
    "有没有",
    "日程",
    "日历",
    "空闲",
    "的安排",
    "几点",
    "多少",
    "是否",
    "有空",
    "有啥",
    "干嘛",
    "列出",
    "看一下",
    "查一下",
];

/// Returns what a text wants.
pub(super) fn of(folded: &Folded) -> Intent {
    let text: String = folded.chars.iter().collect();
    if REMINDER.iter().any(|word| text.contains(word)) {
        return Intent::Reminder;
    }
    let first: String = text
        .chars()
        .skip_while(|it| !it.is_alphanumeric())
        .take_while(|it| it.is_alphanumeric() || *it == '\'')
        .filter(|it| *it != '\'')
        .collect();
    if OPENING.contains(&first.as_str()) || QUESTION.iter().any(|word| text.contains(word)) {
        return Intent::Question;
    }
    Intent::Open
}
