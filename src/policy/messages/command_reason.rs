//! Why a command is asked about or refused: in one clause, and as the bullets of its card.

use sayso_core::Language::{self, Chinese, English};
use sayso_core::text;

use crate::commands::{Justification, Reason, quoted};

/// What is said of a command that is asked about or refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandReason {
    /// Why, the gravest first; each with the parts that it is about, where that is not all of it.
    reasons: Vec<Reason>,
    /// Whether there are more than these.
    has_more: bool,
}

/// How many reasons a card says of one command.
const CARD_REASONS: usize = 6;
/// How many reasons stand in one sentence.
const CLAUSES: usize = 3;
/// How many parts are quoted for one reason.
const QUOTED_PARTS: usize = 3;

impl CommandReason {
    /// Takes the reasons, which are in order.
    pub fn new(reasons: Vec<Reason>, has_more: bool) -> Self {
        Self { reasons, has_more }
    }

    /// Returns it as a clause, in one language: the gravest reasons, and how many more there are.
    pub fn in_language(&self, language: Language) -> String {
        let shown = self.reasons.iter().take(CLAUSES);
        let mut clauses: Vec<String> = shown.map(|reason| clause(reason, language)).collect();
        clauses.extend(self.rest(CLAUSES, language));
        clauses.join(text!(language, "list-sentences"))
    }

    /// Returns it as the bullets of a card, the gravest reason first.
    pub fn for_card(&self, language: Language) -> String {
        let shown = self.reasons.iter().take(CARD_REASONS);
        let mut lines: Vec<String> = shown
            .map(|reason| bullet(&short(reason, language), reason.gravity.is_marked()))
            .collect();
        let rest = self.rest(CARD_REASONS, language);
        lines.extend(rest.map(|rest| bullet(&rest, false)));
        lines.join("\n")
    }

    /// Returns the same without a word of the command.
    pub fn for_card_unquoted(&self, language: Language) -> String {
        let mut plain: Vec<Reason> = Vec::new();
        for reason in &self.reasons {
            if plain
                .last()
                .is_none_or(|last| last.gravity != reason.gravity)
            {
                let why = Justification {
                    en: reason.gravity.in_words(English).to_owned(),
                    zh: reason.gravity.in_words(Chinese).to_owned(),
                };
                plain.push(Reason::new(reason.gravity, why));
            }
        }
        Self::new(plain, self.has_more).for_card(language)
    }

    /// Says how many reasons are not said.
    fn rest(&self, most: usize, language: Language) -> Option<String> {
        let rest = self.reasons.len().saturating_sub(most);
        match (rest, self.has_more) {
            (0, false) => None,
            (0, true) => Some(text!(language, "policy-command-reason-and-more").to_owned()),
            (_, false) => Some(text!(language, "policy-command-reason-rest", rest)),
            (_, true) => Some(text!(language, "policy-command-reason-rest-at-least", rest)),
        }
    }
}

/// Writes a reason as a bullet of a card; only what is grave is marked.
pub(crate) fn bullet(reason: &str, is_grave: bool) -> String {
    let mark = if is_grave { "⚠️ " } else { "" };
    format!("• {mark}{reason}")
}

fn clause(reason: &Reason, language: Language) -> String {
    let why = reason.why.in_language(language);
    if reason.parts.is_empty() {
        return why.to_owned();
    }
    let (shown, rest) = quoted_parts(reason);
    match rest {
        0 => text!(
            language,
            "policy-command-reason-clause",
            shown = shown.join(text!(language, "list-names")),
            why
        ),
        _ => text!(
            language,
            "policy-command-reason-clause-more",
            shown = shown.join(text!(language, "list-names")),
            rest,
            why
        ),
    }
}

/// Returns a reason as a person reads it: what it does, and behind it which parts do it.
fn short(reason: &Reason, language: Language) -> String {
    let why = in_plain_words(reason.why.in_language(language), language);
    if reason.parts.is_empty() {
        return why;
    }
    let (shown, rest) = quoted_parts(reason);
    match rest {
        0 => text!(
            language,
            "policy-command-reason-short",
            why,
            shown = shown.join(text!(language, "list-names"))
        ),
        _ => text!(
            language,
            "policy-command-reason-short-more",
            why,
            shown = shown.join(text!(language, "list-names")),
            rest
        ),
    }
}

/// Returns the parts that are quoted, and how many are not.
fn quoted_parts(reason: &Reason) -> (Vec<String>, usize) {
    let shown = reason.parts.iter().take(QUOTED_PARTS);
    let shown = shown.map(|part| quoted(part)).collect();
    (shown, reason.parts.len().saturating_sub(QUOTED_PARTS))
}

/// What a reason says to the model, and what it says to people instead, in English.
const ENGLISH: [(&str, &str); 7] = [
    ("the workspace", "your folder"),
    ("is not known to only read", "may do more than read"),
    ("is not known to be harmless", "may do harm"),
    ("is not on the read-only list", "may do more than read"),
    ("asks for the network", "asks for the internet"),
    ("uses the network", "uses the internet"),
    (
        "asks to run outside its confinement",
        "asks for full access",
    ),
];
/// The same in 简体中文.
const CHINESE: [(&str, &str); 2] = [
    ("工作区", "你的文件夹"),
    ("不受限制地运行", "完全访问这台电脑"),
];

/// Returns a justification in people's words and without its subject, which is the command. What
/// it quotes is not changed.
fn in_plain_words(why: &str, language: Language) -> String {
    let (subjects, words): (&[&str], &[(&str, &str)]) = match language {
        English => (&["it ", "its "], &ENGLISH),
        Chinese => (&["它会", "它的", "它"], &CHINESE),
    };
    let bare = subjects
        .iter()
        .find_map(|subject| why.strip_prefix(subject));
    let pieces = bare.unwrap_or(why).split('`').enumerate();
    let plain: Vec<String> = pieces
        .map(|(position, piece)| match position % 2 {
            0 => words
                .iter()
                .fold(piece.to_owned(), |text, (from, to)| text.replace(from, to)),
            _ => piece.to_owned(),
        })
        .collect();
    plain.join("`")
}

#[cfg(test)]
mod tests {
    use sayso_core::Language;

    use super::{CommandReason, in_plain_words};
    use crate::commands::{Gravity, Justification, Reason};

    #[test]
    fn what_a_reason_quotes_is_left_as_it_is() {
        for (why, plain) in [
            ("it changes files", "changes files"),
            (
                "`the workspace` may be outside the workspace",
                "`the workspace` may be outside your folder",
            ),
            (
                "`mktemp` is not known to only read",
                "`mktemp` may do more than read",
            ),
        ] {
            assert_eq!(in_plain_words(why, Language::English), plain);
        }
        for (why, plain) in [
            ("它会触及工作区之外", "触及你的文件夹之外"),
            ("它的输出会写入 `工作区`", "输出会写入 `工作区`"),
        ] {
            assert_eq!(in_plain_words(why, Language::Chinese), plain);
        }
    }

    #[test]
    fn a_card_has_a_bullet_for_each_reason_and_marks_the_grave_ones() {
        let reason = |gravity, words: &str, parts: &[&str]| Reason {
            parts: parts.iter().map(|part| (*part).to_owned()).collect(),
            ..Reason::new(
                gravity,
                Justification {
                    en: words.to_owned(),
                    zh: words.to_owned(),
                },
            )
        };
        let reasons = vec![
            reason(Gravity::Destroys, "it deletes files", &["rm `x`\n**y**"]),
            reason(Gravity::Changes, "it changes files", &["a", "b", "c", "d"]),
        ];
        let reason = CommandReason::new(reasons, true);
        insta::assert_snapshot!(reason.for_card(Language::English), @r"
        • ⚠️ deletes files (`rm 'x'\n**y**`)
        • changes files (`a`, `b`, `c` and 1 more)
        • and more
        ");
    }
}
