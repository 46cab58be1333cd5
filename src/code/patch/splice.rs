//! The text of a file after its hunks: what no hunk names stays byte by byte, lines that stay are taken
//! from the file, and added lines end as the lines beside them do.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::error::{HunkProblem, PatchError};
use super::indentation::{Pair, Shift};
use super::line_text::{Ending, LineText, TextLine};
use super::nearest;
use super::placement::{NoPlace, Place, Placement};
use super::seek::{Allowance, Pass};
use super::syntax::{Hunk, HunkLine, LineKind, Repair};

/// Applies hunks to the text of a file; `path` names it in errors.
pub(super) fn spliced(
    path: &str,
    text: &str,
    hunks: &[Hunk],
    allowance: &mut Allowance,
    repairs: &mut BTreeSet<Repair>,
) -> Result<String, PatchError> {
    let old = LineText::new(text);
    let mut placement = Placement::new(&old.lines, allowance, repairs);
    let mut new = NewLines::of(&old);
    for (at, hunk) in hunks.iter().enumerate() {
        let placed = placement.place(hunk).and_then(|place| {
            new.take_hunk(hunk, &place)?;
            Ok(())
        });
        placed.map_err(|no_place| match no_place {
            NoPlace::Patch(error) => error,
            NoPlace::Hunk(problem) => PatchError::Hunk {
                path: path.to_owned(),
                hunk: at + 1,
                hunks: hunks.len(),
                patch_line: hunk.patch_line,
                problem,
            },
        })?;
    }
    Ok(new.finish())
}

/// The lines of the new text.
struct NewLines<'a> {
    old: &'a LineText<'a>,
    usual: Ending,
    lines: Vec<NewLine<'a>>,
    /// How many lines of the old text are done.
    taken: usize,
    /// Whether the last hunk reaches the end of the file and says which of its lines have no line end.
    says_ending: bool,
}

struct NewLine<'a> {
    text: Cow<'a, str>,
    ending: Ending,
}

impl<'a> From<&TextLine<'a>> for NewLine<'a> {
    fn from(line: &TextLine<'a>) -> Self {
        Self {
            text: Cow::Borrowed(line.text),
            ending: line.ending,
        }
    }
}

impl<'a> NewLines<'a> {
    fn of(old: &'a LineText<'a>) -> Self {
        Self {
            old,
            usual: old.usual_ending(),
            lines: Vec::with_capacity(old.lines.len()),
            taken: 0,
            says_ending: false,
        }
    }

    fn take_hunk(&mut self, hunk: &Hunk, place: &Place) -> Result<(), HunkProblem> {
        self.take_until(place.file.start);
        let own = hunk.lines.get(place.lines.clone()).unwrap_or_default();
        let old = self.old.lines.get(place.file.clone()).unwrap_or_default();
        let shift = shift(own, old, place.pass);
        let mut at = place.file.start;
        for line in own {
            match line.kind {
                LineKind::Context => self.lines.extend(self.old.lines.get(at).map(NewLine::from)),
                LineKind::Removed => {}
                LineKind::Added => {
                    let shifted = shift.as_ref().and_then(|shift| shift.shifted(&line.text));
                    let text = shifted.ok_or_else(|| HunkProblem::Indentation {
                        place: place.file.start + 1,
                        nearest: nearest::around(&self.old.lines, place.file.start, old.len()),
                    })?;
                    let ending = self.ending(line, place, at);
                    let text = Cow::Owned(text.into_owned());
                    self.lines.push(NewLine { text, ending });
                }
            }
            at += usize::from(line.kind != LineKind::Added);
        }
        self.taken = place.file.end;
        let is_last = self.taken == self.old.lines.len();
        self.says_ending = is_last && own.iter().any(|line| line.is_without_newline);
        Ok(())
    }

    /// An added line ends like the line of the file above it in the hunk, else like the one below it.
    fn ending(&self, line: &HunkLine, place: &Place, at: usize) -> Ending {
        if line.is_without_newline {
            return Ending::None;
        }
        let beside = if at > place.file.start { at - 1 } else { at };
        match self.old.lines.get(beside).map(|line| line.ending) {
            None | Some(Ending::None) => self.usual,
            Some(ending) => ending,
        }
    }

    fn take_until(&mut self, end: usize) {
        let untouched = self.old.lines.get(self.taken..end).unwrap_or_default();
        self.lines.extend(untouched.iter().map(NewLine::from));
        self.taken = end;
    }

    fn finish(mut self) -> String {
        self.take_until(self.old.lines.len());
        let usual = self.usual;
        if let Some((last, others)) = self.lines.split_last_mut() {
            for line in others.iter_mut().filter(|line| line.ending == Ending::None) {
                line.ending = usual;
            }
            if !self.says_ending && self.old.is_without_newline() {
                last.ending = Ending::None;
            } else if !self.says_ending && last.ending == Ending::None {
                last.ending = usual;
            }
        }
        let lines = self.lines.iter().map(|line| TextLine {
            text: &line.text,
            ending: line.ending,
        });
        let new = LineText {
            has_mark: self.old.has_mark,
            lines: lines.collect(),
        };
        new.written()
    }
}

/// Returns how added lines are indented; `None` where that is not known.
fn shift<'a>(own: &'a [HunkLine], old: &[TextLine<'a>], pass: Pass) -> Option<Shift<'a>> {
    match pass {
        Pass::Exact | Pass::TrailingSpace => return Some(Shift::None),
        Pass::SurroundingSpace | Pass::Punctuation => {}
    }
    let wanted = own.iter().filter(|line| line.kind != LineKind::Added);
    let pairs = wanted.zip(old).map(|(line, found)| Pair {
        wanted: &line.text,
        found: found.text,
        is_removed: line.kind == LineKind::Removed,
    });
    let shift = Shift::between(&pairs.collect::<Vec<_>>());
    // Without added lines nothing depends on it.
    let adds = own.iter().any(|line| line.kind == LineKind::Added);
    shift.or_else(|| (!adds).then_some(Shift::None))
}
