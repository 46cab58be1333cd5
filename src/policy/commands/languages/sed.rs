//! sed: no files written or read besides its input, and no commands run.

use std::iter::Peekable;
use std::str::Chars;

/// Commands without arguments that only work on the text.
const PLAIN: &str = "={}dDgGhHnNpPxzF";
/// Flags of `s` that only work on the text; `e` runs and `w` writes.
const FLAGS: &str = "gpiImM0123456789";

/// Returns whether a script only reads its input and prints.
pub fn only_reads(script: &str) -> bool {
    let mut letters = script.chars().peekable();
    while letters.peek().is_some() {
        if command(&mut letters).is_none() {
            return false;
        }
    }
    true
}

/// Reads one command; `None` when it does more than work on the text.
fn command(letters: &mut Peekable<Chars>) -> Option<()> {
    skip(letters, |letter| letter.is_whitespace() || letter == ';');
    address(letters)?;
    skip(letters, |letter| letter == ' ');
    if letters.next_if_eq(&',').is_some() {
        skip(letters, |letter| matches!(letter, ' ' | '+' | '~'));
        address(letters)?;
    }
    skip(letters, |letter| matches!(letter, ' ' | '!'));
    match letters.next() {
        None => Some(()),
        // Labels end where GNU ends them, text at the end of its line.
        Some(':' | 'b' | 't' | 'T') => {
            skip(letters, |letter| !matches!(letter, ';' | '\n' | '}'));
            Some(())
        }
        Some('#' | 'a' | 'i' | 'c') => {
            skip_lines(letters);
            Some(())
        }
        Some('s') => substitution(letters),
        Some('y') => {
            let end = letters.next()?;
            until(letters, end)?;
            until(letters, end)
        }
        Some('l' | 'q' | 'Q') => {
            skip(letters, |letter| letter.is_ascii_digit() || letter == ' ');
            Some(())
        }
        Some(letter) => PLAIN.contains(letter).then_some(()),
    }
}

fn address(letters: &mut Peekable<Chars>) -> Option<()> {
    match letters.peek()? {
        '0'..='9' => skip(letters, |letter| letter.is_ascii_digit() || letter == '~'),
        '$' => {
            letters.next();
        }
        '/' => {
            letters.next();
            until(letters, '/')?;
            skip(letters, |letter| matches!(letter, 'I' | 'M'));
        }
        '\\' => {
            letters.next();
            let end = letters.next()?;
            until(letters, end)?;
            skip(letters, |letter| matches!(letter, 'I' | 'M'));
        }
        _ => {}
    }
    Some(())
}

fn substitution(letters: &mut Peekable<Chars>) -> Option<()> {
    let end = letters.next()?;
    if end == '\\' || end == '\n' {
        return None;
    }
    until(letters, end)?;
    until(letters, end)?;
    skip(letters, |letter| FLAGS.contains(letter));
    skip(letters, |letter| letter == ' ');
    match letters.peek() {
        None | Some(';' | '\n' | '}' | '#') => Some(()),
        Some(_) => None,
    }
}

/// Skips past an unescaped letter. Inside of `[...]` it ends the pattern in some seds and not in
/// others, so there it is refused.
fn until(letters: &mut Peekable<Chars>, end: char) -> Option<()> {
    let mut is_in_brackets = false;
    loop {
        match letters.next()? {
            letter if letter == end => return (!is_in_brackets).then_some(()),
            '\\' => {
                letters.next()?;
            }
            '[' => is_in_brackets = true,
            ']' => is_in_brackets = false,
            _ => {}
        }
    }
}

/// Skips the rest of a line, and the next where it goes on.
fn skip_lines(letters: &mut Peekable<Chars>) {
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => {
                letters.next();
            }
            '\n' => return,
            _ => {}
        }
    }
}

fn skip(letters: &mut Peekable<Chars>, is_skipped: impl Fn(char) -> bool) {
    while letters.next_if(|letter| is_skipped(*letter)).is_some() {}
}

#[cfg(test)]
mod tests {
    use super::only_reads;

    #[test]
    fn scripts_that_print_are_read() {
        for script in [
            "s/foo/bar/g",
            "1,5p",
            "/a/,/b/d",
            "$d",
            "1!G;h;$!d",
            ":a;N;$!ba;s/\\n/ /g",
            "y/abc/xyz/",
            "/x/{s/a/b/;p}",
            "s|w|e|2p",
            "1~2p",
            "a\\\nw hello",
            "10q",
        ] {
            assert!(only_reads(script), "{script}");
        }
    }

    #[test]
    fn scripts_that_write_or_run_are_not() {
        for script in [
            "s/a/b/e",
            "s/a/b/w out",
            "s/a/b/gw out",
            "1e id",
            "w out",
            "r /etc/passwd",
            "R x",
            "W x",
            "/x/w out",
            "1{p;w out\n}",
            "e",
            "s/a/b",
            "a text\nw out",
            "ba;e",
            "b}e",
            "s/[/]/g;/w out/p",
        ] {
            assert!(!only_reads(script), "{script}");
        }
    }
}
