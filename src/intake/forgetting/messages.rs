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

/// The card: one line for each memory, as it is shown.
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

/// The buttons: forget the only one, forget all, forget nothing.
pub fn labels(language: Language) -> (&'static str, &'static str, &'static str) {
    match language {
        English => ("Forget it", "All of them", "None"),
        Chinese => ("忘掉", "全部忘掉", "都保留"),
    }
}

/// After the yes. What was forgotten is not said again.
pub fn forgotten(count: u64, language: Language) -> String {
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
pub fn gone_already(language: Language) -> String {
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

/// Nobody answered in time, or a newer card took its place.
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
        insta::assert_snapshot!(asking(&lines[..1], 0, Chinese), @r"
        **忘掉这一条吗？**

        likes tea (2026-11-21)
        ");
    }
}
