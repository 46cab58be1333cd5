//! The lines of an output, cleaned: no escape sequences, no overwritten progress, no hidden
//! characters, bounded in length.

use std::borrow::Cow;

use sayso_core::visible::without_hidden;

/// How much of the beginning of an output is read, in bytes.
pub const HEAD_READ: usize = 8 << 20;

/// How much of the end of an output is read, in bytes. What lies between is skipped.
pub const TAIL_READ: usize = 24 << 20;

/// The longest line that is kept whole, in characters.
pub const LINE_LIMIT: usize = 2_000;

/// The longest line of JSON that is read, in bytes; a longer one is text.
pub const JSON_LIMIT: usize = 8 << 20;

/// How many bytes of a long line are looked at.
const LINE_BYTES: usize = 16 << 10;

/// A cleaned line, and where it stands.
pub(super) struct Line<'a> {
    /// Counted from 1. Skipped bytes in the middle are counted as no line.
    pub(super) number: usize,
    /// The offset of the line's first byte.
    pub(super) start: usize,
    pub(super) text: Cow<'a, str>,
}

/// Reads an output line by line.
pub(super) struct Lines<'a> {
    output: &'a [u8],
    next: usize,
    number: usize,
    /// The bytes from here to `resume` are skipped.
    pause: usize,
    resume: usize,
}

impl<'a> Lines<'a> {
    pub(super) fn new(output: &'a [u8]) -> Self {
        let fits = output.len() <= HEAD_READ + TAIL_READ;
        let pause = if fits { output.len() } else { HEAD_READ };
        let resume = if fits {
            output.len()
        } else {
            output.len() - TAIL_READ
        };
        Self {
            output,
            next: 0,
            number: 0,
            pause,
            resume,
        }
    }

    /// Returns how many bytes are skipped.
    pub(super) fn skipped(&self) -> usize {
        self.resume - self.pause
    }

    /// Goes on behind an offset, which lies ahead.
    pub(super) fn seek(&mut self, offset: usize) {
        let passed = self.output.get(self.next..offset).unwrap_or_default();
        self.number += memchr::memchr_iter(b'\n', passed).count();
        self.next = self.next.max(offset);
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        if self.next >= self.pause && self.next < self.resume {
            self.next = self.resume;
        }
        let start = self.next;
        let stop = if start < self.pause {
            self.pause
        } else {
            self.output.len()
        };
        let rest = self.output.get(start..stop)?;
        if rest.is_empty() {
            return None;
        }
        let length = rest.iter().position(|byte| *byte == b'\n');
        self.next = start + length.map_or(rest.len(), |length| length + 1);
        self.number += 1;
        let raw = rest.get(..length.unwrap_or(rest.len())).unwrap_or_default();
        Some(Line {
            number: self.number,
            start,
            text: clean(raw),
        })
    }
}

/// Returns a line without what a terminal would not show.
pub(super) fn clean(raw: &[u8]) -> Cow<'_, str> {
    let raw = raw.strip_suffix(b"\r").unwrap_or(raw);
    let is_json = matches!(raw.first(), Some(b'{' | b'[')) && raw.len() <= JSON_LIMIT;
    if is_json && raw.len() > LINE_BYTES {
        return String::from_utf8_lossy(raw);
    }
    let shown = last_written(raw);
    let (shown, is_cut) = match shown.get(..LINE_BYTES) {
        Some(start) if shown.len() > LINE_BYTES => (start, true),
        _ => (shown, false),
    };
    let text = String::from_utf8_lossy(shown);
    let is_plain = text.bytes().all(|byte| matches!(byte, b'\t' | b' '..=b'~'));
    let text = if is_plain {
        text
    } else {
        Cow::Owned(without_hidden(&without_escapes(&text)))
    };
    if is_json && !is_cut {
        return text;
    }
    shortened(text, is_cut)
}

/// Returns what stands on the line in the end, where a progress bar wrote over it.
fn last_written(raw: &[u8]) -> &[u8] {
    let mut end = raw.len();
    while end > 0 && raw.get(end - 1) == Some(&b'\r') {
        end -= 1;
    }
    let raw = raw.get(..end).unwrap_or_default();
    let start = raw.iter().rposition(|byte| *byte == b'\r');
    raw.get(start.map_or(0, |at| at + 1)..).unwrap_or_default()
}

fn shortened(text: Cow<'_, str>, is_cut: bool) -> Cow<'_, str> {
    let cut = text.char_indices().nth(LINE_LIMIT).map(|(at, _)| at);
    if cut.is_none() && !is_cut {
        return text;
    }
    let kept = text.get(..cut.unwrap_or(text.len())).unwrap_or_default();
    Cow::Owned(format!("{kept}… (line cut)"))
}

/// Removes escape sequences (ECMA-48: CSI, OSC and its like, and those of two or three characters).
pub(super) fn without_escapes(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        if letter != '\u{1b}' {
            kept.push(letter);
            continue;
        }
        match letters.next() {
            Some('[') => {
                // Parameters, then one final byte.
                let _ = letters.by_ref().find(|letter| matches!(letter, '@'..='~'));
            }
            Some(']' | 'P' | '^' | '_' | 'X') => skip_string(&mut letters),
            Some('(' | ')' | '#' | '%' | ' ') => {
                let _ = letters.next();
            }
            _ => {}
        }
    }
    kept
}

/// Skips a control string up to its end: a bell, or an escape with a backslash.
fn skip_string(letters: &mut std::str::Chars<'_>) {
    while let Some(letter) = letters.next() {
        if letter == '\u{7}' {
            return;
        }
        if letter == '\u{1b}' {
            let _ = letters.next();
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{HEAD_READ, LINE_LIMIT, Lines, TAIL_READ, clean};

    #[test]
    fn what_a_terminal_does_not_show_is_removed() {
        assert_eq!(clean(b"\x1b[1m\x1b[91merror\x1b[0m: x"), "error: x");
        assert_eq!(clean(b"\x1b]8;;http://x\x07name\x1b]8;;\x1b\\"), "name");
        assert_eq!(clean(b" 10%\r 50%\r100% done\r"), "100% done");
        assert_eq!(clean("a\u{202e}b\u{200b}".as_bytes()), "ab");
        assert_eq!(clean(b"caf\xe9"), "caf\u{fffd}");
    }

    #[test]
    fn long_lines_are_cut_and_say_so() {
        let line = clean(&vec![b'x'; 5_000_000]).into_owned();
        assert_eq!(
            line.chars().count(),
            LINE_LIMIT + "… (line cut)".chars().count()
        );
        let json = format!("{{\"a\":\"{}\"}}", "x".repeat(50_000));
        assert_eq!(clean(json.as_bytes()), json);
    }

    #[test]
    fn the_middle_of_a_huge_output_is_skipped() {
        let mut output = b"first\n".to_vec();
        output.resize(HEAD_READ + TAIL_READ + 1_000, b'x');
        output.extend(b"\nlast");
        let lines = Lines::new(&output);
        assert_eq!(lines.skipped(), 1_005);
        let all: Vec<_> = lines.collect();
        let starts: Vec<_> = all.iter().map(|line| line.text.get(..4)).collect();
        assert_eq!(
            starts,
            [Some("firs"), Some("xxxx"), Some("xxxx"), Some("last")]
        );
    }
}
