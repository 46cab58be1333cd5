//! Here-documents whose end every shell finds in the same place.

use super::Ambiguity;
use super::cursor::{Cursor, ends_word};

/// A here-document whose body comes after the line.
#[derive(Debug)]
pub(crate) struct HereDocument<'a> {
    /// Its delimiter, as written.
    pub written: &'a str,
    /// Its delimiter, without quotes.
    pub delimiter: &'a str,
    strips_tabs: bool,
    /// Whether nothing in it is expanded.
    is_quoted: bool,
}

/// Reads the delimiter behind `<<` or `<<-`: letters and digits, all or none of them quoted.
pub(crate) fn read_delimiter<'a>(
    cursor: &mut Cursor<'a>,
    strips_tabs: bool,
) -> Result<HereDocument<'a>, Ambiguity> {
    cursor.skip(|letter| letter == ' ' || letter == '\t');
    let written = cursor.take_until(ends_word);
    let quoted = ['\'', '"'].into_iter().find_map(|quote| {
        let inner = written.strip_prefix(quote)?;
        inner.strip_suffix(quote)
    });
    let delimiter = quoted.unwrap_or(written);
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    if delimiter.is_empty() || !delimiter.chars().all(is_plain) {
        return Err(Ambiguity::HereDocument);
    }
    Ok(HereDocument {
        written,
        delimiter,
        strips_tabs,
        is_quoted: quoted.is_some(),
    })
}

impl HereDocument<'_> {
    /// Reads its body and the line that ends it.
    pub(crate) fn read_body(&self, cursor: &mut Cursor<'_>) -> Result<String, Ambiguity> {
        let mut body = String::new();
        while !cursor.rest().is_empty() {
            let line = cursor.take_until(|letter| letter == '\n');
            cursor.next();
            let line = if self.strips_tabs {
                line.trim_start_matches('\t')
            } else {
                line
            };
            if line == self.delimiter {
                return Ok(body);
            }
            if !self.is_quoted && (line.ends_with('\\') || expands_oddly(line)) {
                return Err(Ambiguity::HereDocument);
            }
            body.push_str(line);
            body.push('\n');
        }
        Err(Ambiguity::HereDocument)
    }
}

/// Returns whether a line has an expansion that may hold the end of the document.
fn expands_oddly(line: &str) -> bool {
    ["`", "${", "$(", "$["]
        .iter()
        .any(|begin| line.contains(begin))
}
