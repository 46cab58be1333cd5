//! PDF, page by page.

use lopdf::{Document as Pdf, Error, LoadOptions};

use super::pdf_text::words;
use super::{Document, Part, Problem, chosen};

/// The most bytes that one stream of it unpacks to.
const MAX_STREAM: usize = 64 * 1024 * 1024;
/// How far from its beginning a PDF may begin (PDF 1.7, implementation note 13).
const HEAD_BYTES: usize = 1024;

/// Returns whether something begins as a PDF.
pub(super) fn is_pdf(bytes: &[u8]) -> bool {
    let head = bytes.get(..HEAD_BYTES.min(bytes.len())).unwrap_or_default();
    head.windows(5).any(|window| window == b"%PDF-")
}

/// Opens it; `pages` says which of them.
pub(super) fn open(bytes: &[u8], pages: Option<&str>) -> Result<Document<'static>, Problem> {
    let options = LoadOptions {
        max_decompressed_size: Some(MAX_STREAM),
        ..LoadOptions::default()
    };
    let pdf = Pdf::load_mem_with_options(bytes, options).map_err(|error| problem(&error))?;
    // One that anybody may read is open by now.
    if pdf.is_encrypted() {
        return Err(Problem::Encrypted);
    }
    let pages_of_pdf = pdf.get_pages();
    let count = pages_of_pdf.len();
    if count == 0 {
        return Err(Problem::Damaged("it has no pages".to_owned()));
    }
    let numbers = chosen(pages, count)?;
    let read = move |number: usize| {
        let page = u32::try_from(number)
            .ok()
            .and_then(|number| pages_of_pdf.get(&number))
            .ok_or_else(|| Problem::Damaged("a page is missing".to_owned()))?;
        Ok(Part {
            title: format!("page {number}"),
            text: words(&pdf, *page, MAX_STREAM).map_err(|error| problem(&error))?,
        })
    };
    Ok(Document {
        about: format!("PDF, {count} pages"),
        parts: Box::new(numbers.into_iter().map(read)),
        without_text: "these pages have no text: they are pictures, as of a scan, and pictures of \
                       text are not read here",
    })
}

fn problem(error: &Error) -> Problem {
    match error {
        Error::Decryption(_) | Error::InvalidPassword | Error::AlreadyEncrypted => {
            Problem::Encrypted
        }
        Error::Decompress(_) => Problem::TooLarge,
        other => Problem::Damaged(other.to_string()),
    }
}
