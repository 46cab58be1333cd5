//! Lines that fit into a number of columns: a Chinese letter takes two. Words stay whole.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// What stands for a part that is not shown.
const DOTS: &str = "…";
/// How many columns a tab takes.
const TAB: &str = "    ";

/// Returns a line with its tabs as spaces.
pub(super) fn indented(line: &str) -> String {
    line.replace('\t', TAB)
}

/// Returns a line that is no wider than this many columns, 8 at least. A line that is wider keeps its part
/// around `focus`, in bytes, with dots for what is not shown. A word that does not fit is left out whole,
/// unless it takes more than half of the columns.
pub(super) fn fitted(line: &str, columns: usize, focus: usize) -> String {
    let columns = columns.max(8);
    if line.width() <= columns {
        return line.to_owned();
    }
    let head = end_within(line, columns - 1);
    if focus < head {
        return format!("{}{DOTS}", line.get(..head).unwrap_or_default());
    }
    let start = start_before(line, focus, columns / 3);
    let rest = line.get(start..).unwrap_or_default();
    if rest.width() < columns {
        return format!("{DOTS}{rest}");
    }
    let end = end_within(rest, columns - 2);
    format!("{DOTS}{}{DOTS}", rest.get(..end).unwrap_or_default())
}

/// Returns where a line ends, in bytes, that is cut to a number of columns.
fn end_within(line: &str, columns: usize) -> usize {
    let mut width = 0;
    let mut end = 0;
    for (at, letter) in line.char_indices() {
        width += letter.width().unwrap_or_default();
        if width > columns {
            break;
        }
        end = at + letter.len_utf8();
    }
    let word = line.get(..end).unwrap_or_default();
    let word = word.trim_end_matches(is_of_word);
    let is_inside = line
        .get(end..)
        .is_some_and(|rest| rest.starts_with(is_of_word));
    let is_near = word.width() * 2 >= columns;
    if is_inside && is_near {
        word.len()
    } else {
        end
    }
}

/// Returns where a line begins, in bytes, so that at most this many columns stand before the focus.
fn start_before(line: &str, focus: usize, columns: usize) -> usize {
    let before = line.get(..focus).unwrap_or(line);
    let mut width = 0;
    let mut start = before.len();
    for (at, letter) in before.char_indices().rev() {
        width += letter.width().unwrap_or_default();
        if width > columns {
            break;
        }
        start = at;
    }
    let is_inside = before
        .get(..start)
        .is_some_and(|it| it.ends_with(is_of_word));
    let rest = before.get(start..).unwrap_or_default();
    let word = rest.len() - rest.trim_start_matches(is_of_word).len();
    if is_inside && word < rest.len() {
        start + word
    } else {
        start
    }
}

/// Whether a letter belongs to a word of several letters. Chinese letters are words of their own.
fn is_of_word(letter: char) -> bool {
    let is_letter = letter.is_alphanumeric() && letter.width() == Some(1);
    is_letter || letter == '_' || letter.width() == Some(0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use unicode_width::UnicodeWidthStr as _;

    use super::fitted;

    #[test]
    fn words_stay_whole() {
        assert_eq!(fitted("one two three four", 18, 0), "one two three four");
        assert_eq!(fitted("one two three four", 12, 0), "one two …");
        assert_eq!(fitted("an_identifier_that_is_long", 12, 0), "an_identifi…");
        assert_eq!(fitted("一二三四五六七", 9, 0), "一二三四…");
        assert_eq!(fitted("改为 timeout 三十秒", 13, 0), "改为 timeout…");
        assert_eq!(fitted("改为 timeouts 三十秒", 12, 0), "改为 timeou…");
    }

    #[test]
    fn what_differs_is_shown() {
        let line = "let value = some_function(first_argument, second_argument);";
        let focus = line.find("second").unwrap();
        assert_eq!(fitted(line, 24, focus), "…, second_argument);");
        assert_eq!(fitted(line, 20, 30), "…(first_argument, …");
    }

    proptest! {
        #[test]
        fn nothing_is_wider(line in "[a-z _一二三]{0,80}", columns in 0_usize..40, focus in 0_usize..90) {
            let shown = fitted(&line, columns, focus);
            prop_assert!(shown.width() <= columns.max(8));
        }
    }
}
