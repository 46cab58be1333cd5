//! One section of the file: its keys, and how it stands in the example.

use super::key::{Doc, Key};

/// One section.
pub(in crate::config) struct Section {
    /// The dotted place; `*` stands for the number of a list item, "" is the top of the file.
    pub(in crate::config) path: &'static str,
    /// Its keys; a section without keys may still be written.
    pub(in crate::config) keys: &'static [Key],
    /// Whether it is written in the example, or is there as a comment.
    pub(in crate::config) is_written: bool,
    /// What is said above it.
    pub(in crate::config) above: Doc,
    /// What is said below it.
    pub(in crate::config) below: Doc,
}

const NOTHING: Doc = Doc {
    english: "",
    chinese: "",
};

impl Section {
    /// Returns a section that is a comment in the example.
    pub(super) const fn of(path: &'static str, keys: &'static [Key]) -> Self {
        Self {
            path,
            keys,
            is_written: false,
            above: NOTHING,
            below: NOTHING,
        }
    }

    /// Has it written in the example.
    pub(super) const fn written(mut self) -> Self {
        self.is_written = true;
        self
    }

    /// Says something above it.
    pub(super) const fn above(mut self, english: &'static str, chinese: &'static str) -> Self {
        self.above = Doc { english, chinese };
        self
    }

    /// Says something below it.
    pub(super) const fn below(mut self, english: &'static str, chinese: &'static str) -> Self {
        self.below = Doc { english, chinese };
        self
    }

    /// Returns how it is headed in the file; `None` for the top.
    pub(in crate::config) fn heading(&self) -> Option<String> {
        match (self.path, self.path.strip_suffix(".*")) {
            ("", _) => None,
            ("secrets", _) => Some("[secrets.github]".to_owned()),
            ("projects", _) => Some("[projects.site]".to_owned()),
            (_, Some(list)) => Some(format!("[[{list}]]")),
            (path, None) => Some(format!("[{path}]")),
        }
    }
}
