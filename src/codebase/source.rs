//! Reading the files of a code base: which are read at all, and which count for less.
//!
//! Paths are relative to the root, with `/`. A file is read whole or not at all.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use sha2::{Digest as _, Sha256};

/// The largest file that is read, in bytes. Sources that people write are far below; what is above is
/// data or generated.
pub const MAX_FILE_BYTES: u64 = 1 << 20;

/// The longest line of a file that is read, in bytes: minified code and data have longer ones.
pub const MAX_LINE_BYTES: usize = 5_000;

/// Up to this long after a change a file may change again without another time of modification: file
/// systems count in steps of up to two seconds (FAT).
const UNSETTLED: Duration = Duration::from_secs(2);

/// Why a file is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LeftOut {
    /// It is not there, or cannot be read.
    Unreadable,
    /// It is a symbolic link, a folder or a device.
    NoFile,
    /// Its path leads out of the root, is absolute or too long.
    Path,
    /// It has more than [`MAX_FILE_BYTES`].
    TooLarge,
    /// It is no text.
    Binary,
    /// It has a line of more than [`MAX_LINE_BYTES`].
    LongLine,
    /// There are more files than are read.
    TooMany,
}

/// What tells whether a file is the one that was read before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    /// In bytes.
    pub(crate) size: u64,
    /// In nanoseconds since 1970; 0 where the time is not to be trusted.
    pub(crate) modified: u64,
    /// The first half of the SHA-256 of the content.
    pub(crate) hash: ContentHash,
}

/// The first half of a SHA-256.
pub(crate) type ContentHash = [u8; 16];

/// Hashes a content.
pub(crate) fn content_hash(content: &[u8]) -> ContentHash {
    let mut hash = ContentHash::default();
    hash.copy_from_slice(&Sha256::digest(content)[..16]);
    hash
}

/// A file as it was found.
pub(crate) enum Found {
    /// It has the size and time that it had.
    Same,
    /// It was read.
    Read(SourceFile),
}

/// A file that was read.
pub(crate) struct SourceFile {
    pub(crate) stamp: Stamp,
    /// Bytes that are no UTF-8 are replaced.
    pub(crate) text: String,
}

/// Reads files under a root.
pub(crate) struct Reader {
    /// Without links in it.
    root: PathBuf,
    now: SystemTime,
    /// Whether the real path of a folder is below the root.
    folders: HashMap<String, bool>,
}

impl Reader {
    /// Makes a reader for one look at the files. A time of modification that is not well before `now`
    /// is not kept, since the file may change within it.
    pub(crate) fn new(root: &Path, now: SystemTime) -> io::Result<Self> {
        Ok(Self {
            root: fs::canonicalize(root)?,
            now,
            folders: HashMap::new(),
        })
    }

    /// Reads a file, unless it has the size and time of `known`.
    pub(crate) fn read(&mut self, path: &str, known: Option<&Stamp>) -> Result<Found, LeftOut> {
        if !is_inside(path) || !self.is_folder_inside(path) {
            return Err(LeftOut::Path);
        }
        let full = self.root.join(path);
        let status = fs::symlink_metadata(&full).map_err(|_| LeftOut::Unreadable)?;
        if !status.is_file() {
            return Err(LeftOut::NoFile);
        }
        if status.len() > MAX_FILE_BYTES {
            return Err(LeftOut::TooLarge);
        }
        let modified = status.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        let modified = settled(modified, self.now);
        let is_same = |known: &Stamp| known.size == status.len() && known.modified == modified;
        if modified != 0 && known.is_some_and(is_same) {
            return Ok(Found::Same);
        }
        let mut content = Vec::new();
        let file = File::open(&full).map_err(|_| LeftOut::Unreadable)?;
        // It may have grown since.
        let read = file.take(MAX_FILE_BYTES + 1).read_to_end(&mut content);
        read.map_err(|_| LeftOut::Unreadable)?;
        if content.len() as u64 > MAX_FILE_BYTES {
            return Err(LeftOut::TooLarge);
        }
        SourceFile::of(&content, modified).map(Found::Read)
    }

    /// Returns whether the folder of a file is below the root: a link in the middle of a path can lead
    /// anywhere. A folder that is not there is, so that the file is unreadable.
    fn is_folder_inside(&mut self, path: &str) -> bool {
        let Some((folder, _)) = path.rsplit_once('/') else {
            return true;
        };
        if let Some(known) = self.folders.get(folder) {
            return *known;
        }
        let real = fs::canonicalize(self.root.join(folder));
        let is_inside = real.map_or(true, |real| real.starts_with(&self.root));
        self.folders.insert(folder.to_owned(), is_inside);
        is_inside
    }
}

impl SourceFile {
    /// Takes a content for the one of a file with this time of modification.
    pub(crate) fn of(content: &[u8], modified: u64) -> Result<Self, LeftOut> {
        // As Git has it: a zero byte near the beginning (its `buffer_is_binary`).
        if content.iter().take(8_000).any(|byte| *byte == 0) {
            return Err(LeftOut::Binary);
        }
        let mut lines = content.split(|byte| *byte == b'\n');
        if lines.any(|line| line.len() > MAX_LINE_BYTES) {
            return Err(LeftOut::LongLine);
        }
        let text = String::from_utf8_lossy(content).into_owned();
        let size = content.len() as u64;
        let hash = content_hash(content);
        let stamp = Stamp {
            size,
            modified,
            hash,
        };
        Ok(Self { stamp, text })
    }
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

/// How much a file counts beside one that people of the project wrote by hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Written in the project.
    Written,
    /// Made by a program.
    Generated,
    /// Brought along from elsewhere.
    Vendored,
}

/// Folders of other people's code and of outputs.
const VENDORED: [&str; 12] = [
    "vendor",
    "vendored",
    "third_party",
    "third-party",
    "thirdparty",
    "node_modules",
    "bower_components",
    "site-packages",
    "dist",
    "build",
    "target",
    "Pods",
];

/// Ends of names that generators give.
const GENERATED: [&str; 14] = [
    ".min.js",
    ".min.css",
    ".pb.go",
    ".pb.cc",
    ".pb.h",
    "_pb2.py",
    "_pb2_grpc.py",
    ".g.cs",
    ".designer.cs",
    ".generated.ts",
    "_generated.rs",
    "_generated.go",
    ".snap",
    ".lock",
];

/// What generators write into the first lines of a file (the first is Go's convention, the second
/// Facebook's).
const MARKS: [&str; 5] = [
    "code generated by",
    "@generated",
    "do not edit",
    "autogenerated",
    "automatically generated",
];

impl Origin {
    /// Judges a file by its path and its first lines.
    pub(crate) fn of(path: &str, text: &str) -> Self {
        let mut folders = path.split('/');
        let name = folders.next_back().unwrap_or_default();
        if folders.any(|folder| VENDORED.contains(&folder)) {
            return Self::Vendored;
        }
        let name = name.to_ascii_lowercase();
        if GENERATED.iter().any(|end| name.ends_with(end)) {
            return Self::Generated;
        }
        let head = text.lines().take(5).any(|line| {
            let line = line.to_ascii_lowercase();
            is_comment(&line) && MARKS.iter().any(|mark| line.contains(mark))
        });
        if head { Self::Generated } else { Self::Written }
    }

    /// Returns the factor for what is found in such a file.
    pub(crate) fn weight(self) -> f64 {
        match self {
            Self::Written => 1.0,
            Self::Generated => 0.1,
            Self::Vendored => 0.2,
        }
    }
}

fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    ["//", "/*", "*", "#", "--", "<!--", "\"\"\""]
        .iter()
        .any(|sign| line.starts_with(sign))
}

#[cfg(test)]
#[path = "source_tests.rs"]
mod tests;
