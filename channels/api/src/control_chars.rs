//! Characters that command a screen instead of being shown on it: control characters (C0, C1, DEL)
//! and those that reverse the reading order.
//!
//! They are replaced after a decoder has run, for a decoder makes new ones: `&#27;` in Markdown is
//! an escape character once it is parsed.

use std::borrow::Cow;

/// Replaces control characters and bidirectional overrides; line breaks and tabs stay.
///
/// A carriage return, which would overwrite its line, becomes a line break.
pub fn replace_control_chars(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_command) {
        return Cow::Borrowed(text);
    }
    let text = text.replace("\r\n", "\n");
    let letters = text.chars().map(|letter| match letter {
        '\r' => '\n',
        _ if is_command(letter) => char::REPLACEMENT_CHARACTER,
        _ => letter,
    });
    Cow::Owned(letters.collect())
}

/// Replaces what [`replace_control_chars`] replaces, and line breaks and tabs as well: for what is
/// one line, such as the address of a link.
pub(crate) fn replace_in_line(text: &str) -> Cow<'_, str> {
    if !text
        .chars()
        .any(|letter| letter.is_control() || is_command(letter))
    {
        return Cow::Borrowed(text);
    }
    let letters = text.chars().map(|letter| match letter {
        '\n' | '\t' => ' ',
        _ if is_command(letter) => char::REPLACEMENT_CHARACTER,
        _ => letter,
    });
    Cow::Owned(letters.collect())
}

/// Returns whether a character changes how or where others are shown. Marks of direction that only
/// lean on their neighbours (U+200E, U+200F, U+061C) stay: Hebrew and Arabic need them.
fn is_command(letter: char) -> bool {
    match letter {
        '\n' | '\t' => false,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        _ => letter.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::{replace_control_chars, replace_in_line};

    #[test]
    fn what_commands_a_screen_is_replaced_and_lines_stay() {
        assert_eq!(
            replace_control_chars("a\u{1b}[2J\u{9b}m\u{7}\u{8}\u{7f}\u{202e}\u{2066}b\u{200f}"),
            "a\u{fffd}[2J\u{fffd}m\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}b\u{200f}"
        );
        assert_eq!(replace_control_chars("a\r\nb\rc\td\n"), "a\nb\nc\td\n");
        assert_eq!(replace_in_line("a\nb\tc\rd"), "a b c\u{fffd}d");
    }
}
