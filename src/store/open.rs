//! Opening the file: one process at a time, a backup before a migration, no file from the future.

use std::cmp::Ordering;
use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use nix::errno::Errno;
use nix::fcntl::{Flock, FlockArg};
use sqlx::migrate::Migrator;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, SqliteConnection};

use super::writer::Writer;
use super::{Readers, Store, StoreError};

pub(super) static MIGRATIONS: Migrator = sqlx::migrate!("migrations/sqlite");

/// How long a statement waits for a lock that another program holds on the file.
const LOCK_WAIT: Duration = Duration::from_secs(5);
/// Readers beside the writer. Reads are short; more would only wait for the same two cores.
const READERS: u32 = 4;

/// Holds the data directory for this process until it is dropped (or the process dies).
#[derive(Debug, Clone)]
pub struct DirectoryLock {
    _lock: Arc<Flock<File>>,
}

impl Store {
    /// Opens the database, bringing its schema up to date.
    ///
    /// Creates the directory (mode 0700) and the file (0600) when missing. Before an existing
    /// file is migrated, a copy is put beside it as `<name>.before-<version>`.
    pub async fn open(path: &Path) -> Result<Self, StoreError> {
        let options = options(path);
        let mut connection = options.connect().await?;
        migrate(path, &mut connection).await?;
        let readers = readers(options, READERS).await?;
        Ok(Self {
            writer: Writer::start(connection),
            readers,
            path: path.into(),
        })
    }
}

/// Opens the database of an instance to read it, also beside a running Sayso. Nothing is migrated.
///
/// # Errors
/// Fails when there is none, and when another version of Sayso wrote it.
pub async fn open_to_read(path: &Path) -> Result<Readers, StoreError> {
    let readers = readers(options(path), 1).await?;
    let found = {
        let mut connection = readers.acquire().await?;
        schema_version(&mut connection).await?
    };
    let known = known_schema();
    match found.cmp(&known) {
        Ordering::Equal => Ok(readers),
        Ordering::Less => Err(StoreError::FromThePast {
            path: path.to_owned(),
        }),
        Ordering::Greater => Err(StoreError::FromTheFuture {
            path: path.to_owned(),
            found,
            known,
        }),
    }
}

async fn readers(options: SqliteConnectOptions, count: u32) -> Result<Readers, StoreError> {
    let readers = SqlitePoolOptions::new()
        .max_connections(count)
        // A file does not go away; asking each time would double what a short read costs.
        .test_before_acquire(false)
        .connect_with(options.read_only(true).create_if_missing(false))
        .await?;
    Ok(readers)
}

/// What lies in the data directory, with something in it, while a restore goes on, or when one was cut
/// short.
pub const RESTORING: &str = ".restoring";
/// What is locked.
pub const LOCK: &str = "sayso.lock";

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

/// Returns whether another process has the data directory.
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
        |error: std::io::Error| StoreError::ReadOnly(format!("`{}`: {error}", directory.display()));
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(directory)
        .map_err(failed)?;
    let file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(directory.join(LOCK))
        .map_err(failed)?;
    let lock = Flock::lock(file, FlockArg::LockExclusiveNonblock)
        .map_err(|_| StoreError::InUse(directory.to_owned()))?;
    Ok(DirectoryLock {
        _lock: Arc::new(lock),
    })
}

pub(super) fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .busy_timeout(LOCK_WAIT)
        .foreign_keys(true)
        // What was deleted is gone from its page, where that costs no write of its own.
        .pragma("secure_delete", "FAST")
        .statement_cache_capacity(256)
}

async fn migrate(path: &Path, connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let known = known_schema();
    let found = schema_version(connection).await?;
    if found > known {
        return Err(StoreError::FromTheFuture {
            path: path.to_owned(),
            found,
            known,
        });
    }
    if found == known {
        return Ok(());
    }
    if found > 0 {
        back_up(path, known, connection).await?;
    }
    MIGRATIONS
        .run_direct(None, connection, false)
        .await
        .map_err(|error| StoreError::Broken(format!("the migration failed: {error}")))
}

/// Returns the newest migration that this program knows.
pub(super) fn known_schema() -> i64 {
    let versions = MIGRATIONS.iter().map(|migration| migration.version);
    versions.max().unwrap_or_default()
}

/// Returns the newest migration that the file has seen; 0 for a new file.
pub(super) async fn schema_version(connection: &mut SqliteConnection) -> Result<i64, StoreError> {
    let has_table: bool = sqlx::query_scalar(
        "SELECT count(*) > 0 FROM sqlite_master WHERE type = 'table' AND name = '_sqlx_migrations'",
    )
    .fetch_one(&mut *connection)
    .await?;
    if !has_table {
        return Ok(0);
    }
    let version: Option<i64> =
        sqlx::query_scalar("SELECT max(version) FROM _sqlx_migrations WHERE success")
            .fetch_one(connection)
            .await?;
    Ok(version.unwrap_or_default())
}

async fn back_up(
    path: &Path,
    version: i64,
    connection: &mut SqliteConnection,
) -> Result<(), StoreError> {
    let mut copy = PathBuf::from(path).into_os_string();
    copy.push(format!(".before-{version:04}"));
    if Path::new(&copy).exists() {
        return Ok(());
    }
    sqlx::query("VACUUM INTO $1")
        .bind(copy.to_string_lossy().into_owned())
        .execute(connection)
        .await?;
    Ok(())
}

/// Removes the copies of a file that were made before its migrations.
pub(super) fn remove_copies(path: &Path) -> Result<(), StoreError> {
    let failed = |error: std::io::Error| StoreError::Broken(format!("a copy stays: {error}"));
    let (Some(directory), Some(name)) = (path.parent(), path.file_name()) else {
        return Ok(());
    };
    let beginning = format!("{}.before-", name.to_string_lossy());
    for entry in fs::read_dir(directory).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if entry.file_name().to_string_lossy().starts_with(&beginning) {
            fs::remove_file(entry.path()).map_err(failed)?;
        }
    }
    Ok(())
}
