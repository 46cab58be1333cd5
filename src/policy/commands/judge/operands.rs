//! Words of which the script does not say what they become, where a program can take them for
//! operands whatever that is.

use super::Judge;
use super::spread::{Kind, Spread};
use crate::commands::programs::{Reader, Unknown};
use crate::commands::word::Word;

impl Judge<'_> {
    /// Writes the words that a reader may take for operands, whatever they turn out to be.
    pub(super) fn operands_for(&self, reader: &Reader, words: &[Word]) -> Vec<Word> {
        let mut arranged = Vec::new();
        let mut place = Behind::Nothing;
        for (index, word) in words.iter().enumerate() {
            if let Some(text) = word.as_literal() {
                // It may also be the value of an option in front of it.
                let ends = reader.unknown == Unknown::BehindOptions
                    && text == "--"
                    && reader.options.scan(&arranged).is_ok();
                if ends {
                    place = Behind::Options;
                } else if !text.starts_with('-') && place == Behind::Nothing {
                    place = Behind::AWord;
                }
                arranged.push(word.clone());
                continue;
            }
            match self.taken(reader, words, index, place) {
                Some(operands) => arranged.extend(operands),
                None => arranged.push(word.clone()),
            }
        }
        arranged
    }

    /// Returns what stands for one of these words where a reader can take it, two of them where it
    /// may become several.
    fn taken(
        &self,
        reader: &Reader,
        words: &[Word],
        index: usize,
        place: Behind,
    ) -> Option<Vec<Word>> {
        let word = words.get(index)?;
        let takes_all =
            reader.any_words || (reader.unknown == Unknown::BehindAWord && place == Behind::AWord);
        let takes_names = takes_all || reader.unknown == Unknown::Names || place == Behind::Options;
        let takes = |spread: &Spread| match spread.kind {
            Kind::Exact | Kind::Path => true,
            // Behind a `+` some programs look for a command.
            Kind::Here => takes_names || (self.ground.lacks("-*") && self.ground.lacks("+*")),
            Kind::Name => takes_names,
            Kind::Attached => {
                takes_all || (place != Behind::Options && reader.takes_text(&spread.text))
            }
            Kind::Printed => takes_all,
        };
        let compared = || {
            let is_compared = reader.unknown == Unknown::Compared && is_compared(words, index);
            let one = || self.spread_to_one(word).or_else(|| held(word));
            is_compared.then(one).flatten().map(|spread| vec![spread])
        };
        let spreads = self.spread(word).filter(|all| all.iter().all(takes));
        let operands = spreads.or_else(compared)?.into_iter().flat_map(|spread| {
            let operand = match spread.kind {
                Kind::Attached if !takes_all => Word::literal(&spread.text),
                Kind::Attached
                | Kind::Exact
                | Kind::Path
                | Kind::Here
                | Kind::Name
                | Kind::Printed => Word::operand(&spread.text, &word.raw),
            };
            vec![operand; if spread.is_one { 1 } else { 2 }]
        });
        Some(operands.collect())
    }
}

/// Returns what a variable in quotes holds: one word, which nothing is known of.
fn held(word: &Word) -> Option<Spread> {
    let inside = word.raw.strip_prefix("\"$")?.strip_suffix('"')?;
    let name = match inside.strip_prefix('{') {
        Some(braced) => braced.strip_suffix('}')?,
        None => inside,
    };
    let is_name = name.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && name
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    is_name.then(|| Spread::unknown(Kind::Printed))
}

/// What stands in front of a word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Behind {
    Nothing,
    /// A word that is no option.
    AWord,
    /// The end of the options.
    Options,
}

/// Tests of one word that look at a file or at the word itself.
const LOOKING: [&str; 11] = [
    "-f", "-d", "-e", "-r", "-w", "-x", "-s", "-L", "-h", "-n", "-z",
];
/// Comparisons of two words as they are.
const COMPARING: [&str; 3] = ["=", "==", "!="];

/// Comparisons of numbers.
const COUNTING: [&str; 6] = ["-eq", "-ne", "-lt", "-le", "-gt", "-ge"];

/// Returns whether a test does more than to look at files and compare: some shells run what stands
/// in the index of an array, or in a variable that they count with.
pub(super) fn tests_variables(words: &[Word]) -> bool {
    let texts = || words.iter().map(|word| word.text.as_str());
    let is_number = |text: &str| {
        text.chars()
            .all(|letter| letter.is_ascii_digit() || letter == '-')
    };
    let counts = texts().any(|text| COUNTING.contains(&text));
    let is_counted =
        |text: &str| is_number(text) || COUNTING.contains(&text) || matches!(text, "]" | "!");
    texts().any(|text| matches!(text, "-v" | "-R")) || (counts && !texts().all(is_counted))
}

/// Returns whether a word of a test stands where it can be no operator.
fn is_compared(words: &[Word], index: usize) -> bool {
    let words = match words.split_last() {
        Some((last, before)) if last.as_literal() == Some("]") => before,
        Some(_) | None => words,
    };
    let (words, index) = match words.split_first() {
        Some((first, rest)) if first.as_literal() == Some("!") && index > 0 => (rest, index - 1),
        Some(_) | None => (words, index),
    };
    let text = |index: usize| words.get(index).and_then(Word::as_literal);
    let compares = text(1).is_some_and(|text| COMPARING.contains(&text));
    match words.len() {
        1 => true,
        2 => index == 1 && text(0).is_some_and(|text| LOOKING.contains(&text)),
        3 => compares && index != 1,
        _ => false,
    }
}
