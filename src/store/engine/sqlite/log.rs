//! The write-ahead log: how large it may grow, and when it is emptied.
//!
//! SQLite checkpoints the log every thousand pages and then restarts it, but only while there is no
//! reader, so overlapping readers could make it grow without limit. Therefore Sayso also
//! checkpoints it, when it exceeds a limit or the database is idle. A checkpoint never waits long
//! for a reader: queued work goes on meanwhile, and the checkpoint is retried.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::time::Instant;

use super::connection::{Connection, LOCK_WAIT};
use crate::StoreError;

/// Above this the log is emptied before anything else is written, in bytes.
pub(super) const BOUND_BYTES: u64 = 16 * 1024 * 1024;
/// Above this the log is emptied when nothing is written, in bytes.
const WORTH_BYTES: u64 = 1024 * 1024;
/// For so long nothing must have been written before it is emptied for that.
const QUIET: Duration = Duration::from_secs(2);
/// How long a reader is waited for: the work in line waits as well.
const READER_WAIT: Duration = Duration::from_millis(50);
/// How long it is left alone after a reader was in the way.
const PAUSE: Duration = Duration::from_secs(1);

/// The log of one database.
#[derive(Debug)]
pub(super) struct Log {
    path: PathBuf,
    bytes: u64,
    not_before: Instant,
}

impl Log {
    /// Returns the log of the database at `database`.
    pub(super) fn of(database: &Path) -> Self {
        Self {
            path: path_of(database),
            bytes: 0,
            not_before: Instant::now(),
        }
    }

    /// Returns how long it is now, in bytes.
    pub(super) fn length(&self) -> u64 {
        length(&self.path)
    }

    /// Empties it if it has grown too large; called behind a commit.
    pub(super) fn bound(&mut self, connection: &Connection) {
        self.bytes = self.length();
        if self.bytes > BOUND_BYTES && Instant::now() >= self.not_before {
            self.try_to_empty(connection);
        }
    }

    /// Returns after how long without work it is to be tidied; `None` when it is small.
    pub(super) fn tidied_after(&self) -> Option<Duration> {
        let rest = self.not_before.saturating_duration_since(Instant::now());
        (self.bytes > WORTH_BYTES).then(|| rest.max(QUIET))
    }

    /// Empties it while nothing is written.
    pub(super) fn tidy(&mut self, connection: &Connection) {
        if self.bytes > WORTH_BYTES {
            self.try_to_empty(connection);
        }
    }

    fn try_to_empty(&mut self, connection: &Connection) {
        match empty(connection, READER_WAIT) {
            Ok(true) => self.not_before = Instant::now(),
            Ok(false) => {
                tracing::debug!(
                    bytes = self.bytes,
                    "checkpoint incomplete: a reader holds the write-ahead log"
                );
                self.not_before = Instant::now() + PAUSE;
            }
            Err(error) => {
                tracing::warn!(%error, "cannot truncate the write-ahead log");
                self.not_before = Instant::now() + PAUSE;
            }
        }
        self.bytes = self.length();
    }
}

/// Checkpoints the log and truncates its file; returns whether that was done, or false if a reader
/// did not end within `wait`.
pub(super) fn empty(connection: &Connection, wait: Duration) -> Result<bool, StoreError> {
    connection.wait_for_locks(wait)?;
    let emptied: Result<Vec<(i64, i64, i64)>, _> =
        connection.fetch("PRAGMA wal_checkpoint(TRUNCATE)", &[], 1);
    connection.wait_for_locks(LOCK_WAIT)?;
    Ok(emptied?.iter().all(|(busy, _, _)| *busy == 0))
}

/// Returns the file of the log of a database.
pub(super) fn path_of(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push("-wal");
    name.into()
}

/// Returns how long a file is; one that is not there has no length.
pub(super) fn length(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |metadata| metadata.len())
}

#[cfg(test)]
#[path = "log_tests.rs"]
mod tests;
