//! What each entry of a backup must come to: the SHA-256 of its kind, path, rights and content.
//!
//! Of a file only blocks that hold something are read, each with its number, so that holes cost
//! nothing and the digest does not depend on which zeros a file system keeps as holes.

use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

/// The digest of an entry that is being written or read.
pub(super) struct EntryDigest(Sha256);

/// What an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EntryKind {
    File,
    Directory,
    Link,
}

impl EntryDigest {
    /// Begins the digest of an entry.
    pub(super) fn new(kind: EntryKind, place: &Path, mode: u32) -> Self {
        let mut hasher = Sha256::new();
        let kind = match kind {
            EntryKind::File => "file",
            EntryKind::Directory => "directory",
            EntryKind::Link => "link",
        };
        hasher.update(kind);
        hasher.update([0]);
        hasher.update(place.as_os_str().as_bytes());
        hasher.update([0]);
        hasher.update(mode.to_le_bytes());
        Self(hasher)
    }

    /// Adds bytes as they are.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Adds where a link leads, as an archive has it: without doubled and closing slashes.
    pub(super) fn add_target(&mut self, target: &Path) {
        let written: PathBuf = target.components().collect();
        self.0.update(written.as_os_str().as_bytes());
    }

    /// Adds the block with this number, unless there are only zeros in it.
    pub(super) fn add_block(&mut self, number: u64, block: &[u8]) {
        if block.iter().any(|byte| *byte != 0) {
            self.0.update(number.to_le_bytes());
            self.0.update(block);
        }
    }

    /// Returns the digest in hexadecimal digits.
    pub(super) fn finish(self) -> String {
        format!("{:x}", self.0.finalize())
    }
}

/// Reads a block; what a file does not have any more is zeros.
pub(super) fn read_filled(file: &mut impl Read, block: &mut [u8]) -> io::Result<()> {
    let mut filled = 0;
    while filled < block.len() {
        match file.read(&mut block[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    block[filled..].fill(0);
    Ok(())
}
