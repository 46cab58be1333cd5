//! Cuts styled text into pieces that a platform takes, where a reader would cut it.
//!
//! Time is linear in the text: each piece is looked for in a window of at most `limit` characters.
//! What rendering adds to a text (Discord's asterisks, Telegram's nothing) is the cost's affair.

use std::ops::Range;

use crate::styled::{Span, Style, Styled};
use crate::{Outbound, Part, TextUnit};

/// The joiner that makes several emoji one.
const ZERO_WIDTH_JOINER: char = '\u{200d}';

/// How far back a cut moves, in characters, to keep what is read as one character whole.
const LONGEST_CLUSTER: usize = 32;

/// Cuts a text into pieces of at most `limit` units of text.
pub fn split_by_text(styled: &Styled, limit: usize, unit: TextUnit) -> Vec<Styled> {
    split(styled, limit, &|piece| piece.measure(unit))
}

/// Cuts a text into pieces that cost at most `limit` each.
///
/// `cost` must count at least 1 for each character and must not fall when text is added.
/// A cut is made at the end of a paragraph, else of a line, a sentence or a word, else anywhere
/// between two characters. Spans that cross a cut are closed and opened again. Whitespace at a cut
/// is dropped outside [`Style::Pre`], and so is a piece that would show nothing.
/// A single character that costs more than `limit` is a piece of its own.
pub fn split(styled: &Styled, limit: usize, cost: &dyn Fn(&Styled) -> usize) -> Vec<Styled> {
    let mut rest = Rest::new(styled);
    let mut pieces = Vec::new();
    while let Some(window) = rest.window(limit.max(1)) {
        let fits = largest_fit(&window, limit, cost);
        let at_end = rest.start + fits == styled.text.len();
        let length = if at_end {
            fits
        } else {
            best_cut(&window, fits)
        };
        let piece = rest.take(&window, length);
        if !piece.is_blank() {
            pieces.push(piece);
        }
    }
    pieces
}

/// Makes parts of rendered pieces: the reply on the first, buttons and file on the last.
///
/// A message without a piece is one part without text, so that its buttons and file have a place.
pub fn into_parts(message: &Outbound, pieces: Vec<(String, serde_json::Value)>) -> Vec<Part> {
    let pieces = if pieces.is_empty() {
        vec![Default::default()]
    } else {
        pieces
    };
    let last = pieces.len() - 1;
    let part = |(index, (text, markup))| Part {
        plain: None,
        text,
        markup,
        buttons: take_if(index == last, &message.buttons),
        file: take_if(index == last, &message.file),
        reply_to: take_if(index == 0, &message.reply_to),
        asks_reply: message.asks_reply && index == last,
        quiet: message.quiet,
        aside: message.aside,
    };
    pieces.into_iter().enumerate().map(part).collect()
}

fn take_if<T: Clone + Default>(taken: bool, value: &T) -> T {
    if taken { value.clone() } else { T::default() }
}

/// What was not yet cut off, and which spans matter to it.
struct Rest<'a> {
    styled: &'a Styled,
    start: usize,
    /// Spans that start before `start` and end behind it, the outer ones first.
    open: Vec<&'a Span>,
    /// The first span that starts at `start` or later.
    next: usize,
}

impl<'a> Rest<'a> {
    fn new(styled: &'a Styled) -> Self {
        Self {
            styled,
            start: 0,
            open: Vec::new(),
            next: 0,
        }
    }

    /// Returns the next `length` characters, or what is left.
    fn window(&self, length: usize) -> Option<Styled> {
        let rest = self.styled.text.get(self.start..)?;
        if rest.is_empty() {
            return None;
        }
        let length = rest
            .char_indices()
            .nth(length)
            .map_or(rest.len(), |(index, _)| index);
        Some(self.cut(self.start..self.start + length))
    }

    fn cut(&self, range: Range<usize>) -> Styled {
        let spans = self.spans_before(range.end);
        self.styled.cut(range, spans)
    }

    /// Returns the spans that end behind `start` and start before `end`.
    fn spans_before(&self, end: usize) -> impl Iterator<Item = &'a Span> {
        let later = self.styled.spans.get(self.next..).unwrap_or_default();
        let later = later.iter().take_while(move |span| span.start < end);
        self.open.iter().copied().chain(later)
    }

    /// Cuts off the first `length` bytes of the window, without the whitespace around the cut.
    fn take(&mut self, window: &Styled, length: usize) -> Styled {
        let cut = self.start + length;
        if self.is_literal(cut) {
            self.advance(cut);
            return window.slice(0..length);
        }
        let text = window.text.get(..length).unwrap_or_default();
        self.advance(cut + self.skipped_at(cut));
        window.slice(0..text.trim_end().len())
    }

    /// Returns whether this place is inside a literal block.
    fn is_literal(&self, place: usize) -> bool {
        self.spans_before(place)
            .any(|span| is_pre(span) && place < span.end)
    }

    /// Returns how many bytes of whitespace behind the cut are dropped: through the last line
    /// break, so that the next line keeps its indentation, or all when the line goes on.
    fn skipped_at(&self, cut: usize) -> usize {
        let rest = self.styled.text.get(cut..).unwrap_or_default();
        let blank = rest.len() - rest.trim_start().len();
        let literal = self
            .spans_before(cut + blank)
            .find(|span| is_pre(span) && span.start >= cut)
            .map_or(blank, |span| span.start - cut);
        let dropped = rest.get(..literal).unwrap_or_default();
        match dropped.rfind('\n') {
            Some(last_break) => last_break + 1,
            None if self.styled.text.as_bytes().get(cut.wrapping_sub(1)) == Some(&b'\n') => 0,
            None => literal,
        }
    }

    fn advance(&mut self, start: usize) {
        self.start = start;
        self.open.retain(|span| span.end > start);
        while let Some(span) = self.styled.spans.get(self.next)
            && span.start < start
        {
            if span.end > start {
                self.open.push(span);
            }
            self.next += 1;
        }
    }
}

/// Returns the length of the longest beginning of the window that costs at most `limit`, in bytes.
fn largest_fit(window: &Styled, limit: usize, cost: &dyn Fn(&Styled) -> usize) -> usize {
    if cost(window) <= limit {
        return window.text.len();
    }
    let ends: Vec<usize> = window
        .text
        .char_indices()
        .map(|(index, letter)| index + letter.len_utf8())
        .collect();
    let fitting = ends.partition_point(|end| cost(&window.slice(0..*end)) <= limit);
    let last = fitting.saturating_sub(1);
    ends.get(last).copied().unwrap_or(window.text.len())
}

/// How good a place is for a cut, the best last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Word,
    LiteralLine,
    Sentence,
    Line,
    Paragraph,
}

/// Returns where to cut, in bytes: the best place in the second half of what fits.
fn best_cut(window: &Styled, fits: usize) -> usize {
    let text = &window.text;
    let half = text.floor_char_boundary(fits / 2).max(1);
    let mut literals = window.spans.iter().filter(|span| is_pre(span)).peekable();
    let mut best: Option<(Place, usize)> = None;
    for (index, letter) in text.char_indices() {
        let place = index + letter.len_utf8();
        if place < half || place > fits {
            continue;
        }
        while literals.next_if(|span| span.end <= place).is_some() {}
        let literal = literals.peek().is_some_and(|span| span.start < place);
        let before = text.get(..place).unwrap_or_default();
        let after = text.get(place..).unwrap_or_default();
        if let Some(kind) = place_kind(before, after, literal)
            && best.is_none_or(|(found, _)| kind >= found)
        {
            best = Some((kind, place));
        }
    }
    match best {
        Some((_, place)) => place,
        None => whole_cluster(text, fits),
    }
}

fn is_pre(span: &Span) -> bool {
    matches!(span.style, Style::Pre { .. })
}

fn place_kind(before: &str, after: &str, literal: bool) -> Option<Place> {
    let last = before.chars().next_back()?;
    let next = after.chars().next();
    match last {
        '\n' if literal => Some(Place::LiteralLine),
        '\n' if before.ends_with("\n\n") => Some(Place::Paragraph),
        '\n' => Some(Place::Line),
        '。' | '！' | '？' | '；' | '…' => Some(Place::Sentence),
        '.' | '!' | '?' if next.is_some_and(char::is_whitespace) => Some(Place::Sentence),
        '，' | '、' | '：' => Some(Place::Word),
        _ if last.is_whitespace() => Some(Place::Word),
        _ => None,
    }
}

/// Moves a place back to where no emoji sequence, flag or combining mark is torn apart.
fn whole_cluster(text: &str, place: usize) -> usize {
    let before = text.get(..place).unwrap_or_default();
    let mut next = text.get(place..).and_then(|after| after.chars().next());
    let mut back = place;
    for letter in before.chars().rev().take(LONGEST_CLUSTER) {
        if !is_joined(text.get(..back).unwrap_or_default(), letter, next) {
            return back;
        }
        back -= letter.len_utf8();
        next = Some(letter);
    }
    place
}

fn is_joined(before: &str, last: char, next: Option<char>) -> bool {
    let Some(next) = next else {
        return false;
    };
    if is_flag_letter(last) && is_flag_letter(next) {
        let letters = before.chars().rev().take(LONGEST_CLUSTER * 2);
        return letters.take_while(|letter| is_flag_letter(*letter)).count() % 2 == 1;
    }
    last == ZERO_WIDTH_JOINER || extends(next)
}

/// Returns whether a character only changes the one before it.
fn extends(letter: char) -> bool {
    let is_skin_tone = ('\u{1f3fb}'..='\u{1f3ff}').contains(&letter);
    let has_no_width = unicode_width::UnicodeWidthChar::width(letter) == Some(0);
    is_skin_tone || has_no_width
}

fn is_flag_letter(letter: char) -> bool {
    ('\u{1f1e6}'..='\u{1f1ff}').contains(&letter)
}

#[cfg(test)]
#[path = "split_tests.rs"]
mod tests;
