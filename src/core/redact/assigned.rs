//! Values of names such as `password`: hidden when they look random, because what stands there is
//! more often a type, a variable or the word itself.
//!
//! A value is found behind its name in the forms of shells, Make, YAML, JSON, TOML, XML, connection
//! strings, HTTP headers, programs, and options of commands.

use std::ops::Range;

use aho_corasick::AhoCorasick;

use super::alphabet::{is_password_byte, is_secret_byte, is_word, run};
use super::headers;
use super::randomness::{MIN_PASSWORD, looks_random};
use super::secret_names::{Class, KIND, Name, WORDS, name_at, range_at};
use super::spans::Span;
use super::{Reading, TooMuch};

/// The longest value in quotes that is looked at, in bytes.
const MAX_QUOTED: usize = 400;
/// The most blank space between a name and its value on the next line.
const MAX_BLANK: usize = 40;
/// The longest type between a name and its value, in bytes.
const MAX_TYPE: usize = 32;
/// The shortest value in a row of a table, where nothing but a comma stands before it.
const MIN_IN_ROW: usize = 16;
/// Signs between a name and its value; of two that begin alike, the longer one first.
const SEPARATORS: [&str; 17] = [
    ":::=", "::=", "===", "||=", "??=", "=>", ":=", "?=", "+=", ".=", "==", "=", ":", ">", "：",
    "是", "为",
];
/// The same in prose.
const IN_PROSE: [&[u8]; 2] = [b"is ", b"was "];

/// Looks for the names.
pub(super) struct Words(AhoCorasick);

impl Words {
    pub(super) fn new() -> Result<Self, TooMuch> {
        let finder = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(WORDS)?;
        Ok(Self(finder))
    }

    /// Finds every value that looks random.
    pub(super) fn find(&self, bytes: &[u8], reading: Reading, found: &mut Vec<Span<'_>>) {
        let mut tried = 0;
        for word in self.0.find_iter(bytes) {
            if word.start() < tried {
                continue;
            }
            let Some(range) = range_at(bytes, word.range()) else {
                continue;
            };
            if !may_have_value(bytes, &range) {
                continue;
            }
            let Some(name) = name_at(bytes, word.range(), range) else {
                continue;
            };
            let Some(value) = value_of(bytes, &name) else {
                continue;
            };
            let length = value.length(bytes, reading);
            let range = value.start..value.start + length;
            // A long value is not looked through again for each word in it.
            tried = range.end;
            if value.is_secret(bytes, &range) {
                found.push(Span::new(range.clone(), KIND));
            }
            if name.class == Class::Authorization {
                headers::find_parameters(bytes, range.start, found);
            }
        }
    }
}

/// A value behind a name.
struct Value {
    start: usize,
    /// The quote that it stands in.
    quote: Option<u8>,
    class: Class,
    /// The shortest that is hidden here.
    least: usize,
    /// The scheme that an `Authorization` header names before it.
    scheme: Option<Range<usize>>,
}

impl Value {
    fn length(&self, bytes: &[u8], reading: Reading) -> usize {
        let plain = run(bytes, self.start, is_secret_byte);
        if reading == Reading::Call {
            return plain;
        }
        let Some(quote) = self.quote else {
            return run(bytes, self.start, is_password_byte);
        };
        let rest = bytes.get(self.start..).unwrap_or_default();
        let inner = rest
            .iter()
            .take(MAX_QUOTED)
            .take_while(|byte| **byte != quote && byte.is_ascii_graphic())
            .count();
        if rest.get(inner) == Some(&quote) {
            inner.max(plain)
        } else {
            plain
        }
    }

    fn is_secret(&self, bytes: &[u8], range: &Range<usize>) -> bool {
        let value = bytes.get(range.clone()).unwrap_or_default();
        let scheme = self.scheme.clone().and_then(|scheme| bytes.get(scheme));
        if scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case(b"basic")) {
            return headers::is_basic(value);
        }
        let is_call = self.quote.is_none() && bytes.get(range.end) == Some(&b'(');
        let is_secret = looks_random(value, self.class) || headers::is_pair(value);
        !is_call && value.len() >= self.least && is_secret
    }
}

/// Returns whether what follows a name may part it from a value. Most words of a text are no names,
/// and this tells them soonest.
fn may_have_value(bytes: &[u8], name: &Range<usize>) -> bool {
    let at = name.end + run(bytes, name.end, is_closer).min(4);
    let spaces = run(bytes, at, is_space).min(8);
    let is_sign = |byte: u8| b"=:>,(?+.|;\n\r".contains(&byte) || !byte.is_ascii();
    match bytes.get(at + spaces) {
        None => false,
        Some(next) if spaces == 0 => is_sign(*next),
        // Words between a name and its value, quotes, or a type.
        Some(next) => {
            let is_option = bytes.get(name.start) == Some(&b'-');
            is_option || is_sign(*next) || b"iwvVsStTbcC\"'&".contains(next)
        }
    }
}

/// Returns where the value of a name begins, if one follows.
fn value_of(bytes: &[u8], name: &Name) -> Option<Value> {
    let closers = run(bytes, name.range.end, is_closer).min(4);
    let mut at = name.range.end + closers;
    let mut least = MIN_PASSWORD;
    let mut is_quoted_only = false;
    let rest = bytes.get(at..)?;
    let spaces = run(rest, 0, is_space).min(8);
    if let Some(beside) = beside(rest) {
        at += beside;
    } else if let Some(typed) = after_type(rest) {
        at += typed;
    } else if is_qualified(bytes, name) {
        return None;
    } else if let Some(separator) = separator(rest.get(spaces..)?) {
        at += spaces + separator;
        at += on_next_line(bytes, at);
    } else if let Some(word) = in_prose(rest.get(spaces..)?).filter(|_| spaces > 0) {
        at += spaces + word;
    } else if rest.first() == Some(&b',') {
        is_quoted_only = closers > 0 || is_space(*rest.get(1)?);
        if !is_quoted_only {
            least = MIN_IN_ROW;
        }
        at += 1;
    } else if rest.first() == Some(&b'(') {
        is_quoted_only = true;
        at += 1;
    } else if name.is_option && closers == 0 && spaces > 0 {
        at += spaces;
    } else {
        return None;
    }
    at += run(bytes, at, is_space).min(8);
    // A letter before a string of a program says how it is written: `b"..."`, `r'...'`.
    if let Some([b'b' | b'r' | b'f' | b'u' | b'L' | b'@', b'"' | b'\'', ..]) = bytes.get(at..) {
        at += 1;
    }
    let opener = run(bytes, at, is_closer).min(3);
    let quote = opener.checked_sub(1).and_then(|last| bytes.get(at + last));
    let quote = quote.copied();
    if is_quoted_only && quote.is_none() {
        return None;
    }
    at += opener;
    let scheme = headers::scheme(bytes, at, name.class);
    at = scheme.as_ref().map_or(at, |scheme| {
        scheme.end + run(bytes, scheme.end, is_space).min(4)
    });
    Some(Value {
        start: at,
        quote,
        class: name.class,
        least,
        scheme,
    })
}

/// What may stand around a name or a value: quotes, and the backslash of quotes inside a string.
fn is_closer(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'`' | b'\\' | b']')
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// Returns whether a name is a part of an identifier of a resource, as in
/// `arn:aws:...:secret:name`.
fn is_qualified(bytes: &[u8], name: &Name) -> bool {
    let before = name.range.start.checked_sub(1).and_then(|at| bytes.get(at));
    let behind = bytes.get(name.range.end..name.range.end + 2);
    before == Some(&b':') && matches!(behind, Some([b':', next]) if is_word(*next))
}

/// Returns the length of the sign between name and value. `Token::Name` is a path of a program.
fn separator(rest: &[u8]) -> Option<usize> {
    if rest.starts_with(b"::") && !rest.starts_with(b"::=") && !rest.starts_with(b":::=") {
        return None;
    }
    let mut signs = SEPARATORS.iter();
    let sign = signs.find(|sign| rest.starts_with(sign.as_bytes()))?;
    Some(sign.len())
}

fn in_prose(rest: &[u8]) -> Option<usize> {
    let word = IN_PROSE.iter().find(|word| rest.starts_with(word))?;
    Some(word.len())
}

/// Returns how much stands between a sign that ends at `at` and a value on the next line: a block
/// of YAML (`|`, `>`), or the text of an XML element.
fn on_next_line(bytes: &[u8], at: usize) -> usize {
    let sign = at.checked_sub(1).and_then(|sign| bytes.get(sign));
    let rest = bytes.get(at..).unwrap_or_default();
    let spaces = run(rest, 0, is_space).min(8);
    let block = rest.get(spaces..).unwrap_or_default();
    let indicator = match (sign, block) {
        (Some(b':'), [b'|' | b'>', b'-' | b'+', b'\n' | b'\r', ..]) => 2,
        (Some(b':'), [b'|' | b'>', b'\n' | b'\r', ..]) => 1,
        (Some(b'>'), [b'\n' | b'\r', ..]) => 0,
        _ => return 0,
    };
    let blank = run(block, indicator, is_blank).min(MAX_BLANK);
    let last = block.get((indicator + blank).saturating_sub(1));
    let is_indented = last.is_some_and(|byte| is_space(*byte));
    if is_indented {
        spaces + indicator + blank
    } else {
        0
    }
}

/// Returns how much stands before the value where name and value are values themselves:
/// `"name": "TOKEN", "value": "..."`, `<add key="Password" value="..."/>`.
fn beside(rest: &[u8]) -> Option<usize> {
    let is_gap = |byte: u8| is_blank(byte) || matches!(byte, b',' | b';');
    let gap = run(rest, 0, is_gap);
    if gap == 0 || gap > MAX_BLANK {
        return None;
    }
    let quotes = run(rest, gap, is_closer).min(2);
    let word = gap + quotes;
    let is_value = rest.get(word..word + 5)?.eq_ignore_ascii_case(b"value");
    let mut at = word + 5;
    at += run(rest, at, is_closer).min(2);
    at += run(rest, at, is_space).min(4);
    let has_sign = matches!(rest.get(at), Some(b':' | b'='));
    (is_value && has_sign).then_some(at + 1)
}

/// Returns how much stands before the value where a type does: `token: str = "..."`.
fn after_type(rest: &[u8]) -> Option<usize> {
    let rest = rest.get(..rest.len().min(MAX_TYPE))?;
    let sign = rest.iter().position(|byte| *byte == b'=')?;
    let of_type = |byte: &u8| byte.is_ascii_alphabetic() || b" :&'<>[]*?_".contains(byte);
    let named = rest.get(..sign)?;
    let is_type = named.iter().all(of_type)
        && named
            .split(|byte| !byte.is_ascii_alphabetic())
            .any(is_text_type);
    let is_sign = !matches!(rest.get(sign + 1), Some(b'=' | b'>' | b'~'));
    (is_type && is_sign).then_some(sign + 1)
}

fn is_text_type(word: &[u8]) -> bool {
    [
        &b"string"[..],
        b"str",
        b"char",
        b"text",
        b"secretstring",
        b"bytes",
    ]
    .iter()
    .any(|known| word.eq_ignore_ascii_case(known))
}
