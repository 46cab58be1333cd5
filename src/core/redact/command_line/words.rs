//! The words of a command, by place: enough of a shell's rules to tell where an argument ends.

use std::ops::Range;

/// The most words of a command that are looked at.
const MAX_WORDS: usize = 128;
/// The longest command that is looked at, in bytes.
const MAX_COMMAND: usize = 4096;

/// Returns the words behind the name of a program, with their quotes, to the end of its command.
/// A comma behind a quote parts words as well, so that lists of arguments are read too.
pub(super) fn words_from(bytes: &[u8], from: usize) -> Vec<Range<usize>> {
    let end = bytes.len().min(from + MAX_COMMAND);
    let mut words = Vec::new();
    let (mut at, mut begin, mut quote) = (from, None, None);
    while at < end && words.len() < MAX_WORDS {
        let byte = bytes[at];
        let next = bytes.get(at + 1).copied();
        let is_escape = byte == b'\\';
        if is_escape && matches!(next, Some(b'\n' | b'\r')) || is_line_of_json(bytes, at) {
            // The line goes on, or a string of JSON holds its end.
            close(&mut words, &mut begin, at);
            at += if bytes.get(at + 1) == Some(&b'\\') {
                3
            } else {
                2
            };
            continue;
        }
        match (quote, byte) {
            // The quote of a string around the command ends it, too.
            (None, b'\r' | b';' | b'|' | b'&' | b'(' | b')') | (None | Some(_), b'\n') => break,
            (None, b' ' | b'\t' | b',' | b'[' | b']')
                if byte != b',' && byte != b'[' && byte != b']' || is_beside_quote(bytes, at) =>
            {
                close(&mut words, &mut begin, at);
            }
            (None, b'"' | b'\'') => {
                quote = Some(byte);
                begin = begin.or(Some(at));
            }
            (Some(open), byte) if byte == open => quote = None,
            (None | Some(_), _) => begin = begin.or(Some(at)),
        }
        at += 1;
    }
    close(&mut words, &mut begin, at);
    words
}

/// Returns whether `\n` or `\\\n` is written out here, as in a string of JSON.
fn is_line_of_json(bytes: &[u8], at: usize) -> bool {
    matches!(
        bytes.get(at..),
        Some([b'\\', b'n', b' ' | b'\\' | b'-', ..] | [b'\\', b'\\', b'\n', ..])
    )
}

fn is_beside_quote(bytes: &[u8], at: usize) -> bool {
    let is_quote = |byte: Option<&u8>| matches!(byte, Some(b'"' | b'\''));
    is_quote(at.checked_sub(1).and_then(|at| bytes.get(at))) || is_quote(bytes.get(at + 1))
}

fn close(words: &mut Vec<Range<usize>>, begin: &mut Option<usize>, at: usize) {
    if let Some(begin) = begin.take().filter(|begin| *begin < at) {
        words.push(begin..at);
    }
}

/// Returns what stands inside of the quotes of a word.
pub(super) fn inner(bytes: &[u8], word: Range<usize>) -> Range<usize> {
    let text = bytes.get(word.clone()).unwrap_or_default();
    let open = text
        .iter()
        .take_while(|byte| matches!(byte, b'"' | b'\'' | b'\\'))
        .count();
    let close = text
        .iter()
        .rev()
        .take_while(|byte| matches!(byte, b'"' | b'\'' | b'\\'))
        .count();
    if open + close >= text.len() {
        return word.start..word.start;
    }
    word.start + open..word.end - close
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(command: &str, expected: &[&str]) {
        let words = words_from(command.as_bytes(), 0);
        let words: Vec<&str> = words
            .into_iter()
            .map(|word| &command[inner(command.as_bytes(), word)])
            .collect();
        assert_eq!(words, expected);
    }

    #[test]
    fn words_end_where_a_shell_ends_them() {
        check("-u a:b https://x | sh", &["-u", "a:b", "https://x"]);
        check("-s \\\n  -u 'a:b c'\nls", &["-s", "-u", "a:b c"]);
        check(r#"-u \"a:b\" x"#, &["-u", "a:b", "x"]);
        check(r#","-u","a:b"]"#, &["-u", "a:b"]);
    }
}
