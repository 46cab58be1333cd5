//! A patch as it was read, before any file is looked at.

use super::path::PatchPath;

/// A whole patch: its sections, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Patch {
    /// What is done to files, in the order in which it is done.
    pub sections: Vec<Section>,
    /// What was read although it was not written according to the format.
    pub repairs: Vec<Repair>,
}

/// What is done to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The file; the one before the move, if it is moved.
    pub path: PatchPath,
    /// What is done.
    pub action: Action,
}

/// What a section does to its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// A file that is not there yet gets this text.
    Add {
        /// The whole text.
        text: String,
    },
    /// The file is removed.
    Delete {
        /// The lines that it must have, where the patch says so.
        lines: Option<Vec<String>>,
    },
    /// Lines of the file change, or its name, or both.
    Update {
        /// Where it is moved.
        move_to: Option<PatchPath>,
        /// What changes in it, top down; may be empty for a file that is moved.
        hunks: Vec<Hunk>,
    },
}

/// A run of lines, with what becomes of each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hunk {
    /// The line of the patch in which it begins, from 1.
    pub patch_line: usize,
    /// The lines behind `@@`: what the hunk stands in, from the outermost.
    pub scopes: Vec<String>,
    /// The line of the old file at which it begins, from 1, where it is stated together with counts that
    /// are right.
    pub old_start: Option<usize>,
    /// Its lines.
    pub lines: Vec<HunkLine>,
    /// Whether it says that the file ends with it.
    pub is_at_end: bool,
}

/// A line of a hunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HunkLine {
    /// What becomes of it.
    pub kind: LineKind,
    /// Its text, without sign and line end.
    pub text: String,
    /// Whether it had no sign in front.
    pub is_bare: bool,
    /// Whether `\ No newline at end of file` follows it.
    pub is_without_newline: bool,
}

/// What becomes of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineKind {
    /// It stays.
    Context,
    /// It is removed.
    Removed,
    /// It is new.
    Added,
}

/// Something that was not written according to the format, and could be read nevertheless.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Repair {
    /// Text around the patch was left out: Markdown fences, a shell command, sentences.
    TextAround,
    /// The whole patch was indented.
    Indented,
    /// Line ends were written as `\n`.
    Unescaped,
    /// `*** Begin Patch` or `*** End Patch` was missing.
    MissingEnvelope,
    /// The counts in a line with `@@` did not agree with its hunk.
    WrongCounts,
    /// Lines had no sign in front.
    MissingSign,
    /// A path was written with backslashes, quotes or backticks.
    PathSpelling,
    /// A changed file mode was left out.
    ModeIgnored,
    /// Lines were found with other spaces at their ends.
    TrailingSpace,
    /// Lines were found with another indentation, and added lines were indented accordingly.
    Indentation,
    /// Lines were found with other dashes, quotes or spaces.
    Punctuation,
    /// The line behind `@@` was not found; the hunk itself fits in one place only.
    ScopeMissing,
}

impl Hunk {
    /// Returns the lines that the file must have.
    pub fn old_lines(&self) -> impl Iterator<Item = &HunkLine> {
        let lines = self.lines.iter();
        lines.filter(|line| line.kind != LineKind::Added)
    }

    /// Returns the lines that the file will have.
    pub fn new_lines(&self) -> impl Iterator<Item = &HunkLine> {
        let lines = self.lines.iter();
        lines.filter(|line| line.kind != LineKind::Removed)
    }
}

impl HunkLine {
    /// Reads a line by its sign. A line without one is context: models leave out the space of an empty
    /// line, and sometimes of others.
    pub fn read(line: &str) -> Self {
        let mut letters = line.chars();
        let kind = match letters.next() {
            Some(' ') => Some(LineKind::Context),
            Some('-') => Some(LineKind::Removed),
            Some('+') => Some(LineKind::Added),
            Some(_) | None => None,
        };
        let text = if kind.is_some() {
            letters.as_str()
        } else {
            line
        };
        Self {
            kind: kind.unwrap_or(LineKind::Context),
            text: text.to_owned(),
            is_bare: kind.is_none(),
            is_without_newline: false,
        }
    }

    /// Whether it is a line without anything, which may be part of the file or stand between two
    /// parts of the patch.
    pub fn is_doubtful(&self) -> bool {
        self.is_bare && self.text.trim().is_empty()
    }
}
