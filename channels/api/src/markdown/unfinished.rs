//! Markdown that is still being written: closes what is open, so that no raw marks show.
//!
//! It is a guess about text that is not there yet. What it adds or leaves out matters only until
//! the next words come.

use std::borrow::Cow;

/// A mark that was opened and not closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct OpenMark {
    letter: char,
    /// How many of these letters are still open.
    length: usize,
    /// Where what it marks begins, in bytes.
    content: usize,
}

/// Returns a text whose last block has no open marks: they are closed, or left out where nothing
/// stands behind them yet.
pub fn close_open_marks(markdown: &str) -> Cow<'_, str> {
    if let Some(fence) = open_fence(markdown) {
        return Cow::Owned(format!("{}\n{fence}", markdown.trim_end()));
    }
    let start = last_block(markdown);
    let (before, block) = markdown.split_at(start);
    let (block, link_is_open) = without_open_link(block);
    let open = open_marks(&block);
    if open.is_empty() && !link_is_open {
        return Cow::Borrowed(markdown);
    }
    let mut closed = block.trim_end().to_owned();
    for mark in open.iter().rev() {
        if closed.len() <= mark.content {
            closed.truncate(mark.content.saturating_sub(mark.length));
            closed.truncate(closed.trim_end().len());
        } else {
            closed.extend(std::iter::repeat_n(mark.letter, mark.length));
        }
    }
    Cow::Owned(format!("{before}{closed}"))
}

/// Returns what closes the code block that the text ends in, if it ends in one.
fn open_fence(markdown: &str) -> Option<&'static str> {
    markdown.lines().fold(None, |open, line| {
        let line = line.trim_start();
        let fence = ["```", "~~~"].into_iter().find(|it| line.starts_with(it));
        match (open, fence) {
            (None, opened) => opened,
            (Some(open), Some(fence)) if open == fence => None,
            (open, _) => open,
        }
    })
}

/// Returns where the last block begins, in bytes: behind the last empty line or code block.
fn last_block(markdown: &str) -> usize {
    let mut start = 0;
    let mut at = 0;
    for line in markdown.split_inclusive('\n') {
        at += line.len();
        let line = line.trim();
        if line.is_empty() || line.starts_with("```") || line.starts_with("~~~") {
            start = at;
        }
    }
    start
}

/// Returns the block with the words of a link in place of a link whose address is not whole, and
/// whether there was one.
fn without_open_link(block: &str) -> (Cow<'_, str>, bool) {
    let open = block.rfind("](").filter(|at| !block[*at..].contains(')'));
    let words = open.and_then(|at| Some((block[..at].rfind('[')?, at)));
    match words {
        Some((from, to)) => {
            let text = format!("{}{}", &block[..from], &block[from + 1..to]);
            (Cow::Owned(text), true)
        }
        None => (Cow::Borrowed(block), false),
    }
}

fn open_marks(block: &str) -> Vec<OpenMark> {
    let mut open: Vec<OpenMark> = Vec::new();
    let mut before = None;
    let mut at = 0;
    while let Some(letter) = block[at..].chars().next() {
        if letter == '\\' {
            let escaped = block[at + 1..].chars().next();
            at += 1 + escaped.map_or(0, char::len_utf8);
            before = escaped;
            continue;
        }
        let run = block[at..].len() - block[at..].trim_start_matches(letter).len();
        let behind = at + run;
        match letter {
            '`' => {
                let Some(end) = closing_run(block, behind, run / letter.len_utf8()) else {
                    open.push(OpenMark {
                        letter,
                        length: run,
                        content: behind,
                    });
                    return open;
                };
                at = end;
            }
            '*' | '_' | '~' => {
                let mark = OpenMark {
                    letter,
                    length: run,
                    content: behind,
                };
                read_run(&mut open, before, &block[behind..], mark);
                at = behind;
            }
            _ => at += letter.len_utf8(),
        }
        before = Some(letter);
    }
    open
}

/// Takes a run of one letter into account, which closes marks, opens one, or is text.
fn read_run(open: &mut Vec<OpenMark>, before: Option<char>, rest: &str, run: OpenMark) {
    let is_space = |it: Option<char>| it.is_none_or(char::is_whitespace);
    let after = rest.chars().next();
    let letter = run.letter;
    let mut left = run.length;
    if !is_space(before) {
        while let Some(last) = open.last_mut().filter(|last| last.letter == letter) {
            let closes = left.min(last.length);
            last.length -= closes;
            left -= closes;
            if last.length > 0 || left == 0 {
                break;
            }
            open.pop();
        }
        open.retain(|mark| mark.length > 0);
    }
    // A single sign between letters is a product or a name more often than a mark.
    let is_within_word = before.is_some_and(char::is_alphanumeric);
    let opens = match letter {
        '~' => left == 2,
        '_' => !is_within_word,
        _ => left > 1 || !is_within_word,
    };
    let has_content = after.is_some_and(|it| !it.is_whitespace());
    let may_come = after.is_none() && (left == 2 || is_space(before));
    if left > 0 && left <= 3 && opens && (has_content || may_come) {
        open.push(OpenMark {
            length: left,
            ..run
        });
    }
}

/// Returns where the code ends that a run of this number of backticks before `from` began.
fn closing_run(block: &str, from: usize, length: usize) -> Option<usize> {
    let mut at = from;
    while let Some(found) = block[at..].find('`') {
        let start = at + found;
        let run = block[start..].len() - block[start..].trim_start_matches('`').len();
        at = start + run;
        if run == length {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::close_open_marks;

    #[track_caller]
    fn check(markdown: &str, closed: &str) {
        assert_eq!(close_open_marks(markdown), closed, "{markdown:?}");
    }

    #[test]
    fn u10_open_marks_are_closed_or_left_out() {
        check("**Rep", "**Rep**");
        check("**Rep*", "**Rep**");
        check("**Report** is", "**Report** is");
        check("The **", "The");
        check("这是**重点", "这是**重点**");
        check("a *b and `c", "a *b and `c`*");
        check("run `", "run");
        check("a **b `", "a **b**");
        check("~~old", "~~old~~");
        check("see [the page](https://exam", "see the page");
        check(
            "see [the page](https://example.org)",
            "see [the page](https://example.org)",
        );
    }

    #[test]
    fn text_that_only_looks_like_marks_stays() {
        check("2 * 3", "2 * 3");
        check("2*3", "2*3");
        check("* item\n* item", "* item\n* item");
        check("snake_case", "snake_case");
        check("a \\*b", "a \\*b");
        check("`a*b` c", "`a*b` c");
        check("", "");
    }

    #[test]
    fn a_code_block_is_closed_and_marks_before_the_last_block_are_not_looked_at() {
        check("```rust\nlet a", "```rust\nlet a\n```");
        check("a ** b\n\nplain", "a ** b\n\nplain");
        check("```\na\n```\n**b", "```\na\n```\n**b**");
    }
}
