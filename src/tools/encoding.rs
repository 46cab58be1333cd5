//! The encodings of text files: which one a file is in, its text, and a text in the encoding that a
//! file has already.
//!
//! Detection order: a byte order mark, then UTF-8 validity, then the positions of the zero bytes of
//! UTF-16 and UTF-32. Otherwise the encoding is guessed from the characters, and the reader is
//! informed of that. Data with control characters is not text in any encoding.

use std::borrow::Cow;
use std::fmt;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{EUC_JP, Encoding, GB18030, GBK, SHIFT_JIS, UTF_8};

/// The longest file that is decoded, in bytes: longer ones are read as UTF-8, piece by piece.
pub(crate) const DECODED_BYTES: u64 = 16 * 1024 * 1024;
/// What stands before UTF-8 on Windows.
const UTF_8_MARK: &[u8] = b"\xef\xbb\xbf";
/// How far into markup its encoding may be declared, in bytes (HTML standard, section 4.2.5.4).
const DECLARED_WITHIN: usize = 1024;
/// How many valid UTF-8 characters damaged UTF-8 must have for each invalid byte; texts in other
/// encodings contain few sequences that happen to be valid UTF-8.
const VALID_FOR_ONE_DAMAGED: usize = 4;
/// In text without a byte order mark, at most one character in this many is something else than a
/// letter, digit, blank or punctuation.
const ODD_ONE_IN: usize = 20;
/// In Japanese text, at least one character in this many is hiragana.
const HIRAGANA_ONE_IN: usize = 5;

/// How a text is written in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextEncoding {
    /// UTF-8.
    Utf8(Mark),
    /// UTF-16.
    Utf16(Order, Mark),
    /// UTF-32.
    Utf32(Order, Mark),
    /// Another one, which the file itself declares.
    Declared(&'static Encoding),
    /// Another one, as its letters look.
    Guessed(&'static Encoding),
}

/// Whether a byte order mark stands first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// It does.
    Present,
    /// It does not.
    Absent,
}

/// Which byte of a unit comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The least.
    Little,
    /// The greatest.
    Big,
}

/// A file as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded<'a> {
    /// The text, without a byte order mark.
    pub text: Cow<'a, str>,
    /// What it was in.
    pub encoding: TextEncoding,
}

impl fmt::Display for TextEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order = |order: &Order| match order {
            Order::Little => "LE",
            Order::Big => "BE",
        };
        match self {
            Self::Utf8(Mark::Absent) => f.write_str("UTF-8"),
            Self::Utf8(Mark::Present) => f.write_str("UTF-8 with a byte order mark"),
            Self::Utf16(it, _) => write!(f, "UTF-16{}", order(it)),
            Self::Utf32(it, _) => write!(f, "UTF-32{}", order(it)),
            Self::Declared(it) => f.write_str(it.name()),
            Self::Guessed(it) if *it == GB18030 => f.write_str("GB18030 (GBK), by guess"),
            Self::Guessed(it) => write!(f, "{}, by guess", it.name()),
        }
    }
}

impl TextEncoding {
    /// Returns whether it is what everything here is in.
    pub fn is_plain(self) -> bool {
        self == Self::Utf8(Mark::Absent)
    }

    /// Returns a text in this encoding; `None` where it has a letter that the encoding has not.
    pub fn encode(self, text: &str) -> Option<Vec<u8>> {
        let marked = |mark: Mark| {
            let mark = match mark {
                Mark::Present if !text.starts_with('\u{feff}') => "\u{feff}",
                Mark::Present | Mark::Absent => "",
            };
            [mark, text].concat()
        };
        match self {
            Self::Utf8(mark) => Some(marked(mark).into_bytes()),
            Self::Utf16(order, mark) => {
                let text = marked(mark);
                let bytes = text.encode_utf16().flat_map(|unit| match order {
                    Order::Little => unit.to_le_bytes(),
                    Order::Big => unit.to_be_bytes(),
                });
                Some(bytes.collect())
            }
            Self::Utf32(order, mark) => {
                let text = marked(mark);
                let bytes = text.chars().flat_map(|letter| match order {
                    Order::Little => u32::from(letter).to_le_bytes(),
                    Order::Big => u32::from(letter).to_be_bytes(),
                });
                Some(bytes.collect())
            }
            Self::Declared(encoding) | Self::Guessed(encoding) => {
                let (bytes, _, has_strange_letters) = encoding.encode(text);
                (!has_strange_letters).then(|| bytes.into_owned())
            }
        }
    }
}

/// Returns the text of a file; `None` where it is none, or damaged.
pub fn decode(bytes: &[u8]) -> Option<Decoded<'_>> {
    if let Some(plain) = as_utf8(bytes) {
        return Some(plain);
    }
    let decoded = by_mark(bytes)
        .or_else(|| by_zero_bytes(bytes))
        .or_else(|| by_declaration(bytes))
        .or_else(|| by_guess(bytes))?;
    is_text(&decoded.text).then_some(decoded)
}

fn by_mark(bytes: &[u8]) -> Option<Decoded<'_>> {
    let wide = [
        (
            &b"\xff\xfe\0\0"[..],
            TextEncoding::Utf32(Order::Little, Mark::Present),
        ),
        (
            b"\0\0\xfe\xff",
            TextEncoding::Utf32(Order::Big, Mark::Present),
        ),
        (
            b"\xff\xfe",
            TextEncoding::Utf16(Order::Little, Mark::Present),
        ),
        (b"\xfe\xff", TextEncoding::Utf16(Order::Big, Mark::Present)),
    ];
    if let Some(rest) = bytes.strip_prefix(UTF_8_MARK) {
        let text = std::str::from_utf8(rest).ok()?;
        let encoding = TextEncoding::Utf8(Mark::Present);
        return Some(Decoded {
            text: text.into(),
            encoding,
        });
    }
    wide.into_iter()
        .find_map(|(mark, encoding)| wide_text(bytes.strip_prefix(mark)?, encoding))
}

fn as_utf8(bytes: &[u8]) -> Option<Decoded<'_>> {
    let text = std::str::from_utf8(bytes).ok()?;
    let is_plain = !bytes.starts_with(UTF_8_MARK) && !text.contains('\0');
    is_plain.then(|| Decoded {
        text: text.into(),
        encoding: TextEncoding::Utf8(Mark::Absent),
    })
}

/// Reads UTF-16 and UTF-32 without a mark: the letters of most scripts have their zero bytes all on
/// one side, and line ends and blanks have them in every script.
fn by_zero_bytes(bytes: &[u8]) -> Option<Decoded<'_>> {
    if !bytes.contains(&0) {
        return None;
    }
    let candidates = [
        TextEncoding::Utf32(Order::Little, Mark::Absent),
        TextEncoding::Utf32(Order::Big, Mark::Absent),
        TextEncoding::Utf16(Order::Little, Mark::Absent),
        TextEncoding::Utf16(Order::Big, Mark::Absent),
    ];
    let mut read = candidates
        .into_iter()
        .filter_map(|encoding| wide_text(bytes, encoding));
    read.find(|decoded| is_text(&decoded.text) && is_mostly_words(&decoded.text))
}

/// Reads units of two or four bytes; `None` where one of them is no character.
fn wide_text(bytes: &[u8], encoding: TextEncoding) -> Option<Decoded<'_>> {
    let text = match encoding {
        TextEncoding::Utf16(order, _) => {
            let (units, rest) = bytes.as_chunks::<2>();
            let units = units.iter().map(|unit| match order {
                Order::Little => u16::from_le_bytes(*unit),
                Order::Big => u16::from_be_bytes(*unit),
            });
            let text: Result<String, _> = char::decode_utf16(units).collect();
            text.ok().filter(|_| rest.is_empty())
        }
        TextEncoding::Utf32(order, _) => {
            let (units, rest) = bytes.as_chunks::<4>();
            let letters = units.iter().map(|unit| {
                char::from_u32(match order {
                    Order::Little => u32::from_le_bytes(*unit),
                    Order::Big => u32::from_be_bytes(*unit),
                })
            });
            let text: Option<String> = letters.collect();
            text.filter(|_| rest.is_empty())
        }
        TextEncoding::Utf8(_) | TextEncoding::Declared(_) | TextEncoding::Guessed(_) => None,
    };
    Some(Decoded {
        text: text?.into(),
        encoding,
    })
}

/// Reads markup in the encoding that it names: `<meta charset=`, `<?xml encoding=`.
fn by_declaration(bytes: &[u8]) -> Option<Decoded<'_>> {
    let head = &bytes[..bytes.len().min(DECLARED_WITHIN)];
    let head = String::from_utf8_lossy(head).to_ascii_lowercase();
    if !head.trim_start().starts_with('<') {
        return None;
    }
    let (_, label) = head
        .split_once("charset=")
        .or_else(|| head.split_once("encoding="))?;
    let label = label.trim_start_matches(['"', '\'', ' ']);
    let end =
        label.find(|letter: char| !(letter.is_ascii_alphanumeric() || "-_:.".contains(letter)));
    let label = label.get(..end.unwrap_or(label.len()))?;
    let encoding = Encoding::for_label(label.as_bytes()).filter(|it| *it != UTF_8)?;
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?;
    Some(Decoded {
        text,
        encoding: TextEncoding::Declared(encoding),
    })
}

fn by_guess(bytes: &[u8]) -> Option<Decoded<'_>> {
    if bytes.contains(&0) || is_damaged_utf8(bytes) {
        return None;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let encoding = detector.guess(None, Utf8Detection::Deny);
    let encoding = match encoding {
        _ if is_japanese(bytes, SHIFT_JIS) => SHIFT_JIS,
        // GB18030 has all letters of GBK, in the same bytes, and every other letter besides. Both
        // have kana where EUC-JP has them, and hanzi where it has kanji.
        encoding if encoding == GBK => GB18030,
        encoding if encoding == EUC_JP && !is_japanese(bytes, EUC_JP) => GB18030,
        encoding => encoding,
    };
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?;
    Some(Decoded {
        text,
        encoding: TextEncoding::Guessed(encoding),
    })
}

/// Returns whether bytes are Japanese in an encoding, by its hiragana: short texts have too few
/// letters for the detector. In `Shift_JIS` those begin with 0x82, which begins no common character
/// of GBK and is no letter in windows-1251 and windows-1252.
fn is_japanese(bytes: &[u8], encoding: &'static Encoding) -> bool {
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes);
    text.is_some_and(|text| {
        let wide = text.chars().filter(|letter| !letter.is_ascii()).count();
        let hiragana = text.chars().filter(|it| ('ぁ'..='ゖ').contains(it));
        let hiragana = hiragana.count();
        hiragana >= 2 && hiragana * HIRAGANA_ONE_IN >= wide
    })
}

/// Returns whether bytes are UTF-8 of which some were lost: its end, or a few in the middle.
fn is_damaged_utf8(bytes: &[u8]) -> bool {
    let (mut valid, mut damaged) = (0, 0);
    let is_cut_off = std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none());
    for chunk in bytes.utf8_chunks() {
        valid += chunk.valid().chars().filter(|it| !it.is_ascii()).count();
        damaged += usize::from(!chunk.invalid().is_empty());
    }
    valid > 0 && (is_cut_off || valid >= damaged * VALID_FOR_ONE_DAMAGED)
}

/// Returns whether there is nothing in a text that no text has.
fn is_text(text: &str) -> bool {
    !text.chars().any(|letter| {
        let code = u32::from(letter);
        let is_control =
            letter.is_control() && !matches!(letter, '\t' | '\n' | '\r' | '\x0c' | '\x1b');
        // Noncharacters end in FFFE or FFFF, or stand among the Arabic forms.
        let is_none = code & 0xfffe == 0xfffe || (0xfdd0..=0xfdef).contains(&code);
        (is_control && letter != '\u{85}') || is_none
    })
}

/// Returns whether a text is nearly all letters, digits, blanks and punctuation, in scripts of
/// today, as units of two bytes that are no text are not.
fn is_mostly_words(text: &str) -> bool {
    let is_usual = |letter: &char| {
        let code = u32::from(*letter);
        letter.is_whitespace()
            || letter.is_ascii_graphic()
            || matches!(code, 0xa0..=0xff | 0x2000..=0x2bff | 0x3000..=0x303f | 0xff00..=0xffef)
            || (letter.is_alphanumeric()
                && matches!(code, 0x100..=0x11ff | 0x1e00..=0x1fff | 0x3040..=0x30ff | 0x3100..=0x312f
                    | 0x4e00..=0x9fff | 0xac00..=0xd7a3))
            || (0x1_f000..=0x1_faff).contains(&code)
            || matches!(code, 0x300..=0x36f | 0xfe0f)
    };
    let all = text.chars().count();
    let usual = text.chars().filter(is_usual).count();
    all > 1 && (all - usual) * ODD_ONE_IN <= all && text.chars().any(|it| it.is_ascii())
}

#[cfg(test)]
#[path = "encoding_tests.rs"]
mod tests;
