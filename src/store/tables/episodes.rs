//! Summaries of turns that are made fewer when their stretch of talk is over.
//!
//! The first query reads the stretches of all owners; the content of a stretch is used for its
//! owner only.

use sayso_core::transcript::{MemoryId, Owner, TurnId, UserId};
use serde::Deserialize;

use crate::memories::{delete_rows, index};
use crate::owners::{Owners, owner_of};
use crate::sql;
use crate::sql::query;
use crate::word_index::Words;
use crate::{Readers, StoreError, Tx, new_id};

/// The summary of a turn.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct EpisodeRow {
    /// Its name.
    pub id: MemoryId,
    /// `user` or `chat`.
    pub owner_kind: String,
    /// The user, or the chat.
    pub owner_id: i64,
    /// What it says.
    pub text: String,
    /// The turn.
    pub turn_id: TurnId,
    /// For whom the turn acted.
    pub user_id: UserId,
    /// When it was first said.
    pub created_ms: i64,
    /// When it was last said.
    pub touched_ms: i64,
    /// Where untrusted text in it came from, as JSON.
    pub taint: Option<String>,
}

/// A summary of several turns.
#[derive(Debug, Clone)]
pub struct MergedEpisode {
    /// What it says.
    pub text: String,
    /// Its words for the index.
    pub words: String,
    /// Where untrusted text in it came from, as JSON.
    pub taint: Option<String>,
}

/// A summary of one turn or of several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// Its name.
    pub id: MemoryId,
    /// What it says.
    pub text: String,
    /// The turns, in their order.
    pub turns: Vec<TurnId>,
}

/// Summaries by their words, and by turns that they are of.
const NAMING: &str = "
    SELECT m.id, m.text, m.turn_id FROM memories m
    WHERE m.id IN (SELECT value FROM json_each($3)
                   UNION SELECT id FROM memories
                         WHERE turn_id IN (SELECT value FROM json_each($4))
                   UNION SELECT episode_id FROM turns
                         WHERE id IN (SELECT value FROM json_each($4)))
      AND +m.kind = 'episode' AND +m.owner_kind = $1
      AND +m.owner_id IN (SELECT value FROM json_each($2))";

/// Returns the summaries of an owner that hold all of `terms`, and those that one of `turns` is in.
pub async fn naming(
    tx: &mut Tx,
    owner: Owner,
    terms: &[String],
    turns: &[TurnId],
) -> Result<Vec<Summary>, StoreError> {
    let owners = Owners::of(tx.connection(), owner).await?;
    let words = Words::of_memories(&owners);
    let holding = words.holding_all(tx.connection(), terms).await?;
    let rows: Vec<(MemoryId, String, TurnId)> = query(sql!(NAMING))
        .bind(owners.kind)
        .bind(owners.as_json()?)
        .bind(serde_json::to_string(&holding)?)
        .bind(serde_json::to_string(turns)?)
        .fetch_all(tx.connection())
        .await?;
    let mut found = Vec::with_capacity(rows.len());
    for (id, text, turn) in rows {
        let mut turns: Vec<TurnId> = query(sql!(
            "SELECT id FROM turns WHERE episode_id = $1 ORDER BY id"
        ))
        .bind(id)
        .fetch_all(tx.connection())
        .await?;
        if turns.is_empty() {
            turns.push(turn);
        }
        found.push(Summary { id, text, turns });
    }
    Ok(found)
}

/// Deletes a summary.
pub async fn delete(tx: &mut Tx, summary: MemoryId) -> Result<(), StoreError> {
    delete_rows(tx, &[summary]).await
}

/// Has a summary say less, and be none of the turns that are `out`. Its vectors go with the old
/// text.
pub async fn rewrite(
    tx: &mut Tx,
    summary: MemoryId,
    text: &str,
    words: &str,
    out: &[TurnId],
) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE turns SET episode_id = NULL WHERE id IN (SELECT value FROM json_each($1))"
    ))
    .bind(serde_json::to_string(out)?)
    .execute(tx.connection())
    .await?;
    let owner: Option<(String, i64)> = query(sql!(
        "UPDATE memories SET text = $2
         WHERE id = $1 AND NOT EXISTS
             (SELECT 1 FROM memories same
              WHERE same.owner_kind = memories.owner_kind AND same.owner_id = memories.owner_id
                AND same.text = $2 AND same.superseded_by IS NULL AND same.id <> $1)
         RETURNING owner_kind, owner_id"
    ))
    .bind(summary)
    .bind(text)
    .fetch_optional(tx.connection())
    .await?;
    let Some((kind, id)) = owner else {
        // Another one says the same already.
        return delete(tx, summary).await;
    };
    query(sql!(sqlite: "DELETE FROM memory_words WHERE rowid = $1"))
        .bind(summary)
        .execute(tx.connection())
        .await?;
    index(tx, summary, owner_of(&kind, id), words).await
}

/// Returns stretches that were over before a time and whose summaries are not merged.
pub async fn over(readers: &Readers, before_ms: i64, limit: usize) -> Result<Vec<i64>, StoreError> {
    query(sql!(
        "SELECT id FROM stretches WHERE merged = FALSE AND last_ms < $1 ORDER BY last_ms LIMIT $2"
    ))
    .bind(before_ms)
    .bind(limit as i64)
    .fetch_all(readers)
    .await
}

/// Returns when something was last said in the oldest stretch whose summaries are not merged.
pub async fn oldest(readers: &Readers) -> Result<Option<i64>, StoreError> {
    query(sql!(
        "SELECT min(last_ms) FROM stretches WHERE merged = FALSE"
    ))
    .fetch_one(readers)
    .await
}

/// Returns the summaries of the turns of a stretch, oldest first.
pub async fn of_stretch(tx: &mut Tx, stretch: i64) -> Result<Vec<EpisodeRow>, StoreError> {
    query(sql!(
        "SELECT DISTINCT m.id, m.owner_kind, m.owner_id, m.text, m.turn_id, t.user_id,
                m.created_ms, m.touched_ms, m.taint
         FROM lines l JOIN turns t ON t.id = l.turn_id
              JOIN memories m ON m.turn_id = t.id AND m.kind = 'episode'
                   AND m.owner_kind = l.owner_kind AND m.owner_id = l.owner_id
         WHERE l.stretch_id = $1 AND t.episode_id IS NULL ORDER BY m.turn_id, m.id"
    ))
    .bind(stretch)
    .fetch_all(tx.connection())
    .await
}

/// Puts one summary in the place of several of one owner.
pub async fn replace(
    tx: &mut Tx,
    parts: &[EpisodeRow],
    merged: &MergedEpisode,
) -> Result<(), StoreError> {
    let Some((first, last)) = parts.first().zip(parts.last()) else {
        return Ok(());
    };
    let ids: Vec<MemoryId> = parts.iter().map(|part| part.id).collect();
    let turns: Vec<TurnId> = parts.iter().map(|part| part.turn_id).collect();
    delete_rows(tx, &ids).await?;
    let new = MemoryId(new_id());
    let kept: MemoryId = query(sql!(
        "INSERT INTO memories (owner_kind, owner_id, id, kind, text, turn_id, created_ms,
                               touched_ms, taint)
         VALUES ($1, $2, $3, 'episode', $4, $5, $6, $7, $8)
         ON CONFLICT (owner_kind, owner_id, text) WHERE superseded_by IS NULL
             DO UPDATE SET touched_ms = excluded.touched_ms
         RETURNING id"
    ))
    .bind(&first.owner_kind)
    .bind(first.owner_id)
    .bind(new)
    .bind(&merged.text)
    .bind(last.turn_id)
    .bind(first.created_ms)
    .bind(last.touched_ms)
    .bind(&merged.taint)
    .fetch_one(tx.connection())
    .await?;
    if kept == new {
        let owner = owner_of(&first.owner_kind, first.owner_id);
        index(tx, new, owner, &merged.words).await?;
    }
    query(sql!(
        "UPDATE turns SET episode_id = $2 WHERE id IN (SELECT value FROM json_each($1))"
    ))
    .bind(serde_json::to_string(&turns)?)
    .bind(kept)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Notes that the summaries of a stretch are merged.
pub async fn note_merged(tx: &mut Tx, stretch: i64) -> Result<(), StoreError> {
    query(sql!("UPDATE stretches SET merged = TRUE WHERE id = $1"))
        .bind(stretch)
        .execute(tx.connection())
        .await?;
    Ok(())
}
