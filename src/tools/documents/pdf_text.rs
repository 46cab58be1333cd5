//! The words of a page of a PDF: what its operators show, in the letters that its fonts stand for.
//!
//! Protocol: PDF 1.7 (ISO 32000-1), 9.4 on text and 9.10 on what its codes mean.

use std::collections::{BTreeMap, HashMap};

use lopdf::content::{Content, Operation};
use lopdf::{Dictionary, Document, Encoding, Error, Object, ObjectId};

/// A gap in a line from which on it stands between words, in thousandths of the font's size.
const WORD_GAP: f32 = -180.0;
/// How far lines are apart, at least.
const LINE: f32 = 1.0;
/// The most letters that a font's own table has.
const MAX_LETTERS: usize = 100_000;

/// What the codes of a font mean.
enum Letters<'a> {
    /// By a table of its own.
    Own(Table),
    /// By a known encoding.
    Known(Box<Encoding<'a>>),
}

/// A table from codes to letters.
#[derive(Default)]
struct Table {
    /// The bytes of one code.
    width: usize,
    letters: HashMap<u32, String>,
}

/// Returns the words of a page, `most` bounding what each of its streams unpacks to.
pub(super) fn words(pdf: &Document, page: ObjectId, most: usize) -> Result<String, Error> {
    let mut fonts = BTreeMap::new();
    for (name, font) in pdf.get_page_fonts(page)? {
        // A font that cannot be read hides its own words and no others.
        if let Ok(letters) = letters(pdf, font, most) {
            fonts.insert(name, letters);
        }
    }
    let content = Content::decode(&pdf.get_page_content_with_limit(page, most)?)?;
    let mut page = Page {
        fonts,
        ..Page::default()
    };
    for operation in &content.operations {
        page.follow(operation);
    }
    Ok(page.text)
}

fn letters<'a>(pdf: &'a Document, font: &'a Dictionary, most: usize) -> Result<Letters<'a>, Error> {
    let own = font
        .get_deref(b"ToUnicode", pdf)
        .and_then(Object::as_stream);
    if let Ok(stream) = own {
        let table = Table::read(&stream.get_plain_content_with_limit(most)?);
        if !table.letters.is_empty() {
            return Ok(Letters::Own(table));
        }
    }
    let known = font.get_font_encoding_with_limit(pdf, most)?;
    Ok(Letters::Known(Box::new(known)))
}

impl Table {
    /// Reads what there is of it, whatever else stands around it.
    fn read(source: &[u8]) -> Self {
        let mut table = Self {
            width: 1,
            ..Self::default()
        };
        let mut codes: Vec<Vec<u8>> = Vec::new();
        // Where a list began among the codes.
        let mut list = None;
        let mut rest = source;
        while let Some((word, behind)) = next_word(rest) {
            rest = behind;
            match word {
                [b'<', digits @ ..] => codes.push(hex(digits)),
                b"[" => list = Some(codes.len()),
                b"]" => {
                    if let Some(begin) = list.take().filter(|begin| *begin >= 2) {
                        let letters = codes.split_off(begin);
                        let first = codes.get(begin - 2).map_or(0, |code| number(code));
                        codes.truncate(begin - 2);
                        for (code, letter) in (first..).zip(&letters) {
                            table.put(code, utf16(letter));
                        }
                    }
                }
                b"endcodespacerange" => {
                    let width = codes.first().map_or(1, Vec::len);
                    table.width = width.clamp(1, 4);
                }
                b"endbfchar" => {
                    for pair in codes.chunks_exact(2) {
                        table.put(number(&pair[0]), utf16(&pair[1]));
                    }
                }
                b"endbfrange" => {
                    for range in codes.chunks_exact(3) {
                        table.put_range(number(&range[0]), number(&range[1]), &range[2]);
                    }
                }
                _ => {}
            }
            if word.starts_with(b"begin") || word.starts_with(b"end") {
                codes.clear();
            }
        }
        table
    }

    fn put(&mut self, code: u32, letter: String) {
        if self.letters.len() < MAX_LETTERS {
            self.letters.insert(code, letter);
        }
    }

    /// The last unit of the letter counts up with the code.
    fn put_range(&mut self, first: u32, last: u32, letter: &[u8]) {
        let (head, tail) = letter.split_at(letter.len().saturating_sub(2));
        let last = last.min(first.saturating_add(0xffff));
        for (place, code) in (first..=last).enumerate() {
            let unit = number(tail).wrapping_add(place as u32) as u16;
            let letter = [head, unit.to_be_bytes().as_slice()].concat();
            self.put(code, utf16(&letter));
        }
    }

    fn decode(&self, codes: &[u8]) -> String {
        let letters = codes.chunks(self.width).map(number);
        letters
            .filter_map(|code| self.letters.get(&code).map(String::as_str))
            .collect()
    }
}

/// Returns the next word of a table, and what is behind it. A code keeps the `<` before it.
fn next_word(source: &[u8]) -> Option<(&[u8], &[u8])> {
    let begin = source
        .iter()
        .position(|byte| !byte.is_ascii_whitespace() && *byte != b'>')?;
    let source = &source[begin..];
    let ends = |byte: &u8| byte.is_ascii_whitespace() || b"<>[]/".contains(byte);
    let end = match source[0] {
        b'[' | b']' => 1,
        b'<' => source
            .iter()
            .position(|byte| *byte == b'>')
            .unwrap_or(source.len()),
        _ => source[1..]
            .iter()
            .position(ends)
            .map_or(source.len(), |end| end + 1),
    };
    Some(source.split_at(end))
}

fn hex(digits: &[u8]) -> Vec<u8> {
    let values = digits
        .iter()
        .filter_map(|digit| char::from(*digit).to_digit(16));
    let values: Vec<u8> = values.map(|value| value as u8).collect();
    let pairs = values.chunks(2);
    pairs
        .map(|pair| pair[0] << 4 | pair.get(1).copied().unwrap_or(0))
        .collect()
}

fn number(bytes: &[u8]) -> u32 {
    let bytes = bytes.iter().take(4);
    bytes.fold(0, |number, byte| number << 8 | u32::from(*byte))
}

fn utf16(bytes: &[u8]) -> String {
    let units: Vec<u16> = bytes.chunks(2).map(|unit| number(unit) as u16).collect();
    String::from_utf16_lossy(&units)
}

/// What was shown of a page so far.
#[derive(Default)]
struct Page<'a> {
    fonts: BTreeMap<Vec<u8>, Letters<'a>>,
    /// The name of the font.
    font: Vec<u8>,
    /// Where the line begins, and how large a step is.
    at: (f32, f32),
    scale: f32,
    /// Where something was shown last.
    shown_at: Option<(f32, f32)>,
    text: String,
}

impl Page<'_> {
    fn follow(&mut self, operation: &Operation) {
        let operands = &operation.operands;
        let decimal = |place: usize| {
            let operand = operands.get(place).map(Object::as_float);
            operand.and_then(Result::ok).unwrap_or(0.0)
        };
        match operation.operator.as_str() {
            "BT" => (self.at, self.scale) = ((0.0, 0.0), 1.0),
            "Tf" => {
                let name = operands.first().and_then(|name| name.as_name().ok());
                self.font = name.unwrap_or_default().to_vec();
            }
            "Td" | "TD" => {
                self.at.0 += decimal(0) * self.scale;
                self.at.1 += decimal(1) * self.scale;
            }
            "Tm" => {
                self.scale = decimal(3).abs().max(f32::MIN_POSITIVE);
                self.at = (decimal(4), decimal(5));
            }
            "T*" => self.end_line(),
            "'" | "\"" => {
                self.end_line();
                self.show_all(operands);
            }
            "Tj" | "TJ" => {
                self.move_there();
                self.show_all(operands);
            }
            _ => {}
        }
    }

    /// Begins a new line, or a new word, where something is shown elsewhere than right behind what was.
    fn move_there(&mut self) {
        let Some(before) = self.shown_at.replace(self.at) else {
            return;
        };
        if (before.1 - self.at.1).abs() > LINE {
            self.end_line();
        } else if before != self.at {
            self.end_word();
        }
    }

    fn end_line(&mut self) {
        if !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    fn end_word(&mut self) {
        if !self.text.ends_with(char::is_whitespace) {
            self.text.push(' ');
        }
    }

    fn show_all(&mut self, operands: &[Object]) {
        for operand in operands {
            self.show(operand);
        }
    }

    fn show(&mut self, operand: &Object) {
        match operand {
            Object::String(codes, _) => {
                let shown = match self.fonts.get(&self.font) {
                    Some(Letters::Own(table)) => table.decode(codes),
                    Some(Letters::Known(known)) => {
                        Document::decode_text(known, codes).unwrap_or_default()
                    }
                    None => String::new(),
                };
                self.text.push_str(&shown);
            }
            Object::Array(pieces) => {
                for piece in pieces {
                    match piece.as_float() {
                        Ok(gap) if gap < WORD_GAP => self.end_word(),
                        Ok(_) => {}
                        Err(_) => self.show_string(piece),
                    }
                }
            }
            _ => {}
        }
    }

    /// Arrays stand in no other.
    fn show_string(&mut self, piece: &Object) {
        if let Object::String(..) = piece {
            self.show(piece);
        }
    }
}
