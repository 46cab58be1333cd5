//! The data directory: one process at a time has it, and none begins in one that is half restored.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use nix::errno::Errno;
use nix::fcntl::{Flock, FlockArg};

use super::StoreError;

/// Holds the data directory for this process until it is dropped (or the process dies).
#[derive(Debug, Clone)]
pub struct DirectoryLock {
    _lock: Arc<Flock<File>>,
}

/// What lies in the data directory, with something in it, while a restore goes on, or when one was
/// cut short.
pub const RESTORING: &str = ".restoring";
/// What is locked.
pub const LOCK: &str = "sayso.lock";
/// How often it is tried again to take the lock, since [`is_in_use`] has it for a moment ...
const LOOKS: u32 = 5;
/// ... and how long that is waited for each time.
const LOOK_WAIT: Duration = Duration::from_millis(10);

/// Takes the data directory for this process, creating it when missing.
///
/// # Errors
/// Fails when another process has it, when a restore into it was cut short, and when it cannot be
/// written.
pub fn lock_directory(directory: &Path) -> Result<DirectoryLock, StoreError> {
    let lock = lock_to_restore(directory)?;
    let left = fs::read_dir(directory.join(RESTORING));
    if left.is_ok_and(|mut left| left.next().is_some()) {
        return Err(StoreError::HalfRestored(directory.to_owned()));
    }
    Ok(lock)
}

/// Returns whether another process has the data directory. A look shares the lock for a moment.
pub fn is_in_use(directory: &Path) -> bool {
    let Ok(file) = File::open(directory.join(LOCK)) else {
        return false;
    };
    let locked = Flock::lock(file, FlockArg::LockSharedNonblock);
    matches!(locked, Err((_, Errno::EWOULDBLOCK)))
}

/// Takes the data directory for a restore, whatever an earlier one left there.
///
/// # Errors
/// Fails when another process has it, and when it cannot be written.
pub fn lock_to_restore(directory: &Path) -> Result<DirectoryLock, StoreError> {
    let failed =
        |error: io::Error| StoreError::ReadOnly(format!("`{}`: {error}", directory.display()));
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(directory)
        .map_err(failed)?;
    let path = directory.join(LOCK);
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(&path)
        .map_err(failed)?;
    let mut lock = lock_patiently(file).map_err(|file| StoreError::InUse {
        directory: directory.to_owned(),
        holder: holder(file),
    })?;
    // The id is only information for a process that is refused, so a full disk is no reason to
    // fail.
    let noted = lock
        .set_len(0)
        .and_then(|()| writeln!(lock, "{}", std::process::id()));
    if let Err(error) = noted {
        tracing::warn!(%error, "cannot write the process id to `sayso.lock`");
    }
    Ok(DirectoryLock {
        _lock: Arc::new(lock),
    })
}

/// Takes the lock, also when somebody looks just now whether it is taken; gives the file back when
/// it is.
fn lock_patiently(mut file: File) -> Result<Flock<File>, File> {
    for _ in 0..LOOKS {
        match Flock::lock(file, FlockArg::LockExclusiveNonblock) {
            Ok(lock) => return Ok(lock),
            Err((unlocked, _)) => file = unlocked,
        }
        std::thread::sleep(LOOK_WAIT);
    }
    Flock::lock(file, FlockArg::LockExclusiveNonblock).map_err(|(file, _)| file)
}

/// Returns the number of the process that holds the lock, as it noted it. What a killed process
/// left is never read: its lock went with it.
fn holder(file: File) -> Option<u32> {
    let mut noted = String::new();
    file.take(16).read_to_string(&mut noted).ok()?;
    noted.trim().parse().ok()
}
