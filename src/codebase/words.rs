//! The words of code and of questions about it: identifiers are split at underscores and at changes of
//! case, and words are brought to their stems.

use rust_stemmers::{Algorithm, Stemmer};

/// The longest run of letters that is looked at, in bytes: longer ones are data.
const MAX_RUN_BYTES: usize = 80;

/// English words that say nothing of a place in code.
const STOP_WORDS: [&str; 64] = [
    "about", "after", "all", "also", "an", "and", "any", "are", "as", "at", "be", "because",
    "been", "before", "but", "by", "can", "could", "did", "do", "does", "each", "for", "from",
    "had", "has", "have", "if", "in", "into", "is", "it", "its", "may", "more", "must", "no",
    "not", "now", "of", "on", "one", "only", "or", "other", "our", "out", "over", "should", "so",
    "such", "than", "that", "the", "their", "them", "then", "there", "these", "they", "this", "to",
    "was", "with",
];

/// Calls `take` with every word of a text, in order.
///
/// An identifier of several parts is given part by part and then as a whole, without underscores and in
/// lower case, so that its spellings in other languages are the same word. Chinese and Japanese are
/// given by pairs of characters.
pub(crate) fn each_word(text: &str, mut take: impl FnMut(&str)) {
    let stemmer = Stemmer::create(Algorithm::English);
    let is_inside = |letter: char| letter.is_alphanumeric() || letter == '_';
    for run in text.split(|letter| !is_inside(letter)) {
        if run.is_empty() || run.len() > MAX_RUN_BYTES {
            continue;
        }
        if run.is_ascii() {
            identifier(run, &stemmer, &mut take);
        } else {
            mixed(run, &stemmer, &mut take);
        }
    }
}

/// Gives the words of a run of ASCII letters.
fn identifier(run: &str, stemmer: &Stemmer, take: &mut impl FnMut(&str)) {
    let mut parts = 0;
    for part in parts_of(run) {
        parts += 1;
        word(part, stemmer, take);
    }
    if parts > 1 {
        let whole: String = run
            .chars()
            .filter(|letter| *letter != '_')
            .map(|letter| letter.to_ascii_lowercase())
            .collect();
        take(&whole);
    }
}

fn word(part: &str, stemmer: &Stemmer, take: &mut impl FnMut(&str)) {
    let lower = part.to_lowercase();
    if lower.len() > 1 && STOP_WORDS.binary_search(&lower.as_str()).is_err() {
        take(&stemmer.stem(&lower));
    }
}

/// Gives the words of a run that is not of ASCII alone.
fn mixed(run: &str, stemmer: &Stemmer, take: &mut impl FnMut(&str)) {
    let letters: Vec<char> = run.chars().collect();
    for part in letters.chunk_by(|one, other| is_ideograph(*one) == is_ideograph(*other)) {
        if !part.iter().copied().any(is_ideograph) {
            let text: String = part.iter().collect();
            if text.is_ascii() {
                identifier(&text, stemmer, take);
            } else {
                word(&text, stemmer, take);
            }
        } else if part.len() == 1 {
            take(&part.iter().collect::<String>());
        } else {
            for pair in part.windows(2) {
                take(&pair.iter().collect::<String>());
            }
        }
    }
}

/// Returns whether a letter is of a script that has no spaces between words: Chinese characters, kana.
fn is_ideograph(letter: char) -> bool {
    matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Splits an identifier of ASCII: `parseHTTPBody_v2` is `parse`, `HTTP`, `Body`, `v2`.
pub(crate) fn parts_of(run: &str) -> impl Iterator<Item = &str> {
    run.split('_').flat_map(|part| {
        let bytes = part.as_bytes();
        let is_start = move |at: &usize| {
            let (Some(before), Some(here)) = (bytes.get(at.wrapping_sub(1)), bytes.get(*at)) else {
                return false;
            };
            let next = bytes.get(at + 1);
            here.is_ascii_uppercase()
                && (!before.is_ascii_uppercase() || next.is_some_and(u8::is_ascii_lowercase))
        };
        let starts: Vec<usize> = (1..part.len()).filter(is_start).collect();
        let ends = starts.clone().into_iter().chain([part.len()]);
        let starts = [0].into_iter().chain(starts);
        let pieces: Vec<&str> = starts
            .zip(ends)
            .filter_map(|(start, end)| part.get(start..end))
            .filter(|piece| !piece.is_empty())
            .collect();
        pieces
    })
}

#[cfg(test)]
mod tests {
    use super::{STOP_WORDS, each_word, parts_of};

    fn words(text: &str) -> String {
        let mut words = Vec::new();
        each_word(text, |word| words.push(word.to_owned()));
        words.join(" ")
    }

    #[test]
    fn identifiers_are_split() {
        let parts: Vec<&str> = parts_of("parseHTTPBody_v2").collect();
        assert_eq!(parts, ["parse", "HTTP", "Body", "v2"]);
        assert_eq!(parts_of("__init__").collect::<Vec<_>>(), ["init"]);
        assert_eq!(parts_of("X").collect::<Vec<_>>(), ["X"]);
        assert_eq!(parts_of("_").count(), 0);
        assert_eq!(parts_of("HTTP").collect::<Vec<_>>(), ["HTTP"]);
    }

    #[test]
    fn spellings_of_a_name_share_their_words() {
        assert_eq!(words("applyPatch"), "appli patch applypatch");
        assert_eq!(words("apply_patch"), words("ApplyPatch"));
        assert_eq!(words("Applied patches"), "appli patch");
    }

    #[test]
    fn other_scripts_have_words_too() {
        assert_eq!(words("修复登录login失败"), "修复 复登 登录 login 失败");
        assert_eq!(words("Größe"), "größe");
        assert_eq!(words("错"), "错");
    }

    #[test]
    fn what_says_nothing_is_left_out() {
        assert_eq!(words("is the a _ x 1"), "");
        assert_eq!(words(&"q".repeat(200)), "");
        assert!(STOP_WORDS.is_sorted());
    }
}
