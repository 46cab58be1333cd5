//! Spreadsheets of Excel: each sheet as rows of cells apart by tabs.

use std::collections::HashMap;
use std::rc::Rc;

use super::markup::{Piece, attribute, name, walk};
use super::package::Package;
use super::{Document, Part, Problem};

/// How many empty cells in a row are written out.
const MAX_GAP: usize = 256;
/// Formats of numbers that are dates or times without being written down in the file (ECMA-376 part 1,
/// 18.8.30).
const DATE_FORMATS: [std::ops::RangeInclusive<u32>; 4] = [14..=22, 27..=36, 45..=47, 50..=58];
/// The number of 1 January 1970. Before March 1900 Excel is a day off, for a 29 February that never
/// was.
const EPOCH_DAYS: i64 = 25_569;

/// What cells refer to.
#[derive(Default)]
struct Shared {
    texts: Vec<String>,
    /// Which styles show a number as a date.
    dates: Vec<bool>,
}

/// Opens a workbook.
pub(super) fn open<'a>(package: Package<'a>, sheet: Option<&str>) -> Result<Document<'a>, Problem> {
    let sheets = sheets(&package)?;
    let names: Vec<&str> = sheets.iter().map(|(name, _)| name.as_str()).collect();
    let about = format!("XLSX, sheets: {}", names.join(", "));
    let wanted = pick(&names, sheet)?;
    let shared = Rc::new(Shared {
        texts: texts(&package)?,
        dates: dates(&package)?,
    });
    let chosen: Vec<_> = sheets
        .into_iter()
        .enumerate()
        .filter(|(place, _)| wanted.is_none_or(|wanted| wanted == *place))
        .collect();
    let read = move |(_, (name, path)): (usize, (String, String))| {
        Ok(Part {
            title: format!("sheet {name}"),
            text: rows(&package.text(&path)?, &shared)?,
        })
    };
    Ok(Document {
        about,
        parts: Box::new(chosen.into_iter().map(read)),
        without_text: "there is nothing in these cells",
    })
}

/// Returns the place of the sheet that is wanted, by its name or its number.
pub(super) fn pick(names: &[&str], wanted: Option<&str>) -> Result<Option<usize>, Problem> {
    let Some(wanted) = wanted else {
        return Ok(None);
    };
    let by_name = names.iter().position(|name| *name == wanted);
    let by_number = || wanted.parse::<usize>().ok()?.checked_sub(1);
    let place = by_name.or_else(by_number);
    let place = place.filter(|place| *place < names.len());
    let not_there = || {
        let names = names.join(", ");
        let problem = format!("`sheet`: there is no `{wanted}`; there are {names}");
        Problem::NotThere(problem)
    };
    place.map(Some).ok_or_else(not_there)
}

/// Returns the names of the sheets with the files that they are in.
fn sheets(package: &Package<'_>) -> Result<Vec<(String, String)>, Problem> {
    let mut files = HashMap::new();
    walk(&package.text("xl/_rels/workbook.xml.rels")?, |piece| {
        if let Piece::Open(tag) = piece
            && name(tag) == "Relationship"
            && let (Some(id), Some(target)) = (attribute(tag, "Id"), attribute(tag, "Target"))
        {
            let path = match target.strip_prefix('/') {
                Some(path) => path.to_owned(),
                None => format!("xl/{target}"),
            };
            files.insert(id, path);
        }
        Ok(())
    })?;
    let mut sheets = Vec::new();
    walk(&package.text("xl/workbook.xml")?, |piece| {
        if let Piece::Open(tag) = piece
            && name(tag) == "sheet"
            && let (Some(name), Some(id)) = (attribute(tag, "name"), attribute(tag, "id"))
            && let Some(path) = files.get(&id).filter(|path| path.contains("worksheets/"))
        {
            sheets.push((name, path.clone()));
        }
        Ok(())
    })?;
    Ok(sheets)
}

/// Returns the texts that cells share.
fn texts(package: &Package<'_>) -> Result<Vec<String>, Problem> {
    const FILE: &str = "xl/sharedStrings.xml";
    let mut texts: Vec<String> = Vec::new();
    if !package.has(FILE) {
        return Ok(texts);
    }
    // How a word is spoken (`rPh`) is not the word.
    let (mut in_text, mut spoken) = (false, false);
    walk(&package.text(FILE)?, |piece| {
        match piece {
            Piece::Open(tag) => match name(tag) {
                "si" => texts.push(String::new()),
                "rPh" => spoken = true,
                "t" => in_text = !spoken,
                _ => {}
            },
            Piece::Close("rPh") => spoken = false,
            Piece::Close("t") => in_text = false,
            Piece::Close(_) => {}
            Piece::Text(text) => {
                if let Some(last) = texts.last_mut().filter(|_| in_text) {
                    last.push_str(text);
                }
            }
        }
        Ok(())
    })?;
    Ok(texts)
}

/// Returns which styles of cells show dates.
fn dates(package: &Package<'_>) -> Result<Vec<bool>, Problem> {
    const FILE: &str = "xl/styles.xml";
    let mut dates = Vec::new();
    if !package.has(FILE) {
        return Ok(dates);
    }
    let mut own = HashMap::new();
    let mut in_cells = false;
    walk(&package.text(FILE)?, |piece| {
        match piece {
            Piece::Open(tag) => match name(tag) {
                "numFmt" => {
                    if let (Some(id), Some(code)) =
                        (attribute(tag, "numFmtId"), attribute(tag, "formatCode"))
                    {
                        own.insert(id, shows_date(&code));
                    }
                }
                "cellXfs" => in_cells = true,
                "xf" if in_cells => {
                    let id = attribute(tag, "numFmtId").unwrap_or_default();
                    let number = id.parse().unwrap_or(0);
                    let usual = || DATE_FORMATS.iter().any(|range| range.contains(&number));
                    dates.push(own.get(&id).copied().unwrap_or_else(usual));
                }
                _ => {}
            },
            Piece::Close("cellXfs") => in_cells = false,
            Piece::Close(_) | Piece::Text(_) => {}
        }
        Ok(())
    })?;
    Ok(dates)
}

/// Returns whether a format is one of dates: outside of quotes and brackets it has days or years.
fn shows_date(code: &str) -> bool {
    let (mut in_quotes, mut in_brackets) = (false, false);
    code.chars().any(|letter| {
        match letter {
            '"' => in_quotes = !in_quotes,
            '[' => in_brackets = true,
            ']' => in_brackets = false,
            _ => {}
        }
        !in_quotes && !in_brackets && matches!(letter, 'y' | 'Y' | 'd' | 'D')
    })
}

/// A cell while it is read.
#[derive(Default)]
struct Cell {
    column: usize,
    kind: String,
    is_date: bool,
    value: String,
}

fn rows(xml: &str, shared: &Shared) -> Result<String, Problem> {
    let mut rows = String::new();
    let mut row: Vec<(usize, String)> = Vec::new();
    let mut cell = Cell::default();
    let mut in_value = false;
    walk(xml, |piece| {
        match piece {
            Piece::Open(tag) => match name(tag) {
                "row" => row.clear(),
                "c" => {
                    let next = row.last().map_or(0, |(column, _)| column + 1);
                    let style = attribute(tag, "s").and_then(|style| style.parse().ok());
                    cell = Cell {
                        column: attribute(tag, "r").map_or(next, |place| column_of(&place)),
                        kind: attribute(tag, "t").unwrap_or_default(),
                        is_date: shared.dates.get(style.unwrap_or(0)) == Some(&true),
                        value: String::new(),
                    };
                }
                "v" | "t" => in_value = true,
                _ => {}
            },
            Piece::Close("v" | "t") => in_value = false,
            Piece::Close("c") => row.push((cell.column, shown(&cell, shared))),
            Piece::Close("row") => write_row(&mut rows, &row),
            Piece::Close(_) => {}
            Piece::Text(text) => {
                if in_value {
                    cell.value.push_str(text);
                }
            }
        }
        Ok(())
    })?;
    Ok(rows)
}

fn shown(cell: &Cell, shared: &Shared) -> String {
    let value = cell.value.trim();
    let text = match cell.kind.as_str() {
        "s" => {
            let place: Option<usize> = value.parse().ok();
            let text = place.and_then(|place| shared.texts.get(place));
            text.map_or("", String::as_str)
        }
        "b" if value == "1" => "TRUE",
        "b" => "FALSE",
        "" | "n" if cell.is_date => {
            let serial: Option<f64> = value.parse().ok();
            return serial.and_then(date).unwrap_or_else(|| value.to_owned());
        }
        _ => value,
    };
    in_one_line(text)
}

/// Returns a text that stays in its cell.
pub(super) fn in_one_line(text: &str) -> String {
    text.replace(['\n', '\r', '\t'], " ")
}

/// Writes a row, empty cells before others included.
fn write_row(rows: &mut String, row: &[(usize, String)]) {
    let mut at = 0;
    let mut line = String::new();
    for (column, text) in row {
        let gap = column.saturating_sub(at);
        line.push_str(&"\t".repeat(gap.min(MAX_GAP)));
        line.push_str(text);
        at = *column;
    }
    let line = line.trim_end();
    if !line.is_empty() {
        rows.push_str(line);
        rows.push('\n');
    }
}

/// Returns the number of the column in `AB12`, from 0.
fn column_of(place: &str) -> usize {
    let letters = place.bytes().take_while(u8::is_ascii_alphabetic).take(4);
    let number = letters.fold(0, |number, letter| {
        number * 26 + usize::from(letter.to_ascii_uppercase() - b'A') + 1
    });
    number.saturating_sub(1)
}

/// Returns the day, and the time of it where there is one, that a number stands for.
fn date(serial: f64) -> Option<String> {
    if !(1.0..2_958_466.0).contains(&serial) {
        return None;
    }
    let minutes = (serial.fract() * 24.0 * 60.0).round() as i64;
    let days = serial.trunc() as i64 - EPOCH_DAYS + minutes / (24 * 60);
    let minutes = minutes % (24 * 60);
    let (year, month, day) = civil(days);
    let day = format!("{year:04}-{month:02}-{day:02}");
    Some(if minutes == 0 {
        day
    } else {
        format!("{day} {:02}:{:02}", minutes / 60, minutes % 60)
    })
}

/// Returns the date of a number of days since 1970 (the algorithm of Howard Hinnant,
/// "chrono-Compatible Low-Level Date Algorithms").
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::{column_of, date, shows_date};

    #[test]
    fn numbers_are_the_dates_that_excel_shows() {
        let shown = |serial| date(serial).unwrap_or_default();
        assert_eq!(shown(25_569.0), "1970-01-01");
        assert_eq!(shown(46_348.0), "2026-11-22");
        assert_eq!(shown(45_351.5), "2024-02-29 12:00");
        assert_eq!(shown(60_000.999_999_9), "2064-04-09");
        assert_eq!(shown(f64::NAN), "");
        assert!(shows_date("yyyy\\-mm\\-dd") && !shows_date("0.00 \"days\""));
        assert!(!shows_date("[Red]0.00"));
        assert_eq!((column_of("A1"), column_of("AB12")), (0, 27));
    }
}
