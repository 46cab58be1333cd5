//! A copy of the database of an instance, which may be running, and what must be true of one.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use super::connection::{Access, Connection};
use super::migrate::{refuse_unreadable, schema_version, text_of};
use crate::StoreError;

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
    let connection = Connection::open(path, Access::Read)?;
    let kind: Vec<i64> = connection.fetch("PRAGMA auto_vacuum", &[], 1)?;
    if kind == [0] {
        // Nothing of this file changes by it; the copy can give back free pages.
        connection.batch("PRAGMA auto_vacuum = INCREMENTAL")?;
    }
    // SQLite would create the file with the default permissions; an existing empty file keeps its
    // permissions.
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(into)
        .map_err(|error| StoreError::ReadOnly(format!("`{}`: {error}", into.display())))?;
    connection.execute("VACUUM INTO $1", &[text_of(into)])?;
    connection.close()
}

/// Reads a copy whole: every page, every index, every reference, every row.
///
/// # Errors
/// Fails when anything of it is damaged, and when a newer Sayso wrote it.
pub async fn examine(path: &Path) -> Result<Examined, StoreError> {
    let connection = Connection::open_plain(path, Access::Read)?;
    let schema = schema_version(&connection)?;
    refuse_unreadable(path, schema)?;
    if schema == 0 {
        return Err(StoreError::Corrupt("it is no database of Sayso".to_owned()));
    }
    let verdict: Vec<String> = connection.fetch("PRAGMA integrity_check(1)", &[], 1)?;
    if let Some(damage) = verdict.into_iter().find(|verdict| verdict != "ok") {
        return Err(StoreError::Corrupt(damage));
    }
    let astray: Vec<String> = connection.fetch(
        "SELECT \"table\" FROM pragma_foreign_key_check LIMIT 1",
        &[],
        1,
    )?;
    if !astray.is_empty() {
        return Err(StoreError::Corrupt(
            "a row names one that is not there".to_owned(),
        ));
    }
    let rows = count(&connection)?;
    connection.close()?;
    Ok(Examined { schema, rows })
}

fn count(connection: &Connection) -> Result<BTreeMap<String, i64>, StoreError> {
    let tables: Vec<String> = connection.fetch(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
        &[],
        usize::MAX,
    )?;
    let mut rows = BTreeMap::new();
    for table in tables {
        let quoted = table.replace('"', "\"\"");
        let query = format!("SELECT count(*) FROM \"{quoted}\"");
        let count: Vec<i64> = connection.fetch(&query, &[], 1)?;
        rows.insert(table, count.into_iter().sum());
    }
    Ok(rows)
}
