//! A look at a database file without changing it, for `doctor`.

use std::path::Path;

use super::connection::{Access, Connection};
use super::migrate::{known_schema, refuse_unreadable, schema_version};
use crate::StoreError;

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
///
/// # Errors
/// Fails when it cannot be opened, and when another version of Sayso wrote it.
pub async fn check_file(path: &Path) -> Result<FileCheck, StoreError> {
    let connection = Connection::open(path, Access::Read)?;
    let schema = schema_version(&connection)?;
    refuse_unreadable(path, schema)?;
    let verdict: Vec<String> = connection.fetch("PRAGMA quick_check(1)", &[], 1)?;
    connection.close()?;
    Ok(FileCheck {
        schema,
        known: known_schema(),
        damage: verdict.into_iter().next().filter(|verdict| verdict != "ok"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a file of some pages and returns where it is.
    fn some_pages(directory: &tempfile::TempDir) -> std::path::PathBuf {
        let path = directory.path().join("some.db");
        let connection = Connection::open(&path, Access::Write).unwrap();
        for statement in [
            "CREATE TABLE noise (bytes BLOB)",
            "WITH RECURSIVE row (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM row LIMIT 500)
             INSERT INTO noise SELECT randomblob(200) FROM row",
        ] {
            connection.batch(statement).unwrap();
        }
        connection.close().unwrap();
        path
    }

    #[tokio::test]
    async fn whole_file_has_no_damage() {
        let directory = tempfile::tempdir().unwrap();
        let path = some_pages(&directory);
        let check = check_file(&path).await.unwrap();
        assert_eq!((check.schema, check.damage), (0, None));
    }

    #[tokio::test]
    async fn damaged_pages_are_found() {
        let directory = tempfile::tempdir().unwrap();
        let path = some_pages(&directory);
        let mut bytes = std::fs::read(&path).unwrap();
        assert!(bytes.len() > 100_000, "the pages are still in the log");
        for byte in bytes.iter_mut().skip(8192) {
            *byte ^= 0x5a;
        }
        std::fs::write(&path, bytes).unwrap();
        let checked = check_file(&path).await;
        let is_found = matches!(
            checked,
            Ok(FileCheck {
                damage: Some(_),
                ..
            }) | Err(StoreError::Corrupt(_))
        );
        assert!(is_found, "{checked:?}");
    }

    #[tokio::test]
    async fn missing_file_is_not_made() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("none.db");
        assert!(matches!(
            check_file(&path).await,
            Err(StoreError::ReadOnly(_))
        ));
        assert!(!path.exists());
    }
}
