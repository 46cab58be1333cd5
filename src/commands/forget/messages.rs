//! What is said about forgetting single memories.

use sayso_channel::Language::{self, Chinese, English};

fn pick(language: Language, english: &str, chinese: &str) -> String {
    match language {
        English => english.to_owned(),
        Chinese => chinese.to_owned(),
    }
}

/// Nothing that is remembered holds these words.
pub fn nothing_matches(language: Language) -> String {
    pick(
        language,
        "I remember nothing with these words.\nTry fewer or other words, or `/memory export` to see everything.",
        "没有记住含有这些词的内容。\n可以换几个词再试，或用 `/memory export` 查看全部。",
    )
}

/// The card: one line for each memory, as displayed.
pub fn asking(lines: &[String], left_out: usize, language: Language) -> String {
    let (heading, more) = match (language, lines.len()) {
        (English, 1) => (
            "**Forget this?**",
            format!("{left_out} more match; say more words to see them."),
        ),
        (English, _) => (
            "**Which of these shall I forget?**",
            format!("{left_out} more match; say more words to see them."),
        ),
        (Chinese, 1) => (
            "**忘掉这一条吗？**",
            format!("另有 {left_out} 条匹配，多写几个词就能看到。"),
        ),
        (Chinese, _) => (
            "**忘掉哪一条？**",
            format!("另有 {left_out} 条匹配，多写几个词就能看到。"),
        ),
    };
    let listed: Vec<String> = match lines {
        [one] => vec![one.clone()],
        several => (1..)
            .zip(several)
            .map(|(number, line)| format!("{number}. {line}"))
            .collect(),
    };
    let mut text = format!("{heading}\n\n{}", listed.join("\n"));
    if left_out > 0 {
        text = format!("{text}\n\n{more}");
    }
    text
}

/// How a memory stands on the card: when it was said, and whether it holds no longer.
pub fn line(text: &str, day: &str, is_over: bool, language: Language) -> String {
    match (language, is_over) {
        (_, false) => format!("{text} ({day})"),
        (English, true) => format!("{text} ({day}, holds no longer)"),
        (Chinese, true) => format!("{text} ({day}，已不成立)"),
    }
}

/// How what was said stands on the card, which holds all the words.
pub fn said_with(count: usize, language: Language) -> String {
    match (language, count) {
        (English, 1) => "one message that holds these words".to_owned(),
        (English, _) => format!("{count} messages that hold these words"),
        (Chinese, _) => format!("含有这些词的 {count} 条消息"),
    }
}

/// The buttons: forget the only one, forget all, forget nothing.
pub fn labels(language: Language) -> (&'static str, &'static str, &'static str) {
    match language {
        English => ("Forget it", "All of them", "None"),
        Chinese => ("忘掉", "全部忘掉", "都保留"),
    }
}

/// After the yes: how many memories there were, and how much was said.
pub fn done(memories: u64, said: u64, language: Language) -> String {
    match (memories, said) {
        (0, 0) => gone_already(language),
        (0, said) => unsaid(said, language),
        (memories, 0) => forgotten(memories, language),
        (memories, said) => format!(
            "{}\n{}",
            forgotten(memories, language),
            unsaid(said, language)
        ),
    }
}

/// After the yes, about messages and summaries of them.
fn unsaid(count: u64, language: Language) -> String {
    match language {
        English => format!(
            "What was said with these words is not found again ({count}). The history of the chat still has it."
        ),
        Chinese => format!("用这些词说过的内容不会再被找到（{count}）。聊天记录里仍然看得到。"),
    }
}

/// After the yes. What was forgotten is not said again.
fn forgotten(count: u64, language: Language) -> String {
    match (language, count) {
        (English, 1) => {
            "Forgotten. I will not learn it again unless you tell me to remember it.".to_owned()
        }
        (English, _) => format!(
            "Forgotten: {count}. I will not learn them again unless you tell me to remember them."
        ),
        (Chinese, 1) => "已忘掉。除非你让我记住，我不会再学到它。".to_owned(),
        (Chinese, _) => format!("已忘掉 {count} 条。除非你让我记住，我不会再学到它们。"),
    }
}

/// After the yes, when somebody or something else was first.
fn gone_already(language: Language) -> String {
    pick(
        language,
        "That was forgotten already.",
        "这一条已经忘掉了。",
    )
}

/// After the no.
pub fn refused(language: Language) -> String {
    pick(language, "Nothing was forgotten.", "什么都没有忘掉。")
}

/// The card expired without an answer, or was replaced by a newer one.
pub fn expired(language: Language) -> String {
    pick(
        language,
        "This question has expired. Nothing was forgotten.",
        "这个询问已失效，什么都没有忘掉。",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_card_lists_what_matches() {
        let lines = [
            line("likes tea", "2026-11-21", false, English),
            line("likes mate", "2025-01-02", true, English),
        ];
        insta::assert_snapshot!(asking(&lines, 3, English), @r"
        **Which of these shall I forget?**

        1. likes tea (2026-11-21)
        2. likes mate (2025-01-02, holds no longer)

        3 more match; say more words to see them.
        ");
        let said = [said_with(1, English), said_with(3, Chinese)];
        assert_eq!(
            said,
            [
                "one message that holds these words",
                "含有这些词的 3 条消息"
            ]
        );
        insta::assert_snapshot!(asking(&lines[..1], 0, Chinese), @r"
        **忘掉这一条吗？**

        likes tea (2026-11-21)
        ");
    }
}
