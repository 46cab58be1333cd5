//! The index of the words of memories, as a whole: emptied when it is damaged, and filled again.
//!
//! It contains only data from `memories`, so it can be rebuilt completely. Missing rows are
//! detected by the table of row sizes that FTS5 keeps.

use sayso_core::transcript::MemoryId;
use serde::Deserialize;

use crate::memories::index;
use crate::owners::owner_of;
use crate::sql;
use crate::sql::query;
use crate::{Readers, StoreError, Tx};

/// A memory whose words are not in the index.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Unindexed {
    /// Its name.
    pub id: MemoryId,
    /// What it says.
    pub text: String,
}

/// Reads a limited number of rows, whether or not they are missing in the index, so that a long
/// scan consists of many short queries.
const UNINDEXED: &str = "
    SELECT m.id, CASE WHEN d.id IS NULL THEN m.text END AS text
    FROM memories m LEFT JOIN memory_words_docsize d ON d.id = m.id
    WHERE m.id > $1 ORDER BY m.id LIMIT $2";

const OWNER: &str = "SELECT owner_kind, owner_id FROM memories WHERE id = $1 AND text = $2";

const IS_INDEXED: &str = "SELECT count(*) > 0 FROM memory_words_docsize WHERE id = $1";

/// What one look found.
#[derive(Debug, Default)]
pub struct Looked {
    /// The last memory that was looked at; `None` behind the last of all.
    pub last: Option<MemoryId>,
    /// Those that are missing.
    pub missing: Vec<Unindexed>,
}

/// Looks at the next memories behind `after`, at most `limit`.
pub async fn unindexed(
    readers: &Readers,
    after: MemoryId,
    limit: usize,
) -> Result<Looked, StoreError> {
    let rows: Vec<(MemoryId, Option<String>)> = query(sql!(sqlite: UNINDEXED))
        .bind(after)
        .bind(limit as i64)
        .fetch_all(readers)
        .await?;
    let last = rows.last().map(|(id, _)| *id);
    let missing = rows.into_iter();
    let missing = missing.filter_map(|(id, text)| Some(Unindexed { id, text: text? }));
    Ok(Looked {
        last,
        missing: missing.collect(),
    })
}

/// Puts the words of a memory into the index, unless they are there, or it is gone or says
/// something else by now.
pub async fn add(tx: &mut Tx, memory: &Unindexed, words: &str) -> Result<(), StoreError> {
    let is_indexed: bool = query(sql!(sqlite: IS_INDEXED))
        .bind(memory.id)
        .fetch_one(tx.connection())
        .await?;
    let owner: Option<(String, i64)> = query(sql!(OWNER))
        .bind(memory.id)
        .bind(&memory.text)
        .fetch_optional(tx.connection())
        .await?;
    let Some((kind, id)) = owner.filter(|_| !is_indexed) else {
        return Ok(());
    };
    index(tx, memory.id, owner_of(&kind, id), words).await
}

/// Looks through the index, and returns whether it is damaged.
pub async fn is_damaged(tx: &mut Tx) -> Result<bool, StoreError> {
    let looked = query(
        sql!(sqlite: "INSERT INTO memory_words (memory_words) VALUES ('integrity-check')"
        ),
    )
    .execute(tx.connection())
    .await;
    match looked {
        Err(StoreError::Corrupt(_)) => Ok(true),
        looked => looked.map(|_| false),
    }
}

/// Empties the index, whatever state it is in.
pub async fn clear(tx: &mut Tx) -> Result<(), StoreError> {
    query(
        sql!(sqlite: "INSERT INTO memory_words (memory_words) VALUES ('delete-all')"
        ),
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}
