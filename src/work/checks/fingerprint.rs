//! Fingerprints: equal failures have the same one, wherever their lines have moved to and however
//! long they took.

use sha2::{Digest as _, Sha256};

/// How many hexadecimal digits a fingerprint has.
const DIGITS: usize = 16;

/// Returns the fingerprint of what distinguishes a failure, in any order.
pub(crate) fn fingerprint(kind: &str, parts: impl IntoIterator<Item = String>) -> String {
    let mut parts: Vec<String> = parts.into_iter().map(|part| settled(&part)).collect();
    parts.sort_unstable();
    parts.dedup();
    let mut hasher = Sha256::new();
    hasher.update(kind);
    for part in parts {
        hasher.update([0]);
        hasher.update(part);
    }
    let mut digits = format!("{:x}", hasher.finalize());
    digits.truncate(DIGITS);
    digits
}

/// Returns a text without what differs between two runs of the same failure: numbers of lines and
/// columns, durations, addresses in memory, process ids, names of temporary files, repeated blanks.
pub(crate) fn settled(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>();
    let mut kept: Vec<String> = Vec::with_capacity(words.len());
    for (index, word) in words.iter().enumerate() {
        let behind_line = index > 0 && is_line_word(words.get(index - 1).copied());
        kept.push(settled_word(word, behind_line));
    }
    kept.join(" ")
}

fn is_line_word(word: Option<&str>) -> bool {
    let word = word.map(|word| word.trim_start_matches(['(', '[', '"']));
    matches!(word, Some("line" | "lines" | "Line" | "pid" | "at" | "in"))
}

fn settled_word(word: &str, behind_line: bool) -> String {
    let bare = word.trim_matches(|letter: char| "()[],.;\"'`".contains(letter));
    let is_number = !bare.is_empty() && bare.chars().all(|letter| letter.is_ascii_digit());
    // `(31118)` is the id of a thread or process; `line 5` is a line.
    if is_number && (behind_line || word.starts_with('(') && word.ends_with(')')) {
        return "#".to_owned();
    }
    if is_duration(bare) || bare.starts_with("0x") {
        return "#".to_owned();
    }
    if bare.contains("/tmp/") || bare.contains("/var/folders/") {
        return "/tmp/#".to_owned();
    }
    without_places(word)
}

/// Returns whether a word is a duration, such as `0.03s`, `12ms` or `1.5sec`.
fn is_duration(word: &str) -> bool {
    const UNITS: [&str; 8] = ["ms", "ns", "us", "µs", "sec", "secs", "s", "m"];
    let is_amount = |amount: &str| {
        !amount.is_empty() && amount.chars().all(|it| it.is_ascii_digit() || it == '.')
    };
    let mut units = UNITS.iter();
    units.any(|unit| word.strip_suffix(unit).is_some_and(is_amount))
}

/// Returns a word without the `:12` and `:12:5` behind the name of a file.
fn without_places(word: &str) -> String {
    let mut kept = String::with_capacity(word.len());
    let mut rest = word;
    while let Some(at) = rest.find(':') {
        let (before, from) = rest.split_at(at);
        kept.push_str(before);
        let digits = from.bytes().skip(1).take_while(u8::is_ascii_digit).count();
        let is_place = digits > 0 && kept.contains('.');
        if !is_place {
            kept.push(':');
        }
        let skip = if is_place { 1 + digits } else { 1 };
        rest = from.get(skip..).unwrap_or_default();
    }
    kept + rest
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{fingerprint, settled};

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(settled(text), expected);
    }

    #[test]
    fn what_differs_between_runs_is_left_out() {
        check("panicked at src/lib.rs:64:9:", "panicked at src/lib.rs:");
        check("src/lib.rs - sum (line 5)", "src/lib.rs - sum (line #");
        check("finished in 0.03s", "finished in #");
        check("thread 'a' (31118) panicked", "thread 'a' # panicked");
        check("<Cart object at 0x7f2a10>", "<Cart object at #");
        check("no such file: /tmp/tmpab12/x.db", "no such file: /tmp/#");
    }

    #[test]
    fn what_says_something_of_the_failure_stays() {
        check("AssertionError: 5 != 6", "AssertionError: 5 != 6");
        check("expected 200, got 404", "expected 200, got 404");
        check("std::fmt::Display", "std::fmt::Display");
    }

    #[test]
    fn the_order_of_failures_does_not_matter() {
        let one = fingerprint("tests", ["a".to_owned(), "b".to_owned()]);
        let other = fingerprint("tests", ["b".to_owned(), "a".to_owned(), "a".to_owned()]);
        assert_eq!(one, other);
        assert_eq!(one.len(), 16);
        assert_ne!(one, fingerprint("types", ["a".to_owned(), "b".to_owned()]));
        assert_ne!(one, fingerprint("tests", ["a".to_owned()]));
    }

    proptest! {
        #[test]
        fn moved_lines_change_nothing(
            file in "[a-z]{1,8}\\.(py|rs|go)",
            message in "[a-z ]{0,30}",
            lines in any::<[u16; 2]>(),
        ) {
            let at = |line: u16| fingerprint("compile", [format!("{file}:{line}:3: {message}")]);
            prop_assert_eq!(at(lines[0]), at(lines[1]));
        }
    }
}
