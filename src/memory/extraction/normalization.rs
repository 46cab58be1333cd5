//! The words of statements, made comparable: no letters of one script beside those of another, no
//! apostrophes, one form of a word, and without what says nothing of its own.

use std::collections::{BTreeSet, HashSet};
use std::sync::LazyLock;

use super::phrases;
use crate::bigrams::{index_words, query_terms};
use crate::letter_folding::fold;

/// The shortest word that loses an ending.
const STEMMED: usize = 4;

static FRAME: LazyLock<HashSet<String>> =
    LazyLock::new(|| phrases::FRAME.iter().map(|word| stem(word)).collect());

/// Returns a text in plain words with one space between them, and at both ends.
pub(super) fn plain(text: &str) -> String {
    let mut plain = String::from(" ");
    let mut last = ' ';
    for character in text.chars().filter(|letter| !matches!(letter, '\'' | '’')) {
        fold(character, |folded| {
            let next = if folded.is_alphanumeric() {
                folded
            } else {
                ' '
            };
            let changes_script = next.is_ascii() != last.is_ascii();
            if next != ' ' && last != ' ' && changes_script {
                plain.push(' ');
            }
            if next != ' ' || last != ' ' {
                plain.push(next);
            }
            last = next;
        });
    }
    if last != ' ' {
        plain.push(' ');
    }
    plain
}

/// Returns whether plain words hold one of these phrases.
pub(super) fn says(plain: &str, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| holds(plain, phrase))
}

/// Returns whether plain words hold a phrase: words as wholes, Chinese anywhere.
pub(super) fn holds(plain: &str, phrase: &str) -> bool {
    plain.match_indices(phrase).any(|(at, _)| {
        let before = plain[..at].ends_with(' ');
        let after = plain[at + phrase.len()..].starts_with(' ');
        !phrase.is_ascii() || (before && after)
    })
}

/// Returns the words that a statement is about; where it has none, all its words.
pub(super) fn content(text: &str) -> BTreeSet<String> {
    let plain = plain(text);
    let bare = without(&plain, &phrases::FRAME_CHINESE);
    let of = |text: &str| -> BTreeSet<String> {
        query_terms(text).iter().map(|term| stem(term)).collect()
    };
    let content: BTreeSet<_> = of(&bare)
        .into_iter()
        .filter(|term| !FRAME.contains(term))
        .collect();
    if content.is_empty() {
        of(&plain)
    } else {
        content
    }
}

/// Returns every word of a text in which words of a statement are looked for.
pub(super) fn words(text: &str) -> HashSet<String> {
    index_words(&plain(text)).split(' ').map(stem).collect()
}

/// Returns whether a statement says that something is not so, or not any more.
pub(super) fn is_negated(plain: &str) -> bool {
    says(&without(plain, &phrases::NO_NEGATIONS), &phrases::NEGATIONS)
}

/// Returns what a statement is about, without the words that deny it.
pub(super) fn denied(text: &str) -> BTreeSet<String> {
    let negations: HashSet<String> = phrases::NEGATIONS.iter().map(|word| stem(word)).collect();
    content(text)
        .into_iter()
        .filter(|term| !negations.contains(term))
        .collect()
}

/// Returns the text of a statement without who it is about, which goes without saying.
pub(super) fn tidy(text: &str) -> String {
    let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for prefix in ["The user ", "the user ", "User ", "user ", "用户"] {
        if let Some(rest) = text.strip_prefix(prefix) {
            text = rest.trim_start_matches(['：', ':', ' ']).to_owned();
            break;
        }
    }
    let kept = text.trim_end_matches(['.', '。', '!', '！', ' ']);
    let mut letters = kept.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

/// Returns plain words with a space in the place of each of these.
fn without(plain: &str, phrases: &[&str]) -> String {
    phrases
        .iter()
        .fold(plain.to_owned(), |text, phrase| text.replace(phrase, " "))
}

/// Returns a word without its ending, as far as two forms of it become one.
fn stem(word: &str) -> String {
    if word.len() < STEMMED || !word.is_ascii() {
        return word.to_owned();
    }
    let ends = ["ings", "ing", "ied", "ies", "ed", "ly", "es", "s"];
    let cut = ends
        .iter()
        .find_map(|end| word.strip_suffix(end).filter(|rest| rest.len() >= 3));
    let rest = cut.unwrap_or(word).trim_end_matches(['e', 'y', 'i']);
    let doubled = rest.len() > 3 && cut.is_some() && {
        let mut last = rest.bytes().rev();
        last.next() == last.next()
    };
    let rest = if doubled {
        rest.get(..rest.len() - 1).unwrap_or(rest)
    } else {
        rest
    };
    if rest.len() < 2 {
        word.to_owned()
    } else {
        rest.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::{content, holds, is_negated, plain, stem, tidy};

    #[test]
    fn plain_words_stand_apart() {
        assert_eq!(
            plain("I'm using Vim写代码, OK?"),
            " im using vim 写代码 ok "
        );
        assert!(holds(&plain("Maybe, yes"), "maybe"));
        assert!(!holds(&plain("may"), "maybe"));
        assert!(holds(&plain("我可能去"), "可能"));
    }

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let content: Vec<_> = content(text).into_iter().collect();
        assert_eq!(content, expected, "{text:?}");
    }

    #[test]
    fn a_statement_is_about_what_its_frame_leaves() {
        check("The user likes jasmine tea.", &["jasmin", "tea"]);
        check("用户喜欢绿茶", &["绿茶"]);
        check("Works from home", &["hom"]);
        check("Likes it", &["lik"]);
        check("Is 34 years old", &["34", "old", "year"]);
    }

    #[test]
    fn forms_of_a_word_are_one() {
        for (one, other) in [
            ("living", "lives"),
            ("planned", "planning"),
            ("studies", "studied"),
            ("move", "moved"),
        ] {
            assert_eq!(stem(one), stem(other), "{one} {other}");
        }
        assert_ne!(stem("tea"), stem("team"));
    }

    #[test]
    fn what_is_over_is_denied() {
        assert!(is_negated(&plain("I don't eat meat")));
        assert!(is_negated(&plain("我不再喝咖啡")));
        assert!(is_negated(&plain("I used to smoke")));
        assert!(!is_negated(&plain("这家不错，我特别喜欢")));
    }

    #[test]
    fn a_statement_is_kept_without_its_subject() {
        assert_eq!(tidy(" The user  likes tea. "), "Likes tea");
        assert_eq!(tidy("用户喜欢绿茶。"), "喜欢绿茶");
        assert_eq!(tidy("."), "");
    }
}
