//! What is known of the files under a root, and how it follows them.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;
use std::time::SystemTime;

use crate::index::{Entry, Index};
use crate::source::{Found, LeftOut, Reader, SourceFile};

/// The most files that are read. A code base with more is known in part: its files in the order that
/// the caller gives them.
pub const MAX_FILES: usize = 20_000;

/// The files under a root: their outlines, chunks and words.
#[derive(Debug, Default)]
pub struct Codebase {
    pub(crate) index: Index,
}

/// What a look at the files came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Refresh {
    /// How many were read and had another content.
    pub changed: usize,
    /// How many had the same content as before.
    pub same: usize,
    /// How many are no longer there.
    pub removed: usize,
    /// How many are left out, and why.
    pub left_out: BTreeMap<LeftOut, usize>,
}

impl Codebase {
    /// Makes the code base follow the files under `root` whose relative paths, with `/`, are `files`.
    /// Others are forgotten. A change shortly before `now` is read again the next time.
    ///
    /// # Errors
    /// When the root is not there. What is known stays then.
    pub fn refresh<'a>(
        &mut self,
        root: &Path,
        files: impl IntoIterator<Item = &'a str>,
        now: SystemTime,
    ) -> io::Result<Refresh> {
        let mut reader = Reader::new(root, now)?;
        let mut report = Refresh::default();
        let mut kept = BTreeSet::new();
        for path in files {
            if kept.len() == MAX_FILES && !kept.contains(path) {
                *report.left_out.entry(LeftOut::TooMany).or_default() += 1;
                continue;
            }
            match self.follow(&mut reader, path) {
                Ok(true) => report.changed += 1,
                Ok(false) => report.same += 1,
                Err(reason) => {
                    *report.left_out.entry(reason).or_default() += 1;
                    continue;
                }
            }
            kept.insert(path);
        }
        let gone: Vec<String> = self
            .index
            .paths()
            .filter(|path| !kept.contains(path))
            .map(str::to_owned)
            .collect();
        report.removed = gone.len();
        for path in gone {
            self.index.remove(&path);
        }
        Ok(report)
    }

    /// Reads a file if it may have changed; returns whether its content did.
    fn follow(&mut self, reader: &mut Reader, path: &str) -> Result<bool, LeftOut> {
        let known = self.index.stamp(path).copied();
        match reader.read(path, known.as_ref())? {
            Found::Same => Ok(false),
            Found::Read(file) if known.is_some_and(|known| known.hash == file.stamp.hash) => {
                self.index.restamp(path, file.stamp);
                Ok(false)
            }
            Found::Read(file) => {
                self.index.insert(path, Entry::of(path, &file));
                Ok(true)
            }
        }
    }

    /// Takes a content for that of a file, whatever is on disk.
    ///
    /// # Errors
    /// When such a file is left out; then it is forgotten.
    pub fn put(&mut self, path: &str, content: &[u8]) -> Result<(), LeftOut> {
        self.index.remove(path);
        if content.len() as u64 > crate::MAX_FILE_BYTES {
            return Err(LeftOut::TooLarge);
        }
        if self.index.len() == MAX_FILES {
            return Err(LeftOut::TooMany);
        }
        let file = SourceFile::of(content, 0)?;
        self.index.insert(path, Entry::of(path, &file));
        Ok(())
    }

    /// Forgets a file.
    pub fn remove(&mut self, path: &str) {
        self.index.remove(path);
    }

    /// Returns how many files are known.
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// Returns whether no file is known.
    pub fn is_empty(&self) -> bool {
        self.index.len() == 0
    }

    /// Returns the paths of the known files, in order.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.index.paths()
    }
}

#[cfg(test)]
#[path = "codebase_tests.rs"]
mod tests;
