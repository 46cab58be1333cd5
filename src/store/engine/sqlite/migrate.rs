//! The schema: which version a file has, and how it gets the newest one.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha384};

use super::connection::{Access, Connection};
use crate::StoreError;
use crate::sql::Value;

/// The version of the schema that databases begin with. What has less is of no release.
const BASELINE: i64 = 100;

/// How many copies from before updates are kept: one may be of an update that was taken back.
const COPIES_KEPT: usize = 2;

/// A step of the schema.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Migration {
    /// Its number; they run in the order of these.
    pub version: i64,
    /// What it is about.
    pub description: &'static str,
    /// The statements. They run in one transaction.
    pub statements: &'static str,
}

/// Every step, oldest first.
pub(crate) const MIGRATIONS: &[Migration] = &[Migration {
    version: BASELINE,
    description: "baseline",
    statements: include_str!("../../../../migrations/sqlite/0100_baseline.sql"),
}];

/// Which steps a file has seen. The table is that of sqlx, which other engines are migrated by.
const SEEN: &str = "CREATE TABLE IF NOT EXISTS _sqlx_migrations (
    version BIGINT PRIMARY KEY,
    description TEXT NOT NULL,
    installed_on TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
    success BOOLEAN NOT NULL,
    checksum BLOB NOT NULL,
    execution_time BIGINT NOT NULL
)";

/// Returns the newest migration that this program knows.
pub(crate) fn known_schema() -> i64 {
    newest(MIGRATIONS)
}

fn newest(migrations: &[Migration]) -> i64 {
    migrations.last().map_or(0, |migration| migration.version)
}

/// Brings a file to the newest schema of `migrations`; one that is in use is copied before.
pub(crate) fn migrate(
    path: &Path,
    connection: &Connection,
    migrations: &[Migration],
) -> Result<(), StoreError> {
    let known = newest(migrations);
    let found = schema_version(connection)?;
    refuse_unreadable(path, found)?;
    refuse_changed(connection, migrations)?;
    if found == known {
        return Ok(());
    }
    if found > 0 {
        back_up(path, known, connection)?;
    }
    connection.batch(SEEN)?;
    for migration in migrations.iter().filter(|it| it.version > found) {
        let run = run(connection, migration);
        if run.is_err() {
            // Some errors have rolled back already; then this one says so and is no news.
            let _ = connection.batch("ROLLBACK");
        }
        run.map_err(|error| StoreError::Broken(format!("the migration failed: {error}")))?;
    }
    drop_older_copies(path);
    Ok(())
}

fn run(connection: &Connection, migration: &Migration) -> Result<(), StoreError> {
    connection.batch("BEGIN IMMEDIATE")?;
    connection.batch(migration.statements)?;
    connection.execute(
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
         VALUES ($1, $2, TRUE, $3, 0)",
        &[
            Value::Whole(migration.version),
            Value::Text(migration.description.into()),
            Value::Bytes(checksum(migration).into()),
        ],
    )?;
    connection.batch("COMMIT")
}

fn checksum(migration: &Migration) -> Vec<u8> {
    Sha384::digest(migration.statements).to_vec()
}

/// Refuses a file that saw another text of a step: its tables may be other ones.
fn refuse_changed(connection: &Connection, migrations: &[Migration]) -> Result<(), StoreError> {
    if !has_seen_any(connection)? {
        return Ok(());
    }
    let seen: Vec<(i64, Vec<u8>)> = connection.fetch(
        "SELECT version, checksum FROM _sqlx_migrations WHERE success",
        &[],
        usize::MAX,
    )?;
    for (version, sum) in seen {
        let known = migrations.iter().find(|it| it.version == version);
        if known.is_some_and(|known| checksum(known) != sum) {
            return Err(StoreError::Broken(format!(
                "the migration failed: migration {version} was run with another text"
            )));
        }
    }
    Ok(())
}

fn has_seen_any(connection: &Connection) -> Result<bool, StoreError> {
    let tables: Vec<bool> = connection.fetch(
        "SELECT count(*) > 0 FROM sqlite_master WHERE type = 'table' AND name = '_sqlx_migrations'",
        &[],
        1,
    )?;
    Ok(tables.first().is_some_and(|has| *has))
}

/// Returns the newest migration that the file has seen; 0 for a new file.
pub(crate) fn schema_version(connection: &Connection) -> Result<i64, StoreError> {
    if !has_seen_any(connection)? {
        return Ok(0);
    }
    let newest = "SELECT max(version) FROM _sqlx_migrations WHERE success";
    let version: Vec<Option<i64>> = connection.fetch(newest, &[], 1)?;
    Ok(version.first().copied().flatten().unwrap_or_default())
}

/// Refuses a schema that this program cannot read: of a newer Sayso, or of none that was released.
pub(super) fn refuse_unreadable(path: &Path, found: i64) -> Result<(), StoreError> {
    if found > known_schema() {
        return Err(from_the_future(path, found));
    }
    if (1..BASELINE).contains(&found) {
        return Err(StoreError::Unreleased {
            path: path.to_owned(),
        });
    }
    Ok(())
}

fn back_up(path: &Path, version: i64, connection: &Connection) -> Result<(), StoreError> {
    let mut copy = PathBuf::from(path).into_os_string();
    copy.push(format!(".before-{version:04}"));
    if Path::new(&copy).exists() {
        return Ok(());
    }
    connection.execute("VACUUM INTO $1", &[text_of(Path::new(&copy))])?;
    Ok(())
}

/// Returns a path as a parameter.
pub(super) fn text_of(path: &Path) -> Value<'static> {
    Value::Text(path.to_string_lossy().into_owned().into())
}

/// Says that a newer Sayso wrote the file, and which copy from before an update this one can read.
fn from_the_future(path: &Path, found: i64) -> StoreError {
    let known = known_schema();
    let mut newest: Option<(i64, PathBuf)> = None;
    for copy in copies(path).unwrap_or_default() {
        let schema = schema_of(&copy).unwrap_or_default();
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

fn schema_of(copy: &Path) -> Result<i64, StoreError> {
    schema_version(&Connection::open_plain(copy, Access::Read)?)
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

/// Removes the copies of a file that were made before its migrations.
pub(crate) fn remove_copies(path: &Path) -> Result<(), StoreError> {
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
