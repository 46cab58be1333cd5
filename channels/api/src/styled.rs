//! Styled text: what every platform's rendering starts from. One text, and spans that say how it
//! looks.
//!
//! Spans are sorted by start (the outer one first), nested or disjoint, never empty, lie on
//! character boundaries and do not cover trailing whitespace.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::TextUnit;
use crate::web_address::words_are_address;

/// A text and how its pieces look.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Styled {
    /// The text, without any markup.
    pub text: String,
    /// How pieces of the text look; see the module for what always holds.
    pub spans: Vec<Span>,
}

/// A piece of a text, and how it looks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// Where it starts, in bytes.
    pub start: usize,
    /// Where it ends, in bytes; never before a whitespace-only tail.
    pub end: usize,
    /// How it looks.
    pub style: Style,
}

/// How a piece of text looks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Style {
    /// Strong emphasis; headings are bold too.
    Bold,
    /// Emphasis.
    Italic,
    /// Struck through.
    Strikethrough,
    /// A few literal words inside a line.
    Code,
    /// A literal block. It starts at the beginning of a line.
    Pre {
        /// The language of the code, as the fence named it.
        language: Option<String>,
    },
    /// A block that quotes somebody. Quotes inside it are lines that begin with `>`.
    Quote,
    /// A link; there are no links inside links.
    Link {
        /// An absolute address: `http`, `https`, `mailto`, `tel` or `tg`.
        url: String,
    },
}

impl Styled {
    /// Returns a text without any style.
    pub fn plain(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            spans: Vec::new(),
        }
    }

    /// Returns whether there is nothing to see.
    pub fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// Returns the length of the text in a platform's unit.
    pub fn measure(&self, unit: TextUnit) -> usize {
        unit.measure(&self.text)
    }

    /// Returns a piece of the text, with the spans that cross its ends cut there.
    ///
    /// Ends that are beyond the text or inside a character move back to the character before.
    pub fn slice(&self, range: Range<usize>) -> Self {
        let start = self.text.floor_char_boundary(range.start);
        let end = self.text.floor_char_boundary(range.end).max(start);
        self.cut(start..end, self.spans.iter())
    }

    /// Returns a piece, given all spans that may touch it, in order.
    pub(crate) fn cut<'a>(
        &self,
        range: Range<usize>,
        spans: impl Iterator<Item = &'a Span>,
    ) -> Self {
        let text = &self.text[range.clone()];
        let spans = spans
            .filter_map(|span| {
                let start = span.start.max(range.start) - range.start;
                let end = span.end.min(range.end).saturating_sub(range.start);
                let end = start + text.get(start..end)?.trim_end().len();
                (start < end).then(|| Span {
                    start,
                    end,
                    style: span.style.clone(),
                })
            })
            .collect();
        Self {
            text: text.to_owned(),
            spans,
        }
    }

    /// Turns each link that a platform does not carry, by its words and its address, into its words
    /// with the address behind them.
    #[must_use]
    pub fn write_out_links(mut self, is_carried: &dyn Fn(&str, &str) -> bool) -> Self {
        let is_dropped = |text: &str, span: &Span| match &span.style {
            Style::Link { url } => {
                let words = text.get(span.start..span.end).unwrap_or_default();
                !is_carried(words, url)
            }
            _ => false,
        };
        while let Some(position) = self
            .spans
            .iter()
            .position(|span| is_dropped(&self.text, span))
        {
            let link = self.spans.remove(position);
            if let Style::Link { url } = &link.style {
                self.write_out(&link, url);
            }
        }
        self
    }

    /// Inserts the address behind the words of a link, unless the words are the address.
    fn write_out(&mut self, link: &Span, url: &str) {
        let bare = match url.split_once(':') {
            Some(("mailto" | "tel", bare)) => bare,
            _ => url,
        };
        let words = &self.text[link.start..link.end];
        if words_are_address(words, url) || words.contains(bare) {
            return;
        }
        let address = format!(" ({bare})");
        self.text.insert_str(link.end, &address);
        for span in &mut self.spans {
            if span.start >= link.end {
                span.start += address.len();
            }
            // A span that ends with the link, or around it, takes the address in.
            if span.end > link.end || (span.end == link.end && span.start <= link.start) {
                span.end += address.len();
            }
        }
    }

    /// Returns what is wrong with the spans, for tests of what makes them.
    pub fn fault(&self) -> Option<String> {
        let mut open: Vec<&Span> = Vec::new();
        let mut last = (0, usize::MAX);
        for span in &self.spans {
            let Some(covered) = self.text.get(span.start..span.end) else {
                return Some(format!("{span:?} is not on character boundaries"));
            };
            if covered.is_empty() || covered.ends_with(char::is_whitespace) {
                return Some(format!("{span:?} covers {covered:?}"));
            }
            if span.start < last.0 || (span.start == last.0 && span.end > last.1) {
                return Some(format!("{span:?} is out of order"));
            }
            last = (span.start, span.end);
            while open.last().is_some_and(|outer| outer.end <= span.start) {
                open.pop();
            }
            if open.last().is_some_and(|outer| outer.end < span.end) {
                return Some(format!("{span:?} crosses {:?}", open.last()));
            }
            open.push(span);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::{Span, Style, Styled};

    #[test]
    fn a_slice_cuts_the_spans_that_cross_its_ends() {
        let styled = Styled {
            text: "one two three".to_owned(),
            spans: vec![Span {
                start: 0,
                end: 13,
                style: Style::Bold,
            }],
        };
        let piece = styled.slice(4..8);
        assert_eq!(piece.text, "two ");
        assert_eq!(
            piece.spans,
            [Span {
                start: 0,
                end: 3,
                style: Style::Bold
            }]
        );
        assert_eq!(styled.slice(3..4).spans, []);
        assert_eq!(styled.slice(9..99).text, "hree");
    }
}
