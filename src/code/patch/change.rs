//! What a patch does to files: the text of each before and after.

use serde::{Deserialize, Serialize};

use super::line_diff;

/// What happens to one file. Applied on disk, it is right only where the file still is `before`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileChange {
    /// The file; after a move its new name.
    pub path: String,
    /// What it was called before, if it is moved.
    pub moved_from: Option<String>,
    /// Its text before; `None` where it did not exist.
    pub before: Option<String>,
    /// Its text after; `None` where it is deleted.
    pub after: Option<String>,
}

/// What kind of change it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    /// The file is new.
    Added,
    /// The file is gone.
    Deleted,
    /// Its text changes.
    Updated,
    /// It is moved, and its text may change too.
    Moved,
}

/// How many lines a change adds and removes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineCounts {
    /// Lines that are new.
    pub added: usize,
    /// Lines that are gone.
    pub removed: usize,
}

impl FileChange {
    /// Returns the change of a text that stays in its place; `None` stands for no file.
    pub fn of(path: &str, before: Option<&str>, after: Option<&str>) -> Self {
        Self {
            path: path.to_owned(),
            moved_from: None,
            before: before.map(str::to_owned),
            after: after.map(str::to_owned),
        }
    }

    /// Returns what kind of change it is.
    pub fn kind(&self) -> ChangeKind {
        match (&self.before, &self.after) {
            (None, _) => ChangeKind::Added,
            (Some(_), None) => ChangeKind::Deleted,
            (Some(_), Some(_)) if self.moved_from.is_some() => ChangeKind::Moved,
            (Some(_), Some(_)) => ChangeKind::Updated,
        }
    }

    /// Returns how many lines it adds and removes.
    pub fn line_counts(&self) -> LineCounts {
        let spans = line_diff::spans(self.old_text(), self.new_text());
        let mut counts = LineCounts::default();
        for span in spans {
            counts.added += span.new.len();
            counts.removed += span.old.len();
        }
        counts
    }

    /// Returns the change that takes this one back.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let (path, moved_from) = match &self.moved_from {
            Some(from) => (from.clone(), Some(self.path.clone())),
            None => (self.path.clone(), None),
        };
        Self {
            path,
            moved_from,
            before: self.after.clone(),
            after: self.before.clone(),
        }
    }

    /// Returns the text before; an empty one for no file.
    pub fn old_text(&self) -> &str {
        self.before.as_deref().unwrap_or_default()
    }

    /// Returns the text after; an empty one for no file.
    pub fn new_text(&self) -> &str {
        self.after.as_deref().unwrap_or_default()
    }
}
