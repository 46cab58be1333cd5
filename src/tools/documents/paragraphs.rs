//! Text that flows: documents of Word, slides of PowerPoint, and text of OpenDocument.

use super::markup::{Piece, attribute, name, walk};
use super::package::Package;
use super::{Document, Part, Problem, chosen, whole};

/// Elements whose text is no part of the document: what was deleted, notes of reviewers, and the
/// second form of a drawing for older programs.
const SILENT: [&str; 4] = ["tracked-changes", "annotation", "Fallback", "del"];
/// The most spaces that one element stands for.
const MAX_SPACES: usize = 64;

/// How words are marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Words {
    /// In elements of their own (Office).
    InRuns,
    /// Anywhere in a paragraph (OpenDocument).
    InParagraphs,
}

/// Opens a document of Word.
pub(super) fn open_word(package: &Package<'_>) -> Result<Document<'static>, Problem> {
    let text = flowing(&package.text("word/document.xml")?, Words::InRuns)?;
    Ok(Document {
        about: "DOCX".to_owned(),
        parts: Box::new(std::iter::once(Ok(whole(text)))),
        without_text: "there is no text in it",
    })
}

/// Opens slides of PowerPoint.
pub(super) fn open_slides<'a>(
    package: Package<'a>,
    pages: Option<&str>,
) -> Result<Document<'a>, Problem> {
    let count = package.count("ppt/slides/slide", ".xml");
    let slides = chosen(pages, count)?;
    let read = move |number: usize| {
        let xml = package.text(&format!("ppt/slides/slide{number}.xml"))?;
        Ok(Part {
            title: format!("slide {number}"),
            text: flowing(&xml, Words::InRuns)?,
        })
    };
    Ok(Document {
        about: format!("PPTX, {count} slides"),
        parts: Box::new(slides.into_iter().map(read)),
        without_text: "these slides have no text",
    })
}

/// Returns the text, paragraphs on lines of their own and cells of a row apart by tabs.
pub(super) fn flowing(xml: &str, words: Words) -> Result<String, Problem> {
    let mut flow = Flow {
        words,
        text: String::new(),
        silent: 0,
        spoken: 0,
        cells: 0,
    };
    walk(xml, |piece| {
        match piece {
            Piece::Open(tag) => flow.open(name(tag), || attribute(tag, "c")),
            Piece::Close(name) => flow.close(name),
            Piece::Text(text) => flow.say(text),
        }
        Ok(())
    })?;
    Ok(flow.text)
}

struct Flow {
    words: Words,
    text: String,
    /// How many of these elements we are in.
    silent: usize,
    spoken: usize,
    cells: usize,
}

impl Flow {
    fn is_spoken(&self, name: &str) -> bool {
        match self.words {
            Words::InRuns => name == "t",
            Words::InParagraphs => matches!(name, "p" | "h"),
        }
    }

    fn open(&mut self, name: &str, count: impl FnOnce() -> Option<String>) {
        if SILENT.contains(&name) {
            self.silent += 1;
        }
        if self.is_spoken(name) {
            self.spoken += 1;
        }
        match name {
            _ if self.silent > 0 => {}
            "tc" | "table-cell" => self.cells += 1,
            "tab" => self.text.push('\t'),
            "br" | "cr" | "line-break" => self.end_line(),
            "s" if self.words == Words::InParagraphs => {
                let count = count().and_then(|count| count.parse().ok()).unwrap_or(1);
                self.text.push_str(&" ".repeat(MAX_SPACES.min(count)));
            }
            _ => {}
        }
    }

    fn close(&mut self, name: &str) {
        if SILENT.contains(&name) {
            self.silent = self.silent.saturating_sub(1);
        }
        if self.is_spoken(name) {
            self.spoken = self.spoken.saturating_sub(1);
        }
        match name {
            _ if self.silent > 0 => {}
            "p" | "h" => self.end_line(),
            "tc" | "table-cell" => {
                self.cells = self.cells.saturating_sub(1);
                self.text.truncate(self.text.trim_end_matches(' ').len());
                self.text.push('\t');
            }
            "tr" | "table-row" => {
                self.text.truncate(self.text.trim_end_matches('\t').len());
                self.end_line();
            }
            _ => {}
        }
    }

    /// In a cell a line goes on.
    fn end_line(&mut self) {
        self.text.push(if self.cells > 0 { ' ' } else { '\n' });
    }

    fn say(&mut self, text: &str) {
        if self.silent == 0 && self.spoken > 0 {
            self.text.push_str(text);
        }
    }
}
