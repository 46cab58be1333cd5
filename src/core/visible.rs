//! Text as a person must see it before deciding: nothing in it hides or reorders anything.

use std::fmt::Write as _;

/// Returns the text with invisible, reordering and control characters written out (`\u{202e}`);
/// line ends and tabs stay.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut before = None;
    for letter in text.chars() {
        if hides(letter) && !(letter == COLOURED && before.is_some_and(may_be_coloured)) {
            // Writing to a string cannot fail.
            let _ = write!(shown, "{}", letter.escape_unicode());
        } else {
            shown.push(letter);
        }
        before = Some(letter);
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

/// Control characters; the format characters of Unicode that are zero-width, direct the reading order
/// or tag text (Unicode Technical Report 36, sections 2.6 and 3.5); and whatever else a font shows as
/// nothing (`Default_Ignorable_Code_Point` of DerivedCoreProperties.txt, and the empty Braille pattern):
/// among them are 256 variation selectors, in which any bytes can be written.
fn hides(letter: char) -> bool {
    let is_layout = matches!(letter, '\n' | '\t');
    let is_format = matches!(letter,
        '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{fff9}'..='\u{fffb}');
    let is_ignorable = matches!(letter,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{206f}'
        | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}');
    is_format || is_ignorable || (letter.is_control() && !is_layout)
}

/// The selector that has a symbol drawn in colour: people write it with every other emoji.
const COLOURED: char = '\u{fe0f}';

/// Returns whether a letter is of those symbols, so that one selector behind it says nothing else.
fn may_be_coloured(letter: char) -> bool {
    let is_symbol = matches!(letter,
        '\u{a9}' | '\u{ae}' | '\u{203c}' | '\u{2049}' | '\u{2100}'..='\u{27bf}'
        | '\u{2900}'..='\u{2bff}' | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}'
        | '\u{1f000}'..='\u{1faff}');
    is_symbol && !hides(letter)
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
    }

    #[test]
    fn letters_that_no_font_draws_are_written_out() {
        for hidden in [
            '\u{34f}',
            '\u{115f}',
            '\u{1160}',
            '\u{180b}',
            '\u{2800}',
            '\u{3164}',
            '\u{fe00}',
            '\u{fe0e}',
            '\u{ffa0}',
            '\u{1d173}',
            '\u{e0041}',
            '\u{e0100}',
            '\u{e01ef}',
        ] {
            let written = format!("a{}b", hidden.escape_unicode());
            assert_eq!(visible(&format!("a{hidden}b")), written);
            assert_eq!(without_hidden(&format!("a{hidden}b")), "ab");
        }
        // One selector behind a symbol is how the symbol is written; a second one, or one elsewhere, is not.
        assert_eq!(visible("⚠\u{fe0f} ❤\u{fe0f}!"), "⚠\u{fe0f} ❤\u{fe0f}!");
        assert_eq!(visible("⚠\u{fe0f}\u{fe0f}"), "⚠\u{fe0f}\\u{fe0f}");
        assert_eq!(visible("a\u{fe0f}"), "a\\u{fe0f}");
        assert_eq!(visible("한글 кот ชา 茶"), "한글 кот ชา 茶");
    }

    #[test]
    fn what_only_a_model_reads_is_without_them() {
        assert_eq!(without_hidden("a\u{202e}b\u{200b}c\n你"), "abc\n你");
    }
}
