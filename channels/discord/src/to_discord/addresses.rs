//! Keeps looks off bare addresses that hold their marks: to Discord the `*` in an address closes
//! the `*` before it.

use std::cmp::Reverse;
use std::ops::Range;

use sayso_channel::styled::{Span, Style, Styled};

use super::escape::address_length;

/// What looks are made of, where an address could hold it too.
const MARKS: [&str; 2] = ["*", "~~"];

/// Cuts looks around the addresses that hold marks.
pub(super) fn without_looks(mut styled: Styled) -> Styled {
    for address in marked(&styled) {
        let spans = std::mem::take(&mut styled.spans);
        styled.spans = spans
            .into_iter()
            .flat_map(|span| around(span, &address, &styled.text))
            .collect();
    }
    styled
        .spans
        .sort_by_key(|span| (span.start, Reverse(span.end)));
    styled
}

/// Returns where addresses with marks stand, outside of code.
fn marked(styled: &Styled) -> Vec<Range<usize>> {
    let text = &styled.text;
    let mut found = Vec::new();
    let mut end = 0;
    for (place, _) in text.match_indices("://") {
        let head = text.get(end..place).unwrap_or_default();
        let scheme = head.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
        // The scheme may stand behind other letters: `seehttps://a.example`.
        let starts = (end + scheme.len()..place).filter(|start| text.is_char_boundary(*start));
        for start in starts {
            let length = address_length(text.get(start..).unwrap_or_default());
            let address = text.get(start..start + length).unwrap_or_default();
            if length == 0 {
                continue;
            }
            if MARKS.iter().any(|mark| address.contains(mark)) && !is_code(styled, start) {
                found.push(start..start + length);
            }
            end = start + length;
            break;
        }
    }
    found
}

fn is_code(styled: &Styled, place: usize) -> bool {
    let mut spans = styled.spans.iter();
    spans.any(|span| {
        let is_code = matches!(span.style, Style::Code | Style::Pre { .. });
        is_code && span.start <= place && place < span.end
    })
}

/// Returns what is left of a span outside of an address.
fn around(span: Span, address: &Range<usize>, text: &str) -> Vec<Span> {
    let is_look = matches!(
        span.style,
        Style::Bold | Style::Italic | Style::Strikethrough
    );
    if !is_look || span.end <= address.start || address.end <= span.start {
        return vec![span];
    }
    let ranges = [span.start..address.start, address.end..span.end];
    let pieces = ranges.into_iter().filter_map(|range| {
        let piece = text.get(range.clone())?.trim_end();
        (!piece.is_empty()).then(|| Span {
            start: range.start,
            end: range.start + piece.len(),
            style: span.style.clone(),
        })
    });
    pieces.collect()
}
