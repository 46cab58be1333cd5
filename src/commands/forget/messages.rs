//! What is said about forgetting single memories.

use sayso_channel::Language;
use sayso_channel::text;

/// Nothing that is remembered holds these words.
pub fn nothing_matches(language: Language) -> String {
    text!(language, "forget-nothing-matches").to_owned()
}

/// The card: one line for each memory, as displayed.
pub fn asking(lines: &[String], left_out: usize, language: Language) -> String {
    let heading = match lines.len() {
        1 => text!(language, "forget-asking-one"),
        _ => text!(language, "forget-asking-which"),
    };
    let more = text!(language, "forget-asking-more", left_out);
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
    if is_over {
        text!(language, "forget-line-ended", text, day)
    } else {
        format!("{text} ({day})")
    }
}

/// How what was said stands on the card, which holds all the words.
pub fn said_with(count: usize, language: Language) -> String {
    text!(language, "forget-said-with", count)
}

/// The buttons: forget the only one, forget all, forget nothing.
pub fn labels(language: Language) -> (&'static str, &'static str, &'static str) {
    (
        text!(language, "forget-forget"),
        text!(language, "forget-all-of-them"),
        text!(language, "forget-none"),
    )
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
    text!(language, "forget-unsaid", count)
}

/// After the yes. What was forgotten is not said again.
fn forgotten(count: u64, language: Language) -> String {
    match count {
        1 => text!(language, "forget-forgotten-one").to_owned(),
        _ => text!(language, "forget-forgotten", count),
    }
}

/// After the yes, when somebody or something else was first.
fn gone_already(language: Language) -> String {
    text!(language, "forget-gone-already").to_owned()
}

/// After the no.
pub fn refused(language: Language) -> String {
    text!(language, "forget-refused").to_owned()
}

/// The card expired without an answer, or was replaced by a newer one.
pub fn expired(language: Language) -> String {
    text!(language, "forget-expired").to_owned()
}

#[cfg(test)]
mod tests {
    use sayso_channel::Language::{Chinese, English};

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
