//! One look at the files under a root, file by file, so that a caller can search in between.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::index::Entry;
use crate::reader::{Found, Reader};
use crate::source::{LeftOut, Stamp};

/// The most files that are read. A code base with more is known in part: its files in the order that
/// the caller gives them.
pub const MAX_FILES: usize = 20_000;

/// The most text that is read, in bytes, likewise.
pub const MAX_TEXT_BYTES: u64 = 256 << 20;

/// How much of a code base is read at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Files.
    pub files: usize,
    /// Bytes of all files together.
    pub bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            files: MAX_FILES,
            bytes: MAX_TEXT_BYTES,
        }
    }
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

/// What is known of a file before it is looked at; see [`Codebase::known`].
#[derive(Debug, Clone, Copy)]
pub struct Known(pub(crate) Option<Stamp>);

/// A file that was looked at, for [`Codebase::apply`].
#[derive(Debug)]
pub struct SeenFile {
    pub(crate) path: String,
    pub(crate) seen: Result<Seen, LeftOut>,
}

#[derive(Debug)]
pub(crate) enum Seen {
    Same,
    SameContent(Stamp),
    Other(Box<Entry>),
}

/// A look that is under way.
#[derive(Debug)]
pub struct Look {
    pub(crate) root: PathBuf,
    reader: Reader,
    limits: Limits,
    pub(crate) kept: BTreeSet<String>,
    pub(crate) bytes: u64,
    pub(crate) report: Refresh,
}

impl Look {
    /// Begins a look. A change shortly before `now` is read again by the next one.
    ///
    /// # Errors
    /// When the root is not there.
    pub fn begin(root: &Path, now: SystemTime, limits: Limits) -> io::Result<Self> {
        Ok(Self {
            root: root.to_owned(),
            reader: Reader::new(root, now)?,
            limits,
            kept: BTreeSet::new(),
            bytes: 0,
            report: Refresh::default(),
        })
    }

    /// Reads the file with this relative path, if it may have changed since it was known. This is the
    /// long part of a look, for which no code base is needed.
    pub fn read(&mut self, path: &str, known: Known) -> SeenFile {
        let seen = if self.is_full() {
            Err(LeftOut::TooMany)
        } else {
            let found = self.reader.read(path, known.0.as_ref());
            found.and_then(|found| match (found, known.0) {
                (Found::Same, _) => Ok(Seen::Same),
                (Found::Read(file), Some(known)) if known.hash == file.stamp.hash => {
                    Ok(Seen::SameContent(file.stamp))
                }
                (Found::Read(file), _) => {
                    let entry = unless_it_panics(|| Entry::of(path, &file))?;
                    Ok(Seen::Other(Box::new(entry)))
                }
            })
        };
        SeenFile {
            path: path.to_owned(),
            seen,
        }
    }

    fn is_full(&self) -> bool {
        self.kept.len() >= self.limits.files || self.bytes >= self.limits.bytes
    }

    /// Returns how many files were looked at and are part of the code base.
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Returns whether no file was.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }
}

/// Runs what takes a file apart; one file that makes it panic must not end the reading of all others.
fn unless_it_panics<T>(work: impl FnOnce() -> T) -> Result<T, LeftOut> {
    // It has nothing but the file, which is dropped.
    panic::catch_unwind(AssertUnwindSafe(work)).map_err(|_| LeftOut::Panicked)
}

#[cfg(test)]
mod tests {
    use super::unless_it_panics;
    use crate::LeftOut;

    #[test]
    fn a_panic_leaves_one_file_out() {
        assert_eq!(unless_it_panics(|| 1), Ok(1));
        let panicked = unless_it_panics(|| -> u32 { panic!("a grammar") });
        assert_eq!(panicked, Err(LeftOut::Panicked));
    }
}
