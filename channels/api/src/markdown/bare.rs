//! Bare addresses are literal: `https://a.example/__init__` has no bold in it.
//!
//! These are the extended autolinks of GitHub Flavored Markdown: web addresses, `www.` and e-mail
//! addresses. Their punctuation is escaped before the text is read, so that nothing in them is a
//! mark; platforms find the links by themselves.

use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag};

use crate::web_address::{
    address_length, begins_with, is_east_asian, mail_host_length, web_scheme,
};

/// How many links that end before a place are looked at for one that ends behind it.
const LINKS_BACK: usize = 16;

/// Escapes the punctuation of bare addresses; nothing else changes.
pub(super) fn escape_bare_addresses(markdown: &str, options: Options) -> String {
    let has_www = || markdown.as_bytes().windows(4).any(is_www);
    if !markdown.contains("://") && !markdown.contains('@') && !has_www() {
        return markdown.to_owned();
    }
    let mut scan = Scan {
        markdown,
        fixed: Fixed::of(markdown, options),
        place: 0,
        open_brackets: 0,
        marks: Vec::new(),
        block_end: 0,
        out: String::with_capacity(markdown.len() + 64),
        copied: 0,
    };
    while scan.step() {}
    scan.finish()
}

fn is_www(letters: &[u8]) -> bool {
    letters.eq_ignore_ascii_case(b"www.")
}

/// What a first reading knows, by its place in the source.
struct Fixed {
    /// Code blocks, HTML blocks and link definitions, sorted: they are shown as they are.
    literal: Vec<Range<usize>>,
    /// HTML tags and addresses between `<` and `>`, sorted.
    angled: Vec<Range<usize>>,
    /// Links and images with words, sorted by their start.
    links: Vec<Range<usize>>,
    /// Where a block or a cell begins or ends, sorted: nothing in a line goes on behind that.
    borders: Vec<usize>,
}

impl Fixed {
    fn of(markdown: &str, options: Options) -> Self {
        let parser = Parser::new_ext(markdown, options);
        let definitions = parser.reference_definitions().iter();
        let mut fixed = Self {
            literal: definitions.map(|(_, found)| found.span.clone()).collect(),
            angled: Vec::new(),
            links: Vec::new(),
            borders: Vec::new(),
        };
        for (event, range) in parser.into_offset_iter() {
            fixed.note(&event, range);
        }
        fixed.literal.sort_by_key(|range| range.start);
        fixed.borders.sort_unstable();
        fixed
    }

    fn note(&mut self, event: &Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(Tag::CodeBlock(_) | Tag::HtmlBlock) => {
                self.borders.extend([range.start, range.end]);
                self.literal.push(range);
            }
            Event::Start(Tag::Link {
                link_type: LinkType::Autolink | LinkType::Email,
                ..
            })
            | Event::InlineHtml(_) => self.angled.push(range),
            Event::Start(Tag::Link { .. } | Tag::Image { .. }) => self.links.push(range),
            Event::Start(
                Tag::Paragraph
                | Tag::Heading { .. }
                | Tag::Item
                | Tag::List(_)
                | Tag::BlockQuote(_)
                | Tag::TableCell,
            ) => self.borders.extend([range.start, range.end]),
            Event::Start(_)
            | Event::End(_)
            | Event::Text(_)
            | Event::Code(_)
            | Event::InlineMath(_)
            | Event::DisplayMath(_)
            | Event::Html(_)
            | Event::FootnoteReference(_)
            | Event::SoftBreak
            | Event::HardBreak
            | Event::Rule
            | Event::TaskListMarker(_) => {}
        }
    }

    /// Returns the end of the literal block around this place.
    fn literal_end(&self, place: usize) -> Option<usize> {
        let before = self.literal.partition_point(|range| range.start <= place);
        let last = self.literal.get(before.checked_sub(1)?)?;
        (last.end > place).then_some(last.end)
    }

    /// Returns the end of what stands between `<` and `>` from this place on.
    fn angled_end(&self, place: usize) -> Option<usize> {
        let found = self
            .angled
            .binary_search_by_key(&place, |range| range.start);
        self.angled.get(found.ok()?).map(|range| range.end)
    }

    /// Returns the end of the innermost link around this place.
    fn link_end(&self, place: usize) -> Option<usize> {
        let before = self.links.partition_point(|range| range.start < place);
        let mut before = self.links.get(..before)?.iter().rev().take(LINKS_BACK);
        before
            .find(|range| range.end > place)
            .map(|range| range.end)
    }

    fn border_behind(&self, place: usize) -> Option<usize> {
        let index = self.borders.partition_point(|border| *border <= place);
        self.borders.get(index).copied()
    }
}

struct Scan<'a> {
    markdown: &'a str,
    fixed: Fixed,
    place: usize,
    /// How many `[` are open in this block: an address among the words of a link ends at their `]`.
    open_brackets: usize,
    /// The marks of emphasis that are open in this block, with their length.
    marks: Vec<(char, usize)>,
    /// Where the block that is read ends.
    block_end: usize,
    out: String,
    /// Up to here everything is in `out`.
    copied: usize,
}

impl<'a> Scan<'a> {
    /// Returns what is left of the block.
    fn rest(&self) -> &'a str {
        self.markdown
            .get(self.place..self.block_end)
            .unwrap_or_default()
    }

    /// Reads one thing; returns whether there was one.
    fn step(&mut self) -> bool {
        if self.place >= self.markdown.len() {
            return false;
        }
        if self.place >= self.block_end {
            let border = self.fixed.border_behind(self.place);
            self.block_end = border.unwrap_or(self.markdown.len());
            self.open_brackets = 0;
            self.marks.clear();
        }
        if let Some(end) = self.fixed.literal_end(self.place) {
            self.place = end;
            return true;
        }
        let mut letters = self.rest().chars();
        let Some(letter) = letters.next() else {
            self.place += 1;
            return true;
        };
        match letter {
            '\\' if letters
                .next()
                .is_some_and(|next| next.is_ascii_punctuation()) =>
            {
                self.place += 2;
            }
            '`' => self.skip_code(),
            '<' => self.place = self.fixed.angled_end(self.place).unwrap_or(self.place + 1),
            '[' => {
                self.open_brackets += 1;
                self.place += 1;
            }
            ']' => self.close_bracket(),
            '@' => self.mail_address(),
            '*' | '_' | '~' => self.mark(letter),
            'h' | 'H' | 'f' | 'F' | 'w' | 'W' => self.web_address(),
            _ => self.place += letter.len_utf8(),
        }
        true
    }

    /// Skips a piece of code, or backticks that nothing closes.
    fn skip_code(&mut self) {
        let rest = self.rest();
        let run = rest.len() - rest.trim_start_matches('`').len();
        self.place += run;
        let mut from = run;
        while let Some(found) = rest.get(from..).and_then(|behind| behind.find('`')) {
            let at = rest.get(from + found..).unwrap_or_default();
            let length = at.len() - at.trim_start_matches('`').len();
            from += found + length;
            if length == run {
                self.place += from - run;
                return;
            }
        }
    }

    /// Reads marks of emphasis: they close what is open, or open something.
    fn mark(&mut self, mark: char) {
        let rest = self.rest();
        let run = rest.len() - rest.trim_start_matches(mark).len();
        let before = self.markdown.get(..self.place).unwrap_or_default();
        let is_in_word = before.ends_with(|last: char| last.is_alphanumeric());
        let before_blank = rest
            .get(run..)
            .is_none_or(|behind| behind.starts_with(char::is_whitespace) || behind.is_empty());
        let open = self.marks.iter().rposition(|open| *open == (mark, run));
        match open {
            Some(open) => self.marks.truncate(open),
            None if before_blank || (mark == '_' && is_in_word) => {}
            None => self.marks.push((mark, run)),
        }
        self.place += run;
    }

    /// Skips the destination behind the words of a link.
    fn close_bracket(&mut self) {
        self.open_brackets = self.open_brackets.saturating_sub(1);
        let has_destination = self.rest().as_bytes().get(1) == Some(&b'(');
        let end = has_destination.then(|| self.fixed.link_end(self.place));
        self.place = end.flatten().unwrap_or(self.place + 1);
    }

    fn web_address(&mut self) {
        let rest = self.rest();
        let begins_host = |letter: &u8| letter.is_ascii_alphanumeric();
        let is_www = begins_with(rest, "www.")
            && rest.as_bytes().get(4).is_some_and(begins_host)
            && !self.is_in_word();
        let host = match web_scheme(rest) {
            Some(scheme) => scheme.len(),
            None if is_www => 4,
            None => {
                self.place += 1;
                return;
            }
        };
        let open: String = self.marks.iter().map(|(mark, _)| *mark).collect();
        let length = address_length(rest, host, self.open_brackets > 0, &open);
        let address = rest.get(..length).unwrap_or_default();
        let length = self.marked_length(address).unwrap_or(length);
        if length > host {
            self.escape(self.place..self.place + length);
        } else {
            self.place += host;
        }
    }

    /// Returns how far an address goes whose look ends in the middle of a text without spaces:
    /// `**https://a.example**是`.
    fn marked_length(&self, address: &str) -> Option<usize> {
        let before = self.markdown.get(..self.place).unwrap_or_default();
        if !before.ends_with("**") {
            return None;
        }
        let (inside, behind) = address.split_once("**")?;
        behind.starts_with(is_east_asian).then_some(inside.len())
    }

    /// Returns whether a word was begun before this place.
    fn is_in_word(&self) -> bool {
        let before = self.markdown.get(..self.place).unwrap_or_default();
        before.ends_with(|last: char| last.is_ascii_alphanumeric())
    }

    /// Reads the e-mail address around this `@`.
    fn mail_address(&mut self) {
        let at = self.place;
        let behind = self.rest().get(1..).unwrap_or_default();
        self.place += 1;
        let host = mail_host_length(behind);
        let before = self.markdown.get(self.copied..at).unwrap_or_default();
        let is_name = |letter: char| letter.is_ascii_alphanumeric() || ".-_+".contains(letter);
        let head = before.trim_end_matches(is_name);
        let name = before.get(head.len()..).unwrap_or_default();
        // What is escaped already stays so, and what surrounds an address on both sides is its
        // look.
        let escaped = usize::from(head.ends_with('\\') && !name.is_empty());
        let around = behind.get(host..).unwrap_or_default();
        let around = around.len() - around.trim_start_matches('_').len();
        let lead = name.len() - name.trim_start_matches('_').len();
        let start = at - name.len() + escaped.max(lead.min(around));
        if host > 0 && start < at {
            self.escape(start..at + 1 + host);
        }
    }

    /// Copies an address with a backslash before each mark.
    fn escape(&mut self, address: Range<usize>) {
        let before = self.markdown.get(self.copied..address.start);
        self.out.push_str(before.unwrap_or_default());
        let letters = self.markdown.get(address.clone()).unwrap_or_default();
        for letter in letters.chars() {
            if letter.is_ascii_punctuation() {
                self.out.push('\\');
            }
            self.out.push(letter);
        }
        self.copied = address.end;
        self.place = address.end;
    }

    fn finish(mut self) -> String {
        let rest = self.markdown.get(self.copied..).unwrap_or_default();
        self.out.push_str(rest);
        self.out
    }
}
