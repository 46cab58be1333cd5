//! Documents as text: PDF, Word, Excel, PowerPoint, OpenDocument and HTML, in parts that can be
//! asked for: pages, slides, sheets.
//!
//! A document may have been crafted to attack the program that opens it. So documents are never
//! parsed in the agent's own process but in a helper without access to files or the network, and
//! with limits on memory and time (`helper_request.rs`): a crash there affects nothing else.

mod helper_request;
mod markup;
mod old_office;
mod open_document;
mod package;
mod paragraphs;
mod pdf;
mod pdf_text;
mod sheets;
mod tool;

use std::fmt::Write as _;

use sayso_fetch::{page_as_text, page_is_too_deep};
use serde::{Deserialize, Serialize};
use thiserror::Error;

pub(crate) use self::helper_request::read_sealed;
use self::package::Package;
pub use self::tool::ReadDocument;
use super::encoding::decode;

/// What is wanted of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wanted {
    /// The pages or slides, as `3`, `3-5` or `1,4-6`; all when left out.
    pub pages: Option<String>,
    /// The sheet, by its name or number; all when left out.
    pub sheet: Option<String>,
    /// The byte of the text to begin at.
    pub offset: usize,
    /// The most bytes of text to give.
    pub limit: usize,
}

/// Why a document cannot be read, in words for the model.
#[derive(Debug, Clone, PartialEq, Eq, Error, Serialize, Deserialize)]
pub enum Problem {
    /// Its format is not supported.
    #[error(
        "it is no document that can be read here: PDF, DOCX, XLSX, PPTX, ODT, ODS, ODP, HTML or text"
    )]
    UnknownKind,
    /// It wants a password.
    #[error("it is encrypted and wants a password; ask the person for a copy without one")]
    Encrypted,
    /// It is of a kind that Office no longer writes.
    #[error("it is {0}; ask the person for DOCX, XLSX or PDF")]
    OldFormat(String),
    /// It is not what it says it is.
    #[error("it is damaged or cut off: {0}")]
    Damaged(String),
    /// It unfolds to more than any such document needs.
    #[error("it unpacks to more than a document may, as a bomb does")]
    TooLarge,
    /// It is nested deeper than any such document.
    #[error("it is nested too deeply to be read")]
    TooDeep,
    /// What was asked for is not in it.
    #[error("{0}")]
    NotThere(String),
}

/// A page, slide or sheet.
struct Part {
    title: String,
    text: String,
}

/// What a document is, and its parts one after the other.
struct Document<'a> {
    /// Its kind and what it has, as `PDF, 12 pages`.
    about: String,
    parts: Box<dyn Iterator<Item = Result<Part, Problem>> + 'a>,
    /// What is said when there is no text in what was asked for.
    without_text: &'static str,
}

/// Returns what is wanted of a document, with a note of what it is and how to read on.
pub fn read(bytes: &[u8], wanted: &Wanted) -> Result<String, Problem> {
    let document = open(bytes, wanted)?;
    let (text, is_whole) = gather(document.parts, wanted)?;
    let note = format!("[{}]", document.about);
    if wanted.offset > 0 && wanted.offset >= text.len() {
        let end = text.len();
        let problem = format!(
            "offset {} is past the end, which is at {end}",
            wanted.offset
        );
        return Err(Problem::NotThere(problem));
    }
    if text.trim().is_empty() {
        return Ok(format!("{note}\n[{}]", document.without_text));
    }
    let begin = text.floor_char_boundary(wanted.offset);
    let end = text.floor_char_boundary(begin.saturating_add(wanted.limit));
    let mut shown = format!("{note}\n{}", text[begin..end].trim_end());
    if end < text.len() || !is_whole {
        // Writing to a string cannot fail.
        let _ = write!(shown, "\n[there is more: read on with offset {end}]");
    }
    Ok(shown)
}

fn open<'a>(bytes: &'a [u8], wanted: &'a Wanted) -> Result<Document<'a>, Problem> {
    if pdf::is_pdf(bytes) {
        return pdf::open(bytes, wanted.pages.as_deref());
    }
    if Package::is_one(bytes) {
        return open_package(Package::open(bytes)?, wanted);
    }
    if old_office::is_one(bytes) {
        return Err(old_office::problem(bytes));
    }
    let decoded = decode(bytes).ok_or(Problem::UnknownKind)?;
    let text = decoded.text.as_ref();
    let encoding = match decoded.encoding {
        plain if plain.is_plain() => String::new(),
        other => format!(", in {other}"),
    };
    let trimmed = text.trim_start();
    let beginning = trimmed.get(..trimmed.floor_char_boundary(15));
    let head = beginning.unwrap_or_default().to_ascii_lowercase();
    let is_page = head.starts_with("<!doctype html") || head.starts_with("<html");
    if is_page && page_is_too_deep(text) {
        return Err(Problem::TooDeep);
    }
    let (about, text) = if is_page {
        ("HTML", page_as_text(text))
    } else {
        ("text", text.to_owned())
    };
    Ok(Document {
        about: format!("{about}{encoding}"),
        parts: Box::new(std::iter::once(Ok(whole(text)))),
        without_text: "there is no text in it",
    })
}

fn open_package<'a>(package: Package<'a>, wanted: &'a Wanted) -> Result<Document<'a>, Problem> {
    if package.has("word/document.xml") {
        return paragraphs::open_word(&package);
    }
    if package.has("xl/workbook.xml") {
        return sheets::open(&package, wanted.sheet.as_deref());
    }
    if package.has("ppt/presentation.xml") {
        return paragraphs::open_slides(package, wanted.pages.as_deref());
    }
    if package.has("mimetype") && package.has("content.xml") {
        return open_document::open(&package, wanted.sheet.as_deref());
    }
    Err(Problem::UnknownKind)
}

/// Returns the text of parts up to what is wanted of it, and whether that is all there is.
fn gather(
    parts: impl Iterator<Item = Result<Part, Problem>>,
    wanted: &Wanted,
) -> Result<(String, bool), Problem> {
    let enough = wanted.offset.saturating_add(wanted.limit);
    let mut text = String::new();
    for part in parts {
        if text.len() > enough {
            return Ok((text, false));
        }
        let part = part?;
        if part.text.trim().is_empty() {
            continue;
        }
        if !part.title.is_empty() {
            let _ = writeln!(text, "## {}", part.title);
        }
        text.push_str(part.text.trim_end());
        text.push_str("\n\n");
    }
    text.truncate(text.trim_end().len());
    Ok((text, true))
}

fn whole(text: String) -> Part {
    Part {
        title: String::new(),
        text,
    }
}

/// Parses `3`, `3-5` or `1,4-6`, given the number of parts.
fn chosen(wanted: Option<&str>, count: usize) -> Result<Vec<usize>, Problem> {
    let Some(wanted) = wanted else {
        return Ok((1..=count).collect());
    };
    let wrong = || {
        let problem = format!("`pages`: `{wanted}` is not allowed; write 3, 3-5 or 1,4-6");
        Problem::NotThere(problem)
    };
    let mut numbers = Vec::new();
    for range in wanted.split(',') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let first: usize = first.trim().parse().map_err(|_| wrong())?;
        let last: usize = last.trim().parse().map_err(|_| wrong())?;
        if first == 0 || first > last {
            return Err(wrong());
        }
        numbers.extend(first..=last.min(count));
    }
    if numbers.is_empty() {
        let problem = format!("`pages`: there are only {count}");
        return Err(Problem::NotThere(problem));
    }
    Ok(numbers)
}

#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;
