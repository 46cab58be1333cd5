//! Styled text as Discord's Markdown.
//!
//! Discord's parser is a list of regular expressions, tried in turn, so styles are written in forms
//! that none of them misreads: closed at the end of each line and opened again on the next, no
//! whitespace inside their delimiters, and a zero-width space (which is invisible) where two
//! delimiters of the same kind would run together.

use sayso_channel::styled::{Span, Style, Styled};

use super::escape::{self, ZERO_WIDTH_SPACE};

/// Writes a piece of text for Discord.
pub(super) fn to_markdown(piece: &Styled) -> String {
    let mut writer = Writer {
        piece,
        out: String::with_capacity(piece.text.len() * 2),
        open: Vec::new(),
        space: String::new(),
        just_closed: None,
        is_line_start: true,
    };
    writer.write_all();
    writer.out
}

struct Writer<'a> {
    piece: &'a Styled,
    out: String,
    /// The looks whose marks are open, the outer ones first.
    open: Vec<&'a Style>,
    /// Whitespace that was read and not yet written: marks close before it and open behind it.
    space: String,
    /// The mark that was closed right before, while nothing was written behind it.
    just_closed: Option<char>,
    is_line_start: bool,
}

impl<'a> Writer<'a> {
    fn write_all(&mut self) {
        let text = &self.piece.text;
        let mut place = 0;
        if self.is_quoted(0) {
            self.out.push_str("> ");
        }
        while let Some(rest) = text.get(place..).filter(|rest| !rest.is_empty()) {
            if let Some(block) = self.block_at(place) {
                self.write_block(block);
                place = block.end;
            } else if rest.starts_with('\n') {
                self.end_line(place);
                place += 1;
            } else {
                let end = self.stretch_end(place, rest);
                self.write_stretch(place, text.get(place..end).unwrap_or_default());
                place = end;
            }
        }
        self.close_down_to(0);
        self.flush_space();
    }

    /// Returns the literal block that starts here.
    fn block_at(&self, place: usize) -> Option<&'a Span> {
        let spans = self.piece.spans.iter();
        let mut blocks = spans.filter(|span| matches!(span.style, Style::Pre { .. }));
        blocks.find(|span| span.start == place)
    }

    /// Returns where the looks change next, or the line or the text ends.
    fn stretch_end(&self, place: usize, rest: &str) -> usize {
        let line_end = place + rest.find('\n').unwrap_or(rest.len());
        let spans = self.piece.spans.iter();
        let edges = spans.flat_map(|span| [span.start, span.end]);
        edges
            .filter(|edge| *edge > place)
            .fold(line_end, usize::min)
    }

    fn is_quoted(&self, place: usize) -> bool {
        let mut spans = self.piece.spans.iter();
        spans.any(|span| span.style == Style::Quote && span.start <= place && place < span.end)
    }

    fn end_line(&mut self, place: usize) {
        self.close_down_to(0);
        self.flush_space();
        self.out.push('\n');
        if self.is_quoted(place + 1) {
            self.out.push_str("> ");
        }
        self.just_closed = None;
        self.is_line_start = true;
    }

    /// Writes text that has the same looks from its beginning to its end, on one line.
    fn write_stretch(&mut self, place: usize, text: &str) {
        let wanted = self.looks_at(place);
        let kept = self.open.iter().zip(&wanted);
        let kept = kept.take_while(|(open, wanted)| open == wanted).count();
        let is_code = wanted.last() == Some(&&Style::Code);
        // Two pieces of code side by side are two.
        let kept = if is_code {
            kept.min(wanted.len() - 1)
        } else {
            kept
        };
        self.close_down_to(kept);
        if text.trim().is_empty() {
            self.space.push_str(text);
            return;
        }
        let body = if is_code { text } else { text.trim_start() };
        self.space.push_str(&text[..text.len() - body.len()]);
        self.flush_space();
        for style in wanted.into_iter().skip(kept) {
            self.open(style);
        }
        if is_code {
            self.out.push_str(&escape::code(body));
        } else {
            let words = body.trim_end();
            escape::plain(words, self.is_line_start, &mut self.out);
            self.space.push_str(&body[words.len()..]);
        }
        self.just_closed = None;
        self.is_line_start = false;
    }

    /// Returns the looks of a place inside a line, the outer ones first and none of them twice.
    fn looks_at(&self, place: usize) -> Vec<&'a Style> {
        let mut looks: Vec<&Style> = Vec::new();
        for span in &self.piece.spans {
            let is_block = matches!(span.style, Style::Quote | Style::Pre { .. });
            if !is_block && span.start <= place && place < span.end && !looks.contains(&&span.style)
            {
                looks.push(&span.style);
            }
        }
        looks
    }

    fn open(&mut self, style: &'a Style) {
        // A mark that opens is kept apart from an equal one that was just closed.
        if self.just_closed.is_some() && self.just_closed == edge(style) {
            self.out.push(ZERO_WIDTH_SPACE);
        }
        self.out.push_str(match style {
            Style::Link { .. } => "[",
            other => mark(other),
        });
        self.just_closed = None;
        self.open.push(style);
    }

    fn close_down_to(&mut self, kept: usize) {
        while self.open.len() > kept
            && let Some(style) = self.open.pop()
        {
            self.close(style);
        }
    }

    fn close(&mut self, style: &Style) {
        if let Style::Link { url } = style {
            self.out.push_str("](<");
            self.out.push_str(&escape::address(url));
            self.out.push_str(">)");
            self.just_closed = None;
            return;
        }
        let mark = mark(style);
        let ends_alike = !mark.is_empty() && self.out.chars().next_back() == edge(style);
        // An escaped letter at the end of the text would be read as part of the mark.
        if self.just_closed.is_none() && ends_alike {
            self.out.push(ZERO_WIDTH_SPACE);
        }
        self.out.push_str(mark);
        self.just_closed = edge(style);
    }

    fn flush_space(&mut self) {
        if !self.space.is_empty() {
            self.out.push_str(&self.space);
            self.space.clear();
            self.just_closed = None;
        }
    }

    /// Writes a literal block, line by line: in a quote each line carries the quote's mark.
    fn write_block(&mut self, span: &Span) {
        self.close_down_to(0);
        self.flush_space();
        if !self.is_line_start {
            self.end_line(span.start.saturating_sub(1));
        }
        let language = match &span.style {
            Style::Pre { language } => language.as_deref().filter(|name| is_language(name)),
            _ => None,
        };
        let text = self
            .piece
            .text
            .get(span.start..span.end)
            .unwrap_or_default();
        let line_break = if self.is_quoted(span.start) {
            "\n> "
        } else {
            "\n"
        };
        self.out.push_str("```");
        self.out.push_str(language.unwrap_or_default());
        self.out.push_str(line_break);
        // Discord drops empty lines at the beginning of a block.
        if text.starts_with('\n') {
            self.out.push(ZERO_WIDTH_SPACE);
        }
        self.out
            .push_str(&escape::block(text).replace('\n', line_break));
        self.out.push_str(line_break);
        self.out.push_str("```");
        self.is_line_start = false;
        self.just_closed = None;
    }
}

/// Returns the letter that the mark of a look is made of.
fn edge(style: &Style) -> Option<char> {
    match style {
        Style::Bold | Style::Italic => Some('*'),
        Style::Strikethrough => Some('~'),
        Style::Code => Some('`'),
        Style::Link { .. } | Style::Pre { .. } | Style::Quote => None,
    }
}

/// Returns the mark on both sides of a look; none where it has other forms, or where it depends on
/// what it marks (code).
fn mark(style: &Style) -> &'static str {
    match style {
        Style::Bold => "**",
        Style::Italic => "*",
        Style::Strikethrough => "~~",
        Style::Code | Style::Link { .. } | Style::Pre { .. } | Style::Quote => "",
    }
}

/// Returns whether Discord takes a word behind a fence for the name of a language.
fn is_language(name: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_+-.#".contains(&byte);
    !name.is_empty() && name.bytes().all(allowed)
}
