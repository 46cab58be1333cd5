//! What can go wrong with the database, in words for the operator.

use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why the database did not do what was asked.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum StoreError {
    /// Another process works on this data directory.
    #[error(
        "`{directory}` is in use by another Sayso; stop it first{}, or give this one its own `data_dir`",
        holder.map(|number| format!(" (process {number})")).unwrap_or_default()
    )]
    InUse {
        /// The data directory.
        directory: PathBuf,
        /// The number of that process, where it is known.
        holder: Option<u32>,
    },
    /// A restore into this data directory was cut short.
    #[error("a restore into `{0}` was cut short; run `sayso restore` again, which begins anew")]
    HalfRestored(PathBuf),
    /// The file was written by a newer version.
    #[error(
        "`{path}` was written by a newer Sayso (schema {found}, this one knows {known}); update Sayso, or restore a backup{}",
        way_back(path, copy.as_deref())
    )]
    FromTheFuture {
        /// The file.
        path: PathBuf,
        /// The schema that was found.
        found: i64,
        /// The newest schema that this program knows.
        known: i64,
        /// The newest copy from before an update that this program can read.
        copy: Option<PathBuf>,
    },
    /// The file was written by an older version, and no start has brought it up to date yet.
    #[error("`{path}` was written by an older Sayso; start Sayso once, which brings it up to date")]
    FromThePast {
        /// The file.
        path: PathBuf,
    },
    /// The file was written by a version that was never released.
    #[error(
        "`{path}` was made by a version of Sayso from before its first release, and this version cannot \
         read it; move it away, and a new one is made"
    )]
    Unreleased {
        /// The file.
        path: PathBuf,
    },
    /// The file is damaged, or is no database.
    #[error(
        "the database is damaged or is no SQLite file: {0}; restore a backup (`sayso.db.before-*` lies beside it)"
    )]
    Corrupt(String),
    /// No room on the disk, or the disk refuses a write.
    #[error(
        "the disk is full, or does not take what is written: {0}; check free space, quotas and the disk"
    )]
    Full(String),
    /// The file or its directory cannot be written.
    #[error(
        "the database cannot be written: {0}; check the owner and rights of the data directory"
    )]
    ReadOnly(String),
    /// Another program holds a lock on the file.
    #[error("the database is locked by another program: {0}")]
    Locked(String),
    /// The lease of the session went to another worker; what was to be written is void.
    #[error("the session belongs to another worker now")]
    Fenced,
    /// The audit cannot be written although the rest of the database can.
    #[error("the audit cannot be written: {0}")]
    Unaudited(String),
    /// The writer has ended.
    #[error("the database is closed")]
    Closed,
    /// Anything else; a bug in Sayso.
    #[error("the database failed: {0}")]
    Broken(String),
}

/// Says how a copy from before an update takes the place of the file.
fn way_back(path: &Path, copy: Option<&Path>) -> String {
    let Some(copy) = copy else {
        return String::new();
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    format!(
        ". `{}` is how it was before the update; to go back to it, which loses what came later: move `{name}`, `{name}-wal`, `{name}-shm`, `audit.jsonl` and `trace.jsonl` to another place, and rename the copy to `{name}`",
        copy.display()
    )
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        let text = error.to_string();
        // The low byte is the primary result code: https://www.sqlite.org/rescode.html
        match error.sqlite_error().map(|error| error.extended_code & 0xff) {
            Some(SQLITE_BUSY | SQLITE_LOCKED) => Self::Locked(text),
            Some(SQLITE_READONLY | SQLITE_CANTOPEN | SQLITE_PERM) => Self::ReadOnly(text),
            // SQLite reports an exceeded quota or file size limit as a failed write.
            Some(SQLITE_FULL | SQLITE_IOERR) => Self::Full(text),
            Some(SQLITE_CORRUPT | SQLITE_NOTADB) => Self::Corrupt(text),
            _ => Self::Broken(text),
        }
    }
}

impl From<serde_json::Error> for StoreError {
    fn from(error: serde_json::Error) -> Self {
        Self::Broken(format!("a row cannot be read: {error}"))
    }
}

const SQLITE_PERM: i32 = 3;
const SQLITE_BUSY: i32 = 5;
const SQLITE_LOCKED: i32 = 6;
const SQLITE_READONLY: i32 = 8;
const SQLITE_IOERR: i32 = 10;
const SQLITE_CORRUPT: i32 = 11;
const SQLITE_FULL: i32 = 13;
const SQLITE_CANTOPEN: i32 = 14;
const SQLITE_NOTADB: i32 = 26;
