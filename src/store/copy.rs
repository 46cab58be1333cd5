//! A copy of the database of an instance, which may be running, and what must be true of one.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, SqliteConnection};

use super::StoreError;
use super::open::{options, refuse_unreadable, schema_version};

/// What is in a copy, as it was found by reading all of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Examined {
    /// The newest migration that it has seen.
    pub schema: i64,
    /// How many rows each table has.
    pub rows: BTreeMap<String, i64>,
}

/// Copies the current state of the database at `path` into a new file that only its owner can read.
/// It only reads, and may run beside a running Sayso, which can write meanwhile.
///
/// # Errors
/// Fails when there is no database, or the copy is there already.
pub async fn copy(path: &Path, into: &Path) -> Result<(), StoreError> {
    let mut connection = options(path)
        .read_only(true)
        .create_if_missing(false)
        .connect()
        .await?;
    let kind: i64 = sqlx::query_scalar("PRAGMA auto_vacuum")
        .fetch_one(&mut connection)
        .await?;
    if kind == 0 {
        // Nothing of this file changes by it; the copy can give back free pages.
        sqlx::query("PRAGMA auto_vacuum = INCREMENTAL")
            .execute(&mut connection)
            .await?;
    }
    // SQLite would create the file with the default permissions; an existing empty file keeps its
    // permissions.
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(into)
        .map_err(|error| StoreError::ReadOnly(format!("`{}`: {error}", into.display())))?;
    sqlx::query("VACUUM INTO $1")
        .bind(into.to_string_lossy().into_owned())
        .execute(&mut connection)
        .await?;
    connection.close().await?;
    Ok(())
}

/// Reads a copy whole: every page, every index, every reference, every row.
///
/// # Errors
/// Fails when anything of it is damaged, and when a newer Sayso wrote it.
pub async fn examine(path: &Path) -> Result<Examined, StoreError> {
    let mut connection = SqliteConnectOptions::new()
        .filename(path)
        .read_only(true)
        .connect()
        .await?;
    let schema = schema_version(&mut connection).await?;
    refuse_unreadable(path, schema).await?;
    if schema == 0 {
        return Err(StoreError::Corrupt("it is no database of Sayso".to_owned()));
    }
    let verdict: String = sqlx::query_scalar("PRAGMA integrity_check(1)")
        .fetch_one(&mut connection)
        .await?;
    if verdict != "ok" {
        return Err(StoreError::Corrupt(verdict));
    }
    let astray = sqlx::query("PRAGMA foreign_key_check")
        .fetch_optional(&mut connection)
        .await?;
    if astray.is_some() {
        return Err(StoreError::Corrupt(
            "a row names one that is not there".to_owned(),
        ));
    }
    let rows = count(&mut connection).await?;
    connection.close().await?;
    Ok(Examined { schema, rows })
}

async fn count(connection: &mut SqliteConnection) -> Result<BTreeMap<String, i64>, StoreError> {
    let tables: Vec<String> = sqlx::query_scalar(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
    )
    .fetch_all(&mut *connection)
    .await?;
    let mut rows = BTreeMap::new();
    for table in tables {
        let quoted = table.replace('"', "\"\"");
        let query = format!("SELECT count(*) FROM \"{quoted}\"");
        let count = sqlx::query_scalar(AssertSqlSafe(query));
        rows.insert(table, count.fetch_one(&mut *connection).await?);
    }
    Ok(rows)
}
