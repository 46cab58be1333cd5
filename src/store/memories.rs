//! The rows of `memories` and the index of their words. Every query is keyed by owner first.

use sqlx::{FromRow, SqlitePool};

use super::{StoreError, Tx, new_id, now_ms};
use crate::transcript::{MemoryId, Owner, TurnId};

/// A memory to keep.
#[derive(Debug, Clone)]
pub struct MemoryToKeep {
    /// `fact` or `episode`.
    pub kind: &'static str,
    /// The text.
    pub text: String,
    /// Its words for the index, separated by spaces.
    pub words: String,
    /// The turn that it comes from.
    pub turn: TurnId,
}

/// A memory that was found.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct MemoryRow {
    /// Its name.
    pub id: MemoryId,
    /// `fact` or `episode`.
    pub kind: String,
    /// The text.
    pub text: String,
    /// When it was last said.
    pub touched_ms: i64,
}

/// A fact stays a fact when an episode says the same.
const KEEP: &str = "
    INSERT INTO memories (owner_kind, owner_id, id, kind, text, turn_id, created_ms, touched_ms)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $7)
    ON CONFLICT (owner_kind, owner_id, text) DO UPDATE SET
        touched_ms = excluded.touched_ms,
        kind = CASE WHEN excluded.kind = 'fact' THEN 'fact' ELSE memories.kind END
    RETURNING id";

const INDEX: &str = "INSERT INTO memory_words (rowid, owner, words) VALUES ($1, $2, $3)";

/// The `+` keeps SQLite from driving the join by the index of `memories`, which is hundreds of
/// times slower than driving it by the words.
const FIND: &str = "
    SELECT m.id, m.kind, m.text, m.touched_ms
    FROM memory_words JOIN memories m ON m.id = memory_words.rowid
    WHERE +m.owner_kind = $1 AND +m.owner_id = $2 AND memory_words MATCH $3
    ORDER BY bm25(memory_words, 0.0, 1.0), m.touched_ms DESC, m.id DESC
    LIMIT $4";

const DELETE: &str = "DELETE FROM memories WHERE owner_kind = $1 AND owner_id = $2 AND id = $3";

const UNINDEX: &str = "DELETE FROM memory_words WHERE rowid = $1";

/// Keeps a memory; an equal text of the same owner is touched instead.
pub async fn keep(
    tx: &mut Tx,
    owner: Owner,
    memory: &MemoryToKeep,
) -> Result<MemoryId, StoreError> {
    let (kind, id) = columns(owner);
    let new = MemoryId(new_id());
    let kept: MemoryId = sqlx::query_scalar(KEEP)
        .bind(kind)
        .bind(id)
        .bind(new)
        .bind(memory.kind)
        .bind(&memory.text)
        .bind(memory.turn)
        .bind(now_ms())
        .fetch_one(tx.connection())
        .await?;
    if kept == new {
        sqlx::query(INDEX)
            .bind(new)
            .bind(owner_word(owner))
            .bind(&memory.words)
            .execute(tx.connection())
            .await?;
    }
    Ok(kept)
}

/// Returns the memories that hold at least one of `terms`, best first; the newer one first where
/// two are equally good.
pub async fn find(
    readers: &SqlitePool,
    owner: Owner,
    terms: &[String],
    limit: usize,
) -> Result<Vec<MemoryRow>, StoreError> {
    if terms.is_empty() {
        return Ok(vec![]);
    }
    let (kind, id) = columns(owner);
    Ok(sqlx::query_as(FIND)
        .bind(kind)
        .bind(id)
        .bind(any_of(owner, terms))
        .bind(limit as i64)
        .fetch_all(readers)
        .await?)
}

/// Deletes memories with their words and returns how many were there.
pub async fn delete(tx: &mut Tx, owner: Owner, memories: &[MemoryId]) -> Result<u64, StoreError> {
    let (kind, id) = columns(owner);
    let mut deleted = 0;
    for memory in memories {
        let rows = sqlx::query(DELETE)
            .bind(kind)
            .bind(id)
            .bind(memory)
            .execute(tx.connection())
            .await?
            .rows_affected();
        if rows > 0 {
            sqlx::query(UNINDEX)
                .bind(memory)
                .execute(tx.connection())
                .await?;
        }
        deleted += rows;
    }
    Ok(deleted)
}

fn columns(owner: Owner) -> (&'static str, i64) {
    match owner {
        Owner::User(user) => ("user", user.0),
        Owner::Chat(chat) => ("chat", chat.0),
    }
}

/// Returns the word that stands for an owner in the index.
fn owner_word(owner: Owner) -> String {
    let (kind, id) = columns(owner);
    format!("{kind}{id}")
}

/// Returns the search for any of `terms` in the rows of one owner. A term is quoted: it is never
/// read as an operator.
fn any_of(owner: Owner, terms: &[String]) -> String {
    let quoted: Vec<_> = terms
        .iter()
        .map(|term| format!("\"{}\"", term.replace('"', "\"\"")))
        .collect();
    format!(
        "owner : \"{}\" AND words : ({})",
        owner_word(owner),
        quoted.join(" OR ")
    )
}

#[cfg(test)]
mod tests {
    use sqlx::{AssertSqlSafe, Row};

    use super::{FIND, any_of};
    use crate::store::Store;
    use crate::transcript::{Owner, UserId};

    #[tokio::test]
    async fn a_search_is_driven_by_the_words() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(&directory.path().join("sayso.db"))
            .await
            .unwrap();
        let plan = sqlx::query(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {FIND}")))
            .bind("user")
            .bind(1_i64)
            .bind(any_of(Owner::User(UserId(1)), &["tea".to_owned()]))
            .bind(5_i64)
            .fetch_all(store.reader())
            .await
            .unwrap();
        let steps: Vec<String> = plan.iter().map(|step| step.get("detail")).collect();
        insta::assert_snapshot!(steps.join("\n"), @r"
        SCAN memory_words VIRTUAL TABLE INDEX 0:M2
        SEARCH m USING INTEGER PRIMARY KEY (rowid=?)
        USE TEMP B-TREE FOR ORDER BY
        ");
    }
}
