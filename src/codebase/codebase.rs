//! What is known of the files under a root, and how it follows them.

use std::io;
use std::path::Path;
use std::time::SystemTime;

use crate::index::{Entry, Index};
use crate::look::{Known, Limits, Look, MAX_FILES, Refresh, Seen, SeenFile};
use crate::reader::Reader;
use crate::source::{LeftOut, SourceFile};

/// The files under a root: their outlines, chunks and words.
#[derive(Debug, Default)]
pub struct Codebase {
    pub(crate) index: Index,
}

impl Codebase {
    /// Makes the code base follow the files under `root` whose relative paths, with `/`, are `files`.
    /// Others are forgotten. A change shortly before `now` is read again the next time. This is one
    /// [`Look`] without a pause.
    ///
    /// # Errors
    /// When the root is not there. What is known stays then.
    pub fn refresh<'a>(
        &mut self,
        root: &Path,
        files: impl IntoIterator<Item = &'a str>,
        now: SystemTime,
    ) -> io::Result<Refresh> {
        let mut look = Look::begin(root, now, Limits::default())?;
        for path in files {
            let seen = look.read(path, self.known(path));
            self.apply(&mut look, seen);
        }
        self.finish(look)
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

impl Codebase {
    /// Returns what is known of a file.
    pub fn known(&self, path: &str) -> Known {
        Known(self.index.stamp(path).copied())
    }

    /// Takes what was read of a file. What is left out is forgotten by [`Codebase::finish`] alone.
    /// Returns whether the file has another content than was known.
    pub fn apply(&mut self, look: &mut Look, file: SeenFile) -> bool {
        let SeenFile { path, seen } = file;
        // The same file again counts once.
        if look.kept.contains(path.as_str()) {
            return false;
        }
        let is_changed = matches!(seen, Ok(Seen::Other(_)));
        match seen {
            Ok(Seen::Same) => look.report.same += 1,
            Ok(Seen::SameContent(stamp)) => {
                self.index.restamp(&path, stamp);
                look.report.same += 1;
            }
            Ok(Seen::Other(entry)) => {
                self.index.insert(&path, *entry);
                look.report.changed += 1;
            }
            Err(reason) => {
                *look.report.left_out.entry(reason).or_default() += 1;
                return false;
            }
        }
        let size = self.index.stamp(&path).map_or(0, |stamp| stamp.size);
        look.bytes += size;
        look.kept.insert(path);
        is_changed
    }

    /// Ends a look: files that it did not come to are forgotten.
    ///
    /// # Errors
    /// When the root is no longer there. What is known stays then: it may come back.
    pub fn finish(&mut self, look: Look) -> io::Result<Refresh> {
        Reader::new(&look.root, SystemTime::UNIX_EPOCH)?;
        let mut report = look.report;
        let gone: Vec<String> = self
            .index
            .paths()
            .filter(|path| !look.kept.contains(*path))
            .map(str::to_owned)
            .collect();
        report.removed = gone.len();
        for path in gone {
            self.index.remove(&path);
        }
        self.index.forget_unused_words();
        Ok(report)
    }
}

#[cfg(test)]
#[path = "codebase_tests.rs"]
mod tests;
