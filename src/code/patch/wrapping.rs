//! What models put around a patch: Markdown fences, a shell command, sentences, an indentation, and
//! line ends written as `\n`.

use std::borrow::Cow;

use super::error::{PatchError, SyntaxProblem};

/// A line of a patch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line<'a> {
    /// Its number in the text that the model wrote, from 1.
    pub(super) number: usize,
    /// Its text, without line end.
    pub(super) text: &'a str,
}

/// Returns the lines of a text. A carriage return at the end of a line is part of its line end.
pub(super) fn lines(text: &str) -> Vec<Line<'_>> {
    let unmarked = text.strip_prefix('\u{feff}').unwrap_or(text);
    let content = unmarked.strip_suffix('\n').unwrap_or(unmarked);
    (1..)
        .zip(content.split('\n'))
        .map(|(number, line)| Line {
            number,
            text: line.strip_suffix('\r').unwrap_or(line),
        })
        .collect()
}

/// Returns the text with real line ends, where it was written on one line like a string of JSON.
pub(super) fn unescaped(text: &str) -> Result<Cow<'_, str>, PatchError> {
    let line = text.trim();
    let is_escaped = !line.contains('\n')
        && (line.contains("*** ") || line.contains("--- "))
        && (line.contains("File:") || line.contains("@@"))
        && line.contains("\\n");
    if !is_escaped {
        return Ok(Cow::Borrowed(text));
    }
    let refused = || PatchError::Syntax {
        line: 1,
        problem: SyntaxProblem::Escaped,
    };
    let mut real = String::with_capacity(line.len());
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => return Err(refused()),
            '\\' => real.push(match letters.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                Some('r') => '\r',
                Some(same @ ('\\' | '"' | '/')) => same,
                Some(_) | None => return Err(refused()),
            }),
            letter => real.push(letter),
        }
    }
    Ok(Cow::Owned(real))
}

/// Returns the lines without the indentation that the first line of the patch has, if all others have
/// it too; `None` if there is none.
pub(super) fn dedented<'a>(lines: &[Line<'a>], first: usize) -> Option<Vec<Line<'a>>> {
    let patch = lines.get(first..)?;
    let text = patch.first()?.text;
    let indentation = &text[..text.len() - text.trim_start().len()];
    if indentation.is_empty() {
        return None;
    }
    let without = patch.iter().map(|line| {
        let text = match line.text.strip_prefix(indentation) {
            Some(text) => text,
            None if line.text.trim().is_empty() => "",
            None => return None,
        };
        Some(Line { text, ..*line })
    });
    without.collect()
}

/// Returns whether a line opens or closes a Markdown fence at its beginning.
pub(super) fn is_fence(line: &str) -> bool {
    line.starts_with("```") || line.starts_with("~~~")
}

/// Returns whether a line closes a Markdown fence.
fn is_closing_fence(line: &str) -> bool {
    is_fence(line) && line.trim_end().trim_matches(['`', '~']).is_empty()
}

/// Returns the lines inside of the fences, where the first line of a patch stands in one; `None` if it
/// does not. Refused is a fence that closes while lines of a patch follow it.
pub(super) fn inside_fences<'a>(
    lines: &[Line<'a>],
    first: usize,
) -> Result<Option<Vec<Line<'a>>>, PatchError> {
    let before = lines.get(..first).unwrap_or_default();
    let fences = before.iter().filter(|line| is_fence(line.text)).count();
    if fences % 2 == 0 {
        return Ok(None);
    }
    let mut inside = Vec::new();
    let mut is_open = true;
    for line in lines.get(first..).unwrap_or_default() {
        let is_toggle = if is_open {
            is_closing_fence(line.text)
        } else {
            is_fence(line.text)
        };
        if is_toggle {
            is_open = !is_open;
        } else if is_open {
            inside.push(*line);
        } else if line.text.starts_with(['+', '-', '@']) || line.text.starts_with("*** ") {
            return Err(PatchError::Syntax {
                line: line.number,
                problem: SyntaxProblem::FenceInside,
            });
        }
    }
    Ok(Some(inside))
}
