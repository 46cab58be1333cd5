//! The free local check of `routing = "auto"`: which messages need no Phase 1.
//!
//! It never chooses a skill and never asks back; it only says that Phase 1 could do neither.
//! Precise rather than greedy: a message that is not understood to the last word is left to
//! Phase 1, which costs a call; a message that is skipped wrongly costs an answer.

use std::borrow::Cow;
use std::collections::HashSet;

use rust_stemmers::{Algorithm, Stemmer};
use sayso_core::transcript::{ConversationMessage, Skipped};
use sayso_memory::query_terms;

use super::plain_talk::{
    ABOUT_ONESELF, ACKNOWLEDGEMENTS, AT_HAND, AT_HAND_CHINESE, COURTESIES, QUESTIONS,
    QUESTIONS_CHINESE, phrases,
};
use crate::skills::SkillMeta;

/// A longer message is no small talk and no plain question, in characters.
const LONGEST: usize = 120;
/// Words that share a prefix of this many letters may be forms of one word.
const STEM_CHARS: usize = 5;
/// What a plain message does not hold: paths, code, addresses, lists, attributions.
const NOT_PLAIN: &str = "/\\`<>{}[]()|;:@#$=_\"\n";

/// Returns why Phase 1 has nothing to decide about `text`; `None` when it must be asked.
///
/// `skills` is the catalogue in every language, since people mix them. `past` is the session before
/// this message: after a question by the assistant even "ok" is a request.
pub fn skip(text: &str, skills: &[SkillMeta], past: &[ConversationMessage]) -> Option<Skipped> {
    if text.chars().count() > LONGEST {
        return None;
    }
    if is_small_talk(text, past) {
        return Some(Skipped::SmallTalk);
    }
    let needs_nothing = is_clear_alone(text) && !shares_a_term(text, skills);
    needs_nothing.then_some(Skipped::NothingMatches)
}

/// Returns whether the whole message is courtesy; "ok" is only where nothing was asked.
fn is_small_talk(text: &str, past: &[ConversationMessage]) -> bool {
    let words = plain_words(text);
    let mut talk: Vec<&str> = phrases(COURTESIES).collect();
    if !was_asked(past) {
        talk.extend(phrases(ACKNOWLEDGEMENTS));
    }
    is_made_of(&words, &talk)
}

fn was_asked(past: &[ConversationMessage]) -> bool {
    let newest = past.iter().rev().find_map(|message| match message {
        ConversationMessage::Assistant(said) => Some(said.text.as_str()),
        ConversationMessage::User { .. } | ConversationMessage::ToolResult { .. } => None,
    });
    newest.is_some_and(|said| said.contains(['?', '？']))
}

/// Returns the letters and digits in lower case, one space where anything else is between them.
fn plain_words(text: &str) -> String {
    let lower = text.to_lowercase().replace(['\'', '’'], "");
    lower
        .split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Returns whether `words` can be cut into `phrases` without a rest; an empty text cannot.
fn is_made_of(words: &str, phrases: &[&str]) -> bool {
    // Whether the text up to a byte is made of phrases, for each byte.
    let mut reached = vec![false; words.len() + 1];
    reached[0] = !words.is_empty();
    for start in 0..words.len() {
        if !reached[start] {
            continue;
        }
        for phrase in phrases {
            if let Some(rest) = words[start..].strip_prefix(phrase)
                && ends_a_word(phrase, rest)
            {
                let rest = rest.strip_prefix(' ').unwrap_or(rest);
                reached[words.len() - rest.len()] = true;
            }
        }
    }
    reached[words.len()]
}

/// A phrase in Latin letters ends where a word does; Chinese has no such borders.
fn ends_a_word(phrase: &str, rest: &str) -> bool {
    !phrase.is_ascii() || !rest.starts_with(|next: char| next.is_ascii_alphanumeric())
}

/// Returns whether a message says all that there is to know: one plain question about the world,
/// or one plain statement about the speaker, that points at nothing outside of itself.
fn is_clear_alone(text: &str) -> bool {
    let text = text.trim();
    let (body, asks) = match text.strip_suffix(['?', '？']) {
        Some(body) => (body, true),
        None => (text.trim_end_matches(['.', '!', '。', '！']), false),
    };
    if body.contains(|sign: char| NOT_PLAIN.contains(sign)) || has_several_sentences(body) {
        return false;
    }
    let words = plain_words(body);
    if asks {
        is_question(&words) && !points_elsewhere(&words)
    } else {
        behind_opening(&words, ABOUT_ONESELF).is_some_and(|rest| !points_elsewhere(rest))
    }
}

fn points_elsewhere(words: &str) -> bool {
    phrases(AT_HAND).any(|at_hand| words.split(' ').any(|word| word == at_hand))
        || phrases(AT_HAND_CHINESE).any(|at_hand| words.contains(at_hand))
}

fn has_several_sentences(body: &str) -> bool {
    body.contains(['?', '？', '!', '！', '。', '；', '：', '…']) || body.contains(". ")
}

fn is_question(words: &str) -> bool {
    behind_opening(words, QUESTIONS).is_some()
        || phrases(QUESTIONS_CHINESE).any(|word| words.contains(word))
}

/// Returns what follows the opening; something must: "what is" alone asks for nothing.
fn behind_opening<'a>(words: &'a str, openings: &str) -> Option<&'a str> {
    phrases(openings).find_map(|opening| {
        words
            .strip_prefix(opening)
            .filter(|rest| !rest.is_empty() && ends_a_word(opening, rest))
    })
}

/// Returns whether a word of the text may be a form of a word of the catalogue. Chinese terms are
/// pairs of characters and must be equal.
fn shares_a_term(text: &str, skills: &[SkillMeta]) -> bool {
    let catalogue: HashSet<String> = skills
        .iter()
        .flat_map(|skill| [&skill.name, &skill.description])
        .flat_map(|text| query_terms(text))
        .collect();
    let stemmer = Stemmer::create(Algorithm::English);
    let beginnings: HashSet<String> = catalogue.iter().map(|term| beginning(term)).collect();
    let stems: HashSet<Cow<'_, str>> = catalogue.iter().map(|term| stemmer.stem(term)).collect();
    query_terms(text).iter().any(|said| {
        let has_one_beginning = said.len() >= STEM_CHARS && beginnings.contains(&beginning(said));
        let is_a_form = has_one_beginning || stems.contains(&stemmer.stem(said));
        catalogue.contains(said) || (said.is_ascii() && is_a_form)
    })
}

fn beginning(word: &str) -> String {
    word.chars().take(STEM_CHARS).collect()
}

#[cfg(test)]
#[path = "skip_tests.rs"]
mod tests;
