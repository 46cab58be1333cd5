//! The sections of a patch while it is read, within the limits.

use std::collections::BTreeSet;

use super::error::{PatchError, SyntaxProblem};
use super::headers::is_no_newline;
use super::limits::{HUNKS, SECTIONS};
use super::path::PatchPath;
use super::syntax::{Action, HunkLine, Patch, Repair, Section};
use super::wrapping::Line;

/// What was read so far.
#[derive(Default)]
pub(super) struct Sections {
    read: Vec<Section>,
    repairs: BTreeSet<Repair>,
    hunks: usize,
}

/// How the lines of a new file may be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Body {
    /// Each has its `+`, or none has.
    MayBeBare,
    /// Each has its `+`.
    Signed,
}

impl Sections {
    /// Adds a section.
    pub(super) fn push(&mut self, path: PatchPath, action: Action) -> Result<(), PatchError> {
        if let Action::Update { hunks, .. } = &action {
            self.hunks += hunks.len();
        }
        if self.hunks > HUNKS {
            let what = "the number of hunks";
            return Err(PatchError::TooLarge { what, limit: HUNKS });
        }
        if self.read.len() == SECTIONS {
            let what = "the number of files";
            return Err(PatchError::TooLarge {
                what,
                limit: SECTIONS,
            });
        }
        self.read.push(Section { path, action });
        Ok(())
    }

    /// Reads a path.
    pub(super) fn path(&mut self, line: Line<'_>, written: &str) -> Result<PatchPath, PatchError> {
        let path = PatchPath::read(written).map_err(|refused| PatchError::Path {
            line: line.number,
            path: refused.path,
            problem: refused.problem,
        })?;
        self.note_if(path.as_str() != written.trim(), Repair::PathSpelling);
        Ok(path)
    }

    /// Notes what was read although it was not written according to the format.
    pub(super) fn note_if(&mut self, happened: bool, repair: Repair) {
        if happened {
            self.repairs.insert(repair);
        }
    }

    /// Notes lines without a sign; an empty line without its space is not worth a note.
    pub(super) fn note_bare(&mut self, lines: &[HunkLine]) {
        let is_bare = |line: &HunkLine| line.is_bare && !line.text.is_empty();
        self.note_if(lines.iter().any(is_bare), Repair::MissingSign);
    }

    /// Whether nothing was read yet.
    pub(super) fn is_empty(&self) -> bool {
        self.read.is_empty()
    }

    /// Returns the patch.
    pub(super) fn finish(self) -> Result<Patch, PatchError> {
        if self.read.is_empty() {
            return Err(PatchError::Syntax {
                line: 1,
                problem: SyntaxProblem::NoPatch,
            });
        }
        Ok(Patch {
            sections: self.read,
            repairs: self.repairs.into_iter().collect(),
        })
    }
}

/// Returns the text of a new file from its lines. A header with `@@` in front of them, and lines without
/// anything behind them, are left out.
pub(super) fn added_text(
    body: &[Line<'_>],
    written: Body,
    sections: &mut Sections,
) -> Result<String, PatchError> {
    let is_blank = |line: &Line<'_>| line.text.trim().is_empty();
    let end = body.iter().rposition(|line| !is_blank(line));
    let body = end.and_then(|end| body.get(..=end)).unwrap_or_default();
    let skipped = body
        .iter()
        .take_while(|line| line.text.starts_with("@@"))
        .count();
    let lines = body.get(skipped..).unwrap_or_default();
    let is_signed = |line: &Line<'_>| line.text.starts_with('+');
    let is_marker = |line: &Line<'_>| is_no_newline(line.text);
    let is_bare = written == Body::MayBeBare && skipped == 0 && !lines.iter().any(is_signed);
    let mut text = String::new();
    for line in lines {
        match line.text.strip_prefix('+') {
            Some(added) => text.push_str(added),
            None if is_marker(line) => {
                text.pop();
                continue;
            }
            None if is_bare => text.push_str(line.text),
            None if is_blank(line) => {}
            None => {
                return Err(PatchError::Syntax {
                    line: line.number,
                    problem: SyntaxProblem::NotAdded,
                });
            }
        }
        text.push('\n');
    }
    sections.note_if(is_bare && !lines.is_empty(), Repair::MissingSign);
    Ok(text)
}
