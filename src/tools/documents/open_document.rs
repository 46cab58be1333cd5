//! Documents, spreadsheets and slides of OpenDocument, all of which are one file of markup.

use super::markup::{Piece, attribute, name, walk};
use super::package::Package;
use super::paragraphs::{Words, flowing};
use super::sheets::{in_one_line, pick};
use super::{Document, Part, Problem, whole};

/// How often a row or a cell that stands for several is written out.
const MAX_REPEATS: usize = 256;

/// Opens it.
pub(super) fn open(
    package: &Package<'_>,
    sheet: Option<&str>,
) -> Result<Document<'static>, Problem> {
    let kind = package.text("mimetype")?;
    let xml = package.text("content.xml")?;
    if kind.contains("spreadsheet") {
        return open_sheets(&xml, sheet);
    }
    let about = if kind.contains("presentation") {
        "ODP"
    } else {
        "ODT"
    };
    let text = flowing(&xml, Words::InParagraphs)?;
    Ok(Document {
        about: about.to_owned(),
        parts: Box::new(std::iter::once(Ok(whole(text)))),
        without_text: "there is no text in it",
    })
}

fn open_sheets(xml: &str, sheet: Option<&str>) -> Result<Document<'static>, Problem> {
    let sheets = sheets(xml)?;
    let names: Vec<String> = sheets.iter().map(|(name, _)| name.clone()).collect();
    let about = format!("ODS, sheets: {}", names.join(", "));
    let wanted = pick(&names, sheet)?;
    let parts: Vec<_> = sheets
        .into_iter()
        .enumerate()
        .filter(|(place, _)| wanted.is_none_or(|wanted| wanted == *place))
        .map(|(_, (name, text))| {
            Ok(Part {
                title: format!("sheet {name}"),
                text,
            })
        })
        .collect();
    Ok(Document {
        about,
        parts: Box::new(parts.into_iter()),
        without_text: "there is nothing in these cells",
    })
}

/// Returns each sheet by its name, as rows of cells apart by tabs.
fn sheets(xml: &str) -> Result<Vec<(String, String)>, Problem> {
    let mut sheets: Vec<(String, String)> = Vec::new();
    let (mut row, mut cell) = (String::new(), String::new());
    let (mut repeats, mut in_text) = (1, 0_usize);
    walk(xml, |piece| {
        match piece {
            Piece::Open(tag) => match name(tag) {
                "table" => sheets.push((attribute(tag, "name").unwrap_or_default(), String::new())),
                "table-row" => row.clear(),
                "table-cell" | "covered-table-cell" => {
                    cell.clear();
                    repeats = attribute(tag, "number-columns-repeated")
                        .and_then(|count| count.parse().ok())
                        .unwrap_or(1)
                        .min(MAX_REPEATS);
                }
                "p" => in_text += 1,
                _ => {}
            },
            Piece::Close("p") => {
                in_text = in_text.saturating_sub(1);
                cell.push(' ');
            }
            Piece::Close("table-cell" | "covered-table-cell") => {
                let text = format!("{}\t", in_one_line(cell.trim()));
                row.push_str(&text.repeat(repeats));
            }
            Piece::Close("table-row") => {
                let line = row.trim_end();
                if let Some((_, rows)) = sheets.last_mut().filter(|_| !line.is_empty()) {
                    rows.push_str(line);
                    rows.push('\n');
                }
            }
            Piece::Close(_) => {}
            Piece::Text(text) => {
                if in_text > 0 {
                    cell.push_str(text);
                }
            }
        }
        Ok(())
    })?;
    Ok(sheets)
}
