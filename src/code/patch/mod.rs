//! Patches as models write them: read, applied to texts, written, and rendered for people.
//!
//! [`parse`] reads the format between `*** Begin Patch` and `*** End Patch` (`envelope`) and unified diffs
//! (`unified`). What is not written according to the format is read where its meaning is certain, and
//! listed as [`Repair`]; else it is refused with a [`PatchError`] that says what to write instead.
//! [`apply`] changes texts that the caller has, all or none. A hunk must fit in one place only. Lines
//! may differ in spaces, dashes and quotes (`seek`); how alike two lines are never decides anything: the
//! lines nearest to a failed hunk are looked for only to be quoted in the error.
//!
//! A line number decides between equal places only if the counts beside it agree with the hunk and the
//! lines are exactly the same. Lines that stay are taken from the file, never from the patch; line ends, a
//! byte order mark and a missing line end at the end of the file stay.
//!
//! What a path names on disk, which files are secret, and whether a file has changed since the model read
//! it, is left to the caller: [`FileChange`] has each text before and after.
//!
//! Work is bounded: a patch of [`limits::PATCH_BYTES`], files of [`limits::FILE_BYTES`] each, and searches
//! through [`limits::LINES_SEARCHED`] lines.

mod application;
mod change;
mod envelope;
mod error;
mod headers;
mod indentation;
pub mod limits;
mod line_diff;
mod line_text;
mod line_width;
mod nearest;
mod path;
mod placement;
mod render;
mod scope;
mod sections;
mod seek;
mod splice;
mod syntax;
mod unified;
mod unified_names;
mod wrapping;
mod writer;

use std::borrow::Cow;

pub use application::{Applied, FileText, Files, apply};
pub use change::{ChangeKind, FileChange, LineCounts};
pub use error::{
    FileProblem, HunkProblem, Nearest, PatchError, PathProblem, SyntaxProblem, Wanted,
};
pub use path::{PatchPath, RefusedPath};
pub use render::{RenderLimits, RenderedDiff, RenderedKind, RenderedLine, render};
pub use syntax::{Action, Hunk, HunkLine, LineKind, Patch, Repair, Section};
pub use writer::{PatchFormat, Unrepresentable, write};

/// Reads a patch in either format.
pub fn parse(text: &str) -> Result<Patch, PatchError> {
    if text.len() > limits::PATCH_BYTES {
        return Err(PatchError::TooLarge {
            what: "the bytes of the patch",
            limit: limits::PATCH_BYTES,
        });
    }
    let text = wrapping::unescaped(text)?;
    let mut patch = parse_lines(&wrapping::lines(&text))?;
    if matches!(text, Cow::Owned(_)) {
        patch.repairs.push(Repair::Unescaped);
    }
    Ok(patch)
}

fn parse_lines(lines: &[wrapping::Line<'_>]) -> Result<Patch, PatchError> {
    let refused = |line, problem| Err(PatchError::Syntax { line, problem });
    if let Some(line) = lines.iter().find(|line| line.text.contains('\0')) {
        return refused(line.number, SyntaxProblem::Binary);
    }
    match (envelope::find(lines), unified::find(lines)) {
        (Some(first), Some(other)) if other < first => unified::parse(lines, other),
        (Some(first), _) => envelope::parse(lines, first),
        (None, Some(first)) => unified::parse(lines, first),
        (None, None) => {
            let mut blocks = lines
                .iter()
                .filter(|line| line.text.starts_with("<<<<<<< "));
            match blocks.next() {
                Some(line) => refused(line.number, SyntaxProblem::SearchReplace),
                None => refused(1, SyntaxProblem::NoPatch),
            }
        }
    }
}

#[cfg(test)]
mod tests;
