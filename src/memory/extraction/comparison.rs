//! What a new statement is to one that is known: the same, a change of it, or something else.

use std::collections::BTreeSet;

use super::normalization::{content, denied, holds, is_negated, plain, says};
use super::phrases;

/// What a statement is to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    /// It says the same.
    Same,
    /// It says what is so instead.
    Change,
    /// It could say what is so instead: a model that read both may say so.
    Near,
    /// It is about something else.
    Apart,
}

/// Returns what a statement is to one that is known.
pub(super) fn relation(new: &str, known: &str) -> Relation {
    let (new_plain, known_plain) = (plain(new), plain(known));
    let agrees = is_negated(&new_plain) == is_negated(&known_plain);
    let claims = (claims(&new_plain), claims(&known_plain));
    let is_claim_shared = claims.0 == claims.1;
    let about = (denied(new), denied(known));
    if about.0 == about.1 {
        if !agrees {
            return Relation::Change;
        }
        if is_claim_shared {
            return Relation::Same;
        }
    }
    if agrees && is_claim_shared && is_part(&about.0, &about.1) {
        return Relation::Same;
    }
    if agrees
        && (is_other_number(&content(new), &content(known))
            || is_other_value(&new_plain, &known_plain))
    {
        return Relation::Change;
    }
    let has_single =
        |claim: &usize| phrases::SINGLE_CLAIMS.contains(claim) && claims.1.contains(claim);
    if !about.0.is_disjoint(&about.1) || claims.0.iter().any(has_single) {
        return Relation::Near;
    }
    Relation::Apart
}

/// Returns whether the words of a statement are those of a known one less a single word, which
/// names no other person.
fn is_part(new: &BTreeSet<String>, known: &BTreeSet<String>) -> bool {
    let mut more = known.difference(new);
    let is_somebody = |word: &String| {
        let mut others = phrases::OTHERS.iter().chain(phrases::OTHERS_CHINESE.iter());
        others.any(|other| content(other).contains(word))
    };
    let one_more = more.next().filter(|word| !is_somebody(word));
    new.is_subset(known) && one_more.is_some() && more.next().is_none() && new.len() > 1
}

/// Returns which claims a statement makes.
fn claims(plain: &str) -> BTreeSet<usize> {
    let made = phrases::CLAIMS.iter().enumerate();
    made.filter(|(_, (words, _))| says(plain, words))
        .map(|(at, _)| at)
        .collect()
}

/// Returns whether both say the same with other numbers: an age, a count, a date.
fn is_other_number(new: &BTreeSet<String>, known: &BTreeSet<String>) -> bool {
    let is_number = |term: &&String| term.bytes().any(|byte| byte.is_ascii_digit());
    let words = |terms: &BTreeSet<String>| -> BTreeSet<String> {
        terms
            .iter()
            .filter(|term| !is_number(term))
            .cloned()
            .collect()
    };
    let has_numbers = |terms: &BTreeSet<String>| terms.iter().any(|term| is_number(&term));
    new != known
        && has_numbers(new)
        && has_numbers(known)
        && !words(new).is_empty()
        && words(new) == words(known)
}

/// Returns whether both give a value to the same thing, of which there is one at a time.
fn is_other_value(new: &str, known: &str) -> bool {
    phrases::SLOTS
        .iter()
        .any(|slot| match (before(new, slot), before(known, slot)) {
            (Some(of_new), Some(of_known)) => of_new == of_known,
            (Some(_) | None, None) | (None, Some(_)) => false,
        })
}

/// Returns what a value is given to: what stands before the phrase.
fn before(plain: &str, slot: &[&str]) -> Option<BTreeSet<String>> {
    let phrase = slot.iter().find(|phrase| holds(plain, phrase))?;
    let (of, _) = plain.split_once(phrase)?;
    let of = of.trim();
    Some(if of.is_empty() {
        BTreeSet::new()
    } else {
        content(of)
    })
}

#[cfg(test)]
mod tests {
    use super::{Relation, relation};

    #[track_caller]
    fn check(new: &str, known: &str, expected: Relation) {
        assert_eq!(relation(new, known), expected, "{new:?} to {known:?}");
    }

    #[test]
    fn the_same_is_the_same_in_other_words() {
        check("Likes tea", "Likes tea", Relation::Same);
        check("The user prefers tea", "Likes tea.", Relation::Same);
        check("喜欢绿茶", "偏好綠茶", Relation::Same);
        check("Likes jasmine tea", "Likes hot jasmine tea", Relation::Same);
    }

    #[test]
    fn what_cannot_both_be_so_is_a_change() {
        check("Lives in Oslo", "Lives in Berlin", Relation::Change);
        check("住在成都", "住在北京", Relation::Change);
        check("No longer drinks coffee", "Drinks coffee", Relation::Change);
        check("不再喝咖啡", "喝咖啡", Relation::Change);
        check("Is 35 years old", "Is 34 years old", Relation::Change);
        check("Works at Globex", "Works at Acme", Relation::Change);
        check(
            "Project is called Heron",
            "Project is called Crane",
            Relation::Change,
        );
    }

    #[test]
    fn what_can_both_be_so_is_none() {
        check("Likes coffee", "Likes tea", Relation::Apart);
        check("Sister lives in Oslo", "Lives in Berlin", Relation::Near);
        check("Dog is called Rex", "Sister is called Anna", Relation::Near);
        check("Works in Oslo", "Lives in Oslo", Relation::Near);
        check("Likes tea", "Likes jasmine tea", Relation::Near);
        check("Eats fish pie", "Sister eats fish pie", Relation::Near);
        check("Is learning Rust", "Lives in Berlin", Relation::Apart);
    }
}
