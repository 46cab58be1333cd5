//! The part of a long line that answers a question.

use super::rank::Query;

/// What ends a sentence.
pub(super) const ENDS: [char; 9] = ['.', '!', '?', ';', '\n', '。', '！', '？', '；'];

/// Returns a text unchanged if it is short, otherwise an excerpt of at most `max` characters,
/// beginning at the sentence that matches most of the query.
pub(crate) fn excerpt(text: &str, query: &Query, max: usize) -> String {
    if text.chars().count() <= max {
        return text.to_owned();
    }
    let mut best = (0, 0);
    let mut start = 0;
    for sentence in text.split_inclusive(ENDS) {
        let held = query.count(sentence).held;
        let words = held
            .iter()
            .enumerate()
            .filter(|(term, held)| **held > 0 && query.is_word(*term))
            .count();
        if words > best.0 {
            best = (words, start);
        }
        start += sentence.len();
    }
    let from = best.1;
    let shown = text.get(from..).unwrap_or(text).trim_start();
    let before = if from > 0 { "…" } else { "" };
    let kept: String = shown.chars().take(max - 2).collect();
    let after = if kept.len() < shown.len() { "…" } else { "" };
    format!("{before}{kept}{after}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, query: &str, expected: &str) {
        assert_eq!(excerpt(text, &Query::new(query), 20), expected);
    }

    #[test]
    fn a_short_text_is_shown_as_it_is() {
        check("The boiler is loud.", "cat", "The boiler is loud.");
    }

    #[test]
    fn a_long_one_is_shown_from_where_it_answers() {
        let text = "We spoke of cats. Then the boiler broke. And of dogs.";
        check(text, "the boiler", "…Then the boiler br…");
        check(text, "horses", "We spoke of cats. …");
        check(
            "先说了一些别的事情和天气。锅炉上周坏了，要找人修理。",
            "锅炉",
            "…锅炉上周坏了，要找人修理。",
        );
    }
}
