//! Text as a person must see it before deciding: nothing in it hides or reorders anything.

use std::fmt::Write as _;

/// Returns the text with invisible, reordering and control characters written out (`\u{202e}`);
/// line ends and tabs stay.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        if hides(letter) {
            // Writing to a string cannot fail.
            let _ = write!(shown, "{}", letter.escape_unicode());
        } else {
            shown.push(letter);
        }
    }
    shown
}

/// Returns the text on one line: line ends and tabs are written out too.
pub fn visible_line(text: &str) -> String {
    visible(text).replace('\n', "\\n").replace('\t', "\\t")
}

/// Returns the text without invisible, reordering and control characters, for what only a model
/// reads; line ends and tabs stay.
pub fn without_hidden(text: &str) -> String {
    text.chars().filter(|letter| !hides(*letter)).collect()
}

/// Control characters, and the format characters of Unicode that are zero-width, direct the
/// reading order or tag text (Unicode Technical Report 36, sections 2.6 and 3.5).
fn hides(letter: char) -> bool {
    let is_layout = matches!(letter, '\n' | '\t');
    let is_format = matches!(letter,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}');
    is_format || (letter.is_control() && !is_layout)
}

#[cfg(test)]
mod tests {
    use super::{visible, visible_line, without_hidden};

    #[test]
    fn nothing_is_hidden_from_who_decides() {
        assert_eq!(visible("ls\n\techo 你好"), "ls\n\techo 你好");
        assert_eq!(visible("rm x\r\u{1b}[2K ls"), "rm x\\u{d}\\u{1b}[2K ls");
        assert_eq!(visible("a\u{202e}b\u{200b}c"), "a\\u{202e}b\\u{200b}c");
        assert_eq!(visible_line("a\nb\tc"), "a\\nb\\tc");
        assert_eq!(without_hidden("a\u{202e}b\u{200b}c\n你"), "abc\n你");
    }
}
