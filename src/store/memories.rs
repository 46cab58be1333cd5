//! The rows of `memories` and the index of their words. Every query is keyed by owner first.
//!
//! A row belongs to the account that it came from. It is read and deleted by the [`Owners`] of the
//! asker: every user of the person, or the one group.

use std::cmp::Reverse;
use std::collections::HashSet;

use sqlx::{FromRow, SqliteConnection, SqlitePool};

use super::people::USERS_OF_PERSON;
use super::{StoreError, Tx, new_id, now_ms};
use crate::transcript::{ChatId, MemoryId, Owner, Taint, TurnId, UserId};

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
pub(super) use memory_columns;

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
    /// Where the untrusted text came from that the turn had in view.
    pub taint: Taint,
    /// What is known of a fact; `None` of an episode.
    pub fact: Option<FactToKeep>,
}

/// What is known of a fact beside its text.
#[derive(Debug, Clone)]
pub struct FactToKeep {
    /// `told` or `learned`.
    pub source: &'static str,
    /// `preference`, `profile`, `relation`, `project` or `procedure`.
    pub topic: Option<String>,
    /// How sure it is, in percent.
    pub confidence: u8,
    /// Since when it holds; `None`: since it was first said.
    pub valid_from_ms: Option<i64>,
    /// Until when it holds; `None`: it holds on.
    pub valid_until_ms: Option<i64>,
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
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct MemoryRow {
    /// Its name.
    pub id: MemoryId,
    /// `fact` or `episode`.
    pub kind: String,
    /// The text.
    pub text: String,
    /// When it was first said.
    pub created_ms: i64,
    /// When it was last said.
    pub touched_ms: i64,
    /// The user of the turn that it comes from.
    #[sqlx(rename = "by_user")]
    pub by: Option<UserId>,
    /// Where the untrusted text came from that was in view when it was written.
    #[sqlx(try_from = "Option<String>")]
    pub taint: StoredTaint,
    /// What a fact is about.
    pub topic: Option<String>,
    /// `told` or `learned`; `None` of an episode.
    pub source: Option<String>,
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
    #[sqlx(rename = "turn_id")]
    pub turn: TurnId,
    /// Where in the transcript it stands, if it is a line.
    #[sqlx(skip)]
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

/// A fact stays a fact when an episode says the same, which tells nothing else of it. A text that was
/// once written with no untrusted text in view is nobody else's. What had expired and is said again
/// holds again.
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

const INDEX: &str = "INSERT INTO memory_words (rowid, owner, words) VALUES ($1, $2, $3)";

/// The most rows that one question reads. A hundred candidates hold the answer nearly always; the
/// rest is room for words that are common, and all of them are read and scored in a few ms.
pub const CANDIDATES: usize = 500;
/// How far rows are counted. What so many rows hold tells none of them apart.
pub const COUNTED: usize = 10_000;

/// Counts what each search finds, as far as `COUNTED`. A search names its owners.
pub(super) const COUNT: &str = "
    SELECT (SELECT count(*) FROM
               (SELECT 1 FROM memory_words WHERE memory_words MATCH searches.value LIMIT $2))
    FROM json_each($1) searches
    ORDER BY searches.key";

/// The `+` keeps SQLite from driving the join by the index of `memories`, which is hundreds of
/// times slower than driving it by the words. An id grows with time, so the newest come first and
/// nothing behind the limit is read.
const FIND: &str = concat!(
    "SELECT ",
    memory_columns!(),
    " FROM memory_words JOIN memories m ON m.id = memory_words.rowid
         LEFT JOIN turns t ON t.id = m.turn_id
    WHERE +m.owner_kind = $1 AND +m.owner_id IN (SELECT value FROM json_each($2))
      AND memory_words MATCH $3
      AND ($5 IS NULL OR (+m.superseded_by IS NULL
                          AND (m.valid_until_ms IS NULL OR m.valid_until_ms > $5)))
    ORDER BY memory_words.rowid DESC
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
pub(super) async fn keep_as(
    tx: &mut Tx,
    owner: Owner,
    new: MemoryId,
    memory: &MemoryToKeep,
) -> Result<MemoryId, StoreError> {
    let (kind, id) = columns(owner);
    let taint = (!memory.taint.is_empty()).then(|| serde_json::to_string(&memory.taint));
    let fact = memory.fact.as_ref();
    let kept: MemoryId = sqlx::query_scalar(KEEP)
        .bind(kind)
        .bind(id)
        .bind(new)
        .bind(memory.kind)
        .bind(&memory.text)
        .bind(memory.turn)
        .bind(now_ms())
        .bind(taint.transpose()?)
        .bind(fact.map(|fact| fact.source))
        .bind(fact.and_then(|fact| fact.topic.as_deref()))
        .bind(fact.map_or(100, |fact| fact.confidence))
        .bind(fact.and_then(|fact| fact.valid_from_ms))
        .bind(fact.and_then(|fact| fact.valid_until_ms))
        .fetch_one(tx.connection())
        .await?;
    if kept == new {
        index(tx, new, (kind, id), &memory.words).await?;
    }
    Ok(kept)
}

/// Puts the words of a memory of this owner into the index.
pub(super) async fn index(
    tx: &mut Tx,
    memory: MemoryId,
    (kind, id): (&str, i64),
    words: &str,
) -> Result<(), StoreError> {
    sqlx::query(INDEX)
        .bind(memory)
        .bind(owner_word(kind, id))
        .bind(words)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// What a question is to be answered from.
#[derive(Debug, Default)]
pub struct Candidates {
    /// Rows that hold at least one of the terms, at most [`CANDIDATES`], the newest first.
    pub rows: Vec<MemoryRow>,
    /// How many rows the owner has, as far as [`COUNTED`].
    pub owned: u64,
    /// How many of them hold each term, as far as [`COUNTED`].
    pub held: Vec<u64>,
}

/// Returns the memories that hold at least one of `terms`: all of those with the rarest terms, as
/// far as there is room, then the newest with the next rarest. What several accounts of a person
/// remember is there once.
pub async fn candidates(
    readers: &SqlitePool,
    owner: Owner,
    terms: &[String],
    span: Span,
) -> Result<Candidates, StoreError> {
    if terms.is_empty() {
        return Ok(Candidates::default());
    }
    // One view of the database: an account that is parted meanwhile is either in it or not.
    let mut reading = readers.begin().await?;
    found_by(&mut reading, owner, terms, span).await
}

/// Returns what [`candidates`] would, as a transaction sees it.
pub async fn candidates_within(
    tx: &mut Tx,
    owner: Owner,
    terms: &[String],
    span: Span,
) -> Result<Candidates, StoreError> {
    if terms.is_empty() {
        return Ok(Candidates::default());
    }
    found_by(tx.connection(), owner, terms, span).await
}

async fn found_by(
    reading: &mut SqliteConnection,
    owner: Owner,
    terms: &[String],
    span: Span,
) -> Result<Candidates, StoreError> {
    let owners = Owners::of(reading, owner).await?;
    let mut searches = vec![rows_of(&owners)];
    searches.extend(terms.iter().map(|term| any_of(&rows_of(&owners), &[term])));
    let mut held: Vec<i64> = sqlx::query_scalar(COUNT)
        .bind(serde_json::to_string(&searches)?)
        .bind(COUNTED as i64)
        .fetch_all(&mut *reading)
        .await?;
    let owned = held.remove(0);

    let mut rows = Vec::new();
    for chosen in rarest_first(terms, &held, CANDIDATES) {
        let room = CANDIDATES.saturating_sub(rows.len());
        rows.extend(find(reading, &owners, &chosen, (room, span)).await?);
    }
    let mut seen = HashSet::new();
    // What holds hides an equal text that was superseded.
    rows.sort_by_key(|row| row.superseded_by.is_some());
    rows.retain(|row| seen.insert(row.text.clone()));
    rows.sort_by_key(|row| Reverse((row.touched_ms, row.id.0)));
    let counted = |count: i64| u64::try_from(count).unwrap_or_default();
    Ok(Candidates {
        rows,
        owned: counted(owned),
        held: held.into_iter().map(counted).collect(),
    })
}

/// Returns the terms whose rows all fit into `room`, and then the one whose rows fill what is left.
pub(super) fn rarest_first<'a>(
    terms: &'a [String],
    held: &[i64],
    room: usize,
) -> Vec<Vec<&'a String>> {
    let mut by_rarity: Vec<_> = terms
        .iter()
        .zip(held)
        .filter(|(_, held)| **held > 0)
        .collect();
    by_rarity.sort_by_key(|(_, held)| **held);
    let mut room = room as i64;
    let fitting = by_rarity
        .iter()
        .take_while(|(_, held)| {
            room -= **held;
            room >= 0
        })
        .count();
    let (whole, rest) = by_rarity.split_at(fitting);
    let whole = whole.iter().map(|(term, _)| *term).collect();
    let next = rest.iter().take(1).map(|(term, _)| *term).collect();
    vec![whole, next]
}

async fn find(
    reading: &mut SqliteConnection,
    owners: &Owners,
    terms: &[&String],
    (limit, span): (usize, Span),
) -> Result<Vec<MemoryRow>, StoreError> {
    if terms.is_empty() || limit == 0 {
        return Ok(vec![]);
    }
    let found = sqlx::query_as(FIND)
        .bind(owners.kind)
        .bind(owners.as_json()?)
        .bind(any_of(&rows_of(owners), terms))
        .bind(limit as i64)
        .bind(span.holding_at())
        .fetch_all(reading)
        .await?;
    Ok(found)
}

/// Returns the newest memories of an owner, at most `limit`, also what holds no longer. What several
/// accounts of a person remember is there once.
pub async fn newest(tx: &mut Tx, owner: Owner, limit: usize) -> Result<Vec<MemoryRow>, StoreError> {
    let owners = Owners::of(tx.connection(), owner).await?;
    let mut rows: Vec<MemoryRow> = sqlx::query_as(concat!(
        "SELECT ",
        memory_columns!(),
        " FROM memories m LEFT JOIN turns t ON t.id = m.turn_id
         WHERE m.owner_kind = $1 AND m.owner_id IN (SELECT value FROM json_each($2))
         ORDER BY m.touched_ms DESC, m.id DESC LIMIT $3"
    ))
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
pub(super) async fn delete_rows(tx: &mut Tx, rows: &[MemoryId]) -> Result<(), StoreError> {
    let rows = serde_json::to_string(rows)?;
    for statement in [
        "DELETE FROM memories WHERE id IN (SELECT value FROM json_each($1))",
        "DELETE FROM memory_words WHERE rowid IN (SELECT value FROM json_each($1))",
    ] {
        sqlx::query(statement)
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
    sqlx::query(
        "UPDATE memories SET recalled_ms = $4, recalls = recalls + 1
         WHERE id IN (SELECT value FROM json_each($3))
           AND +owner_kind = $1 AND +owner_id IN (SELECT value FROM json_each($2))",
    )
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
    pub(super) fn holding_at(self) -> Option<i64> {
        match self {
            Self::Now => Some(now_ms()),
            Self::Ever => None,
        }
    }
}

/// Whose rows may be read: made from an [`Owner`] and from nothing else.
pub(super) struct Owners {
    pub(super) kind: &'static str,
    pub(super) ids: Vec<i64>,
}

impl Owners {
    /// Returns a group as it is, and a user with every other user of the same person.
    pub(super) async fn of(
        connection: &mut SqliteConnection,
        owner: Owner,
    ) -> Result<Self, StoreError> {
        let (kind, id) = columns(owner);
        let ids = match owner {
            Owner::Chat(_) => vec![id],
            Owner::User(user) => users_of_person(connection, user).await?,
        };
        Ok(Self { kind, ids })
    }

    pub(super) fn as_json(&self) -> Result<String, StoreError> {
        Ok(serde_json::to_string(&self.ids)?)
    }
}

/// A user without a row is nobody but itself.
async fn users_of_person(
    connection: &mut SqliteConnection,
    user: UserId,
) -> Result<Vec<i64>, StoreError> {
    let mut ids: Vec<i64> = sqlx::query_scalar(USERS_OF_PERSON)
        .bind(user)
        .fetch_all(connection)
        .await?;
    if ids.is_empty() {
        ids.push(user.0);
    }
    Ok(ids)
}

pub(super) fn columns(owner: Owner) -> (&'static str, i64) {
    match owner {
        Owner::User(user) => ("user", user.0),
        Owner::Chat(chat) => ("chat", chat.0),
    }
}

/// Reads what [`columns`] wrote.
pub(super) fn owner_of(kind: &str, id: i64) -> Owner {
    match kind {
        "chat" => Owner::Chat(ChatId(id)),
        _ => Owner::User(UserId(id)),
    }
}

/// Returns the word that stands for an owner in the index.
fn owner_word(kind: &str, id: i64) -> String {
    format!("{kind}{id}")
}

/// Returns the search for all rows of these owners.
fn rows_of(owners: &Owners) -> String {
    let words: Vec<_> = owners
        .ids
        .iter()
        .map(|id| format!("\"{}\"", owner_word(owners.kind, *id)))
        .collect();
    format!("owner : ({})", words.join(" OR "))
}

/// Returns the search for any of `terms` in `rows`.
pub(super) fn any_of(rows: &str, terms: &[&String]) -> String {
    let quoted: Vec<_> = terms.iter().map(|term| quoted(term)).collect();
    format!("{rows} AND words : ({})", quoted.join(" OR "))
}

/// Returns the search for all of `terms` in the memories of these owners; `None` without terms.
pub(super) fn all_of(owners: &Owners, terms: &[String]) -> Option<String> {
    let quoted: Vec<_> = terms.iter().map(|term| quoted(term)).collect();
    (!quoted.is_empty())
        .then(|| format!("{} AND words : ({})", rows_of(owners), quoted.join(" AND ")))
}

/// Returns a term as a search has it: it is never read as an operator.
pub(super) fn quoted(term: &str) -> String {
    format!("\"{}\"", term.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use sqlx::{AssertSqlSafe, Row};

    use super::{CANDIDATES, COUNT, FIND, Owners, any_of, rarest_first, rows_of};
    use crate::store::Store;

    #[tokio::test]
    async fn a_search_is_driven_by_the_words() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(&directory.path().join("sayso.db"))
            .await
            .unwrap();
        let owners = Owners {
            kind: "user",
            ids: vec![1, 2],
        };
        let plan = sqlx::query(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {FIND}")))
            .bind("user")
            .bind("[1,2]")
            .bind(any_of(&rows_of(&owners), &[&"tea".to_owned()]))
            .bind(5_i64)
            .bind(1_i64)
            .fetch_all(store.reader())
            .await
            .unwrap();
        let steps: Vec<String> = plan.iter().map(|step| step.get("detail")).collect();
        insta::assert_snapshot!(steps.join("\n"), @r"
        SCAN memory_words VIRTUAL TABLE INDEX 192:M2
        SEARCH m USING INTEGER PRIMARY KEY (rowid=?)
        LIST SUBQUERY 1
        SCAN json_each VIRTUAL TABLE INDEX 1:
        CREATE BLOOM FILTER
        SEARCH t USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
        ");
    }

    #[tokio::test]
    async fn rows_are_counted_by_the_words() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(&directory.path().join("sayso.db"))
            .await
            .unwrap();
        let plan = sqlx::query(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {COUNT}")))
            .bind("[]")
            .bind(5_i64)
            .fetch_all(store.reader())
            .await
            .unwrap();
        let steps: Vec<String> = plan.iter().map(|step| step.get("detail")).collect();
        insta::assert_snapshot!(steps.join("\n"), @r"
        SCAN searches VIRTUAL TABLE INDEX 1:
        CORRELATED SCALAR SUBQUERY 2
        CO-ROUTINE (subquery-1)
        SCAN memory_words VIRTUAL TABLE INDEX 0:M2
        SCAN (subquery-1)
        USE TEMP B-TREE FOR ORDER BY
        ");
    }

    #[test]
    fn what_is_common_fills_the_room_that_the_rare_leaves() {
        let terms = ["many", "none", "few", "some", "more"].map(str::to_owned);
        let room = CANDIDATES as i64;
        let chosen = rarest_first(&terms, &[room, 0, 1, room - 1, room + 1], CANDIDATES);
        assert_eq!(chosen, [vec!["few", "some"], vec!["many"]]);
        let chosen = rarest_first(&terms[..1], &[room + 1], CANDIDATES);
        assert_eq!(chosen, [vec![], vec!["many"]]);
    }
}
