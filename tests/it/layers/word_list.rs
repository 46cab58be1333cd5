//! The words of `docs/src/contributing/words.md`: texts for people use one word for one thing.

use super::source::Source;
use super::texts::File;

/// A word that texts for people do not use, and what stands in its place.
#[derive(Debug, PartialEq, Eq)]
pub struct OtherWord {
    /// The word, in lower case.
    pub word: String,
    /// The word of the list.
    pub instead: String,
}

/// Texts in files of messages that a model reads and no person, or an engineer at the command line.
const NOT_FOR_PEOPLE: [&str; 6] = [
    "src/agent/",
    "src/executor/",
    "src/policy/injection/",
    "src/policy/messages/member.rs",
    "src/policy/messages/refusals.rs",
    "src/cli/trace_show/",
];

/// The same of the files of texts, by their names; `offline` is what the offline model says.
const AREAS_NOT_FOR_PEOPLE: [&str; 6] = [
    "agent",
    "executor",
    "injection",
    "offline",
    "refusals",
    "trace",
];

/// Reads the table of the page: the words of its last two columns, each with the list's own.
pub fn other_words(page: &str) -> Vec<OtherWord> {
    let rows = page.lines().filter_map(|line| line.strip_prefix("| "));
    let rows = rows.map(|row| row.trim_end_matches('|').split(" | ").collect::<Vec<_>>());
    let mut words = Vec::new();
    for cells in rows.skip(1) {
        let [_, english, chinese, not_english, not_chinese] = cells.as_slice() else {
            panic!("a row of five cells: {cells:?}");
        };
        for (others, instead) in [(not_english, english), (not_chinese, chinese)] {
            let others = others.split(',').map(str::trim).filter(|it| !it.is_empty());
            words.extend(others.map(|word| OtherWord {
                word: word.to_lowercase(),
                instead: instead.trim().to_owned(),
            }));
        }
    }
    words
}

/// Returns each other word in the texts of a file of messages, outside of its tests.
pub fn in_source(words: &[OtherWord], source: &Source) -> Vec<String> {
    let is_text = source
        .path
        .rsplit('/')
        .take(2)
        .any(|part| part.starts_with("messages"));
    if !is_text
        || NOT_FOR_PEOPLE
            .iter()
            .any(|path| source.path.starts_with(path))
    {
        return Vec::new();
    }
    let numbered = (1..).zip(&source.lines);
    let read = numbered.filter(|(_, line)| {
        let text = line.text.trim_start();
        !line.is_test && !text.starts_with("//") && !text.starts_with("use ")
    });
    read.flat_map(|(number, line)| {
        let path = &source.path;
        in_text(words, &line.text)
            .into_iter()
            .map(move |other| format!("{path}:{number}: `{}` ({})", other.word, other.instead))
    })
    .collect()
}

/// Returns each other word in a file of texts; comments, keys and arguments are not read.
pub fn in_texts(words: &[OtherWord], file: &File) -> Vec<String> {
    if AREAS_NOT_FOR_PEOPLE.contains(&file.area.as_str()) {
        return Vec::new();
    }
    let numbered = (1..).zip(file.text.lines());
    let read = numbered.filter(|(_, line)| !line.starts_with('#'));
    read.flat_map(|(number, line)| {
        let is_key = |text: &str| text.starts_with(&file.area) && !text.contains(' ');
        let text = match line.split_once(" = ") {
            Some((key, text)) if is_key(key) => text,
            _ => line,
        };
        let File { language, area, .. } = file;
        let other = in_text(words, text).into_iter();
        other.map(move |other| {
            format!(
                "{language}/{area}.ftl:{number}: `{}` ({})",
                other.word, other.instead
            )
        })
    })
    .collect()
}

/// Returns each other word in a text.
pub fn in_text<'a>(words: &'a [OtherWord], text: &str) -> Vec<&'a OtherWord> {
    let text = text.to_lowercase();
    let found = words.iter().filter(|other| has_word(&text, &other.word));
    found.collect()
}

/// Whether a text has a word. An English word is bounded by what is no letter; a name of the code
/// goes on with `_` or `:`.
fn has_word(text: &str, word: &str) -> bool {
    let is_bounded = word.is_ascii();
    text.match_indices(word).any(|(start, _)| {
        let goes_on = |letter: Option<char>| {
            letter.is_some_and(|letter| letter.is_ascii_alphanumeric() || "_:".contains(letter))
        };
        let before = text[..start].chars().next_back();
        let after = text[start + word.len()..].chars().next();
        !is_bounded || (!goes_on(before) && !goes_on(after))
    })
}
