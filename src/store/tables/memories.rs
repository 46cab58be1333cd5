//! The rows of `memories` and the index of their words. Every query is keyed by owner first.
//!
//! A row belongs to the account that it came from. It is read and deleted by the [`Owners`] of the
//! asker: every user of the person, or the one group.

use std::cmp::Reverse;
use std::collections::HashSet;

use sayso_core::transcript::{MemoryId, Owner, Taint, TurnId, UserId};
use serde::Deserialize;

use crate::Connection;
use crate::owners::{Owners, columns};
use crate::sql;
use crate::sql::{named, parsed_or_none, query};
use crate::word_index::{SearchTerms, Words, mark, marked};
use crate::{Readers, StoreError, Tx, new_id, now_ms};

/// What a query over `memories m` and its turns `t` selects for a [`MemoryRow`].
macro_rules! memory_columns {
    () => {
        "m.id, m.kind, m.text, m.created_ms, m.touched_ms, m.taint, m.turn_id, t.user_id AS by_user,
         m.topic, m.source, m.confidence, m.valid_from_ms,
         coalesce(min(m.valid_until_ms, m.superseded_ms), m.valid_until_ms, m.superseded_ms)
             AS valid_until_ms,
         m.superseded_by, m.recalled_ms, m.recalls"
    };
}
pub(crate) use memory_columns;

named! {
    /// What kind of memory it is.
    pub enum MemoryKind {
        /// Something that the user wanted remembered, or that was learned.
        Fact = "fact",
        /// The summary of a turn.
        Episode = "episode",
    }
}

named! {
    /// What a fact is about.
    pub enum Topic {
        /// What somebody likes or wants.
        Preference = "preference",
        /// Who somebody is.
        Profile = "profile",
        /// Other people, and what they are to somebody.
        Relation = "relation",
        /// What somebody works on.
        Project = "project",
        /// How something is done.
        Procedure = "procedure",
    }
}

named! {
    /// Where a fact comes from. No model can say so.
    pub enum FactSource {
        /// The user wanted it remembered.
        Told = "told",
        /// It was extracted from what was said.
        Learned = "learned",
    }
}

/// A memory to keep.
#[derive(Debug, Clone)]
pub struct MemoryToKeep {
    /// What kind it is.
    pub kind: MemoryKind,
    /// The text.
    pub text: String,
    /// Its words for the index, separated by spaces.
    pub words: String,
    /// The turn that it comes from.
    pub turn: TurnId,
    /// Where the untrusted text came from that the turn had in view.
    pub taint: Taint,
    /// What is known of a fact; `None` of an episode.
    pub fact: Option<FactToKeep>,
}

/// What is known of a fact beside its text.
#[derive(Debug, Clone)]
pub struct FactToKeep {
    /// Where it comes from.
    pub source: FactSource,
    /// What it is about.
    pub topic: Option<Topic>,
    /// How sure it is, in percent.
    pub confidence: u8,
    /// Since when it holds; `None`: since it was first said.
    pub valid_from_ms: Option<i64>,
    /// Until when it holds; `None`: it holds on.
    pub valid_until_ms: Option<i64>,
}

impl FactToKeep {
    /// What is known of a stated fact, if nothing else is known.
    pub const TOLD: Self = Self {
        source: FactSource::Told,
        topic: None,
        confidence: 100,
        valid_from_ms: None,
        valid_until_ms: None,
    };
}

/// Which memories are looked for, by the time for which they hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Span {
    /// What holds now.
    Now,
    /// Also what was superseded or has expired.
    Ever,
}

/// A memory that was found.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct MemoryRow {
    /// Its name.
    pub id: MemoryId,
    /// What kind it is.
    pub kind: MemoryKind,
    /// The text.
    pub text: String,
    /// When it was first said.
    pub created_ms: i64,
    /// When it was last said.
    pub touched_ms: i64,
    /// The user of the turn that it comes from.
    #[serde(rename = "by_user")]
    pub by: Option<UserId>,
    /// Where the untrusted text came from that was in view when it was written.
    #[serde(deserialize_with = "parsed_or_none")]
    pub taint: StoredTaint,
    /// What a fact is about.
    pub topic: Option<Topic>,
    /// Where a fact comes from.
    pub source: Option<FactSource>,
    /// How sure it is, in percent.
    pub confidence: u8,
    /// Since when it holds, if that was said.
    pub valid_from_ms: Option<i64>,
    /// Until when it holds, or held.
    pub valid_until_ms: Option<i64>,
    /// The memory that took its place.
    pub superseded_by: Option<MemoryId>,
    /// When it was last recalled.
    pub recalled_ms: Option<i64>,
    /// How often it was recalled.
    pub recalls: i64,
    /// The turn that it comes from.
    #[serde(rename = "turn_id")]
    pub turn: TurnId,
    /// Where in the transcript it stands, if it is a line.
    #[serde(skip)]
    pub said: Option<SaidRow>,
}

/// Where in the transcript a line stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SaidRow {
    /// The stretch of talk.
    pub stretch: i64,
    /// The place in it.
    pub place: i64,
    /// The name of who said it.
    pub speaker: String,
    /// Whether it is what was answered.
    pub is_answer: bool,
    /// Whether it was said in a group.
    pub in_group: bool,
    /// The summary that its turn became a part of.
    pub episode: Option<MemoryId>,
}

/// A taint as its column keeps it: JSON, or NULL for none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredTaint(pub Taint);

impl TryFrom<Option<String>> for StoredTaint {
    type Error = serde_json::Error;

    fn try_from(stored: Option<String>) -> Result<Self, Self::Error> {
        let taint = stored.map(|json| serde_json::from_str(&json)).transpose()?;
        Ok(Self(taint.unwrap_or_default()))
    }
}

/// A fact stays a fact when an episode has the same text; the episode carries no further
/// information. A text that was written once without untrusted text in view keeps no taint. An
/// expired memory that is stated again becomes valid again. The words of an updated memory are in
/// the index already.
const KEEP: &str = "
    INSERT INTO memories (owner_kind, owner_id, id, kind, text, turn_id, created_ms, touched_ms, taint,
                          source, topic, confidence, valid_from_ms, valid_until_ms)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $8, $9, $10, $11, $12, $13)
    ON CONFLICT (owner_kind, owner_id, text) WHERE superseded_by IS NULL DO UPDATE SET
        touched_ms = excluded.touched_ms,
        taint = CASE WHEN memories.taint IS NULL THEN NULL ELSE excluded.taint END,
        kind = CASE WHEN excluded.kind = 'fact' THEN 'fact' ELSE memories.kind END,
        source = CASE WHEN excluded.source IS NULL THEN memories.source
                      WHEN coalesce(memories.source, 'learned') = 'learned' THEN excluded.source
                      ELSE memories.source END,
        topic = coalesce(excluded.topic, memories.topic),
        confidence = CASE WHEN excluded.source IS NULL THEN memories.confidence
                          WHEN memories.source IS NULL THEN excluded.confidence
                          ELSE max(memories.confidence, excluded.confidence) END,
        valid_from_ms = CASE WHEN excluded.source IS NULL THEN memories.valid_from_ms
                             WHEN memories.valid_until_ms <= excluded.touched_ms
                             THEN coalesce(excluded.valid_from_ms, excluded.touched_ms)
                             ELSE coalesce(excluded.valid_from_ms, memories.valid_from_ms) END,
        valid_until_ms = CASE WHEN excluded.source IS NULL THEN memories.valid_until_ms
                              WHEN memories.valid_until_ms <= excluded.touched_ms
                              THEN excluded.valid_until_ms
                              ELSE coalesce(excluded.valid_until_ms, memories.valid_until_ms) END
    RETURNING id";

/// The most rows that one question reads: they are the ones with the rarest words, so more of them
/// would hold the answer hardly ever.
pub const CANDIDATES: usize = 64;

/// Reads the rows in the order in which they are named, until there are enough.
const READ: &str = concat!(
    "SELECT ",
    memory_columns!(),
    " FROM json_each($3) one CROSS JOIN memories m
         LEFT JOIN turns t ON t.id = m.turn_id
    WHERE m.id = one.value AND +m.owner_kind = $1 AND +m.owner_id IN (SELECT value FROM json_each($2))
      AND ($5 IS NULL OR (+m.superseded_by IS NULL
                          AND (m.valid_until_ms IS NULL OR m.valid_until_ms > $5)))
    LIMIT $4"
);

/// Keeps a memory; an equal text of the same owner that was not superseded is touched instead.
pub async fn keep(
    tx: &mut Tx,
    owner: Owner,
    memory: &MemoryToKeep,
) -> Result<MemoryId, StoreError> {
    keep_as(tx, owner, MemoryId(new_id()), memory).await
}

/// Keeps a memory under this id, unless an equal text is touched.
pub(crate) async fn keep_as(
    tx: &mut Tx,
    owner: Owner,
    new: MemoryId,
    memory: &MemoryToKeep,
) -> Result<MemoryId, StoreError> {
    let (kind, id) = columns(owner);
    let taint = (!memory.taint.is_empty()).then(|| serde_json::to_string(&memory.taint));
    let fact = memory.fact.as_ref();
    let kept: MemoryId = query(sql!(KEEP))
        .bind(kind)
        .bind(id)
        .bind(new)
        .bind(memory.kind)
        .bind(&memory.text)
        .bind(memory.turn)
        .bind(now_ms())
        .bind(taint.transpose()?)
        .bind(fact.map(|fact| fact.source))
        .bind(fact.and_then(|fact| fact.topic))
        .bind(fact.map_or(100, |fact| fact.confidence))
        .bind(fact.and_then(|fact| fact.valid_from_ms))
        .bind(fact.and_then(|fact| fact.valid_until_ms))
        .fetch_one(tx.connection())
        .await?;
    if kept == new {
        index(tx, new, owner, &memory.words).await?;
    }
    Ok(kept)
}

/// Puts the words of a memory of this owner into the index.
pub(crate) async fn index(
    tx: &mut Tx,
    memory: MemoryId,
    owner: Owner,
    words: &str,
) -> Result<(), StoreError> {
    query(sql!(
        sqlite: "INSERT INTO memory_words (rowid, words) VALUES ($1, $2)"
    ))
    .bind(memory)
    .bind(marked(&[mark(owner)], words))
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// What a question is to be answered from.
#[derive(Debug, Default)]
pub struct Candidates {
    /// Rows that hold at least one of the terms, at most [`CANDIDATES`], the newest first.
    pub rows: Vec<MemoryRow>,
    /// How many rows the owner has.
    pub owned: u64,
    /// How many of them hold each term, as far as that was counted.
    pub held: Vec<u64>,
}

/// Returns the memories that hold most of what is looked for. A text that several accounts of a
/// person remember is returned once.
pub async fn candidates(
    readers: &Readers,
    owner: Owner,
    search: SearchTerms<'_>,
    span: Span,
) -> Result<Candidates, StoreError> {
    if search.terms.is_empty() {
        return Ok(Candidates::default());
    }
    // One view of the database: an account that is unlinked concurrently is either in it or not.
    let mut reading = readers.begin().await?;
    let owners = readers.owners(&mut reading, owner).await?;
    found_by(&mut reading, &owners, search, span).await
}

/// Returns what [`candidates`] would, as a transaction sees it.
pub async fn candidates_within(
    tx: &mut Tx,
    owner: Owner,
    search: SearchTerms<'_>,
    span: Span,
) -> Result<Candidates, StoreError> {
    if search.terms.is_empty() {
        return Ok(Candidates::default());
    }
    let owners = Owners::of(tx.connection(), owner).await?;
    found_by(tx.connection(), &owners, search, span).await
}

async fn found_by(
    reading: &mut Connection,
    owners: &Owners,
    search: SearchTerms<'_>,
    span: Span,
) -> Result<Candidates, StoreError> {
    let words = Words::of_memories(owners);
    let holding = words.holding(reading, search, CANDIDATES).await?;
    let mut rows = read(reading, owners, &holding.rows, span).await?;
    let mut seen = HashSet::new();
    // What holds hides an equal text that was superseded.
    rows.sort_by_key(|row| row.superseded_by.is_some());
    rows.retain(|row| seen.insert(row.text.clone()));
    rows.sort_by_key(|row| Reverse((row.touched_ms, row.id.0)));
    Ok(Candidates {
        rows,
        owned: holding.owned,
        held: holding.held,
    })
}

async fn read(
    reading: &mut Connection,
    owners: &Owners,
    rows: &[i64],
    span: Span,
) -> Result<Vec<MemoryRow>, StoreError> {
    if rows.is_empty() {
        return Ok(vec![]);
    }
    query(sql!(READ))
        .bind(owners.kind)
        .bind(owners.as_json()?)
        .bind(serde_json::to_string(rows)?)
        .bind(CANDIDATES as i64)
        .bind(span.holding_at())
        .fetch_all(reading)
        .await
}

/// Returns the newest memories of an owner, at most `limit`, also what holds no longer. A text that
/// several accounts of a person remember is returned once.
pub async fn newest(tx: &mut Tx, owner: Owner, limit: usize) -> Result<Vec<MemoryRow>, StoreError> {
    let owners = Owners::of(tx.connection(), owner).await?;
    let mut rows: Vec<MemoryRow> = query(sql!(concat!(
        "SELECT ",
        memory_columns!(),
        " FROM memories m LEFT JOIN turns t ON t.id = m.turn_id
         WHERE m.owner_kind = $1 AND m.owner_id IN (SELECT value FROM json_each($2))
         ORDER BY m.touched_ms DESC, m.id DESC LIMIT $3"
    )))
    .bind(owners.kind)
    .bind(owners.as_json()?)
    .bind(limit as i64)
    .fetch_all(tx.connection())
    .await?;
    let mut seen = HashSet::new();
    rows.retain(|row| seen.insert((row.text.clone(), row.superseded_by)));
    Ok(rows)
}

/// Deletes these rows with their words; their vectors go with them.
pub(crate) async fn delete_rows(tx: &mut Tx, rows: &[MemoryId]) -> Result<(), StoreError> {
    let rows = serde_json::to_string(rows)?;
    for statement in [
        sql!("DELETE FROM memories WHERE id IN (SELECT value FROM json_each($1))"),
        sql!(sqlite: "DELETE FROM memory_words WHERE rowid IN (SELECT value FROM json_each($1))"),
    ] {
        query(statement)
            .bind(&rows)
            .execute(tx.connection())
            .await?;
    }
    Ok(())
}

/// Notes that memories of an owner were recalled.
pub async fn note_recalled(
    tx: &mut Tx,
    owner: Owner,
    memories: &[MemoryId],
) -> Result<(), StoreError> {
    let owners = Owners::of(tx.connection(), owner).await?;
    query(sql!(
        "UPDATE memories SET recalled_ms = $4, recalls = recalls + 1
         WHERE id IN (SELECT value FROM json_each($3))
           AND +owner_kind = $1 AND +owner_id IN (SELECT value FROM json_each($2))"
    ))
    .bind(owners.kind)
    .bind(owners.as_json()?)
    .bind(serde_json::to_string(memories)?)
    .bind(now_ms())
    .execute(tx.connection())
    .await?;
    Ok(())
}

impl Span {
    /// Returns when what is looked for must hold, if it must.
    pub(crate) fn holding_at(self) -> Option<i64> {
        match self {
            Self::Now => Some(now_ms()),
            Self::Ever => None,
        }
    }
}

/// Erases a person (`of_person`): their memories, those that a group has from them, and what a group
/// has of the turns `overheard`, in which they were.
pub(crate) async fn erase(
    tx: &mut Tx,
    users: &str,
    overheard: &[TurnId],
) -> Result<(), StoreError> {
    let ids: Vec<MemoryId> = query(sql!(
        "SELECT id FROM memories
         WHERE (owner_kind = 'user' AND owner_id IN (SELECT value FROM json_each($1)))
            OR turn_id IN (SELECT id FROM turns WHERE user_id IN (SELECT value FROM json_each($1)))
            OR turn_id IN (SELECT value FROM json_each($2))
            OR id IN (SELECT episode_id FROM turns
                      WHERE user_id IN (SELECT value FROM json_each($1))
                         OR id IN (SELECT value FROM json_each($2)))"
    ))
    .bind(users)
    .bind(serde_json::to_string(overheard)?)
    .fetch_all(tx.connection())
    .await?;
    delete_rows(tx, &ids).await
}

#[cfg(test)]
mod tests {
    use super::READ;
    use crate::{Store, query_plans};

    async fn plan(query: &str) -> String {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(&directory.path().join("sayso.db"))
            .await
            .unwrap();
        query_plans::plan(store.reader(), query).await.join("\n")
    }

    #[tokio::test]
    async fn only_rows_that_are_named_are_read() {
        insta::assert_snapshot!(plan(READ).await, @r"
        SCAN one VIRTUAL TABLE INDEX 1:
        SEARCH m USING INTEGER PRIMARY KEY (rowid=?)
        LIST SUBQUERY 1
        SCAN json_each VIRTUAL TABLE INDEX 1:
        CREATE BLOOM FILTER
        SEARCH t USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
        ");
    }
}
