//! The words of a text, as the index holds them and as a query asks for them.
//!
//! A word is a run of letters and digits, folded: `letter_folding.rs` says how. Chinese, Japanese and
//! Korean have no spaces that separate words, so a run of theirs gives its characters and its pairs
//! of neighbours: a query for a word of two characters finds it inside any sentence.

use std::collections::HashSet;

use super::letter_folding::fold;

/// The most of a text that a query is made of, in characters.
const QUERY_CHARS: usize = 2000;
/// The most terms of a query.
const QUERY_TERMS: usize = 40;
/// The most terms of a recall, and the most characters beside them: a long question in Chinese has
/// over a hundred pairs, and what it asks for stands at its end.
const RECALL_TERMS: usize = 256;
/// English words that say nothing about what a text is about, in order.
const STOP_WORDS: [&str; 70] = [
    "a", "about", "am", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can",
    "could", "did", "do", "does", "for", "from", "had", "has", "have", "he", "her", "him", "his",
    "how", "i", "if", "in", "is", "it", "its", "me", "my", "no", "not", "of", "on", "or", "our",
    "please", "s", "she", "should", "so", "some", "t", "that", "the", "their", "them", "then",
    "they", "this", "to", "us", "was", "we", "were", "what", "when", "where", "which", "who",
    "will", "with", "you", "your",
];
/// Chinese characters of grammar: in a query they separate words, as a space would.
const STOP_CHARACTERS: &str = "的了吗呢吧啊什么是我你您他她它们在和也都就这那哪谁啥呀嘛啦";

/// Those of them that are not even a hint: who is spoken of is one, a particle is none.
const PARTICLES: &str = "的了吗呢吧啊什么是哪谁啥呀嘛啦";

/// Returns the words of a text for the index, separated by spaces.
pub(crate) fn index_words(text: &str) -> String {
    let mut words = Vec::new();
    for run in runs(text) {
        match run {
            Run::Word(word) => words.push(word),
            Run::Characters(characters) => {
                words.extend(characters.iter().map(char::to_string));
                words.extend(pairs(&characters));
            }
        }
    }
    words.join(" ")
}

/// Returns the terms of a query, each once, without words that say nothing; at most 40.
pub fn query_terms(text: &str) -> Vec<String> {
    terms(text, QUERY_TERMS)
}

/// Returns the terms of what is to be recalled, at most 256.
pub fn recall_terms(text: &str) -> Vec<String> {
    terms(text, RECALL_TERMS)
}

/// Returns the characters of a text that writes no words apart, each once and without particles; at
/// most 256. They are hints: words of one meaning often share a character.
pub(crate) fn hints(text: &str) -> Vec<char> {
    let mut seen = HashSet::new();
    runs(&beginning(text))
        .into_iter()
        .filter_map(|run| match run {
            Run::Characters(characters) => Some(characters),
            Run::Word(_) => None,
        })
        .flatten()
        .filter(|character| !PARTICLES.contains(*character) && seen.insert(*character))
        .take(RECALL_TERMS)
        .collect()
}

fn terms(text: &str, most: usize) -> Vec<String> {
    let mut seen = HashSet::new();
    runs(&beginning(text))
        .into_iter()
        .flat_map(Run::into_terms)
        .filter(|term| seen.insert(term.clone()))
        .take(most)
        .collect()
}

fn beginning(text: &str) -> String {
    text.chars().take(QUERY_CHARS).collect()
}

/// Returns whether all terms of a query are in a text. False for a query without terms.
pub(crate) fn holds_all(text: &str, query: &str) -> bool {
    let indexed = index_words(text);
    let words: HashSet<_> = indexed.split(' ').collect();
    let terms = query_terms(query);
    !terms.is_empty() && terms.iter().all(|term| words.contains(term.as_str()))
}

/// Returns whether a folded word says nothing about what a text is about.
pub(crate) fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

/// Returns whether it is a character of grammar.
pub(crate) fn is_stop_character(character: char) -> bool {
    STOP_CHARACTERS.contains(character)
}

/// A part of a text without anything between its characters.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Run {
    /// Letters and digits of a script that writes words apart, in lower case.
    Word(String),
    /// Characters of a script that does not.
    Characters(Vec<char>),
}

impl Run {
    fn into_terms(self) -> Vec<String> {
        match self {
            Self::Word(word) if is_stop_word(&word) => vec![],
            Self::Word(word) => vec![word],
            Self::Characters(characters) => characters
                .split(|character| STOP_CHARACTERS.contains(*character))
                .flat_map(word_or_pairs)
                .collect(),
        }
    }
}

fn word_or_pairs(characters: &[char]) -> Vec<String> {
    match characters {
        [single] => vec![single.to_string()],
        several => pairs(several).collect(),
    }
}

/// Returns the runs of a text, in order.
pub(crate) fn runs(text: &str) -> Vec<Run> {
    let mut runs = Vec::new();
    for character in text.chars() {
        fold(character, |folded| push(&mut runs, folded));
    }
    runs.into_iter().flatten().collect()
}

/// Returns the runs of a text, in order, each as it was written, too.
pub(crate) fn spelled_runs(text: &str) -> Vec<(Run, String)> {
    if text.is_ascii() {
        // Most text is, and then a word and its spelling differ in case alone.
        let words = text.split(|character: char| !character.is_ascii_alphanumeric());
        let words = words.filter(|word| !word.is_empty());
        return words
            .map(|word| (Run::Word(word.to_ascii_lowercase()), word.to_owned()))
            .collect();
    }
    folded_runs(text)
}

/// Returns the runs of any text, character by character.
fn folded_runs(text: &str) -> Vec<(Run, String)> {
    let mut runs = Vec::new();
    let mut spellings: Vec<String> = Vec::new();
    for character in text.chars() {
        fold(character, |folded| push(&mut runs, folded));
        spellings.resize(runs.len(), String::new());
        if let (Some(Some(Run::Word(_))), Some(spelling)) = (runs.last(), spellings.last_mut()) {
            spelling.push(character);
        }
    }
    let runs = runs.into_iter().zip(spellings);
    runs.filter_map(|(run, spelling)| Some((run?, spelling)))
        .collect()
}

/// Adds a character to the last run, or begins another; nothing stands for what separates them.
fn push(runs: &mut Vec<Option<Run>>, character: char) {
    if !character.is_alphanumeric() {
        if !matches!(runs.last(), None | Some(None)) {
            runs.push(None);
        }
        return;
    }
    match (is_unspaced(character), runs.last_mut()) {
        (true, Some(Some(Run::Characters(run)))) => run.push(character),
        (true, _) => runs.push(Some(Run::Characters(vec![character]))),
        (false, Some(Some(Run::Word(word)))) => word.push(character),
        (false, _) => runs.push(Some(Run::Word(character.to_string()))),
    }
}

fn pairs(characters: &[char]) -> impl Iterator<Item = String> {
    characters.windows(2).map(|pair| pair.iter().collect())
}

/// Returns whether a character is Chinese, Japanese or Korean (the blocks of Unicode 16).
fn is_unspaced(character: char) -> bool {
    matches!(u32::from(character),
        0x3040..=0x30ff          // Hiragana, Katakana
        | 0x3400..=0x4dbf        // Han, extension A
        | 0x4e00..=0x9fff        // Han
        | 0xac00..=0xd7af        // Hangul
        | 0xf900..=0xfaff        // Han, compatibility
        | 0x2_0000..=0x3_23af    // Han, extensions B to H
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{
        STOP_WORDS, folded_runs, hints, holds_all, index_words, query_terms, spelled_runs,
    };

    proptest! {
        #[test]
        fn ascii_has_the_runs_of_any_text(text in "[ -~\\t\\n]{0,60}") {
            prop_assert_eq!(spelled_runs(&text), folded_runs(&text));
        }
    }

    #[test]
    fn words_are_in_lower_case_and_chinese_is_in_characters_and_pairs() {
        assert_eq!(index_words("My Dog, REX-2!"), "my dog rex 2");
        assert_eq!(index_words("喝绿茶ok"), "喝 绿 茶 喝绿 绿茶 ok");
        assert_eq!(index_words("🙂 ..."), "");
    }

    #[track_caller]
    fn check(query: &str, expected: &[&str]) {
        assert_eq!(query_terms(query), expected, "{query:?}");
    }

    #[test]
    fn a_query_asks_for_what_says_something_once() {
        check("What is my dog's name? My DOG!", &["dog", "name"]);
        check("我的茶", &["茶"]);
        check("你知道我喝什么绿茶吗", &["知道", "喝", "绿茶"]);
        check("你是我的", &[]);
        check("茶", &["茶"]);
        check("绿茶, 绿茶", &["绿茶"]);
        check("\"a\" OR b*", &["b"]);
        check("", &[]);
    }

    #[test]
    fn spellings_that_mean_the_same_are_one_term() {
        check("綠茶 ＴＥＡ Café", &["绿茶", "tea", "cafe"]);
        assert_eq!(index_words("我們喝綠茶"), index_words("我们喝绿茶"));
        assert!(holds_all("我喜歡喝綠茶", "绿茶"));
    }

    #[test]
    fn characters_are_hints_but_particles_are_none() {
        assert_eq!(hints("她的茶是什么茶 tea"), ['她', '茶']);
        assert!(hints("什么是 tea").is_empty());
    }

    #[test]
    fn words_that_say_nothing_are_in_order() {
        assert!(STOP_WORDS.is_sorted());
    }

    #[test]
    fn a_long_query_is_bounded() {
        let words: Vec<_> = (0..100_000).map(|number| format!("w{number}")).collect();
        assert_eq!(query_terms(&words.join(" ")).len(), 40);
    }

    #[test]
    fn a_text_holds_a_query_when_it_holds_each_term() {
        assert!(holds_all("The phone number is 123", "my phone number"));
        assert!(!holds_all("The number of cats is 2", "my phone number"));
        assert!(holds_all("我喜欢喝绿茶", "绿茶"));
        assert!(!holds_all("anything", "the"));
    }
}
