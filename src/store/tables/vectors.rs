//! The rows of `memory_vectors`: what memories mean, as an embedder says it.
//!
//! A vector has the owner of its memory and is read by the [`Owners`] of the asker only. It goes
//! with its memory, and with its text. Only [`unembedded`] reads the rows of all owners: its result
//! is for the embedder alone.

use sayso_core::transcript::{MemoryId, Owner};
use serde::Deserialize;

use crate::Connection;
use crate::memories::{MemoryRow, Span, memory_columns};
use crate::owners::Owners;
use crate::sql;
use crate::sql::{IntoValue, Kind, Value, query};
use crate::{Readers, StoreError, Tx};

/// How many vectors are in view at once while an owner's are walked through.
pub const BLOCK_ROWS: usize = 1024;

/// How many vectors of one account are compared with a query at most, the newest: a bound for who
/// has had a machine remember things by the hundred thousand.
pub const COMPARED: usize = 200_000;

/// Names one embedder with one dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct EmbedderId(pub i64);

impl<'q> IntoValue<'q> for EmbedderId {
    const KIND: Kind = Kind::Whole;

    fn into_value(self) -> Value<'q> {
        Value::Whole(self.0)
    }
}

/// An embedder whose vectors are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct EmbedderRow {
    /// Its name here.
    pub id: EmbedderId,
    /// How many numbers its vectors have.
    pub dimension: i64,
}

/// A memory whose vector is missing.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Unembedded {
    /// Its name.
    pub id: MemoryId,
    /// What it says.
    pub text: String,
    /// The name of the person who said it, where that is known.
    pub about: Option<String>,
}

impl Unembedded {
    /// Returns what is embedded: the text, and who it is about before it. Those who ask about
    /// somebody call them by name, and those who speak of themselves do not.
    pub fn embedded_text(&self) -> String {
        match &self.about {
            Some(name) if !name.is_empty() && !self.text.starts_with(name.as_str()) => {
                format!("{name}: {}", self.text)
            }
            Some(_) | None => self.text.clone(),
        }
    }
}

/// A vector: each number is a signed byte times `scale`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VectorRow<'a> {
    /// The memory.
    pub memory: MemoryId,
    /// What a byte counts.
    pub scale: f64,
    /// The bytes.
    pub bytes: &'a [u8],
}

/// Some vectors of one account.
#[derive(Debug)]
pub struct Block {
    memories: Vec<MemoryId>,
    scales: Vec<f64>,
    /// Those of one after the other.
    bytes: Vec<u8>,
    dimension: usize,
}

impl Block {
    /// Returns its vectors, the newest first.
    pub fn rows(&self) -> impl Iterator<Item = VectorRow<'_>> {
        let bytes = self.bytes.chunks_exact(self.dimension.max(1));
        let named = self.memories.iter().zip(&self.scales);
        named.zip(bytes).map(|((memory, scale), bytes)| VectorRow {
            memory: *memory,
            scale: *scale,
            bytes,
        })
    }
}

/// The newest of several: the others are on their way out.
const EMBEDDER: &str = "
    SELECT id, dimension FROM embedders
    WHERE name = $1 AND ($2 IS NULL OR dimension = $2) ORDER BY id DESC LIMIT 1";

/// A new id is above all others.
const NEW_EMBEDDER: &str = "
    INSERT INTO embedders (id, name, dimension)
    VALUES ((SELECT coalesce(max(id), 0) + 1 FROM embedders), $1, $2)
    ON CONFLICT (name, dimension) DO UPDATE SET name = excluded.name
    RETURNING id, dimension";

/// A row whose length is wrong is no vector, and made again.
const UNEMBEDDED: &str = "
    SELECT m.id, m.text, (SELECT min(s.name) FROM senders s WHERE s.user_id = coalesce(
               (SELECT t.user_id FROM turns t WHERE t.id = m.turn_id),
               CASE WHEN m.owner_kind = 'user' THEN m.owner_id END)) AS about
    FROM memories m
    WHERE m.id > $1 AND NOT EXISTS (
        SELECT 1 FROM memory_vectors v
        WHERE v.memory_id = m.id AND v.embedder_id = $2 AND length(v.bytes) = $3)
    ORDER BY m.id LIMIT $4";

const COUNT_UNEMBEDDED: &str = "
    SELECT count(*) FROM memories m
    WHERE m.id > $1 AND NOT EXISTS (
        SELECT 1 FROM memory_vectors v
        WHERE v.memory_id = m.id AND v.embedder_id = $2 AND length(v.bytes) = $3)";

/// Keeps it only if the memory is still there and still says the same.
const KEEP: &str = "
    INSERT INTO memory_vectors (owner_kind, owner_id, embedder_id, memory_id, scale, bytes)
    SELECT owner_kind, owner_id, $1, id, $2, $3 FROM memories WHERE id = $4 AND text = $5
    ON CONFLICT (memory_id, embedder_id) DO UPDATE SET
        scale = excluded.scale, bytes = excluded.bytes";

/// Many vectors in one row, in the same order in each column: handing out a row costs ten times
/// what comparing it does. One whose length is wrong is no vector.
const OF_OWNER: &str = "
    SELECT json_group_array(memory_id), json_group_array(scale),
           CAST(group_concat(bytes, '') AS BLOB)
    FROM (SELECT memory_id, scale, bytes FROM memory_vectors
          WHERE owner_kind = $1 AND owner_id = $2 AND embedder_id = $3 AND memory_id < $4
            AND length(bytes) = $5
          ORDER BY memory_id DESC LIMIT $6) AS vectors";

const NAMED: &str = concat!(
    "SELECT ",
    memory_columns!(),
    " FROM memories m LEFT JOIN turns t ON t.id = m.turn_id
    WHERE +m.owner_kind = $1 AND +m.owner_id IN (SELECT value FROM json_each($2))
      AND m.id IN (SELECT value FROM json_each($3))
      AND ($4 IS NULL OR (m.superseded_by IS NULL
                          AND (m.valid_until_ms IS NULL OR m.valid_until_ms > $4)))"
);

const OTHERS: &str = "
    DELETE FROM memory_vectors WHERE (memory_id, embedder_id) IN (
        SELECT memory_id, embedder_id FROM memory_vectors WHERE embedder_id <> $1 LIMIT $2)";

const HAS_OTHERS: &str = "SELECT count(*) > 0 FROM embedders WHERE id <> $1";

const OTHER_EMBEDDERS: &str = "DELETE FROM embedders WHERE id <> $1";

/// Returns the embedder of this name whose vectors are kept; of several dimensions the newest.
pub async fn embedder(
    readers: &Readers,
    name: &str,
    dimension: Option<usize>,
) -> Result<Option<EmbedderRow>, StoreError> {
    let row = query(sql!(EMBEDDER))
        .bind(name)
        .bind(dimension.map(|dimension| dimension as i64));
    row.fetch_optional(readers).await
}

/// Notes an embedder and returns it; a known one keeps its id.
pub async fn note_embedder(
    tx: &mut Tx,
    name: &str,
    dimension: usize,
) -> Result<EmbedderRow, StoreError> {
    let row = query(sql!(NEW_EMBEDDER)).bind(name).bind(dimension as i64);
    row.fetch_one(tx.connection()).await
}

/// Returns memories behind `after` without a vector of this embedder, in the order of their ids.
/// Without an embedder, every memory is one.
pub async fn unembedded(
    readers: &Readers,
    embedder: Option<EmbedderRow>,
    after: MemoryId,
    limit: usize,
) -> Result<Vec<Unembedded>, StoreError> {
    let row = query(sql!(UNEMBEDDED))
        .bind(after)
        .bind(embedder.map(|embedder| embedder.id))
        .bind(embedder.map(|embedder| embedder.dimension))
        .bind(limit as i64);
    row.fetch_all(readers).await
}

/// Returns how many memories [`unembedded`] would return without a limit.
pub async fn count_unembedded(
    readers: &Readers,
    embedder: Option<EmbedderRow>,
    after: MemoryId,
) -> Result<i64, StoreError> {
    let count = query(sql!(COUNT_UNEMBEDDED))
        .bind(after)
        .bind(embedder.map(|embedder| embedder.id))
        .bind(embedder.map(|embedder| embedder.dimension));
    count.fetch_one(readers).await
}

/// Keeps the vector of a text, unless the memory is gone or says something else by now. Returns
/// whether it was kept.
pub async fn keep(
    tx: &mut Tx,
    embedder: EmbedderId,
    of: &Unembedded,
    scale: f64,
    bytes: &[u8],
) -> Result<bool, StoreError> {
    let kept = query(sql!(KEEP))
        .bind(embedder)
        .bind(scale)
        .bind(bytes)
        .bind(of.id)
        .bind(&of.text)
        .execute(tx.connection())
        .await?;
    Ok(kept > 0)
}

/// Hands the vectors of an owner to `each`, at most [`BLOCK_ROWS`] at a time: all, or the newest
/// [`COMPARED`] of each account.
pub async fn walk(
    readers: &Readers,
    owner: Owner,
    embedder: EmbedderRow,
    mut each: impl FnMut(&Block),
) -> Result<(), StoreError> {
    // One view of the database: an account that is unlinked concurrently is either in it or not.
    let mut reading = readers.begin().await?;
    let owners = Owners::of(&mut reading, owner).await?;
    for id in &owners.ids {
        let mut before = MemoryId(i64::MAX);
        for _ in 0..COMPARED.div_ceil(BLOCK_ROWS) {
            let block = block(&mut reading, owners.kind, *id, embedder, before).await?;
            each(&block);
            match block.memories.last() {
                Some(last) if block.memories.len() == BLOCK_ROWS => before = *last,
                Some(_) | None => break,
            }
        }
    }
    Ok(())
}

async fn block(
    reading: &mut Connection,
    kind: &str,
    id: i64,
    embedder: EmbedderRow,
    before: MemoryId,
) -> Result<Block, StoreError> {
    let (memories, scales, bytes): (String, String, Option<Vec<u8>>) =
        query(sql!(sqlite: OF_OWNER))
            .bind(kind)
            .bind(id)
            .bind(embedder.id)
            .bind(before)
            .bind(embedder.dimension)
            .bind(BLOCK_ROWS as i64)
            .fetch_one(reading)
            .await?;
    Ok(Block {
        memories: serde_json::from_str(&memories)?,
        scales: serde_json::from_str(&scales)?,
        bytes: bytes.unwrap_or_default(),
        dimension: usize::try_from(embedder.dimension).unwrap_or_default(),
    })
}

/// Returns those of these memories that the owner may read and that hold in this span, in no order.
pub async fn named(
    readers: &Readers,
    owner: Owner,
    memories: &[MemoryId],
    span: Span,
) -> Result<Vec<MemoryRow>, StoreError> {
    if memories.is_empty() {
        return Ok(vec![]);
    }
    let mut reading = readers.begin().await?;
    let owners = Owners::of(&mut reading, owner).await?;
    let rows = query(sql!(NAMED))
        .bind(owners.kind)
        .bind(owners.as_json()?)
        .bind(serde_json::to_string(memories)?)
        .bind(span.holding_at())
        .fetch_all(&mut *reading)
        .await?;
    Ok(rows)
}

/// Returns whether another embedder has been noted.
pub async fn has_others(readers: &Readers, embedder: EmbedderId) -> Result<bool, StoreError> {
    let found = query(sql!(HAS_OTHERS)).bind(embedder);
    found.fetch_one(readers).await
}

/// Deletes at most `limit` vectors of other embedders, and these embedders with the last of them.
pub async fn delete_others(
    tx: &mut Tx,
    embedder: EmbedderId,
    limit: usize,
) -> Result<(), StoreError> {
    let deleted = query(sql!(OTHERS))
        .bind(embedder)
        .bind(limit as i64)
        .execute(tx.connection())
        .await?;
    if deleted < limit as u64 {
        query(sql!(OTHER_EMBEDDERS))
            .bind(embedder)
            .execute(tx.connection())
            .await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{OF_OWNER, UNEMBEDDED};
    use crate::{Store, query_plans};

    /// Fails unless the plan of a query has this step.
    async fn check(query: &str, expected: &str) {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(&directory.path().join("sayso.db"))
            .await
            .unwrap();
        let steps = query_plans::plan(store.reader(), query).await;
        assert!(steps.iter().any(|step| step == expected), "{steps:?}");
    }

    #[test]
    fn model_f6_a_memory_is_embedded_with_who_said_it() {
        let embedded = |about: Option<&str>, text: &str| {
            let memory = super::Unembedded {
                id: sayso_core::transcript::MemoryId(1),
                text: text.to_owned(),
                about: about.map(str::to_owned),
            };
            memory.embedded_text()
        };
        assert_eq!(embedded(Some("Ann"), "likes tea"), "Ann: likes tea");
        assert_eq!(embedded(Some("Ann"), "Ann likes tea"), "Ann likes tea");
        assert_eq!(embedded(Some(""), "likes tea"), "likes tea");
        assert_eq!(embedded(None, "likes tea"), "likes tea");
    }

    #[tokio::test]
    async fn no_query_looks_at_every_vector() {
        check(
            OF_OWNER,
            "SEARCH memory_vectors USING INDEX memory_vectors_of_owner \
             (owner_kind=? AND owner_id=? AND embedder_id=? AND memory_id<?)",
        )
        .await;
        check(UNEMBEDDED, "SEARCH m USING INTEGER PRIMARY KEY (rowid>?)").await;
    }
}
