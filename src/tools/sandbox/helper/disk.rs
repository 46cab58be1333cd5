//! How much room a disk has, in bytes and in files, and what a command must leave of it: the
//! database lies beside the workspaces, and other people's commands need temporary directories.

use std::path::{Path, PathBuf};

use nix::sys::statvfs::statvfs;

use super::limits::Limit;

/// The bytes that a command must leave ...
const RESERVE: u64 = 64 * 1024 * 1024;
/// ... or of a small disk this part.
const RESERVE_SHARE: u64 = 10;
/// What may be written where even less than the reserve was left from the beginning.
const LEAST_ROOM: u64 = 1024 * 1024;
/// What one long file must leave besides: the file system gives whole blocks, and writes down where.
const MARGIN: u64 = 64 * 1024;
/// The files that it must leave: this part of all that the disk can have, at least
/// [`FILE_RESERVE`], and at most half of a small disk.
const FILE_RESERVE_SHARE: u64 = 20;
const FILE_RESERVE: u64 = 10_000;
/// How many files may be made where even less than the reserve was left from the beginning.
const LEAST_FILES: u64 = 100;
/// A disk has to be looked at often when it is this near to its reserve.
const NEAR_BYTES: u64 = 1024 * 1024 * 1024;
const NEAR_FILES: u64 = 500_000;

/// How much room the disk of a directory has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Disk {
    directory: PathBuf,
    bytes: Room,
    /// None where the file system does not count files in advance, as btrfs.
    files: Option<Room>,
}

/// What is left of something, and how much of that must stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Room {
    free: u64,
    reserve: u64,
}

impl Room {
    fn left(self) -> u64 {
        self.free.saturating_sub(self.reserve)
    }

    /// Returns whether the reserve was reached since it was this, and more than `least` was used.
    fn is_used_up(self, now: Self, least: u64) -> bool {
        now.free < now.reserve && now.free + least <= self.free
    }
}

impl Disk {
    /// Looks at the disk of a directory; `None` where the system does not say.
    pub(crate) fn of(directory: &Path) -> Option<Self> {
        let disk = statvfs(directory).ok()?;
        let size = disk.blocks() * disk.fragment_size();
        Some(Self {
            directory: directory.to_path_buf(),
            bytes: Room {
                free: disk.blocks_available() * disk.fragment_size(),
                reserve: RESERVE.min(size / RESERVE_SHARE),
            },
            files: (disk.files() > 0).then(|| Room {
                free: disk.files_available(),
                reserve: file_reserve(disk.files()),
            }),
        })
    }

    /// The directory that it was asked about.
    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    /// Returns how long a file may be that leaves the reserve.
    pub(crate) fn room(&self) -> u64 {
        self.bytes.left().saturating_sub(MARGIN).max(LEAST_ROOM)
    }

    /// Returns which reserve the command has come to since the disk was like this.
    pub(crate) fn used_up(&self, now: &Self) -> Option<Limit> {
        if self.bytes.is_used_up(now.bytes, LEAST_ROOM) {
            return Some(Limit::Disk);
        }
        let files = self.files?.is_used_up(now.files?, LEAST_FILES);
        files.then_some(Limit::Files)
    }

    /// Returns whether a busy command can come to a reserve within moments.
    pub(crate) fn is_nearly_full(&self) -> bool {
        self.bytes.left() < NEAR_BYTES || self.files.is_some_and(|files| files.left() < NEAR_FILES)
    }
}

fn file_reserve(all: u64) -> u64 {
    (all / FILE_RESERVE_SHARE).max(FILE_RESERVE).min(all / 2)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::{Disk, LEAST_FILES, LEAST_ROOM, Limit, Room, file_reserve};

    fn disk(bytes: u64, files: Option<u64>) -> Disk {
        Disk {
            directory: PathBuf::from("."),
            bytes: Room {
                free: bytes,
                reserve: 100 * LEAST_ROOM,
            },
            files: files.map(|free| Room {
                free,
                reserve: file_reserve(1_000_000),
            }),
        }
    }

    #[test]
    fn a_disk_is_used_up_by_who_came_to_its_reserve() {
        let before = disk(500 * LEAST_ROOM, None);
        assert_eq!(before.used_up(&disk(101 * LEAST_ROOM, None)), None);
        assert_eq!(
            before.used_up(&disk(99 * LEAST_ROOM, None)),
            Some(Limit::Disk)
        );
    }

    #[test]
    fn on_a_full_disk_one_may_still_clean_up() {
        let full = disk(LEAST_ROOM, Some(3));
        assert_eq!(full.used_up(&full), None);
        assert_eq!(full.room(), LEAST_ROOM);
    }

    #[test]
    fn s8_files_have_a_reserve_as_bytes_have() {
        let much = 500 * LEAST_ROOM;
        let before = disk(much, Some(400_000));
        assert_eq!(before.used_up(&disk(much, Some(50_001))), None);
        assert_eq!(
            before.used_up(&disk(much, Some(49_999))),
            Some(Limit::Files)
        );
        // A file system that does not count them in advance has none.
        assert_eq!(before.used_up(&disk(much, None)), None);
        assert_eq!(disk(much, None).used_up(&disk(much, None)), None);
        // Little was left from the beginning: a few may be made.
        let full = disk(much, Some(1000));
        assert_eq!(
            full.used_up(&disk(much, Some(1000 - LEAST_FILES + 1))),
            None
        );
        assert_eq!(
            full.used_up(&disk(much, Some(1000 - LEAST_FILES))),
            Some(Limit::Files)
        );
    }

    #[test]
    fn s8_the_reserve_of_files_fits_the_disk() {
        assert_eq!(file_reserve(1000), 500);
        assert_eq!(file_reserve(60_000), 10_000);
        assert_eq!(file_reserve(2_000_000), 100_000);
    }
}
