//! XML, one piece after the other: never nested in our own calls, and never deeper than a document is.

use quick_xml::Reader;
use quick_xml::events::{BytesRef, BytesStart, Event};

use super::Problem;

/// How deeply elements may stand in each other.
const MAX_DEPTH: usize = 256;

/// A piece of a document.
pub(super) enum Piece<'x> {
    /// An element begins.
    Open(&'x BytesStart<'x>),
    /// An element with this local name ends.
    Close(&'x str),
    /// Text.
    Text(&'x str),
}

/// Shows all pieces to `visit`, in order. An empty element begins and ends.
pub(super) fn walk(
    xml: &str,
    mut visit: impl FnMut(Piece<'_>) -> Result<(), Problem>,
) -> Result<(), Problem> {
    let mut reader = Reader::from_str(xml);
    let mut depth = 0_usize;
    loop {
        match reader.read_event().map_err(|error| damaged(&error))? {
            Event::Start(tag) => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return Err(Problem::TooDeep);
                }
                visit(Piece::Open(&tag))?;
            }
            Event::Empty(tag) => {
                visit(Piece::Open(&tag))?;
                visit(Piece::Close(local_name(tag.name().as_ref())))?;
            }
            Event::End(tag) => {
                depth = depth.saturating_sub(1);
                visit(Piece::Close(local_name(tag.name().as_ref())))?;
            }
            Event::Text(text) => visit(Piece::Text(&text))?,
            Event::CData(text) => visit(Piece::Text(&text))?,
            Event::GeneralRef(name) => {
                let mut letter = [0; 4];
                visit(Piece::Text(meant(&name, &mut letter)))?;
            }
            // Entities of its own are never unfolded.
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
            Event::Eof if depth > 0 => {
                return Err(Problem::Damaged("its markup ends too early".to_owned()));
            }
            Event::Eof => return Ok(()),
        }
    }
}

/// Returns the name of an element without its prefix.
pub(super) fn name<'x>(tag: &'x BytesStart<'_>) -> &'x str {
    local_name(tag.name().0)
}

/// Returns an attribute by its name without its prefix.
pub(super) fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let mut attributes = tag.attributes();
    let mut attributes = attributes.with_checks(false).flatten();
    let found = attributes.find(|attribute| local_name(attribute.key.as_ref()) == name)?;
    let value = found.normalized_value(quick_xml::XmlVersion::Implicit1_0);
    Some(value.ok()?.into_owned())
}

fn local_name(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}

fn meant<'l>(reference: &BytesRef<'_>, letter: &'l mut [u8; 4]) -> &'l str {
    match reference.resolve_char_ref() {
        Ok(Some(found)) => found.encode_utf8(letter),
        Ok(None) | Err(_) => {
            quick_xml::escape::resolve_predefined_entity(reference).unwrap_or_default()
        }
    }
}

fn damaged(error: &quick_xml::Error) -> Problem {
    Problem::Damaged(error.to_string())
}
