//! Which lines of a file are most like those of a hunk that was not found: for the message alone, so that
//! the next patch can be right. Nothing is ever changed by likeness.

use std::collections::{HashMap, HashSet};

use super::error::{Nearest, shortened};
use super::limits::QUOTED_LINES;
use super::line_text::TextLine;
use super::seek::Pass;

/// The most lines of a hunk and of a file that are compared.
const COMPARED_WANTED: usize = 200;
const COMPARED_LINES: usize = 200_000;
/// The most places of one line that count: a line that stands everywhere says nothing.
const MOST_PLACES: usize = 200;

/// Returns the lines that are most like the wanted ones, none if nothing is like them.
pub(super) fn nearest(lines: &[TextLine<'_>], wanted: &[&str]) -> Nearest {
    let lines = lines.get(..COMPARED_LINES).unwrap_or(lines);
    let compared = wanted.get(..COMPARED_WANTED).unwrap_or(wanted);
    let start = by_equal_lines(lines, compared).or_else(|| by_words(lines, compared));
    start.map_or_else(Nearest::default, |start| quote(lines, wanted, start))
}

/// Returns the last lines of a file.
pub(super) fn last_lines(lines: &[TextLine<'_>], count: usize) -> Nearest {
    let first = lines.len().saturating_sub(count.min(QUOTED_LINES));
    around(lines, first, count)
}

/// Returns some lines from a place on.
pub(super) fn around(lines: &[TextLine<'_>], first: usize, count: usize) -> Nearest {
    let shown = lines.iter().skip(first).take(count.clamp(1, QUOTED_LINES));
    Nearest {
        first: first + 1,
        lines: shown.map(|line| shortened(line.text)).collect(),
        differs: None,
    }
}

/// Returns the place at which most of the lines are equal, the long ones counting more; negative where
/// the hunk would begin before the file.
fn by_equal_lines(lines: &[TextLine<'_>], wanted: &[&str]) -> Option<isize> {
    let mut places: HashMap<_, Vec<usize>> = HashMap::new();
    for line in wanted {
        places.entry(Pass::Punctuation.key(line)).or_default();
    }
    for (at, line) in lines.iter().enumerate() {
        if let Some(places) = places.get_mut(&Pass::Punctuation.key(line.text)) {
            places.push(at);
        }
    }
    let mut votes: HashMap<isize, usize> = HashMap::new();
    for (at, line) in wanted.iter().enumerate() {
        let key = Pass::Punctuation.key(line);
        let weight = key
            .chars()
            .filter(|letter| letter.is_alphanumeric())
            .count()
            .min(40);
        let places = places
            .get(&key)
            .filter(|places| places.len() <= MOST_PLACES);
        for place in places.into_iter().flatten() {
            *votes.entry(*place as isize - at as isize).or_default() += weight;
        }
    }
    let best = votes.into_iter().filter(|(_, weight)| *weight > 0);
    let best = best.max_by_key(|(start, weight)| (*weight, std::cmp::Reverse(*start)));
    best.map(|(start, _)| start)
}

/// Returns the place at which the longest wanted line shares most words with a line of the file, if it
/// shares half of them.
fn by_words(lines: &[TextLine<'_>], wanted: &[&str]) -> Option<isize> {
    let wanted = wanted
        .iter()
        .enumerate()
        .map(|(at, line)| (at, words(line)));
    let (at, wanted) = wanted.max_by_key(|(at, words)| (words.len(), std::cmp::Reverse(*at)))?;
    let shared = lines.iter().enumerate().map(|(place, line)| {
        let words = words(line.text);
        let shared = words.intersection(&wanted).count();
        (
            shared,
            std::cmp::Reverse(words.len()),
            std::cmp::Reverse(place),
        )
    });
    let (shared, _, place) = shared.max()?;
    let is_like = shared > 0 && shared * 2 >= wanted.len();
    is_like.then_some(place.0 as isize - at as isize)
}

/// Returns the words of a line; letters of Chinese are a word each.
fn words(line: &str) -> HashSet<&str> {
    let mut words = HashSet::new();
    for run in line.split(|letter: char| !letter.is_alphanumeric()) {
        if run.is_ascii() {
            words.insert(run);
        } else {
            words.extend(run.split_inclusive(|letter: char| !letter.is_ascii()));
        }
    }
    words.remove("");
    words
}

/// Quotes the lines beside a hunk that would begin at this place, so that the first line that differs is
/// among them.
fn quote(lines: &[TextLine<'_>], wanted: &[&str], start: isize) -> Nearest {
    let pairs = wanted.iter().zip(start..);
    let differs = pairs.into_iter().find(|(line, place)| {
        let there = usize::try_from(*place)
            .ok()
            .and_then(|place| lines.get(place));
        there.is_none_or(|there| {
            Pass::TrailingSpace.key(there.text) != Pass::TrailingSpace.key(line)
        })
    });
    let differs = differs.map_or(start, |(_, place)| place).max(0);
    let behind = start.saturating_add_unsigned(wanted.len());
    let latest = behind.saturating_sub_unsigned(QUOTED_LINES).max(start);
    let lead = differs.saturating_sub_unsigned(QUOTED_LINES / 2).max(start);
    let first = usize::try_from(lead.min(latest)).unwrap_or_default();
    let end = usize::try_from(behind).unwrap_or_default().max(first + 1);
    let mut nearest = around(lines, first, end - first);
    nearest.differs = usize::try_from(differs).ok().map(|place| place + 1);
    nearest
}
