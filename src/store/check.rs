//! A look at a database file without changing it, for `doctor`.

use std::path::Path;

use sqlx::ConnectOptions;
use sqlx::Connection;

use super::StoreError;
use super::open::{known_schema, options, schema_version};

/// What a look at a file found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileCheck {
    /// The newest migration that the file has seen.
    pub schema: i64,
    /// The newest migration that this program knows.
    pub known: i64,
    /// What SQLite finds wrong with it, its first line.
    pub damage: Option<String>,
}

/// Opens a file read-only and lets SQLite check it. Nothing is migrated.
pub async fn check_file(path: &Path) -> Result<FileCheck, StoreError> {
    let mut connection = options(path)
        .read_only(true)
        .create_if_missing(false)
        .connect()
        .await?;
    let schema = schema_version(&mut connection).await?;
    let known = known_schema();
    if schema > known {
        return Err(StoreError::FromTheFuture {
            path: path.to_owned(),
            found: schema,
            known,
        });
    }
    let verdict: String = sqlx::query_scalar("PRAGMA quick_check(1)")
        .fetch_one(&mut connection)
        .await?;
    connection.close().await?;
    Ok(FileCheck {
        schema,
        known,
        damage: (verdict != "ok").then_some(verdict),
    })
}
