//! Words that make a sentence need a second reading: they occur in no code, comment, log line or
//! document.

use super::source::Source;

/// Phrases, in lower case, and what to write in their place.
const RIDDLES: [(&str, &str); 12] = [
    ("whoever", "name the user or role"),
    ("nobody", "say what does not happen"),
    ("what came of", "result, outcome"),
    ("so many", "give the number or the limit"),
    ("is told", "is informed, is passed"),
    ("are told", "are informed, are passed"),
    ("was told", "was informed, was passed"),
    ("were told", "were informed, were passed"),
    ("of ours", "name the component"),
    ("all the same", "still, regardless"),
    ("as it is", "unchanged"),
    ("hands over", "passes"),
];

/// Returns each such phrase in a source file, outside of its tests.
///
/// Texts for the chat stand in files named `messages*` and are read by their own tests.
pub fn riddles_in_code(source: &Source) -> Vec<String> {
    if is_chat_text(&source.path) {
        return Vec::new();
    }
    let lines = source.lines.iter().map(|line| (!line.is_test, &*line.text));
    riddles(&source.path, lines)
}

/// Returns each such phrase in a document, outside of its fenced blocks.
pub fn riddles_in_document(path: &str, text: &str) -> Vec<String> {
    let mut fenced = false;
    let lines = text.lines().map(|line| {
        let is_fence = line.trim_start().starts_with("```");
        fenced ^= is_fence;
        (!fenced && !is_fence, line)
    });
    riddles(path, lines)
}

fn is_chat_text(path: &str) -> bool {
    path.rsplit('/')
        .take(2)
        .any(|part| part.starts_with("messages"))
}

/// Returns the phrases in the lines that are to be read, with line numbers.
fn riddles<'a>(path: &str, lines: impl Iterator<Item = (bool, &'a str)>) -> Vec<String> {
    let numbered = (1..).zip(lines).filter(|(_, (is_read, _))| *is_read);
    let found = numbered.flat_map(|(number, (_, line))| {
        let line = line.to_lowercase();
        let in_line = RIDDLES
            .iter()
            .filter(move |(phrase, _)| has_phrase(&line, phrase));
        in_line.map(move |(phrase, instead)| format!("{path}:{number}: `{phrase}` ({instead})"))
    });
    found.collect()
}

/// Whether a line has a phrase, bounded by what is no letter.
fn has_phrase(line: &str, phrase: &str) -> bool {
    line.match_indices(phrase).any(|(start, _)| {
        let is_letter = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
        let before = line.get(..start).and_then(|text| text.chars().next_back());
        let after = line
            .get(start + phrase.len()..)
            .and_then(|text| text.chars().next());
        !is_letter(before) && !is_letter(after)
    })
}
