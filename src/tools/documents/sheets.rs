//! Spreadsheets of Excel: each sheet as rows of cells apart by tabs.
//!
//! `calamine` reads the cells one after the other, so a sheet that claims to have seventeen billion
//! of them costs what is in it. Sheets of OpenDocument are read in `open_document.rs`: `calamine`
//! builds the whole rectangle of those, gives numbers in place of what the cells show, and refuses
//! files without a manifest.

use std::io::Cursor;

use calamine::{
    DataRef, ExcelDateTime, ExcelDateTimeType, Reader as _, SheetType, Xlsx, XlsxError,
};

use super::package::Package;
use super::{Document, Part, Problem};

/// How many empty cells in a row are written out.
const MAX_GAP: u32 = 256;
/// The first number behind the last day of Excel, 31 December 9999.
const END_OF_DAYS: f64 = 2_958_466.0;
const SECONDS_OF_DAY: f64 = 86_400.0;
/// Between these a number is written without an exponent.
const PLAIN_NUMBERS: std::ops::Range<f64> = 1e-6..1e16;

/// Opens a workbook.
pub(super) fn open<'a>(
    package: &Package<'a>,
    sheet: Option<&str>,
) -> Result<Document<'a>, Problem> {
    package.check_markup()?;
    let mut book = Xlsx::new(Cursor::new(package.bytes())).map_err(damaged)?;
    let sheets = book.sheets_metadata().iter();
    let names: Vec<String> = sheets
        .filter(|sheet| sheet.typ == SheetType::WorkSheet)
        .map(|sheet| sheet.name.clone())
        .collect();
    let about = format!("XLSX, sheets: {}", names.join(", "));
    let wanted = pick(&names, sheet)?;
    let chosen = names
        .into_iter()
        .enumerate()
        .filter(move |(place, _)| wanted.is_none_or(|wanted| wanted == *place));
    let read = move |(_, name): (usize, String)| {
        Ok(Part {
            text: rows(&mut book, &name)?,
            title: format!("sheet {name}"),
        })
    };
    Ok(Document {
        about,
        parts: Box::new(chosen.map(read)),
        without_text: "there is nothing in these cells",
    })
}

/// Returns the place of the sheet that is wanted, by its name or its number.
pub(super) fn pick(names: &[String], wanted: Option<&str>) -> Result<Option<usize>, Problem> {
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

/// Returns a text that stays in its cell.
pub(super) fn in_one_line(text: &str) -> String {
    text.replace(['\n', '\r', '\t'], " ")
}

fn rows(book: &mut Xlsx<Cursor<&[u8]>>, name: &str) -> Result<String, Problem> {
    let counts_from_1904 = book.has_1904_epoch();
    let mut cells = book.worksheet_cells_reader(name).map_err(damaged)?;
    let mut rows = String::new();
    let mut line = String::new();
    let (mut row, mut column) = (0, 0);
    while let Some(cell) = cells.next_cell().map_err(damaged)? {
        let place = cell.get_position();
        if place.0 != row {
            end_row(&mut rows, &mut line);
            (row, column) = (place.0, 0);
        }
        let gap = place.1.saturating_sub(column).min(MAX_GAP);
        line.push_str(&"\t".repeat(gap as usize));
        column = place.1;
        line.push_str(&shown(cell.get_value(), counts_from_1904));
    }
    end_row(&mut rows, &mut line);
    Ok(rows)
}

fn end_row(rows: &mut String, line: &mut String) {
    let written = line.trim_end();
    if !written.is_empty() {
        rows.push_str(written);
        rows.push('\n');
    }
    line.clear();
}

fn shown(value: &DataRef<'_>, counts_from_1904: bool) -> String {
    match value {
        DataRef::Empty => String::new(),
        DataRef::Int(number) => number.to_string(),
        DataRef::Float(number) => number_text(*number),
        DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => {
            in_one_line(text.trim())
        }
        DataRef::SharedString(text) => in_one_line(text),
        DataRef::Bool(true) => "TRUE".to_owned(),
        DataRef::Bool(false) => "FALSE".to_owned(),
        DataRef::Error(error) => error.to_string(),
        DataRef::DateTime(time) if time.is_duration() => duration(time.as_f64()),
        DataRef::DateTime(time) => date(time.as_f64(), counts_from_1904),
    }
}

fn number_text(number: f64) -> String {
    if number == 0.0 || PLAIN_NUMBERS.contains(&number.abs()) {
        number.to_string()
    } else {
        format!("{number:e}")
    }
}

/// Returns the day and the time that a number stands for, to the second; without a day where it is
/// less than one.
fn date(serial: f64, counts_from_1904: bool) -> String {
    if !(0.0..END_OF_DAYS).contains(&serial) {
        return number_text(serial);
    }
    let whole = (serial * SECONDS_OF_DAY).round() / SECONDS_OF_DAY;
    let time = ExcelDateTime::new(whole, ExcelDateTimeType::DateTime, counts_from_1904);
    let (year, month, day, hour, minute, second, _) = time.to_ymd_hms_milli();
    let seconds = match second {
        0 => String::new(),
        second => format!(":{second:02}"),
    };
    let clock = format!("{hour:02}:{minute:02}{seconds}");
    let day = format!("{year:04}-{month:02}-{day:02}");
    match clock.as_str() {
        _ if serial > 0.0 && whole < 1.0 => clock,
        "00:00" => day,
        clock => format!("{day} {clock}"),
    }
}

/// Returns a length of time in hours, minutes and seconds.
fn duration(days: f64) -> String {
    let seconds = (days.abs() * SECONDS_OF_DAY).round() as u64;
    let sign = if days < 0.0 { "-" } else { "" };
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match seconds {
        0 => format!("{sign}{hours}:{minutes:02}"),
        seconds => format!("{sign}{hours}:{minutes:02}:{seconds:02}"),
    }
}

fn damaged(error: XlsxError) -> Problem {
    match error {
        XlsxError::Password => Problem::Encrypted,
        error => Problem::Damaged(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::{date, duration, number_text};

    #[test]
    fn numbers_are_the_dates_that_excel_shows() {
        let shown = |serial| date(serial, false);
        assert_eq!(shown(25_569.0), "1970-01-01");
        assert_eq!(shown(46_348.0), "2026-11-22");
        assert_eq!(shown(45_351.5), "2024-02-29 12:00");
        assert_eq!(shown(45_351.500_35), "2024-02-29 12:00:30");
        assert_eq!(shown(60_000.999_999_9), "2064-04-09");
        assert_eq!(shown(0.75), "18:00");
        assert_eq!(shown(f64::NAN), "NaN");
        assert_eq!(shown(-3.0), "-3");
        assert_eq!(date(44_886.0, true), "2026-11-22");
    }

    #[test]
    fn lengths_of_time_and_numbers_are_written_as_people_write_them() {
        assert_eq!(duration(1.104_166_666_67), "26:30");
        assert_eq!(duration(-0.000_694_444), "-0:01");
        assert_eq!(duration(10.0 / 86_400.0), "0:00:10");
        assert_eq!(number_text(123_456_789_012_345.0), "123456789012345");
        assert_eq!(number_text(-2.5), "-2.5");
        assert_eq!(number_text(1e300), "1e300");
        assert_eq!(number_text(0.0), "0");
    }
}
