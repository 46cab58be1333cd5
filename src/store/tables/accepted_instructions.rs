//! The rows of `accepted_instructions`: the `AGENTS.md` of projects, as owners accepted them.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::sql;
use crate::sql::query;
use crate::{Readers, StoreError, Tx, now_ms};

#[derive(Debug, Deserialize)]
struct AcceptedRow {
    path: String,
    hash: String,
}

/// The hash of the version that was accepted of each file, by its path from the root of the project.
pub type Accepted = BTreeMap<String, String>;

const ACCEPTED: &str = "SELECT path, hash FROM accepted_instructions WHERE project = $1";

/// Returns what was accepted of a project.
pub async fn of(readers: &Readers, project: &str) -> Result<Accepted, StoreError> {
    let rows: Vec<AcceptedRow> = query(sql!(ACCEPTED))
        .bind(project)
        .fetch_all(readers)
        .await?;
    Ok(by_path(rows))
}

/// Returns the same inside a transaction.
pub async fn of_in(tx: &mut Tx, project: &str) -> Result<Accepted, StoreError> {
    let rows: Vec<AcceptedRow> = query(sql!(ACCEPTED))
        .bind(project)
        .fetch_all(tx.connection())
        .await?;
    Ok(by_path(rows))
}

fn by_path(rows: Vec<AcceptedRow>) -> Accepted {
    rows.into_iter().map(|row| (row.path, row.hash)).collect()
}

/// Keeps which version of a file was accepted, in place of the one before.
pub async fn put(tx: &mut Tx, project: &str, path: &str, hash: &str) -> Result<(), StoreError> {
    query(sql!(
        "INSERT INTO accepted_instructions (project, path, hash, accepted_ms)
         VALUES ($1, $2, $3, $4)
         ON CONFLICT (project, path) DO UPDATE
         SET hash = excluded.hash, accepted_ms = excluded.accepted_ms"
    ))
    .bind(project)
    .bind(path)
    .bind(hash)
    .bind(now_ms())
    .execute(tx.connection())
    .await?;
    Ok(())
}
