//! Whether a disk has room for what is about to be written to it.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use nix::sys::statvfs::statvfs;

/// So much stays free, in bytes: the database and the log go on growing beside a backup.
const RESERVE: u64 = 64 * 1024 * 1024;
/// What an entry of an archive takes beside its content, in bytes: its header, a long name, and the
/// padding to the blocks of tar.
const ENTRY: u64 = 2048;
/// The block that `stat` counts in.
const STAT_BLOCK: u64 = 512;

/// There is not enough room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NoRoom {
    /// What is needed, in MiB, with what stays free.
    pub(super) needed: u64,
    /// What is there, in MiB.
    pub(super) free: u64,
}

/// Checks that this many bytes have room on the disk of a directory. A disk that does not say what it
/// has is not asked.
pub(super) fn check(directory: &Path, bytes: u64) -> Result<(), NoRoom> {
    let free = statvfs(directory).map(|disk| disk.blocks_available() * disk.fragment_size());
    free.map_or(Ok(()), |free| compare(bytes, free))
}

fn compare(bytes: u64, free: u64) -> Result<(), NoRoom> {
    const MIB: u64 = 1024 * 1024;
    let needed = bytes.saturating_add(RESERVE);
    if needed <= free {
        return Ok(());
    }
    Err(NoRoom {
        needed: needed.div_ceil(MIB),
        free: free / MIB,
    })
}

/// Returns how much an entry of a directory takes in an archive, with all that is below it. What
/// cannot be looked at takes nothing, for it is not packed.
pub(super) fn packed_size(path: &Path, is_left_out: &dyn Fn(&Path) -> bool) -> u64 {
    let Ok(metadata) = fs::symlink_metadata(path) else {
        return 0;
    };
    if is_left_out(path) {
        return 0;
    }
    if !metadata.is_dir() {
        return ENTRY + metadata.len().min(metadata.blocks() * STAT_BLOCK);
    }
    let below = fs::read_dir(path).into_iter().flatten().flatten();
    let below = below.map(|entry| packed_size(&entry.path(), is_left_out));
    below.fold(ENTRY, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r7_a_reserve_stays_free() {
        assert_eq!(compare(1000, RESERVE + 1000), Ok(()));
        let expected = NoRoom {
            needed: 65,
            free: 64,
        };
        assert_eq!(compare(1000, RESERVE + 999), Err(expected));
    }

    #[test]
    fn r7_holes_take_no_room() {
        let home = tempfile::tempdir().unwrap();
        let large = fs::File::create(home.path().join("large")).unwrap();
        large.set_len(1 << 40).unwrap();
        fs::write(home.path().join("left"), vec![1; 1 << 20]).unwrap();
        let size = packed_size(home.path(), &|path| path.ends_with("left"));
        assert!(size < 1 << 16, "{size}");
    }
}
