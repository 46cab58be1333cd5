//! Markdown to styled text: the one reading of CommonMark that all platforms share.
//!
//! Any text is valid and nothing that a reader would see is lost: elements without a supported
//! style (HTML, link definitions, addresses that no one can follow) are shown as text, and bare
//! addresses are shown letter by letter. Control characters and bidirectional overrides are
//! replaced in the parsed text, not in the source, because entities can produce new ones.

mod bare;
mod emphasis;
mod table;
mod unfinished;
mod writer;

use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, LinkType, Options, Parser, Tag, TagEnd};

use crate::control_chars::{replace_control_chars, replace_in_line};
use crate::styled::{Style, Styled};
use crate::web_address::words_are_address;
use emphasis::Cushioned;
use table::Table;
use writer::{Inset, Writer};

pub use unfinished::close_open_marks;

/// What an item of a list without numbers begins with.
const BULLET: &str = "• ";

/// What a horizontal rule is shown as.
const RULE: &str = "———";

/// Reads CommonMark with tables, strikethrough and task lists.
pub fn to_styled(markdown: &str) -> Styled {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let markdown = bare::escape_bare_addresses(markdown, options);
    let cushioned = emphasis::cushion(&markdown);
    let parser = Parser::new_ext(&cushioned.source, options);
    let mut definitions: Vec<Range<usize>> = parser
        .reference_definitions()
        .iter()
        .map(|(_, definition)| definition.span.clone())
        .collect();
    definitions.sort_by_key(|span| span.start);
    let mut reader = Reader::new(&cushioned, definitions.into());
    for (event, range) in parser.into_offset_iter() {
        reader.read(event, &range);
    }
    reader.finish()
}

/// What is known between two events.
struct Reader<'a> {
    source: &'a Cushioned,
    writer: Writer,
    /// Link definitions that were not shown yet, as ranges of the source.
    definitions: VecDeque<Range<usize>>,
    /// How many blocks and styles are open.
    depth: usize,
    /// The next number of each open list; `None` for bullets.
    lists: Vec<Option<u64>>,
    items: Vec<Inset>,
    /// One per open quote: `None` for the outermost, which is a span.
    quotes: Vec<Option<Inset>>,
    links: Vec<OpenLink>,
    /// The language and the text of the code block that is open.
    code: Option<(Option<String>, String)>,
    /// The table that is open; its cells are plain text.
    table: Option<Table>,
}

/// A link or image between its start and its end.
struct OpenLink {
    url: String,
    /// Where its text starts, in what is being written.
    start: usize,
    styled: bool,
    /// Whether it is no address at all, and shown as it was written: `<a:b>`.
    is_literal: bool,
}

impl<'a> Reader<'a> {
    fn new(source: &'a Cushioned, definitions: VecDeque<Range<usize>>) -> Self {
        Self {
            source,
            writer: Writer::default(),
            definitions,
            depth: 0,
            lists: Vec::new(),
            items: Vec::new(),
            quotes: Vec::new(),
            links: Vec::new(),
            code: None,
            table: None,
        }
    }

    fn read(&mut self, event: Event<'_>, range: &Range<usize>) {
        match event {
            Event::Start(tag) => {
                if self.depth == 0 {
                    self.show_definitions(range.start);
                }
                self.depth += 1;
                self.start(tag, range);
            }
            Event::End(tag) => {
                self.depth = self.depth.saturating_sub(1);
                self.end(tag, range);
            }
            Event::Code(text) => {
                self.open(Style::Code);
                self.text(&text);
                self.close();
            }
            Event::Text(text)
            | Event::Html(text)
            | Event::InlineHtml(text)
            | Event::InlineMath(text)
            | Event::DisplayMath(text)
            | Event::FootnoteReference(text) => self.text(&text),
            Event::SoftBreak | Event::HardBreak => self.text("\n"),
            Event::Rule => self.lone_line(RULE),
            Event::TaskListMarker(done) => self.writer.task(if done { "☑ " } else { "☐ " }),
        }
    }

    fn start(&mut self, tag: Tag<'_>, range: &Range<usize>) {
        match tag {
            Tag::Paragraph | Tag::HtmlBlock => self.writer.gap(2),
            Tag::Heading { .. } => {
                self.writer.gap(2);
                self.open(Style::Bold);
            }
            Tag::BlockQuote(_) => self.start_quote(),
            Tag::CodeBlock(kind) => {
                let language = language(&kind).map(|name| self.clean_line(&name));
                self.code = Some((language, String::new()));
            }
            Tag::List(first) => {
                self.writer.gap(if self.lists.is_empty() { 2 } else { 1 });
                self.lists.push(first);
            }
            Tag::Item => self.start_item(),
            Tag::Table(alignments) => self.table = Some(Table::new(alignments)),
            Tag::TableHead | Tag::TableRow => self.in_table(Table::begin_row),
            Tag::TableCell => self.in_table(Table::begin_cell),
            Tag::Emphasis => self.open(Style::Italic),
            Tag::Strong => self.open(Style::Bold),
            Tag::Strikethrough => self.start_strikethrough(range),
            Tag::Link {
                link_type,
                dest_url,
                ..
            } => self.start_link(link_type, &dest_url),
            Tag::Image { dest_url, .. } => self.start_link(LinkType::Inline, &dest_url),
            // Extensions that are not switched on.
            Tag::FootnoteDefinition(_)
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::Superscript
            | Tag::Subscript
            | Tag::MetadataBlock(_) => {}
        }
    }

    fn end(&mut self, tag: TagEnd, range: &Range<usize>) {
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock => self.writer.gap(2),
            TagEnd::Heading(_) => {
                self.close();
                self.writer.gap(2);
            }
            TagEnd::BlockQuote(_) => self.end_quote(),
            TagEnd::CodeBlock => self.end_code(),
            TagEnd::List(_) => {
                self.lists.pop();
                self.writer.gap(if self.lists.is_empty() { 2 } else { 1 });
            }
            TagEnd::Item => {
                if let Some(outer) = self.items.pop() {
                    self.writer.outset(&outer);
                }
            }
            TagEnd::Table => self.end_table(),
            TagEnd::Emphasis | TagEnd::Strong => self.close(),
            TagEnd::Strikethrough => self.end_strikethrough(range),
            TagEnd::Link | TagEnd::Image => self.end_link(),
            TagEnd::TableHead
            | TagEnd::TableRow
            | TagEnd::TableCell
            | TagEnd::FootnoteDefinition
            | TagEnd::DefinitionList
            | TagEnd::DefinitionListTitle
            | TagEnd::DefinitionListDefinition
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::MetadataBlock(_) => {}
        }
    }

    /// Takes out what was only put in for reading, and what would command a screen.
    fn clean<'b>(&self, text: &'b str) -> Cow<'b, str> {
        match self.without_cushion(text) {
            Cow::Borrowed(text) => replace_control_chars(text),
            Cow::Owned(text) => Cow::Owned(replace_control_chars(&text).into_owned()),
        }
    }

    /// Cleans what is one line: an address, a cell, the name of a language.
    fn clean_line(&self, text: &str) -> String {
        replace_in_line(&self.without_cushion(text)).into_owned()
    }

    fn without_cushion<'b>(&self, text: &'b str) -> Cow<'b, str> {
        match self.source.cushion {
            Some(cushion) if text.contains(cushion) => Cow::Owned(text.replace(cushion, "")),
            Some(_) | None => Cow::Borrowed(text),
        }
    }

    fn text(&mut self, text: &str) {
        if self.table.is_some() {
            let text = self.clean_line(text);
            if let Some(cell) = self.table.as_mut().and_then(Table::cell) {
                cell.push_str(&text);
            }
            return;
        }
        let text = &self.clean(text);
        match &mut self.code {
            Some((_, code)) => code.push_str(text),
            None => self.writer.text(text),
        }
    }

    fn open(&mut self, style: Style) {
        if self.table.is_none() {
            self.writer.open(style);
        }
    }

    fn close(&mut self) {
        if self.table.is_none() {
            self.writer.close();
        }
    }

    fn lone_line(&mut self, line: &str) {
        self.writer.gap(2);
        self.writer.text(line);
        self.writer.gap(2);
    }

    fn start_quote(&mut self) {
        self.writer.gap(2);
        let inner = !self.quotes.is_empty();
        if !inner {
            self.writer.open(Style::Quote);
        }
        let inset = inner.then(|| self.writer.inset("> "));
        self.quotes.push(inset);
    }

    fn end_quote(&mut self) {
        match self.quotes.pop().flatten() {
            Some(outer) => self.writer.outset(&outer),
            None => self.writer.close(),
        }
        self.writer.gap(2);
    }

    fn start_item(&mut self) {
        self.writer.gap(1);
        let inset = match self.lists.last_mut() {
            Some(Some(number)) => {
                let marker = format!("{number}. ");
                *number = number.saturating_add(1);
                self.writer.inset(&marker)
            }
            Some(None) | None => self.writer.inset(BULLET),
        };
        self.items.push(inset);
    }

    fn end_code(&mut self) {
        if let Some((language, code)) = self.code.take() {
            self.writer.gap(2);
            self.writer.block(code.trim_end(), Style::Pre { language });
            self.writer.gap(2);
        }
    }

    fn in_table(&mut self, change: impl FnOnce(&mut Table)) {
        if let Some(table) = &mut self.table {
            change(table);
        }
    }

    fn end_table(&mut self) {
        if let Some(table) = self.table.take() {
            self.writer.gap(2);
            let lines = table.render();
            self.writer
                .block(lines.trim_end(), Style::Pre { language: None });
            self.writer.gap(2);
        }
    }

    /// One tilde is a tilde: "3~5 and 8~10" strikes nothing through.
    fn start_strikethrough(&mut self, range: &Range<usize>) {
        if self.is_struck(range) {
            self.open(Style::Strikethrough);
        } else {
            self.text("~");
        }
    }

    fn end_strikethrough(&mut self, range: &Range<usize>) {
        if self.is_struck(range) {
            self.close();
        } else {
            self.text("~");
        }
    }

    fn is_struck(&self, range: &Range<usize>) -> bool {
        let source = &self.source.source;
        source
            .get(range.clone())
            .is_some_and(|struck| struck.starts_with("~~"))
    }

    fn start_link(&mut self, kind: LinkType, destination: &str) {
        let destination = self.clean_line(destination);
        let url = match kind {
            LinkType::Email => format!("mailto:{destination}"),
            _ => destination,
        };
        let styled = self.table.is_none() && self.links.is_empty() && leads_somewhere(&url);
        let is_literal = kind == LinkType::Autolink && !leads_somewhere(&url);
        if styled {
            self.writer.open(Style::Link { url: url.clone() });
        } else if is_literal {
            self.text("<");
        }
        let start = self.written();
        self.links.push(OpenLink {
            url,
            start,
            styled,
            is_literal,
        });
    }

    /// Shows the address where there is no text, and behind a text that cannot carry it.
    fn end_link(&mut self) {
        let Some(link) = self.links.pop() else {
            return;
        };
        let text = self.written_since(link.start).to_owned();
        if link.is_literal {
            self.text(">");
        } else if text.trim().is_empty() {
            self.text(&link.url);
        } else if !link.styled && !link.url.is_empty() && !words_are_address(&text, &link.url) {
            self.text(&format!(" ({})", link.url));
        }
        if link.styled {
            self.writer.close();
        }
    }

    fn written(&mut self) -> usize {
        match &mut self.table {
            Some(table) => table.cell().map_or(0, |cell| cell.len()),
            None => self.writer.len(),
        }
    }

    fn written_since(&mut self, start: usize) -> &str {
        match &mut self.table {
            Some(table) => table
                .cell()
                .and_then(|cell| cell.get(start..))
                .unwrap_or_default(),
            None => self.writer.since(start),
        }
    }

    /// Shows the link definitions that stand before this place of the source.
    fn show_definitions(&mut self, before: usize) {
        self.writer.gap(2);
        while let Some(span) = self.definitions.pop_front_if(|span| span.start < before) {
            let definition = self.source.source.get(span).unwrap_or_default();
            let definition = self.clean(definition.trim());
            self.writer.text(&definition);
            self.writer.gap(1);
        }
        self.writer.gap(2);
    }

    fn finish(mut self) -> Styled {
        self.show_definitions(usize::MAX);
        self.writer.finish()
    }
}

fn language(kind: &CodeBlockKind<'_>) -> Option<String> {
    match kind {
        CodeBlockKind::Indented => None,
        CodeBlockKind::Fenced(info) => info.split_whitespace().next().map(str::to_owned),
    }
}

/// Returns whether a client can follow the address.
fn leads_somewhere(url: &str) -> bool {
    let scheme = url.split_once(':').map(|(scheme, _)| scheme);
    scheme.is_some_and(|scheme| {
        ["http", "https", "mailto", "tel", "tg"]
            .iter()
            .any(|known| known.eq_ignore_ascii_case(scheme))
    })
}

#[cfg(test)]
mod bare_tests;

#[cfg(test)]
mod entity_tests;

#[cfg(test)]
mod tests;
