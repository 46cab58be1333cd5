//! Why a patch is refused, in words with which a model can write a better one.

use std::fmt;

use super::limits::{NAMED_PLACES, QUOTED_CHARS, QUOTED_LINES};

/// Why a patch was not applied; no file has changed then.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PatchError {
    /// The text is no patch, or not one that can be read.
    #[error("patch line {line}: {problem}")]
    Syntax {
        /// The line of the patch, from 1.
        line: usize,
        /// What is wrong there.
        problem: SyntaxProblem,
    },
    /// A path may not be named.
    #[error("patch line {line}: the path `{path}` {problem}")]
    Path {
        /// The line of the patch, from 1.
        line: usize,
        /// The path, cut to a length that can be shown.
        path: String,
        /// What is wrong with it.
        problem: PathProblem,
    },
    /// A file does not fit to what is to be done with it.
    #[error("`{path}` {problem}")]
    File {
        /// The file.
        path: String,
        /// Why not.
        problem: FileProblem,
    },
    /// A hunk does not fit to its file.
    #[error("`{path}`, hunk {hunk} of {hunks} (patch line {patch_line}): {problem}")]
    Hunk {
        /// The file.
        path: String,
        /// Which hunk of its section, from 1.
        hunk: usize,
        /// How many hunks the section has.
        hunks: usize,
        /// The line of the patch in which the hunk begins, from 1.
        patch_line: usize,
        /// Why not.
        problem: Box<HunkProblem>,
    },
    /// The patch or a file is beyond a limit.
    #[error("too large: {what} ({limit} at most). Split the patch into smaller ones")]
    TooLarge {
        /// What is too large.
        what: &'static str,
        /// The limit, in the unit that `what` names.
        limit: usize,
    },
}

/// Why the text of a patch cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SyntaxProblem {
    /// No part of a patch was found.
    #[error(
        "no patch found. Write `*** Begin Patch`, then `*** Update File: path`, `*** Add File: path` or \
         `*** Delete File: path` with its lines, then `*** End Patch`; or a unified diff"
    )]
    NoPatch,
    /// The text is in the form of search and replace blocks.
    #[error(
        "search and replace blocks are not supported. Write `*** Begin Patch`, `*** Update File: path`, \
         and lines that begin with a space (kept), `-` (removed) or `+` (added)"
    )]
    SearchReplace,
    /// A line with `***` that the format does not have.
    #[error(
        "`{0}` is not a marker of the format. Known: `*** Add File:`, `*** Delete File:`, \
         `*** Update File:`, `*** Move to:`, `*** End of File`, `*** End Patch`"
    )]
    UnknownMarker(String),
    /// A marker where it means nothing.
    #[error("`{0}` has no place here")]
    Misplaced(String),
    /// Hunks without a file.
    #[error("no file is named before these lines")]
    NoFile,
    /// An update with nothing in it.
    #[error("nothing changes in `{0}`: there are no lines with `+` or `-`")]
    NoHunks(String),
    /// A hunk with nothing in it.
    #[error("a hunk has no lines")]
    EmptyHunk,
    /// A new file with lines that have no `+`.
    #[error("every line of a new file begins with `+`; this one does not")]
    NotAdded,
    /// Two names without a rename.
    #[error("the file is named `{old}` before and `{new}` after: name it once, or write a rename")]
    TwoNames {
        /// Behind `---`.
        old: String,
        /// Behind `+++`.
        new: String,
    },
    /// A change of bytes.
    #[error("binary files cannot be patched")]
    Binary,
    /// A copy, a symbolic link or a submodule.
    #[error("{0} cannot be made by a patch")]
    Unsupported(&'static str),
    /// Line ends written as `\n`, but not everywhere.
    #[error("the patch is on one line with `\\n` in it; send it with real line breaks")]
    Escaped,
    /// A Markdown fence that ends before the patch does.
    #[error("a Markdown fence ends inside of the patch; send the patch without fences")]
    FenceInside,
}

/// Why a path may not be named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PathProblem {
    /// Nothing is named.
    #[error("is empty")]
    Empty,
    /// It begins at the root of the machine, at a drive, or at a home folder.
    #[error("is absolute; write it relative to the project's folder")]
    Absolute,
    /// It leads upwards.
    #[error("contains `..`; write it relative to the project's folder, without `..`")]
    Parent,
    /// It names a folder.
    #[error("names a folder, not a file")]
    Folder,
    /// It has control characters, or characters that are not shown.
    #[error("contains control or invisible characters")]
    Control,
}

/// Why a file does not fit to what is to be done with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FileProblem {
    /// It is not there.
    #[error("does not exist; to create it, use `*** Add File:`")]
    Missing,
    /// It is there already.
    #[error("exists already; to change it, use `*** Update File:`")]
    Exists,
    /// Another file is where it should be moved.
    #[error("exists already, so that no file can be moved there")]
    Occupied,
    /// It is not text.
    #[error("is a binary file and cannot be patched")]
    Binary,
    /// It stays the same.
    #[error("would not change: the lines with `-` and `+` are the same, or the file is so already")]
    NoChange,
    /// It has other lines than those that are to be deleted.
    #[error("has other lines than those that the patch deletes; read it again")]
    OtherLines,
}

/// Why a hunk does not fit to its file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HunkProblem {
    /// Its lines are nowhere in the file.
    #[error("its lines are not in the file{}\n{wanted}{nearest}{}", below(*after), hint(*applied))]
    NotFound {
        /// The lines that were looked for.
        wanted: Wanted,
        /// The lines of the file that are most like them.
        nearest: Nearest,
        /// The line after which they were looked for, from 1; 0 for the whole file.
        after: usize,
        /// The line at which the new lines stand already, from 1.
        applied: Option<usize>,
    },
    /// Its lines are in the file more than once.
    #[error(
        "its lines are in the file {count} times, at lines {}{}. Add lines above or below until they fit \
         in one place only, or name the function or class behind `@@`\n{wanted}",
        numbers(places), dots(*count, places.len())
    )]
    Ambiguous {
        /// The lines that were looked for.
        wanted: Wanted,
        /// The first places, as line numbers from 1.
        places: Vec<usize>,
        /// How many places there are.
        count: usize,
    },
    /// It stands before the hunk before it.
    #[error(
        "its lines are at line {place}, before those of the hunk above it, which ends at line {after}. \
         Write the hunks in the order of the file, and each line in one hunk only"
    )]
    OutOfOrder {
        /// Where its lines are, from 1.
        place: usize,
        /// Where the hunk before it ends, from 1.
        after: usize,
    },
    /// It stands before the line behind its `@@`.
    #[error(
        "its lines are at line {place}, but `@@ {scope}` stands below them, at line {scope_line}"
    )]
    BeforeScope {
        /// Where its lines are, from 1.
        place: usize,
        /// The text behind `@@`.
        scope: String,
        /// Where that text is, from 1.
        scope_line: usize,
    },
    /// It only adds, and does not say where.
    #[error(
        "it only adds lines and does not say where. Put at least one unchanged line of the file, with a \
         space in front, above or below them"
    )]
    OnlyAdds,
    /// It says that the file ends with it, and the file does not.
    #[error(
        "it ends with `*** End of File`, but the file ends with other lines\n{wanted}\nThe end of the \
         file:{nearest}"
    )]
    NotAtEnd {
        /// The lines that were looked for.
        wanted: Wanted,
        /// The last lines of the file.
        nearest: Nearest,
    },
    /// The indentation of the added lines cannot be known.
    #[error(
        "its lines are at line {place} with another indentation, from which that of the added lines \
         cannot be derived. Write all lines with the indentation of the file:{nearest}"
    )]
    Indentation {
        /// Where its lines are, from 1.
        place: usize,
        /// The lines of the file.
        nearest: Nearest,
    },
    /// An added line is in the file, sign included, right beside.
    #[error(
        "the line `{line}` is in the file with its `+`, at line {place}: it is not clear whether it is added. \
         Begin lines that stay with a space"
    )]
    DoubtfulSign {
        /// The line of the patch, cut to a length that can be shown.
        line: String,
        /// Where the file has it, from 1.
        place: usize,
    },
}

/// The lines that a hunk looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// The first of them, cut to a length that can be shown.
    pub lines: Vec<String>,
    /// How many there are.
    pub count: usize,
}

/// Lines of a file with their numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Nearest {
    /// The number of the first line, from 1.
    pub first: usize,
    /// The lines, cut to a length that can be shown.
    pub lines: Vec<String>,
    /// The number of the first line that differs from what was looked for, from 1.
    pub differs: Option<usize>,
}

impl Wanted {
    /// Quotes the first lines.
    pub fn quote<'a>(lines: impl ExactSizeIterator<Item = &'a str>) -> Self {
        let count = lines.len();
        let lines = lines.take(QUOTED_LINES).map(shortened).collect();
        Self { lines, count }
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Looked for:")?;
        for line in &self.lines {
            write!(out, "\n      | {line}")?;
        }
        if self.count > self.lines.len() {
            write!(
                out,
                "\n      ... {} more lines",
                self.count - self.lines.len()
            )?;
        }
        Ok(())
    }
}

impl fmt::Display for Nearest {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.lines.is_empty() {
            return Ok(());
        }
        if self.differs.is_some() {
            write!(out, "\nThe file has, nearest to it (`>` differs first):")?;
        }
        for (number, line) in (self.first..).zip(&self.lines) {
            let mark = if self.differs == Some(number) {
                '>'
            } else {
                ' '
            };
            write!(out, "\n{mark}{number:>5} | {line}")?;
        }
        Ok(())
    }
}

/// Returns a line cut to a length that can be shown.
pub(super) fn shortened(line: &str) -> String {
    match sayso_core::transcript::first_chars(line, QUOTED_CHARS) {
        Some(start) => format!("{start}..."),
        None => line.to_owned(),
    }
}

fn below(line: usize) -> String {
    match line {
        0 => ".".to_owned(),
        line => format!(" below line {line}, where the hunk above it ends."),
    }
}

fn hint(applied: Option<usize>) -> String {
    let Some(line) = applied else {
        return String::new();
    };
    format!("\nIts new lines are in the file already, at line {line}: it may be applied already.")
}

fn numbers(places: &[usize]) -> String {
    let places = places.iter().take(NAMED_PLACES).map(usize::to_string);
    places.collect::<Vec<_>>().join(", ")
}

fn dots(count: usize, named: usize) -> &'static str {
    if count > named { ", ..." } else { "" }
}
