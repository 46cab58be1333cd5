//! What the text behind `@@` narrows a search to: the lines that belong to that class, function or
//! heading, by their indentation.

use std::ops::Range;

use super::error::PatchError;
use super::line_text::TextLine;
use super::seek::{Allowance, Seeker};

/// The most lines with the text of one `@@` that are looked at.
const MOST_SCOPES: usize = 1_000;

/// Returns the runs of lines that belong to these scopes, the outermost first, each in the one before
/// it. None if a scope is not found.
pub(super) fn regions(
    seeker: &mut Seeker<'_>,
    scopes: &[String],
    allowance: &mut Allowance,
) -> Result<Vec<Range<usize>>, PatchError> {
    let mut regions: Vec<Range<usize>> = std::iter::once(0..seeker.lines().len()).collect();
    for scope in scopes {
        let found = seeker.first_places(&[scope], 0, allowance)?;
        let places = found.map(|found| found.places).unwrap_or_default();
        let places = places.into_iter().take(MOST_SCOPES);
        let inside = places.filter(|place| is_inside(&regions, *place));
        regions = inside.map(|place| region(seeker.lines(), place)).collect();
    }
    Ok(regions)
}

/// Returns whether a line is in one of these runs, which are in order.
pub(super) fn is_inside(regions: &[Range<usize>], line: usize) -> bool {
    regions.iter().any(|region| region.contains(&line))
}

/// Returns the lines from a heading to before the next line that begins something beside it: one that is
/// indented no deeper and does not begin with a bracket. What has no indentation below it ends at the
/// next line that begins with the same sign (`#` of Markdown, `[` of an INI file).
fn region(lines: &[TextLine<'_>], place: usize) -> Range<usize> {
    let heading = lines.get(place).map_or("", |line| line.text);
    let depth = depth(heading);
    let sign = heading
        .trim_start()
        .chars()
        .next()
        .filter(|it| matches!(it, '#' | '['));
    let begins_beside = |line: &TextLine<'_>| {
        let text = line.text.trim_start();
        let Some(first) = text.chars().next() else {
            return false;
        };
        match sign {
            Some(sign) => first == sign && self::depth(line.text) <= depth,
            None => {
                self::depth(line.text) <= depth && !matches!(first, ')' | ']' | '}' | '{' | '(')
            }
        }
    };
    let below = lines.get(place + 1..).unwrap_or_default();
    let length = below.iter().position(begins_beside);
    place..place + 1 + length.unwrap_or(below.len())
}

/// How deep a line is indented; a tab counts as four spaces.
fn depth(line: &str) -> usize {
    let spaces = line.chars().take_while(|letter| letter.is_whitespace());
    spaces
        .map(|letter| if letter == '\t' { 4 } else { 1 })
        .sum()
}
