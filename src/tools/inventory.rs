//! What lies in a workspace, as digests of names and of what changes when a file does, so that it
//! shows when anything but a call has changed it.
//!
//! A file's change time is the kernel's: no program sets it, so what was written, replaced, linked
//! or moved here since the last look is seen without reading it. What cannot be looked through for
//! certain (a mount, a directory without the right to, too many files) has no inventory.

use std::collections::HashMap;
use std::fs::Metadata;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use sha2::{Digest as _, Sha256};
use tokio::sync::OwnedMutexGuard;

/// How many files and directories are looked at; a workspace with more has no inventory.
const MAX_ENTRIES: usize = 20_000;
/// More than a tick of the coarsest clock of change times: 10 ms, at 100 ticks a second.
const CLOCK_TICK: Duration = Duration::from_millis(20);
/// How often a workspace is looked through that something is just changing.
const SETTLING_LOOKS: usize = 5;
/// Where the executor keeps long results, in the workspace.
const KEPT: &str = ".sayso";

/// What lies in a workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inventory {
    /// Everything but what the executor keeps there.
    files: String,
    /// What the executor keeps there.
    kept: String,
    entries: usize,
    /// When what lies there changed last, directories left out.
    newest: Duration,
}

impl Inventory {
    /// Looks through a workspace; `None` where that cannot be done for certain.
    pub async fn take(workspace: &Path) -> Option<Self> {
        let root = workspace.to_path_buf();
        let look = tokio::task::spawn_blocking(move || look_through(&root, MAX_ENTRIES));
        look.await.ok()?.ok()
    }

    /// Looks through a workspace in which nothing changed just now, waiting a moment for that:
    /// within one tick of the clock of change times, a further change of a file could not be told
    /// from the one before. `None` where that cannot be done for certain. It blocks.
    pub fn settled(workspace: &Path) -> Option<Self> {
        for _ in 0..SETTLING_LOOKS {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
            let found = look_through(workspace, MAX_ENTRIES).ok()?;
            if found.newest + CLOCK_TICK < now {
                return Some(found);
            }
            std::thread::sleep(CLOCK_TICK);
        }
        None
    }

    /// Returns it as one text, which is equal for equal ones.
    pub fn to_text(&self) -> String {
        format!("{}/{}", self.files, self.kept)
    }

    /// Returns whether nothing lies there.
    pub fn is_empty(&self) -> bool {
        self.entries == 0
    }

    /// Returns whether nothing differs but what the executor keeps there.
    pub fn has_same_files(&self, other: &Self) -> bool {
        self.files == other.files
    }
}

fn look_through(root: &Path, most: usize) -> io::Result<Inventory> {
    let top = root.symlink_metadata()?;
    let (mut files, mut kept) = (Sha256::new(), Sha256::new());
    note(&mut files, Path::new(""), &top);
    let (mut entries, mut newest) = (0, Duration::ZERO);
    let mut directories = vec![PathBuf::new()];
    while let Some(directory) = directories.pop() {
        for name in sorted_names(&root.join(&directory))? {
            entries += 1;
            let path = directory.join(name);
            let metadata = root.join(&path).symlink_metadata()?;
            if entries > most || metadata.dev() != top.dev() {
                return Err(io::ErrorKind::Unsupported.into());
            }
            let digest = if path.starts_with(KEPT) {
                &mut kept
            } else {
                &mut files
            };
            note(digest, &path, &metadata);
            if metadata.is_dir() {
                directories.push(path);
            } else {
                newest = newest.max(changed_at(&metadata));
            }
        }
    }
    Ok(Inventory {
        files: format!("{:x}", files.finalize()),
        kept: format!("{:x}", kept.finalize()),
        entries,
        newest,
    })
}

/// Returns when something changed, since 1970.
fn changed_at(metadata: &Metadata) -> Duration {
    let seconds = u64::try_from(metadata.ctime()).unwrap_or_default();
    let nanoseconds = u32::try_from(metadata.ctime_nsec()).unwrap_or_default();
    Duration::new(seconds, nanoseconds)
}

fn sorted_names(directory: &Path) -> io::Result<Vec<std::ffi::OsString>> {
    let mut names = std::fs::read_dir(directory)?
        .map(|entry| Ok(entry?.file_name()))
        .collect::<io::Result<Vec<_>>>()?;
    names.sort_unstable();
    Ok(names)
}

/// The contents of a directory are covered by the names in it, so its own timestamps are ignored.
fn note(digest: &mut Sha256, path: &Path, metadata: &Metadata) {
    let path = path.as_os_str().as_bytes();
    digest.update((path.len() as u64).to_le_bytes());
    digest.update(path);
    let changed = if metadata.is_dir() {
        [0; 3]
    } else {
        [
            metadata.size() as i64,
            metadata.ctime(),
            metadata.ctime_nsec(),
        ]
    };
    for number in [metadata.dev(), metadata.ino(), u64::from(metadata.mode())] {
        digest.update(number.to_le_bytes());
    }
    for number in changed {
        digest.update(number.to_le_bytes());
    }
}

/// Lets one call at a time work in a workspace, so that what changed is what it changed.
#[derive(Debug, Default)]
pub(crate) struct WorkspaceLock(Mutex<HashMap<PathBuf, Arc<tokio::sync::Mutex<()>>>>);

impl WorkspaceLock {
    /// Waits until no other call works in the workspace.
    pub(crate) async fn enter(&self, workspace: &Path) -> OwnedMutexGuard<()> {
        self.gate(workspace).lock_owned().await
    }

    /// Enters if no other call works in the workspace or waits for it.
    pub(crate) fn try_enter(&self, workspace: &Path) -> Option<OwnedMutexGuard<()>> {
        self.gate(workspace).try_lock_owned().ok()
    }

    fn gate(&self, workspace: &Path) -> Arc<tokio::sync::Mutex<()>> {
        let mut gates = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        gates.retain(|_, gate| Arc::strong_count(gate) > 1);
        Arc::clone(gates.entry(workspace.to_path_buf()).or_default())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    use std::path::Path;

    use super::{Inventory, look_through};

    fn look(root: &Path) -> Inventory {
        look_through(root, 100).unwrap()
    }

    fn time_passes() {
        // The clock of change times ticks in steps.
        std::thread::sleep(std::time::Duration::from_millis(20));
    }

    #[test]
    fn every_change_shows_also_one_that_sets_times_and_sizes_back() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path();
        assert!(look(root).is_empty());
        fs::create_dir(root.join("notes")).unwrap();
        let file = root.join("notes/a");
        fs::write(&file, "one").unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        let changes: [&dyn Fn(); 7] = [
            &|| {
                let modified = file.metadata().unwrap().modified().unwrap();
                fs::write(&file, "two").unwrap();
                let opened = fs::File::options().write(true).open(&file).unwrap();
                opened.set_modified(modified).unwrap();
            },
            &|| {
                fs::write(elsewhere.path().join("b"), "two").unwrap();
                fs::rename(elsewhere.path().join("b"), &file).unwrap();
            },
            &|| fs::hard_link(&file, elsewhere.path().join("other name")).unwrap(),
            &|| fs::write(elsewhere.path().join("other name"), "six").unwrap(),
            &|| symlink("/etc/passwd", root.join("link")).unwrap(),
            &|| fs::create_dir(root.join("notes/empty")).unwrap(),
            &|| fs::remove_file(&file).unwrap(),
        ];
        for (number, change) in changes.into_iter().enumerate() {
            let before = look(root);
            assert_eq!(before, look(root));
            time_passes();
            change();
            let after = look(root);
            assert!(!after.has_same_files(&before), "change {number}");
            assert_ne!(before.to_text(), after.to_text());
        }
    }

    #[test]
    fn what_the_executor_keeps_is_told_apart() {
        let place = tempfile::tempdir().unwrap();
        let before = look(place.path());
        fs::create_dir_all(place.path().join(".sayso/output")).unwrap();
        fs::write(place.path().join(".sayso/output/1.txt"), "long").unwrap();
        let after = look(place.path());
        assert!(after.has_same_files(&before) && after.to_text() != before.to_text());
    }

    #[test]
    fn what_cannot_be_looked_through_has_no_inventory() {
        let place = tempfile::tempdir().unwrap();
        for name in ["a", "b", "c"] {
            fs::write(place.path().join(name), "").unwrap();
        }
        assert!(look_through(place.path(), 2).is_err());
        assert!(look_through(&place.path().join("missing"), 2).is_err());
        // Root may look everywhere.
        if !rustix::process::geteuid().is_root() {
            let closed = place.path().join("closed");
            fs::create_dir(&closed).unwrap();
            fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
            assert!(look_through(place.path(), 100).is_err());
            fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
        }
        // A mount of the system's is another device.
        assert!(look_through(Path::new("/"), 100_000).is_err());
    }
}
