//! What is asked for, and how often a text holds it.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use rust_stemmers::{Algorithm, Stemmer};

use super::super::bigrams::{Run, hints, is_stop_word, recall_terms, runs, spelled_runs};
use super::super::languages::{Language, Languages};
use super::super::questions::at_last;
use super::forms::{AND_SO_ON, Forms};

/// What a character of a Chinese word is worth beside the word: it leads to words of like meaning
/// (`住` to `居住地`), and to others.
const HINT: f64 = 0.3;
/// What a word is worth that was said before the question was announced.
const ASIDE: f64 = 0.3;
/// What people ask with for whatever was said: in a question about a time it names no subject.
const ASKING: [&str; 56] = [
    "again",
    "anything",
    "ask",
    "asked",
    "chat",
    "chatted",
    "conversation",
    "discuss",
    "discussed",
    "everything",
    "happen",
    "happened",
    "know",
    "mention",
    "mentioned",
    "recall",
    "remember",
    "said",
    "say",
    "something",
    "speak",
    "spoke",
    "talk",
    "talked",
    "talking",
    "tell",
    "thing",
    "things",
    "told",
    "write",
    "wrote",
    "事",
    "事情",
    "写",
    "到",
    "发生",
    "告诉",
    "干",
    "提",
    "提到",
    "聊",
    "聊到",
    "聊天",
    "聊过",
    "记得",
    "讨论",
    "讲",
    "说",
    "说到",
    "说过",
    "谈",
    "谈到",
    "谈过",
    "过",
    "问",
    "做",
];
/// What stands between several ways to write a term.
const OR: char = '|';
/// How English and Chinese ask for a time at the beginning of a question.
const WHEN_FIRST: [&str; 3] = ["when ", "when's ", "since when"];
/// How they ask for it anywhere.
const WHEN: [&str; 18] = [
    "how long",
    "what date",
    "what day",
    "what month",
    "what time",
    "what year",
    "which day",
    "which month",
    "which year",
    "什么时候",
    "何时",
    "哪天",
    "哪年",
    "哪个月",
    "几点",
    "几号",
    "多久",
    "多长时间",
];

/// A query, ready to be looked for in many texts.
pub struct Query {
    terms: Vec<String>,
    /// How many of the terms, the first ones, are words; the rest are hints.
    words: usize,
    /// What each term is looked for by.
    searches: Vec<String>,
    /// Whether it has nothing but words of grammar.
    is_grammar: bool,
    /// Which terms stand only before the announcement of the question.
    asides: HashSet<usize>,
    forms: Forms,
    stems: HashMap<String, usize>,
    /// What the stems begin with, as all forms of a word do.
    initials: String,
    pairs: HashMap<(char, char), usize>,
    characters: HashMap<char, usize>,
    asks_when: bool,
    /// The time that it is about, in milliseconds since 1970.
    time: Option<Range<i64>>,
    asks_for_time_alone: bool,
    stemmer: Stemmer,
}

/// The words of a text that say something, told once for all queries that look for theirs in it.
pub(crate) struct Words {
    said: Vec<Word>,
    languages: Languages,
    /// How many there are, and characters of scripts without words.
    length: u32,
}

struct Word {
    run: Run,
    spelling: String,
    /// Whether it says nothing in the language of the text.
    is_grammar: bool,
}

impl Words {
    /// Returns the words of a text.
    pub(crate) fn of(text: &str) -> Self {
        let mut runs = spelled_runs(text);
        let languages = Languages::of_runs(text, &runs);
        runs.retain(|(run, _)| !matches!(run, Run::Word(word) if is_stop_word(word)));
        let words = runs.into_iter().map(|(run, spelling)| Word {
            is_grammar: matches!(&run, Run::Word(word) if languages.is_stop_word(word)),
            run,
            spelling,
        });
        let said: Vec<Word> = words.collect();
        let length = said.iter().map(|word| match &word.run {
            Run::Word(_) => u32::from(!word.is_grammar),
            Run::Characters(characters) => characters.len() as u32,
        });
        Self {
            length: length.sum(),
            said,
            languages,
        }
    }
}

/// How often a text holds each term of a query.
#[derive(Debug)]
pub struct Counts {
    /// By term.
    pub held: Vec<u32>,
    /// How long the text is.
    pub length: u32,
}

impl Query {
    /// Returns the query that this text asks.
    pub fn new(text: &str) -> Self {
        let mut query = Self::words(text);
        // Hints to nothing would find whatever has the most common characters.
        if query.words > 0 {
            for hint in hints(text) {
                query.add(&hint.to_string(), "");
            }
            for word in 0..query.words {
                query.add_beginning(word);
            }
        }
        if let Some(question) = at_last(text) {
            let asked = query.count(question).held.into_iter().enumerate();
            query.asides = asked
                .filter(|(_, held)| *held == 0)
                .map(|(term, _)| term)
                .collect();
        }
        query
    }

    /// Returns the query for the words of this text, without hints.
    pub fn words(text: &str) -> Self {
        let runs = spelled_runs(text);
        let languages = Languages::of_runs(text, &runs);
        let mut terms = recall_terms(text);
        let is_grammar = terms.iter().all(|term| languages.is_stop_word(term));
        if !is_grammar {
            terms.retain(|term| !languages.is_stop_word(term));
        }
        let mut query = Self {
            terms: vec![],
            words: 0,
            searches: vec![],
            is_grammar,
            asides: HashSet::new(),
            forms: Forms::new(languages),
            stems: HashMap::new(),
            initials: String::new(),
            pairs: HashMap::new(),
            characters: HashMap::new(),
            asks_when: asks_when(text),
            time: None,
            asks_for_time_alone: false,
            stemmer: Stemmer::create(Algorithm::English),
        };
        let spellings: HashMap<&str, &str> = runs
            .iter()
            .filter_map(|(run, spelling)| match run {
                Run::Word(word) => Some((word.as_str(), spelling.as_str())),
                Run::Characters(_) => None,
            })
            .collect();
        for term in terms {
            let spelling = spellings.get(term.as_str()).copied();
            query.add(plain_number(&term), spelling.unwrap_or(&term));
        }
        query.words = query.terms.len();
        query
    }

    /// Returns the same query about a time, from its first millisecond to the one behind its last;
    /// `rest` is what else it says.
    #[must_use]
    pub fn about(self, time: Range<i64>, rest: &str) -> Self {
        Self {
            time: Some(time),
            asks_for_time_alone: recall_terms(rest)
                .iter()
                .all(|term| ASKING.contains(&term.as_str())),
            ..self
        }
    }

    /// Returns the time that it is about.
    pub fn time(&self) -> Option<Range<i64>> {
        self.time.clone()
    }

    /// Returns the time, if it asks for whatever was said then.
    pub fn time_alone(&self) -> Option<Range<i64>> {
        self.time().filter(|_| self.asks_for_time_alone)
    }

    /// Returns its terms, one for all forms of a word; words first, then hints.
    pub fn terms(&self) -> &[String] {
        &self.terms
    }

    /// Returns what each term is looked for by: itself, `7|07` for either, or `beginning*` for
    /// words that begin so.
    pub fn searches(&self) -> &[String] {
        &self.searches
    }

    /// Returns the stems of its terms in languages other than English, and the place of each term.
    pub fn stems(&self) -> impl Iterator<Item = (Language, &str, usize)> {
        self.forms.stems()
    }

    /// Returns the term whose word a hint is the beginning of, where that word is looked for as it
    /// stands.
    pub fn word_of(&self, hint: usize) -> Option<usize> {
        let word = self.forms.word_of(hint)?;
        let search = self.searches.get(word)?;
        (!search.ends_with(AND_SO_ON)).then_some(word)
    }

    /// Returns whether what is found for its searches may hold none of its terms: words that only
    /// begin as one of the query does.
    pub fn is_loose(&self) -> bool {
        let mut searches = self.searches.iter();
        searches.any(|search| search.ends_with(AND_SO_ON))
    }

    /// Returns whether what was found for its searches may be an answer.
    pub fn may_be_answered_by(&self, text: &str) -> bool {
        !self.is_loose() || self.count(text).held.iter().any(|held| *held > 0)
    }

    /// Returns whether a term is a word, not a hint.
    pub fn is_word(&self, term: usize) -> bool {
        term < self.words
    }

    /// Returns whether a text holds at least half of its words.
    pub fn is_half_in(&self, text: &str) -> bool {
        let counts = self.count(text);
        let words = counts.held.iter().take(self.words);
        let held = words.filter(|held| **held > 0).count();
        held > 0 && 2 * held >= self.words
    }

    /// Returns what a term is worth beside its rarity.
    pub fn weight(&self, term: usize) -> f64 {
        let weight = if self.is_word(term) { 1.0 } else { HINT };
        if self.asides.contains(&term) {
            ASIDE * weight
        } else {
            weight
        }
    }

    /// Returns whether it asks for a time.
    pub fn asks_when(&self) -> bool {
        self.asks_when
    }

    /// Counts its terms in a text.
    pub fn count(&self, text: &str) -> Counts {
        Counting::of(self).count_in(&Words::of(text))
    }

    fn count_characters(&self, characters: &[char], counts: &mut Counts) {
        if !self.characters.is_empty() {
            for character in characters {
                counts.add(self.characters.get(character).copied());
            }
        }
        if !self.pairs.is_empty() {
            for (one, other) in characters.iter().zip(characters.iter().skip(1)) {
                counts.add(self.pairs.get(&(*one, *other)).copied());
            }
        }
    }

    /// Adds a term unless another form of it is there.
    fn add(&mut self, term: &str, spelling: &str) {
        let next = self.terms.len();
        let mut search = None;
        let place = if let Some(Run::Characters(characters)) = runs(term).pop() {
            match characters.as_slice() {
                [one, other] => *self.pairs.entry((*one, *other)).or_insert(next),
                [single] => *self.characters.entry(*single).or_insert(next),
                _ => return,
            }
        } else {
            let same = self.forms.same_as(term, spelling);
            let stem = self.stem(term).into_owned();
            self.initials.extend(stem.chars().next());
            let place = *self.stems.entry(stem).or_insert(same.unwrap_or(next));
            search = self.forms.add(term, spelling, place);
            place
        };
        if place == next {
            self.terms.push(term.to_owned());
            self.searches
                .push(search.unwrap_or_else(|| as_written(term)));
        }
    }

    /// Adds a hint to words that are spelt like a word of the query.
    fn add_beginning(&mut self, word: usize) {
        let Some(term) = self.terms.get(word) else {
            return;
        };
        let beginning = self.forms.add_beginning(term, word, self.terms.len());
        if let Some(beginning) = beginning {
            self.terms.push(beginning.clone());
            self.searches.push(beginning);
        }
    }

    fn stem<'a>(&self, word: &'a str) -> std::borrow::Cow<'a, str> {
        self.stemmer.stem(word)
    }
}

/// Counts the terms of a query in many texts, and tells once of which term a word is a form.
pub(crate) struct Counting<'q> {
    query: &'q Query,
    /// By word: its spelling and the languages that it may be in, and the term.
    terms: HashMap<String, Vec<(String, Languages, Option<usize>)>>,
}

impl<'q> Counting<'q> {
    /// Counts the terms of this query.
    pub(crate) fn of(query: &'q Query) -> Self {
        Self {
            query,
            terms: HashMap::new(),
        }
    }

    /// Returns the query.
    pub(crate) fn query(&self) -> &'q Query {
        self.query
    }

    /// Counts the terms in the words of a text.
    pub(crate) fn count_in(&mut self, words: &Words) -> Counts {
        let query = self.query;
        let mut counts = Counts {
            held: vec![0; query.terms.len()],
            length: words.length,
        };
        let languages = query.forms.languages.and(words.languages);
        for said in &words.said {
            match &said.run {
                Run::Word(_) if said.is_grammar && !query.is_grammar => {}
                Run::Word(word) => counts.add(self.term_of(word, &said.spelling, languages)),
                Run::Characters(characters) => query.count_characters(characters, &mut counts),
            }
        }
        counts
    }

    /// Returns which term a word is a form of; `languages` are those of both texts.
    fn term_of(&mut self, word: &str, spelling: &str, languages: Languages) -> Option<usize> {
        let query = self.query;
        let word = plain_number(word);
        let may_be = word.starts_with(|initial| query.initials.contains(initial));
        if !may_be && word.starts_with(|initial: char| initial.is_ascii()) {
            return None;
        }
        let known = self.terms.get(word).into_iter().flatten();
        let is_it = |known: &&(String, Languages, _)| known.0 == spelling && known.1 == languages;
        if let Some((_, _, term)) = { known }.find(is_it) {
            return *term;
        }
        let stem = may_be.then(|| query.stem(word));
        let term = stem.and_then(|stem| query.stems.get(&*stem).copied());
        let term = term.or_else(|| query.forms.term_of(word, spelling, languages));
        let forms = self.terms.entry(word.to_owned()).or_default();
        forms.push((spelling.to_owned(), languages, term));
        term
    }
}

impl Counts {
    fn add(&mut self, term: Option<usize>) {
        if let Some(held) = term.and_then(|term| self.held.get_mut(term)) {
            *held += 1;
        }
    }
}

/// Returns a number without the nought that dates are filled up with: 2024-04-07 and April 7 are
/// one day.
fn plain_number(word: &str) -> &str {
    let digit = word.strip_prefix('0').filter(|rest| rest.len() == 1);
    digit
        .filter(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
        .unwrap_or(word)
}

/// Returns all ways to write a term.
fn as_written(term: &str) -> String {
    match term.as_bytes() {
        [b'0'..=b'9'] => format!("{term}{OR}0{term}"),
        _ => term.to_owned(),
    }
}

fn asks_when(text: &str) -> bool {
    let text = text.trim_start().to_lowercase();
    WHEN_FIRST.iter().any(|opening| text.starts_with(opening))
        || WHEN.iter().any(|words| text.contains(words))
}
