//! How far the indexes of words are made again in the background: the rows of `reindexing`.
//!
//! New rows are written in the newest format, so only rows that existed at the start are converted.
//! The steps read the rows of all owners, but write them only to the index of their owner.

use sayso_core::transcript::MemoryId;
use serde::Deserialize;

use super::memories::index;
use super::owners::owner_of;
use super::sql::{Statement, query};
use super::{Readers, StoreError, Tx};
use crate::sql;

/// What is made again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Index {
    /// The words of memories.
    Memories,
    /// The words of lines.
    Lines,
}

impl Index {
    fn name(self) -> &'static str {
        match self {
            Self::Memories => "memories",
            Self::Lines => "lines",
        }
    }

    fn restart_text(self) -> Statement {
        match self {
            Self::Memories => sql!(FROM_THE_START, "memories", UNLESS_IT_IS_SO),
            Self::Lines => sql!(FROM_THE_START, "lines", UNLESS_IT_IS_SO),
        }
    }
}

/// Up to the newest row of this table, ...
const FROM_THE_START: &str = "
    INSERT INTO reindexing (name, spelling, done_id, until_id)
    SELECT $1, $2, 0, coalesce(max(id), 0) FROM ";
/// ... unless it is made in this way already. SQLite takes `ON` for a join's without a `WHERE`.
const UNLESS_IT_IS_SO: &str = "
    WHERE true ON CONFLICT (name) DO UPDATE SET
        spelling = excluded.spelling, done_id = 0, until_id = excluded.until_id
    WHERE reindexing.spelling <> excluded.spelling";

/// A memory as its index needs it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct MemoryText {
    /// Its name.
    pub id: MemoryId,
    owner_kind: String,
    owner_id: i64,
    /// What it says.
    pub text: String,
}

/// Has an index made again from the start, unless its words are already made in this way.
pub async fn begin(tx: &mut Tx, index: Index, spelling: i64) -> Result<(), StoreError> {
    query(index.restart_text())
        .bind(index.name())
        .bind(spelling)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Returns behind which row an index has to be made again, and up to which, if it has to.
pub async fn open(readers: &Readers, index: Index) -> Result<Option<(i64, i64)>, StoreError> {
    query(sql!(
        "SELECT done_id, until_id FROM reindexing WHERE name = $1 AND done_id < until_id"
    ))
    .bind(index.name())
    .fetch_optional(readers)
    .await
}

/// Notes how far it is.
pub async fn note(tx: &mut Tx, index: Index, done: i64) -> Result<(), StoreError> {
    query(sql!("UPDATE reindexing SET done_id = $2 WHERE name = $1"))
        .bind(index.name())
        .bind(done)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Returns the next memories.
pub async fn memories(
    tx: &mut Tx,
    after: i64,
    until: i64,
    limit: usize,
) -> Result<Vec<MemoryText>, StoreError> {
    query(sql!(
        "SELECT id, owner_kind, owner_id, text FROM memories
         WHERE id > $1 AND id <= $2 ORDER BY id LIMIT $3"
    ))
    .bind(after)
    .bind(until)
    .bind(limit as i64)
    .fetch_all(tx.connection())
    .await
}

/// Makes the words of a memory again. One that is not found by words stays so.
pub async fn index_memory(tx: &mut Tx, memory: &MemoryText, words: &str) -> Result<(), StoreError> {
    let gone = query(sql!(sqlite: "DELETE FROM memory_words WHERE rowid = $1"))
        .bind(memory.id)
        .execute(tx.connection())
        .await?;
    if gone == 0 {
        return Ok(());
    }
    let owner = owner_of(&memory.owner_kind, memory.owner_id);
    index(tx, memory.id, owner, words).await
}
