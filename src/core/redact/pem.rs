//! Private keys as PEM (RFC 7468): lines of base64 between `BEGIN` and `END`, also when one of
//! the two was cut off, and also inside a JSON string.

use super::Reading;
use super::alphabet::{is_plain_base64, run, run_before};
use super::spans::Span;

/// The kind of what is hidden here.
pub(super) const KIND: &str = "private-key";

const BEGIN: &[u8] = b"-----BEGIN ";
const END: &[u8] = b"-----END ";
const DASHES: &[u8] = b"-----";
const WHAT: &[u8] = b"PRIVATE KEY";
/// The longest text between the two runs of dashes, in bytes.
const MAX_LABEL: usize = 64;
/// The longest key, in bytes.
const MAX_KEY: usize = 32 * 1024;
/// A shorter line is one only at the very end; before it, a word of ordinary text looks the same.
const MIN_LINE: usize = 16;
/// In a command, a shorter line may be a word of it.
const MIN_LINE_OF_CALL: usize = 32;

/// Finds the bodies of private keys; the lines that say what they are stay.
pub(super) fn find(bytes: &[u8], reading: Reading, found: &mut Vec<Span<'_>>) {
    let mut from = 0;
    while let Some(at) = position(bytes, from, DASHES) {
        from = at + DASHES.len();
        let body = if let Some(body) = label_end(bytes, at, BEGIN) {
            body + gap(bytes, body)..lines_after(bytes, body, reading)
        } else if label_end(bytes, at, END).is_some() {
            lines_before(bytes, at, reading)..before_gap(bytes, at, 0)
        } else {
            continue;
        };
        from = from.max(body.end);
        if !body.is_empty() {
            found.push(Span::new(body, KIND).with_exactness(16));
        }
    }
}

fn position(bytes: &[u8], from: usize, what: &[u8]) -> Option<usize> {
    let text = bytes.get(from..)?;
    let place = text.windows(what.len()).position(|window| window == what);
    place.map(|place| from + place)
}

/// Returns where the line `-----BEGIN ... PRIVATE KEY-----` ends.
fn label_end(bytes: &[u8], at: usize, begin: &[u8]) -> Option<usize> {
    let label = bytes.get(at..)?.strip_prefix(begin)?;
    let label = label.get(..label.len().min(MAX_LABEL))?;
    let end = position(label, 0, DASHES)?;
    position(label.get(..end)?, 0, WHAT)?;
    Some(at + begin.len() + end + DASHES.len())
}

/// Returns where the lines that begin at `from` end.
fn lines_after(bytes: &[u8], from: usize, reading: Reading) -> usize {
    let mut end = from;
    let limit = bytes.len().min(from + MAX_KEY);
    loop {
        let line = end + gap(bytes, end);
        let length = bytes
            .get(line..limit)
            .map_or(0, |rest| line_length(rest, reading));
        if line == end || length == 0 {
            return end;
        }
        end = line + length;
    }
}

/// Returns how long the break between two lines is, with what stands around it.
fn gap(bytes: &[u8], from: usize) -> usize {
    let mut length = 0;
    while let Some(rest) = bytes.get(from + length..) {
        length += match rest {
            [b'\\', b'n' | b'r', ..] => 2,
            [b'\n' | b'\r' | b' ' | b'\t', ..] => 1,
            _ => break,
        };
    }
    length
}

/// Returns how long a line of a key is; 0 when it is none. `Proc-Type: 4,ENCRYPTED` is one.
fn line_length(rest: &[u8], reading: Reading) -> usize {
    let base64 = run(rest, 0, is_plain_base64);
    let ends = matches!(
        rest.get(base64),
        None | Some(b'\n' | b'\r' | b'\\' | b' ' | b'"' | b'\'')
    );
    match reading {
        Reading::Call if ends && base64 >= MIN_LINE_OF_CALL => base64,
        Reading::Call => 0,
        Reading::Text if ends && (base64 >= MIN_LINE || is_last(rest, base64)) => base64,
        Reading::Text => header_length(rest),
    }
}

/// Returns whether the line that says the end comes behind a line.
fn is_last(rest: &[u8], line: usize) -> bool {
    let next = rest.get(line + gap(rest, line)..);
    next.is_some_and(|next| next.starts_with(END))
}

fn header_length(rest: &[u8]) -> usize {
    let line = rest.iter().take_while(|byte| !b"\n\r\\\"'".contains(byte));
    let length = line.take(MAX_LABEL).count();
    let is_header = rest.get(..length).is_some_and(is_header);
    if is_header { length } else { 0 }
}

/// The headers of RFC 1421 and of PGP.
fn is_header(line: &[u8]) -> bool {
    [
        &b"Proc-Type: "[..],
        b"DEK-Info: ",
        b"Version: ",
        b"Comment: ",
    ]
    .iter()
    .any(|name| line.starts_with(name))
}

/// Returns where the lines right before the `END` at `to` begin.
fn lines_before(bytes: &[u8], to: usize, reading: Reading) -> usize {
    let mut begin = to;
    let limit = to.saturating_sub(MAX_KEY);
    loop {
        let end = before_gap(bytes, begin, limit);
        let line = bytes.get(limit..end).unwrap_or_default();
        let base64 = run_before(line, line.len(), is_plain_base64, line.len());
        // In a JSON string the break before it is written as `\n`, whose letter is none of the
        // line's.
        let is_escaped = base64 < line.len() && line.get(line.len() - base64 - 1) == Some(&b'\\');
        let length = base64 - usize::from(is_escaped && base64 > 0);
        let is_last = begin == to && reading == Reading::Text;
        let is_line = length >= MIN_LINE_OF_CALL || (is_last && length > 0);
        if end == begin || !is_line {
            return begin;
        }
        begin = end - length;
    }
}

/// Returns where the line break before `to` begins.
fn before_gap(bytes: &[u8], to: usize, limit: usize) -> usize {
    let mut end = to;
    while end > limit {
        end -= match bytes.get(..end) {
            Some([.., b'\\', b'n' | b'r']) => 2,
            Some([.., b'\n' | b'\r' | b' ' | b'\t']) => 1,
            _ => break,
        };
    }
    end.max(limit)
}
