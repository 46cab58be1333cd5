//! Opening the file: one process at a time, a backup before a migration, no file from the future.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use nix::errno::Errno;
use nix::fcntl::{Flock, FlockArg};
use sqlx::migrate::Migrator;
use sqlx::sqlite::{
    SqliteAutoVacuum, SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{ConnectOptions, Connection as _, SqliteConnection};

use super::processor::Processor;
use super::writer::Writer;
use super::{Readers, Store, StoreError, ids, log, room};

pub(super) static MIGRATIONS: Migrator = sqlx::migrate!("migrations/sqlite");

/// Readers beside the writer. Reads are short; more would only wait for the same two cores.
const READERS: u32 = 4;

/// The version of the schema that databases begin with. What has less is of no release.
const BASELINE: i64 = 100;

/// How many copies from before updates are kept: one may be of an update that was taken back.
const COPIES_KEPT: usize = 2;

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
        let processor = Processor::next();
        let mut connection = connect(path, &options, processor).await?;
        migrate(path, &mut connection, &MIGRATIONS).await?;
        room::prepare(path, &mut connection).await;
        ids::go_on_behind(newest_id(&mut connection).await?);
        let readers = readers(options, READERS).await?;
        Ok(Self {
            writer: Writer::start(connection, path, processor)?,
            readers,
            path: path.into(),
        })
    }
}

/// Opens the connection of the writer; SQLite's thread for it is on `processor`.
async fn connect(
    path: &Path,
    options: &SqliteConnectOptions,
    processor: Processor,
) -> Result<SqliteConnection, StoreError> {
    let mut options = options.clone();
    if !path.exists() {
        // Only a new file takes this up at once; for others `room` sees to it.
        options = options.auto_vacuum(SqliteAutoVacuum::Incremental);
    }
    let connected = processor.run("opening", async move { options.connect().await })?;
    Ok(connected.await.map_err(|_| StoreError::Closed)??)
}

/// Returns the newest id of the rows whose order counts.
async fn newest_id(connection: &mut SqliteConnection) -> Result<i64, StoreError> {
    Ok(sqlx::query_scalar(
        "SELECT max(coalesce((SELECT max(id) FROM inbox), 0), coalesce((SELECT max(id) FROM turns), 0),
                    coalesce((SELECT max(id) FROM outbox), 0))",
    )
    .fetch_one(connection)
    .await?)
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
    refuse_unreadable(path, found).await?;
    if found < known_schema() {
        return Err(StoreError::FromThePast {
            path: path.to_owned(),
        });
    }
    Ok(readers)
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

pub(super) fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .busy_timeout(log::LOCK_WAIT)
        .foreign_keys(true)
        // What was deleted is gone from its page, and a page that is free is empty.
        .pragma("secure_delete", "ON")
        .pragma("journal_size_limit", log::KEPT_BYTES.to_string())
        .statement_cache_capacity(256)
}

/// Brings a file to the newest schema of `migrations`; one that is in use is copied before.
pub(super) async fn migrate(
    path: &Path,
    connection: &mut SqliteConnection,
    migrations: &Migrator,
) -> Result<(), StoreError> {
    let known = newest(migrations);
    let found = schema_version(connection).await?;
    refuse_unreadable(path, found).await?;
    if found == known {
        return Ok(());
    }
    if found > 0 {
        back_up(path, known, connection).await?;
    }
    migrations
        .run_direct(None, connection, false)
        .await
        .map_err(|error| StoreError::Broken(format!("the migration failed: {error}")))?;
    drop_older_copies(path);
    Ok(())
}

/// Removes the copies from before older updates; one that stays takes room and does no harm.
fn drop_older_copies(path: &Path) {
    let mut copies = copies(path).unwrap_or_default();
    copies.sort();
    let older = copies.len().saturating_sub(COPIES_KEPT);
    for copy in copies.into_iter().take(older) {
        if let Err(error) = fs::remove_file(&copy) {
            tracing::warn!(%error, copy = %copy.display(), "cannot remove an old copy of the database");
        }
    }
}

/// Returns the newest migration that this program knows.
pub(super) fn known_schema() -> i64 {
    newest(&MIGRATIONS)
}

fn newest(migrations: &Migrator) -> i64 {
    let versions = migrations.iter().map(|migration| migration.version);
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

/// Refuses a schema that this program cannot read: of a newer Sayso, or of none that was released.
pub(super) async fn refuse_unreadable(path: &Path, found: i64) -> Result<(), StoreError> {
    if found > known_schema() {
        return Err(from_the_future(path, found).await);
    }
    if (1..BASELINE).contains(&found) {
        return Err(StoreError::Unreleased {
            path: path.to_owned(),
        });
    }
    Ok(())
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

/// Says that a newer Sayso wrote the file, and which copy from before an update this one can read.
async fn from_the_future(path: &Path, found: i64) -> StoreError {
    let known = known_schema();
    let mut newest: Option<(i64, PathBuf)> = None;
    for copy in copies(path).unwrap_or_default() {
        let schema = schema_of(&copy).await.unwrap_or_default();
        let is_newer = newest.as_ref().is_none_or(|(newest, _)| schema > *newest);
        if (1..=known).contains(&schema) && is_newer {
            newest = Some((schema, copy));
        }
    }
    StoreError::FromTheFuture {
        path: path.to_owned(),
        found,
        known,
        copy: newest.map(|(_, copy)| copy),
    }
}

async fn schema_of(copy: &Path) -> Result<i64, StoreError> {
    let options = SqliteConnectOptions::new().filename(copy).read_only(true);
    let mut connection = options.connect().await?;
    let schema = schema_version(&mut connection).await?;
    connection.close().await?;
    Ok(schema)
}

/// Removes the copies of a file that were made before its migrations.
pub(super) fn remove_copies(path: &Path) -> Result<(), StoreError> {
    let failed = |error: io::Error| StoreError::Broken(format!("a copy stays: {error}"));
    for copy in copies(path).map_err(failed)? {
        fs::remove_file(copy).map_err(failed)?;
    }
    Ok(())
}

/// Returns the copies of a file that were made before its migrations.
fn copies(path: &Path) -> io::Result<Vec<PathBuf>> {
    let (Some(directory), Some(name)) = (path.parent(), path.file_name()) else {
        return Ok(Vec::new());
    };
    let beginning = format!("{}.before-", name.to_string_lossy());
    let mut copies = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(&beginning) {
            copies.push(entry.path());
        }
    }
    Ok(copies)
}
