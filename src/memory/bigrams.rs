//! The words of a text, as the index holds them and as a query asks for them.
//!
//! A word is a run of letters and digits in lower case. Chinese, Japanese and Korean have no
//! spaces that separate words, so a run of theirs gives its characters and its pairs of
//! neighbours: a query for a word of two characters finds it inside any sentence.

use std::collections::HashSet;

/// The most of a text that a query is made of, in characters.
const QUERY_CHARS: usize = 2000;
/// The most terms of a query.
const QUERY_TERMS: usize = 40;
/// English words that say nothing about what a text is about.
const STOP_WORDS: [&str; 70] = [
    "a", "about", "am", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can",
    "could", "did", "do", "does", "for", "from", "had", "has", "have", "he", "her", "him", "his",
    "how", "i", "if", "in", "is", "it", "its", "me", "my", "no", "not", "of", "on", "or", "our",
    "please", "s", "she", "should", "so", "some", "t", "that", "the", "their", "them", "then",
    "they", "this", "to", "us", "was", "we", "were", "what", "when", "where", "which", "who",
    "will", "with", "you", "your",
];
/// Chinese characters of grammar: in a query they separate words, as a space would.
const STOP_CHARACTERS: &str = "的了吗呢吧啊什么是我你您他她它们在和也都就这那";

/// Returns the words of a text for the index, separated by spaces.
pub fn index_words(text: &str) -> String {
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
    let text: String = text.chars().take(QUERY_CHARS).collect();
    let mut seen = HashSet::new();
    runs(&text)
        .into_iter()
        .flat_map(Run::into_terms)
        .filter(|term| seen.insert(term.clone()))
        .take(QUERY_TERMS)
        .collect()
}

/// Returns whether all terms of a query are in a text. False for a query without terms.
pub fn holds_all(text: &str, query: &str) -> bool {
    let indexed = index_words(text);
    let words: HashSet<_> = indexed.split(' ').collect();
    let terms = query_terms(query);
    !terms.is_empty() && terms.iter().all(|term| words.contains(term.as_str()))
}

/// A part of a text without anything between its characters.
enum Run {
    /// Letters and digits of a script that writes words apart, in lower case.
    Word(String),
    /// Characters of a script that does not.
    Characters(Vec<char>),
}

impl Run {
    fn into_terms(self) -> Vec<String> {
        match self {
            Self::Word(word) if STOP_WORDS.contains(&word.as_str()) => vec![],
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

fn runs(text: &str) -> Vec<Run> {
    let mut runs = Vec::new();
    for character in text.chars() {
        if !character.is_alphanumeric() {
            runs.push(None);
        } else if is_unspaced(character) {
            match runs.last_mut() {
                Some(Some(Run::Characters(run))) => run.push(character),
                _ => runs.push(Some(Run::Characters(vec![character]))),
            }
        } else {
            match runs.last_mut() {
                Some(Some(Run::Word(word))) => word.extend(character.to_lowercase()),
                _ => runs.push(Some(Run::Word(character.to_lowercase().collect()))),
            }
        }
    }
    runs.into_iter().flatten().collect()
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
    use super::{holds_all, index_words, query_terms};

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
