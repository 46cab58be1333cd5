//! Orders without trigger words: instructions in what should be data.
//!
//! A clause that begins with a verb of action is weighed by its object, by whom it mentions ("my
//! account", "the user's"), by whether it names where to send things, and by its position.
//! Technical prose is full of imperatives; its subjects reduce the weight.

mod chinese;
mod clause;
mod lexicon;

use std::sync::LazyLock;

use regex::bytes::Regex;

use self::clause::{Clause, Setting};
use self::lexicon::{Lexicon, UNKNOWN, Verb};
use super::fold::Folded;
use super::{Finding, expression};

/// What adds to an order, and takes away from it. 1 is a review.
mod weights {
    /// It says how to answer, which only makes sense to an assistant.
    pub(super) const OF_ANSWER: f32 = 0.85;
    pub(super) const POLITE: f32 = 0.25;
    pub(super) const DIRECTED: f32 = 0.25;
    pub(super) const ERRAND: f32 = 0.3;
    pub(super) const OF_ME: f32 = 0.2;
    pub(super) const OF_THE_USER: f32 = 0.3;
    pub(super) const OBJECT: f32 = 0.15;
    pub(super) const SINK: f32 = 0.3;
    /// It says where to send something, and nothing that is worth sending: whom to write to.
    pub(super) const LONE_SINK: f32 = 0.15;
    /// The most that objects and sink add.
    pub(super) const OBJECTS: f32 = 0.55;
    pub(super) const GENRE: f32 = 0.25;
    pub(super) const VALUE: f32 = 0.35;
    pub(super) const IN_VALUE: f32 = 0.25;
    pub(super) const EDGE: f32 = 0.3;
    /// A text is asked for where another one begins or ends.
    pub(super) const COMPOSED_EDGE: f32 = 0.45;
    pub(super) const COMMENT: f32 = -0.3;
    pub(super) const TECHNICAL: f32 = -0.2;
    /// The most that technical words take away.
    pub(super) const ALL_TECHNICAL: f32 = -0.5;
    pub(super) const OF_READER: f32 = -0.15;
    /// What a service says of itself: "update your payment details".
    pub(super) const OF_READER_IN_DATA: f32 = -0.3;
    pub(super) const OF_US: f32 = -0.15;
    pub(super) const CODE: f32 = -0.3;
    /// Less is not worth a word.
    pub(super) const LEAST: f32 = 0.3;
    pub(super) const MOST: f32 = 1.25;
}

/// How many orders of one text are kept, the heaviest.
const MAX_FINDINGS: usize = 16;
/// How much else a text must say for an order at its end to be out of place, in bytes.
const REST: usize = 80;
/// How far behind the verb a kind of text is named, in words.
const GENRE_REACH: usize = 6;

/// Addresses, accounts, amounts, numbers: where things are sent.
static SINK: LazyLock<Option<Regex>> = LazyLock::new(|| {
    expression(concat!(
        r"[\w.+-]{1,64}@[\w-]{1,64}\.[a-z]{2}|https?://|\bwww\.|\b[a-z]{2}\d{10}|\$ ?\d|\+\d{7}|",
        r"\b\d{9}|\b\d{3}-\d{3,4}-\d{4}\b|\b[a-z0-9-]{2,63}\.(?:com|net|org|io|ru|xyz|cn)\b",
    ))
});
static OF_ME: LazyLock<Option<Regex>> =
    LazyLock::new(|| expression(r"\b(?:my|me|mine|i|i'm|i've)\b"));
static OF_THE_USER: LazyLock<Option<Regex>> =
    LazyLock::new(|| expression(r"\b(?:the user|user's)\b"));
static OF_ANSWER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    expression(r"\byour (?:\w+ )?(?:answers?|responses?|repl(?:y|ies)|output|solution)\b")
});
static OF_READER: LazyLock<Option<Regex>> = LazyLock::new(|| expression(r"\byour\b"));
static OF_US: LazyLock<Option<Regex>> = LazyLock::new(|| expression(r"\b(?:us|our|we)\b"));
static CODE: LazyLock<Option<Regex>> =
    LazyLock::new(|| expression(r"\([^)]{0,80}\)\s*\{|[;{}=]\s*$|::|->|=>|\$\{"));

/// Finds orders.
pub(crate) fn scan(folded: &Folded, findings: &mut Vec<Finding>) {
    let lexicon = Lexicon::built_in();
    let text = folded.text();
    let mut found = Vec::new();
    clause::each(text, |clause| {
        let weight = weigh(lexicon, clause, text.len());
        if weight >= weights::LEAST {
            found.push((weight, clause.place.clone()));
        }
    });
    chinese::each(text, |weight, place| found.push((weight, place)));
    found.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    found.truncate(MAX_FINDINGS);
    findings.extend(found.into_iter().map(|(weight, place)| Finding {
        rule: "request",
        span: folded.origin(&place),
        weight,
        may_block: false,
    }));
}

/// Returns what an order weighs; nothing when it is none.
fn weigh(lexicon: &Lexicon, clause: &Clause<'_>, length: usize) -> f32 {
    let is_polite = clause.lead.contains("please") || clause.lead.contains("kindly");
    let shapes_answer = shapes_answer(lexicon, clause);
    let known = lexicon.verb(clause.verb);
    let is_order = shapes_answer || is_polite && !lexicon.is_courtesy(clause.verb);
    let Some(verb) = known.or(is_order.then_some(UNKNOWN)) else {
        return 0.0;
    };
    let words: Vec<&str> = words(clause.body).collect();
    if words.len() < 2 || words.first().is_some_and(|next| is_predicate(next)) {
        return 0.0;
    }
    let genre = words
        .iter()
        .take(GENRE_REACH)
        .any(|word| lexicon.is_genre(word));
    let whose = if shapes_answer {
        weights::OF_ANSWER
    } else {
        whose(clause)
    };
    let urges = is_polite && !lexicon.points(clause.verb);
    let weight = verb.weight
        + when(urges, weights::POLITE)
        + when(is_directed(clause.lead), weights::DIRECTED)
        + when(clause.lead.contains("todo"), weights::ERRAND)
        + whose
        + objects(lexicon, verb, &words, clause.body)
        + when(verb.composes && genre, weights::GENRE)
        + place(clause, verb, length)
        + technical(lexicon, &words)
        + when(finds(&CODE, clause.body), weights::CODE);
    weight.min(weights::MOST)
}

/// Returns whether a clause says how somebody is to answer: "replace all letters in your answer".
fn shapes_answer(lexicon: &Lexicon, clause: &Clause<'_>) -> bool {
    let sentence = clause
        .body
        .split_inclusive(['.', '!', '?'])
        .next()
        .unwrap_or_default();
    let is_verb = !lexicon.is_delivering(clause.verb) && !clause.verb.ends_with("ing");
    is_verb && finds(&OF_ANSWER, sentence)
}

/// Returns whether a word makes the one before it a subject: "unlock failed".
fn is_predicate(word: &str) -> bool {
    const PREDICATES: [&str; 18] = [
        "is",
        "are",
        "was",
        "were",
        "has",
        "have",
        "had",
        "will",
        "can",
        "may",
        "should",
        "must",
        "does",
        "did",
        "failed",
        "succeeded",
        "completed",
        "of",
    ];
    PREDICATES.contains(&word)
}

/// Returns whether somebody is instructed; that they may is no order.
fn is_directed(lead: &str) -> bool {
    let is_addressed = words(lead).any(|word| word == "you" || word == "your");
    let is_free = ["you may", "you can", "you will", "you shall"];
    is_addressed && !is_free.iter().any(|free| lead.contains(free))
}

/// Weighs whose things an order is about.
fn whose(clause: &Clause<'_>) -> f32 {
    let body = clause.body;
    let of_reader = match clause.setting {
        Setting::Value | Setting::InValue => weights::OF_READER_IN_DATA,
        Setting::Prose | Setting::Comment => weights::OF_READER,
    };
    when(finds(&OF_ME, body), weights::OF_ME)
        + when(finds(&OF_THE_USER, body), weights::OF_THE_USER)
        + when(finds(&OF_READER, body), of_reader)
        + when(finds(&OF_US, body), weights::OF_US)
}

/// Weighs what an order is done to, each class of things once.
fn objects(lexicon: &Lexicon, verb: Verb, words: &[&str], body: &str) -> f32 {
    let has_sink = finds(&SINK, body);
    if verb.composes {
        return when(has_sink, weights::SINK);
    }
    let mut classes: Vec<usize> = words
        .iter()
        .filter_map(|word| lexicon.object(word))
        .collect();
    classes.sort_unstable();
    classes.dedup();
    let sink = when(
        has_sink,
        if classes.is_empty() {
            weights::LONE_SINK
        } else {
            weights::SINK
        },
    );
    (classes.len() as f32 * weights::OBJECT + sink).min(weights::OBJECTS)
}

/// Weighs where an order stands.
fn place(clause: &Clause<'_>, verb: Verb, length: usize) -> f32 {
    let setting = match clause.setting {
        Setting::Prose => 0.0,
        Setting::Value => weights::VALUE,
        Setting::InValue => weights::IN_VALUE,
        Setting::Comment => weights::COMMENT,
    };
    let rest = length.saturating_sub(clause.place.len());
    let is_at_edge = clause.place.start < 3 || clause.place.end + 4 > length;
    let edge = if verb.composes {
        weights::COMPOSED_EDGE
    } else {
        weights::EDGE
    };
    setting + when(rest > REST && is_at_edge, edge)
}

fn technical(lexicon: &Lexicon, words: &[&str]) -> f32 {
    let words = words.iter().filter(|word| lexicon.is_technical(word));
    (words.count() as f32 * weights::TECHNICAL).max(weights::ALL_TECHNICAL)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| {
        !letter.is_ascii_alphanumeric() && !matches!(letter, '\'' | '-' | '_')
    })
    .map(|word| word.trim_matches(['\'', '-', '_']))
    .filter(|word| !word.is_empty())
}

fn when(is_so: bool, weight: f32) -> f32 {
    if is_so { weight } else { 0.0 }
}

fn finds(expression: &LazyLock<Option<Regex>>, text: &str) -> bool {
    expression
        .as_ref()
        .is_some_and(|expression| expression.is_match(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_words_and_expressions_can_be_read() {
        assert!(Lexicon::load().is_ok());
        assert!(
            [
                &SINK,
                &OF_ANSWER,
                &OF_ME,
                &OF_THE_USER,
                &OF_READER,
                &OF_US,
                &CODE
            ]
            .iter()
            .all(|one| one.is_some())
        );
        let mut clauses = 0;
        clause::each("Send it now. Delete that too.", |_| clauses += 1);
        assert_eq!(clauses, 2);
    }
}
