//! Reading the files under a root.
//!
//! Paths are relative to the root, with `/`. Each folder is opened below the descriptor of its parent,
//! where a link is an error, so a link that is put there meanwhile leads nowhere. A file is read whole
//! or not at all.

use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::path::Path;
use std::time::{Duration, SystemTime};

use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::io::Errno;

use crate::source::{LeftOut, MAX_FILE_BYTES, SourceFile, Stamp};

/// Up to this long after a change a file may change again without another time of modification: file
/// systems count in steps of up to two seconds (FAT).
const UNSETTLED: Duration = Duration::from_secs(2);

/// Opens a folder; a link is none.
const FOLDER: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

/// Opens a file without waiting, which a pipe would make; a link is none.
const FILE: OFlags = OFlags::RDONLY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK)
    .union(OFlags::CLOEXEC);

/// A file as it was found.
#[derive(Debug)]
pub(crate) enum Found {
    /// It has the size and time that it had.
    Same,
    /// It was read.
    Read(SourceFile),
}

/// Reads files under a root.
#[derive(Debug)]
pub(crate) struct Reader {
    root: OwnedFd,
    now: SystemTime,
    /// The folder of the last file, since files come folder by folder.
    folder: Option<Folder>,
}

#[derive(Debug)]
struct Folder {
    path: String,
    opened: Result<OwnedFd, LeftOut>,
}

impl Reader {
    /// Makes a reader for one look at the files. A time of modification that is not well before `now`
    /// is not kept, since the file may change within it.
    pub(crate) fn new(root: &Path, now: SystemTime) -> io::Result<Self> {
        let flags = FOLDER.difference(OFlags::NOFOLLOW);
        Ok(Self {
            root: openat(CWD, root, flags, Mode::empty())?,
            now,
            folder: None,
        })
    }

    /// Reads a file, unless it has the size and time of `known`.
    pub(crate) fn read(&mut self, path: &str, known: Option<&Stamp>) -> Result<Found, LeftOut> {
        let now = self.now;
        let file = self.open(path)?;
        let status = file.metadata().map_err(|_| LeftOut::Unreadable)?;
        if !status.is_file() {
            return Err(LeftOut::NoFile);
        }
        if status.len() > MAX_FILE_BYTES {
            return Err(LeftOut::TooLarge);
        }
        let modified = status.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        let modified = settled(modified, now);
        let is_same = |known: &Stamp| known.size == status.len() && known.modified == modified;
        if modified != 0 && known.is_some_and(is_same) {
            return Ok(Found::Same);
        }
        SourceFile::of(&content(file)?, modified).map(Found::Read)
    }

    fn open(&mut self, path: &str) -> Result<File, LeftOut> {
        if !is_inside(path) {
            return Err(LeftOut::Path);
        }
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let opened = openat(self.folder(folder)?, name, FILE, Mode::empty());
        let opened = opened.map_err(|error| match error {
            Errno::LOOP | Errno::MLINK => LeftOut::NoFile,
            _ => LeftOut::Unreadable,
        });
        opened.map(File::from)
    }

    fn folder(&mut self, path: &str) -> Result<BorrowedFd<'_>, LeftOut> {
        if path.is_empty() {
            return Ok(self.root.as_fd());
        }
        if self.folder.as_ref().is_none_or(|last| last.path != path) {
            self.folder = Some(Folder {
                path: path.to_owned(),
                opened: folder_below(self.root.as_fd(), path),
            });
        }
        match self.folder.as_ref().map(|folder| &folder.opened) {
            Some(Ok(opened)) => Ok(opened.as_fd()),
            Some(Err(reason)) => Err(*reason),
            None => Err(LeftOut::Unreadable),
        }
    }
}

/// Reads the present text of a file under a root, by the rules of a [`crate::Look`].
///
/// # Errors
/// Why such a file is left out.
pub fn read_text(root: &Path, path: &str) -> Result<String, LeftOut> {
    let reader = Reader::new(root, SystemTime::UNIX_EPOCH);
    let mut reader = reader.map_err(|_| LeftOut::Unreadable)?;
    let content = content(reader.open(path)?)?;
    Ok(SourceFile::of(&content, 0)?.text)
}

/// Opens a folder below another one, one name after the other.
fn folder_below(root: BorrowedFd<'_>, path: &str) -> Result<OwnedFd, LeftOut> {
    let mut here: Option<OwnedFd> = None;
    for name in path.split('/') {
        let at = here.as_ref().map_or(root, OwnedFd::as_fd);
        let opened = openat(at, name, FOLDER, Mode::empty());
        here = Some(opened.map_err(|error| match error {
            Errno::LOOP | Errno::MLINK | Errno::NOTDIR => LeftOut::Path,
            _ => LeftOut::Unreadable,
        })?);
    }
    here.ok_or(LeftOut::Path)
}

fn content(file: File) -> Result<Vec<u8>, LeftOut> {
    let mut content = Vec::new();
    // It may have grown since.
    let read = file.take(MAX_FILE_BYTES + 1).read_to_end(&mut content);
    read.map_err(|_| LeftOut::Unreadable)?;
    if content.len() as u64 > MAX_FILE_BYTES {
        return Err(LeftOut::TooLarge);
    }
    Ok(content)
}

/// Returns a time of modification in nanoseconds; 0 where it is so near that the file may change again
/// without another time.
fn settled(modified: SystemTime, now: SystemTime) -> u64 {
    let age = now.duration_since(modified).unwrap_or_default();
    if age <= UNSETTLED {
        return 0;
    }
    let since = modified.duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| {
        u64::try_from(since.as_nanos()).unwrap_or_default()
    })
}

/// Returns whether a path names a file below the root by plain names.
fn is_inside(path: &str) -> bool {
    path.len() <= 1_024
        && path
            .split('/')
            .all(|name| !matches!(name, "" | "." | "..") && !name.contains(['\\', '\0']))
}

#[cfg(test)]
#[path = "reader_tests.rs"]
mod tests;
