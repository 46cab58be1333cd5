//! Writes styled text line by line: gaps between blocks, indentation, and spans that begin late.
//!
//! Everything is owed until there is text: a gap is written before the next text, a list marker
//! with the first line of its item, and a span starts at the first character that it covers.

use crate::styled::{Span, Style, Styled};

/// Indentation stops growing here, so that deep nesting cannot blow a text up.
const WIDEST_INDENT: usize = 32;

/// Styles inside more open styles than this are dropped; no platform shows them.
const DEEPEST_STYLE: usize = 16;

/// A styled text that grows at its end.
#[derive(Default)]
pub(super) struct Writer {
    text: String,
    /// In the order in which they start; a span that is still open ends at 0.
    spans: Vec<Span>,
    open: Vec<Open>,
    /// How many of `open`, from the outermost, need nothing more before text is written.
    settled: usize,
    /// How many line breaks are owed before the next text.
    gap: usize,
    /// What continued lines begin with.
    indent: String,
    /// What the next line begins with behind the indentation: markers that are owed.
    lead: String,
}

/// A style between its start and its end.
enum Open {
    /// Nothing was written under it yet.
    Waiting(Style),
    /// It is the span at this index.
    Started(usize),
    /// It is not shown.
    Hidden,
}

/// Where the lines of a list item or an inner quote begin; gives the outer beginning back.
pub(super) struct Inset(usize);

impl Writer {
    /// Returns how much was written so far, in bytes.
    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// Returns what was written since `start`.
    pub(super) fn since(&self, start: usize) -> &str {
        self.text.get(start..).unwrap_or_default().trim_start()
    }

    /// Owes at least this many line breaks before the next text.
    pub(super) fn gap(&mut self, lines: usize) {
        self.gap = self.gap.max(lines);
    }

    /// Writes text; each of its lines is indented.
    pub(super) fn text(&mut self, text: &str) {
        for (number, line) in text.split('\n').enumerate() {
            if number > 0 {
                self.gap += 1;
            }
            if !line.is_empty() {
                self.begin_text();
                self.text.push_str(line);
            }
        }
    }

    /// Writes a literal block. Its lines begin at the margin, whatever surrounds it.
    pub(super) fn block(&mut self, text: &str, style: Style) {
        if text.trim().is_empty() {
            return;
        }
        self.flush_lead();
        self.gap(1);
        self.begin_line();
        self.open(style);
        self.settle(|_| true);
        self.text.push_str(text);
        self.close();
    }

    /// Opens a style; each is closed by [`Writer::close`], the inner one first.
    pub(super) fn open(&mut self, style: Style) {
        let shown = self.open.len() < DEEPEST_STYLE && !self.is_open(&style);
        self.open.push(if shown {
            Open::Waiting(style)
        } else {
            Open::Hidden
        });
    }

    /// Closes the innermost style.
    pub(super) fn close(&mut self) {
        let closed = self.open.pop();
        self.settled = self.settled.min(self.open.len());
        if let Some(Open::Started(index)) = closed
            && let Some(span) = self.spans.get_mut(index)
        {
            span.end = self.text.trim_end().len();
        }
    }

    /// Begins an inset: its first line begins with `marker`, the others are as far to the right.
    pub(super) fn inset(&mut self, marker: &str) -> Inset {
        // Indentation beyond the maximum has no effect.
        let lead = self.lead.chars().take(WIDEST_INDENT).count();
        let outer = Inset(self.indent.len() + lead);
        self.lead.push_str(marker);
        outer
    }

    /// Ends an inset. A marker without content is written too.
    pub(super) fn outset(&mut self, outer: &Inset) {
        self.flush_lead();
        self.indent.truncate(outer.0);
    }

    /// Puts a task's box where the bullet would be, or behind the number.
    pub(super) fn task(&mut self, marker: &str) {
        if self.lead.ends_with(super::BULLET) {
            self.lead.truncate(self.lead.len() - super::BULLET.len());
        }
        self.lead.push_str(marker);
    }

    /// Returns the whole text.
    pub(super) fn finish(mut self) -> Styled {
        self.flush_lead();
        self.spans.retain(|span| span.start < span.end);
        self.text.truncate(self.text.trim_end().len());
        Styled {
            text: self.text,
            spans: self.spans,
        }
    }

    /// Pays everything that is owed before a character is written.
    fn begin_text(&mut self) {
        if self.gap > 0 || self.text.is_empty() || !self.lead.is_empty() {
            self.begin_line();
            self.settle(|style| matches!(style, Style::Quote));
            self.text.push_str(&self.indent);
            self.text.push_str(&self.lead);
            let indent = self.lead.chars().map(|c| if c == '>' { c } else { ' ' });
            let room = WIDEST_INDENT.saturating_sub(self.indent.len());
            self.indent.extend(indent.take(room));
            self.lead.clear();
        }
        self.settle(|_| true);
    }

    fn begin_line(&mut self) {
        if !self.text.is_empty() {
            let breaks = self.gap;
            self.text.extend(std::iter::repeat_n('\n', breaks));
        }
        self.gap = 0;
    }

    fn flush_lead(&mut self) {
        if !self.lead.is_empty() {
            self.begin_text();
            self.text.truncate(self.text.trim_end_matches(' ').len());
            self.gap(1);
        }
    }

    /// Starts the waiting styles here, from the outermost up to the first that `may` not.
    fn settle(&mut self, may: impl Fn(&Style) -> bool) {
        while let Some(open) = self.open.get_mut(self.settled) {
            if let Open::Waiting(style) = open {
                if !may(style) {
                    return;
                }
                self.spans.push(Span {
                    start: self.text.len(),
                    end: 0,
                    style: style.clone(),
                });
                *open = Open::Started(self.spans.len() - 1);
            }
            self.settled += 1;
        }
    }

    fn is_open(&self, style: &Style) -> bool {
        let same = |other: &Style| std::mem::discriminant(other) == std::mem::discriminant(style);
        self.open.iter().any(|open| match open {
            Open::Waiting(other) => same(other),
            Open::Started(index) => self.spans.get(*index).is_some_and(|span| same(&span.style)),
            Open::Hidden => false,
        })
    }
}
