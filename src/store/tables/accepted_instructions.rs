//! The rows of `accepted_instructions`: the `AGENTS.md` of projects, as owners accepted them.

use serde::Deserialize;

use crate::sql;
use crate::sql::query;
use crate::{Readers, StoreError, Tx, now_ms};

#[derive(Debug, Deserialize)]
struct AcceptedRow {
    hash: String,
}

const ACCEPTED: &str = "SELECT hash FROM accepted_instructions WHERE project = $1";

/// Returns the hash of the version that was accepted for a project; `None` where none was.
pub async fn of(readers: &Readers, project: &str) -> Result<Option<String>, StoreError> {
    let row: Option<AcceptedRow> = query(sql!(ACCEPTED))
        .bind(project)
        .fetch_optional(readers)
        .await?;
    Ok(row.map(|row| row.hash))
}

/// Returns the same inside a transaction.
pub async fn of_in(tx: &mut Tx, project: &str) -> Result<Option<String>, StoreError> {
    let row: Option<AcceptedRow> = query(sql!(ACCEPTED))
        .bind(project)
        .fetch_optional(tx.connection())
        .await?;
    Ok(row.map(|row| row.hash))
}

/// Keeps which version was accepted, in place of the one before.
pub async fn put(tx: &mut Tx, project: &str, hash: &str) -> Result<(), StoreError> {
    query(sql!(
        "INSERT INTO accepted_instructions (project, hash, accepted_ms) VALUES ($1, $2, $3)
         ON CONFLICT (project) DO UPDATE
         SET hash = excluded.hash, accepted_ms = excluded.accepted_ms"
    ))
    .bind(project)
    .bind(hash)
    .bind(now_ms())
    .execute(tx.connection())
    .await?;
    Ok(())
}
