//! Which lines of two texts differ.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::limits::SHORTEST_DIFF_LINES;
use super::line_text::{Ending, LineText, TextLine};

/// Lines of the old text that are replaced by lines of the new one; one of both may be none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Span {
    /// In the old text, from 0.
    pub(super) old: Range<usize>,
    /// In the new text, from 0.
    pub(super) new: Range<usize>,
}

/// Returns the spans in which two texts differ, top down. Between two spans is at least one line that
/// both have. A line without a line end is another one than the same with it; whether that is `\n` or
/// `\r\n` makes no difference.
///
/// The texts are cut at lines that occur once in both (the patience algorithm of Bram Cohen). Between two
/// of them the difference is the shortest, unless it has too many lines: then all of them are replaced.
pub(super) fn spans(old: &str, new: &str) -> Vec<Span> {
    let (old, new) = (LineText::new(old), LineText::new(new));
    let mut numbers = Numbers::default();
    let old = numbers.of(&old.lines);
    let new = numbers.of(&new.lines);
    let whole = Span {
        old: 0..old.len(),
        new: 0..new.len(),
    };
    let mut spans: Vec<Span> = Vec::new();
    for part in parts(&old, &new, &trimmed(&old, &new, &whole)) {
        for span in differing(&old, &new, &part) {
            match spans.last_mut() {
                Some(last) if last.old.end == span.old.start && last.new.end == span.new.start => {
                    last.old.end = span.old.end;
                    last.new.end = span.new.end;
                }
                Some(_) | None => spans.push(span),
            }
        }
    }
    spans
}

/// Numbers for lines: equal lines have the same.
#[derive(Default)]
struct Numbers<'a>(HashMap<(Cow<'a, str>, bool), u32>);

impl<'a> Numbers<'a> {
    fn of(&mut self, lines: &[TextLine<'a>]) -> Vec<u32> {
        let numbers = lines.iter().map(|line| {
            let next = self.0.len() as u32;
            let key = (Cow::Borrowed(line.text), line.ending == Ending::None);
            *self.0.entry(key).or_insert(next)
        });
        numbers.collect()
    }
}

/// Returns a span without the lines at its beginning and end that are the same.
fn trimmed(old: &[u32], new: &[u32], span: &Span) -> Span {
    let (old_part, new_part) = (&old[span.old.clone()], &new[span.new.clone()]);
    let pairs = old_part.iter().zip(new_part);
    let head = pairs.take_while(|(one, other)| one == other).count();
    let pairs = old_part[head..]
        .iter()
        .rev()
        .zip(new_part[head..].iter().rev());
    let tail = pairs.take_while(|(one, other)| one == other).count();
    Span {
        old: span.old.start + head..span.old.end - tail,
        new: span.new.start + head..span.new.end - tail,
    }
}

/// Cuts a span at the lines that occur once on both sides and are in the same order on both.
fn parts(old: &[u32], new: &[u32], span: &Span) -> Vec<Span> {
    let anchors = longest_run(&common_once(old, new, span));
    let mut parts = Vec::with_capacity(anchors.len() + 1);
    let (mut old_start, mut new_start) = (span.old.start, span.new.start);
    for anchor in anchors {
        parts.push(Span {
            old: old_start..anchor.old,
            new: new_start..anchor.new,
        });
        (old_start, new_start) = (anchor.old + 1, anchor.new + 1);
    }
    parts.push(Span {
        old: old_start..span.old.end,
        new: new_start..span.new.end,
    });
    parts
}

/// A line that both texts have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Anchor {
    old: usize,
    new: usize,
}

/// How often a line occurs in a part of each text, and where.
#[derive(Default)]
struct Occurrences {
    old_count: usize,
    new_count: usize,
    old: usize,
}

/// Returns the lines that occur once on both sides, in the order of the new text.
fn common_once(old: &[u32], new: &[u32], span: &Span) -> Vec<Anchor> {
    let mut lines: HashMap<u32, Occurrences> = HashMap::new();
    for at in span.old.clone() {
        let line = lines.entry(old[at]).or_default();
        line.old_count += 1;
        line.old = at;
    }
    for at in span.new.clone() {
        if let Some(line) = lines.get_mut(&new[at]) {
            line.new_count += 1;
        }
    }
    let anchors = span.new.clone().filter_map(|at| {
        let line = lines.get(&new[at])?;
        let is_once = line.old_count == 1 && line.new_count == 1;
        is_once.then_some(Anchor {
            old: line.old,
            new: at,
        })
    });
    anchors.collect()
}

/// Returns the longest run of anchors that ascend in the old text too (patience sorting).
fn longest_run(anchors: &[Anchor]) -> Vec<Anchor> {
    // The last anchor of the best run of each length, and of each anchor the one before it.
    let mut tails: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(anchors.len());
    for (at, anchor) in anchors.iter().enumerate() {
        let length = tails.partition_point(|tail| anchors[*tail].old < anchor.old);
        before.push(length.checked_sub(1).map(|length| tails[length]));
        if length == tails.len() {
            tails.push(at);
        } else {
            tails[length] = at;
        }
    }
    let mut run = Vec::with_capacity(tails.len());
    let mut next = tails.last().copied();
    while let Some(at) = next {
        run.push(anchors[at]);
        next = before[at];
    }
    run.reverse();
    run
}

/// Returns where a part differs.
fn differing(old: &[u32], new: &[u32], part: &Span) -> Vec<Span> {
    let part = trimmed(old, new, part);
    let lines = part.old.len() + part.new.len();
    if lines == 0 {
        return Vec::new();
    }
    if part.old.is_empty() || part.new.is_empty() || lines > SHORTEST_DIFF_LINES {
        return vec![part];
    }
    let old_lines = &old[part.old.clone()];
    let new_lines = &new[part.new.clone()];
    // Places are counted here: in operations that `similar` has moved together, the place on the side
    // that has no lines is not always right.
    let (mut old_at, mut new_at) = (part.old.start, part.new.start);
    let mut spans = Vec::new();
    for operation in capture_diff_slices(Algorithm::Myers, old_lines, new_lines) {
        let old = old_at..old_at + operation.old_range().len();
        let new = new_at..new_at + operation.new_range().len();
        (old_at, new_at) = (old.end, new.end);
        if operation.tag() != DiffTag::Equal {
            spans.push(Span { old, new });
        }
    }
    spans
}
