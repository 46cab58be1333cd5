//! How wide the terminal is, and texts that fit into it: broken between words, with what follows
//! below the text of the line.

use std::io::{self, IsTerminal as _};

use rustix::termios::tcgetwinsize;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Fewer columns than these hold no sentence: then the terminal breaks the lines.
const LEAST: usize = 40;
/// What may stand before the text of a line, behind its indentation.
const MARKS: [&str; 2] = ["ok  ", "!!  "];

/// Returns how many columns the terminal at our standard output has; `None` where there is none, or
/// it does not say.
pub(super) fn of_terminal() -> Option<usize> {
    let output = io::stdout();
    let size = output.is_terminal().then(|| tcgetwinsize(&output))?.ok()?;
    Some(usize::from(size.ws_col)).filter(|columns| *columns > 0)
}

/// Returns a text with no line wider than a terminal, as far as its words can be parted.
pub(super) fn fitted(text: &str, columns: Option<usize>) -> String {
    match columns {
        Some(columns) if columns >= LEAST => {
            let lines = text.split('\n').map(|line| fitted_line(line, columns));
            lines.collect::<Vec<_>>().join("\n")
        }
        Some(_) | None => text.to_owned(),
    }
}

fn fitted_line(line: &str, columns: usize) -> String {
    let begin = text_at(line);
    let hanging = " ".repeat(line[..begin].width());
    let mut pieces = Vec::new();
    let (mut rest, mut from, mut room) = (line, begin, columns);
    while let Some(cut) = cut_at(rest, from, room) {
        pieces.push(rest[..cut].trim_end());
        rest = rest[cut..].trim_start();
        // Further pieces stand below the text.
        (from, room) = (0, columns.saturating_sub(hanging.len()));
    }
    pieces.push(rest);
    pieces.join(&format!("\n{hanging}"))
}

/// Returns where the text of a line begins, behind its indentation, number and mark.
fn text_at(line: &str) -> usize {
    let indented = line.len() - line.trim_start_matches(' ').len();
    let text = &line[indented..];
    if let Some(mark) = MARKS.iter().find(|mark| text.starts_with(**mark)) {
        return indented + mark.len();
    }
    let digits = text.len()
        - text
            .trim_start_matches(|it: char| it.is_ascii_digit())
            .len();
    if digits > 0 && text[digits..].starts_with(". ") {
        return indented + digits + 2;
    }
    indented
}

/// Returns where a line that is too wide is cut: behind its last space that fits, or between two Han
/// letters; `None` where it fits, and where its first word alone does not. Nothing is cut before
/// `begin`.
fn cut_at(line: &str, begin: usize, columns: usize) -> Option<usize> {
    let (mut width, mut cut) = (0, None);
    let mut before = None;
    for (at, letter) in line.char_indices() {
        let may_cut = at > begin && (before == Some(' ') || is_between(before, letter));
        if may_cut && letter != ' ' {
            cut = Some(at);
        }
        width += letter.width().unwrap_or_default();
        // A space at the edge is not seen.
        if width > columns && letter != ' ' {
            return cut.or_else(|| {
                let next = line[at..].find(' ')? + at;
                (next + 1 < line.len()).then_some(next + 1)
            });
        }
        before = Some(letter);
    }
    None
}

/// Returns whether a line may end between two letters that have no space between them.
fn is_between(before: Option<char>, letter: char) -> bool {
    let is_han = |letter: char| matches!(letter, '\u{4e00}'..='\u{9fff}');
    let closes = |letter: char| "，。、；：？！）”』》".contains(letter);
    before.is_some_and(|before| {
        (is_han(before) || closes(before)) && !closes(letter) && !letter.is_ascii_punctuation()
    })
}

#[cfg(test)]
mod tests {
    use super::fitted;

    #[test]
    fn lines_break_between_words_below_their_text() {
        let text = "  3. On the same page, switch on Message Content Intent, so that it sees more.\n\
                    !!  Telegram: the platform refuses the token of this account\n\
                    short";
        insta::assert_snapshot!(fitted(text, Some(40)), @r"
          3. On the same page, switch on Message
             Content Intent, so that it sees
             more.
        !!  Telegram: the platform refuses the
            token of this account
        short
        ");
        assert_eq!(fitted(text, None), text);
        assert_eq!(fitted(text, Some(20)), text, "too narrow for sentences");
    }

    #[test]
    fn words_stay_whole_and_chinese_breaks_between_letters() {
        let address = "Open https://discord.com/developers/applications/and/more now.";
        insta::assert_snapshot!(fitted(address, Some(40)), @r"
        Open
        https://discord.com/developers/applications/and/more
        now.
        ");
        let chinese = "  1. 在同一页面打开“Message Content Intent”，这样它才能看到提及前后的消息。";
        insta::assert_snapshot!(fitted(chinese, Some(44)), @r"
          1. 在同一页面打开“Message Content
             Intent”，这样它才能看到提及前后的消息。
        ");
    }
}
