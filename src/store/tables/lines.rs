//! The lines of the transcript, by what they are found again: their owner, their words, their place
//! in a stretch of talk and their time. Their texts are read from the inbox and from the journal.
//!
//! A line belongs to the person of its direct chat, or to its group. A person also finds what they
//! said in groups themselves, where no words of others are in it; a group finds nothing else.

use std::collections::BTreeMap;

use sayso_core::transcript::{MemoryId, Owner, SessionId, Taint, TurnId, UserId};
use serde::Deserialize;
use serde::Serialize;

use crate::Connection;
use crate::memories::StoredTaint;
use crate::owners::{Owners, owner_of};
use crate::sql;
use crate::sql::{Statement, json, parsed_or_none, query};
use crate::word_index::{SearchTerms, Words, mark, mark_in_groups, marked};
use crate::{Readers, StoreError, Tx, new_id};

/// After a pause like this a stretch of talk is over, in milliseconds.
pub const PAUSE_MS: i64 = 60 * 60 * 1000;
/// How much of a line is indexed and read, in characters.
pub const LINE_CHARS: usize = 8_000;
/// The most lines that one question reads, beside neighbours.
const CANDIDATES: usize = 64;

/// A turn that has ended, and whose its lines are.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct EndedTurn {
    /// The turn.
    pub id: TurnId,
    /// Its session.
    pub session_id: SessionId,
    /// For whom it acted.
    pub user_id: UserId,
    /// `user` or `chat`.
    pub owner_kind: String,
    /// The user, or the chat.
    pub owner_id: i64,
    /// When it ended.
    pub ended_ms: i64,
    /// Whether something that was said in it is forgotten.
    pub forgotten: bool,
    /// What its user said in it, in order.
    #[serde(deserialize_with = "json")]
    pub heard: Vec<HeardRow>,
}

impl EndedTurn {
    /// Returns whose its lines are.
    pub fn owner(&self) -> Owner {
        owner_of(&self.owner_kind, self.owner_id)
    }
}

/// What a user said in a turn.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct HeardRow {
    /// The row of the inbox.
    pub id: i64,
    /// The text.
    pub said: String,
    /// Whether words of others are in it.
    pub untrusted: bool,
    /// When it came.
    pub stored_ms: i64,
    /// Which form of the message it is; the first has 0.
    pub version: i64,
}

/// What is indexed of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Indexed {
    /// Nothing yet, and none of its messages was edited.
    Nothing,
    /// Perhaps lines of it, or of earlier forms of its messages.
    Perhaps,
}

/// A line to keep.
#[derive(Debug, Clone)]
pub struct LineToKeep {
    /// The id of what holds its text.
    pub id: i64,
    /// Its words for the index, separated by spaces.
    pub words: String,
    /// When it was said.
    pub at_ms: i64,
    /// Where the untrusted text in it came from.
    pub taint: Taint,
}

/// A line that was found.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct LineRow {
    /// The id of what holds its text.
    pub id: i64,
    /// The turn that it is of.
    pub turn_id: TurnId,
    /// Who said it, or was answered.
    pub user_id: UserId,
    /// The name of that user.
    pub name: Option<String>,
    /// Whether it is what was answered.
    pub is_answer: bool,
    /// Whether it was said in a group.
    pub in_group: bool,
    /// The stretch of talk.
    pub stretch_id: i64,
    /// How many lines the stretch has.
    pub stretch_lines: i64,
    /// Its place in the stretch.
    pub place: i64,
    /// When it was said.
    pub at_ms: i64,
    /// The indexed part of the text.
    pub text: String,
    /// The summary that its turn became a part of.
    pub episode_id: Option<MemoryId>,
    /// Where the untrusted text in it came from.
    #[serde(deserialize_with = "parsed_or_none")]
    pub taint: StoredTaint,
}

/// What of the transcript a question is to be answered from.
#[derive(Debug, Default)]
pub struct Lines {
    /// Lines that hold at least one of the terms, the newest first.
    pub rows: Vec<LineRow>,
    /// How many lines the owner has.
    pub owned: u64,
    /// How many of them hold each term.
    pub held: Vec<u64>,
    /// How many stretches there are, and lines in them.
    pub stretches: (u64, u64),
}

const ENDED: &str = "
    SELECT id, session_id, user_id, ended_ms, forgotten,
           (SELECT CASE c.kind WHEN 'direct' THEN 'user' ELSE 'chat' END
            FROM sessions s JOIN chats c ON c.id = s.chat_id WHERE s.id = turns.session_id) AS owner_kind,
           (SELECT CASE c.kind WHEN 'direct' THEN turns.user_id ELSE c.id END
            FROM sessions s JOIN chats c ON c.id = s.chat_id WHERE s.id = turns.session_id) AS owner_id, ";

/// What the user of a row of `turns` said in that turn, as JSON.
pub(crate) const HEARD_IN_TURN: &str = "
    (SELECT json_group_array(json_object('id', i.id, 'said', i.said, 'stored_ms', i.stored_ms,
         'untrusted', json(iif(i.untrusted, 'true', 'false')), 'version', i.version) ORDER BY i.id)
     FROM inbox i WHERE i.turn_id = turns.id AND i.said <> '') AS heard";

/// Keeps lines.
const KEEP: &str = "
    INSERT INTO lines (owner_kind, owner_id, id, turn_id, user_id, stretch_id, place, at_ms, taint)
    SELECT $2, $3, one.value ->> 'id', $4, $5, $6, $7 + one.key, one.value ->> 'at_ms', one.value ->> 'taint'
    FROM json_each($1) one WHERE true ON CONFLICT DO NOTHING";

/// Takes away the lines of earlier forms of messages that were edited, which may be among those
/// that were kept.
const DROP_EARLIER_FORMS: &str = "
    DELETE FROM lines WHERE id IN
        (SELECT old.id FROM json_each($1) one JOIN inbox new ON new.id = one.value ->> 'id'
             JOIN inbox old
                 ON old.channel = new.channel AND old.kind = new.kind AND old.event = new.event
         WHERE old.version < new.version)";

/// Takes the words of lines out of the index, ...
const DROP_WORDS: &str = "
    DELETE FROM line_words WHERE rowid IN (SELECT one.value ->> 'id' FROM json_each($1) one)";

/// ... and puts those of the lines into it that were kept.
const KEEP_WORDS: &str = "
    INSERT INTO line_words (rowid, words)
    SELECT one.value ->> 'id', one.value ->> 'words' FROM json_each($1) one
    WHERE EXISTS (SELECT 1 FROM lines WHERE id = one.value ->> 'id')";

/// A line as [`KEEP`] takes it.
#[derive(Serialize)]
struct Keeping {
    id: i64,
    words: String,
    at_ms: i64,
    /// JSON, or nothing for none.
    taint: Option<String>,
}

/// What is read of a line.
const COLUMNS: &str = "
    l.id, l.turn_id, l.user_id, l.stretch_id, l.place, l.at_ms, l.taint,
    l.id = l.turn_id AS is_answer, l.owner_kind = 'chat' AS in_group,
    (SELECT lines FROM stretches WHERE id = l.stretch_id) AS stretch_lines,
    (SELECT min(name) FROM senders WHERE user_id = l.user_id) AS name,
    (SELECT episode_id FROM turns WHERE id = l.turn_id) AS episode_id,
    substr(coalesce(
        CASE WHEN l.id = l.turn_id
             THEN (SELECT body ->> '$.outcome.text' FROM journal
                   WHERE turn_id = l.turn_id AND kind = 'ended' ORDER BY seq DESC LIMIT 1)
             ELSE (SELECT said FROM inbox WHERE id = l.id) END, ''), 1, 8000) AS text";

/// Whose lines are seen: the owner's, and a person's own words in groups.
const VISIBLE: &str = "
    ((l.owner_kind = $1 AND l.owner_id IN (SELECT value FROM json_each($2)))
     OR ($1 = 'user' AND l.id <> l.turn_id AND l.taint IS NULL
         AND l.user_id IN (SELECT value FROM json_each($2))))
    AND l.turn_id NOT IN (SELECT value FROM json_each($3))";

/// Returns an ended turn.
pub async fn ended_turn(tx: &mut Tx, turn: TurnId) -> Result<Option<EndedTurn>, StoreError> {
    query(sql!(
        sqlite: ENDED,
        HEARD_IN_TURN,
        " FROM turns WHERE id = $1 AND state = 'ended' AND ended_ms IS NOT NULL"
    ))
    .bind(turn)
    .fetch_optional(tx.connection())
    .await
}

/// Keeps the lines of a turn, in order, in place of those that it has.
pub async fn keep(
    tx: &mut Tx,
    turn: &EndedTurn,
    lines: &[LineToKeep],
    indexed: Indexed,
) -> Result<(), StoreError> {
    if indexed == Indexed::Perhaps {
        query(sql!("DELETE FROM lines WHERE turn_id = $1"))
            .bind(turn.id)
            .execute(tx.connection())
            .await?;
    }
    let Some((first, last)) = lines.first().zip(lines.last()) else {
        return Ok(());
    };
    let (stretch, place) = places(tx, turn, first.at_ms, last.at_ms, lines.len()).await?;
    let keeping: Result<Vec<Keeping>, StoreError> =
        lines.iter().map(|line| keeping(turn, line)).collect();
    let keeping = serde_json::to_string(&keeping?)?;
    query(sql!(sqlite: KEEP))
        .bind(&keeping)
        .bind(&turn.owner_kind)
        .bind(turn.owner_id)
        .bind(turn.id)
        .bind(turn.user_id)
        .bind(stretch)
        .bind(place)
        .execute(tx.connection())
        .await?;
    let earlier: &[Statement] = match indexed {
        Indexed::Nothing => &[],
        Indexed::Perhaps => &[sql!(sqlite: DROP_EARLIER_FORMS), sql!(sqlite: DROP_WORDS)],
    };
    for statement in earlier.iter().chain([&sql!(sqlite: KEEP_WORDS)]) {
        query(*statement)
            .bind(&keeping)
            .execute(tx.connection())
            .await?;
    }
    Ok(())
}

fn keeping(turn: &EndedTurn, line: &LineToKeep) -> Result<Keeping, StoreError> {
    let taint = (!line.taint.is_empty()).then(|| serde_json::to_string(&line.taint));
    let is_own = line.id != turn.id.0 && line.taint.is_empty();
    let marks = marks(turn.owner(), is_own.then_some(turn.user_id));
    Ok(Keeping {
        id: line.id,
        words: marked(&marks, &line.words),
        at_ms: line.at_ms,
        taint: taint.transpose()?,
    })
}

/// Takes places in the stretch that goes on at this time, or in a new one; returns it and the first.
async fn places(
    tx: &mut Tx,
    turn: &EndedTurn,
    from_ms: i64,
    until_ms: i64,
    count: usize,
) -> Result<(i64, i64), StoreError> {
    let taken: Option<(i64, i64)> = query(sql!(
        "UPDATE stretches SET lines = lines + $5, last_ms = max(last_ms, $4)
         WHERE id = (SELECT id FROM stretches
                     WHERE session_id = $1 AND last_ms BETWEEN $2 AND $3
                     ORDER BY last_ms DESC LIMIT 1)
         RETURNING id, lines"
    ))
    .bind(turn.session_id)
    .bind(from_ms - PAUSE_MS)
    .bind(until_ms + PAUSE_MS)
    .bind(until_ms)
    .bind(count as i64)
    .fetch_optional(tx.connection())
    .await?;
    if let Some((stretch, lines)) = taken {
        return Ok((stretch, lines - count as i64));
    }
    let stretch = new_id();
    query(sql!(
        "INSERT INTO stretches (id, session_id, owner_kind, owner_id, lines, last_ms)
         VALUES ($1, $2, $3, $4, $5, $6)"
    ))
    .bind(stretch)
    .bind(turn.session_id)
    .bind(&turn.owner_kind)
    .bind(turn.owner_id)
    .bind(count as i64)
    .bind(until_ms)
    .execute(tx.connection())
    .await?;
    Ok((stretch, 0))
}

/// Returns the marks of the lines that a requester may find: in groups, a person can also find
/// their own words.
fn marks(owner: Owner, own_words_of: Option<UserId>) -> Vec<String> {
    let said = own_words_of.filter(|_| matches!(owner, Owner::Chat(_)));
    let marks = std::iter::once(mark(owner));
    marks.chain(said.map(mark_in_groups)).collect()
}

/// Returns the lines of an owner that hold most of what is looked for, without those of `hidden`
/// turns.
pub async fn candidates(
    readers: &Readers,
    owner: Owner,
    search: SearchTerms<'_>,
    hidden: &[TurnId],
) -> Result<Lines, StoreError> {
    if search.terms.is_empty() {
        return Ok(Lines::default());
    }
    let mut reading = readers.begin().await?;
    let owners = readers.owners(&mut reading, owner).await?;
    let words = Words::of_lines(&owners);
    let holding = words.holding(&mut reading, search, CANDIDATES).await?;
    let rows = read(&mut reading, &owners, hidden, &holding.rows).await?;
    Ok(Lines {
        rows: each_once(rows),
        owned: holding.owned,
        held: holding.held,
        stretches: (holding.stretches, holding.owned),
    })
}

/// Reads lines in the order in which they are named, until there are enough.
async fn read(
    reading: &mut Connection,
    owners: &Owners,
    hidden: &[TurnId],
    rows: &[i64],
) -> Result<Vec<LineRow>, StoreError> {
    if rows.is_empty() {
        return Ok(vec![]);
    }
    query(sql!(
        "SELECT ",
        COLUMNS,
        " FROM json_each($4) one CROSS JOIN lines l
         WHERE l.id = one.value AND ",
        VISIBLE,
        " LIMIT $5"
    ))
    .bind(owners.kind)
    .bind(owners.as_json()?)
    .bind(serde_json::to_string(hidden)?)
    .bind(serde_json::to_string(rows)?)
    .bind(CANDIDATES as i64)
    .fetch_all(reading)
    .await
}

/// Returns the lines right before and right behind those of `ids`, which answer them or were
/// answered.
pub async fn neighbours(
    readers: &Readers,
    owner: Owner,
    ids: &[i64],
    hidden: &[TurnId],
) -> Result<Vec<LineRow>, StoreError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut reading = readers.begin().await?;
    let owners = readers.owners(&mut reading, owner).await?;
    let rows = query(sql!(
        "SELECT ",
        COLUMNS,
        " FROM json_each($4) one CROSS JOIN lines o CROSS JOIN lines l
         WHERE o.id = one.value AND l.stretch_id = o.stretch_id
           AND l.place IN (o.place - 1, o.place + 1) AND ",
        VISIBLE,
        " AND l.id NOT IN (SELECT value FROM json_each($4))"
    ))
    .bind(owners.kind)
    .bind(owners.as_json()?)
    .bind(serde_json::to_string(hidden)?)
    .bind(serde_json::to_string(ids)?)
    .fetch_all(&mut *reading)
    .await?;
    Ok(each_once(rows))
}

/// Returns the lines that were said in a span of time, oldest first, at most `limit`.
pub async fn between(
    readers: &Readers,
    owner: Owner,
    from_ms: i64,
    until_ms: i64,
    hidden: &[TurnId],
    limit: usize,
) -> Result<Vec<LineRow>, StoreError> {
    let mut reading = readers.begin().await?;
    let owners = Owners::of(&mut reading, owner).await?;
    query(sql!(
        "SELECT ", COLUMNS, " FROM lines l WHERE ", VISIBLE, " AND l.id IN
             (SELECT id FROM lines WHERE owner_kind = $1 AND at_ms >= $4 AND at_ms < $5
                  AND owner_id IN (SELECT value FROM json_each($2))
              UNION ALL
              SELECT id FROM lines WHERE $1 = 'user' AND id <> turn_id AND at_ms >= $4 AND at_ms < $5
                  AND user_id IN (SELECT value FROM json_each($2)))
         ORDER BY l.at_ms, l.id LIMIT $6"
    ))
        .bind(owners.kind)
        .bind(owners.as_json()?)
        .bind(serde_json::to_string(hidden)?)
        .bind(from_ms)
        .bind(until_ms)
        .bind(limit as i64)
        .fetch_all(&mut *reading)
        .await
}

/// Hides these lines of an owner from all searches; returns the turn of each line that existed.
pub async fn forget(tx: &mut Tx, owner: Owner, ids: &[i64]) -> Result<Vec<TurnId>, StoreError> {
    let owners = Owners::of(tx.connection(), owner).await?;
    query(sql!(
        "DELETE FROM lines WHERE id IN
             (SELECT l.id FROM json_each($4) one CROSS JOIN lines l
              WHERE l.id = one.value AND ",
        VISIBLE,
        ") RETURNING turn_id"
    ))
    .bind(owners.kind)
    .bind(owners.as_json()?)
    .bind("[]")
    .bind(serde_json::to_string(ids)?)
    .fetch_all(tx.connection())
    .await
}

/// Returns the lines of an owner that hold all of `terms`.
pub async fn holding_all(
    tx: &mut Tx,
    owner: Owner,
    terms: &[String],
) -> Result<Vec<i64>, StoreError> {
    if terms.is_empty() {
        return Ok(Vec::new());
    }
    let owners = Owners::of(tx.connection(), owner).await?;
    let words = Words::of_lines(&owners);
    words.holding_all(tx.connection(), terms).await
}

/// Returns the lines of turns.
pub async fn of_turns(tx: &mut Tx, turns: &[TurnId]) -> Result<Vec<i64>, StoreError> {
    query(sql!(
        "SELECT id FROM lines WHERE turn_id IN (SELECT value FROM json_each($1))"
    ))
    .bind(serde_json::to_string(turns)?)
    .fetch_all(tx.connection())
    .await
}

/// Returns each line once, the newest first.
fn each_once(rows: Vec<LineRow>) -> Vec<LineRow> {
    let by_id: BTreeMap<i64, LineRow> = rows.into_iter().map(|row| (row.id, row)).collect();
    let rows = by_id.into_values().rev();
    rows.filter(|row| !row.text.is_empty()).collect()
}

/// Returns the next lines of everybody with their owners, for their words to be made again.
pub async fn after(
    tx: &mut Tx,
    after: i64,
    until: i64,
    limit: usize,
) -> Result<Vec<(LineRow, Owner)>, StoreError> {
    let ids: Vec<i64> = query(sql!(
        "SELECT id FROM lines WHERE id > $1 AND id <= $2 ORDER BY id LIMIT $3"
    ))
    .bind(after)
    .bind(until)
    .bind(limit as i64)
    .fetch_all(tx.connection())
    .await?;
    named(tx, &ids).await
}

/// Returns lines of everybody with their owners, for their words to be made again.
pub async fn named(tx: &mut Tx, ids: &[i64]) -> Result<Vec<(LineRow, Owner)>, StoreError> {
    let rows: Vec<LineRow> = query(sql!(
        "SELECT ",
        COLUMNS,
        " FROM lines l WHERE l.id IN (SELECT value FROM json_each($1)) ORDER BY l.id"
    ))
    .bind(serde_json::to_string(ids)?)
    .fetch_all(tx.connection())
    .await?;
    let mut found = Vec::with_capacity(rows.len());
    for row in rows {
        let (kind, id): (String, i64) =
            query(sql!("SELECT owner_kind, owner_id FROM lines WHERE id = $1"))
                .bind(row.id)
                .fetch_one(tx.connection())
                .await?;
        found.push((row, owner_of(&kind, id)));
    }
    Ok(found)
}

/// Deletes at most `limit` lines that are older than a time, regardless of their owner, and
/// stretches that become empty. Returns the number of lines. For the retention sweep only.
pub async fn delete_older(tx: &mut Tx, before_ms: i64, limit: usize) -> Result<usize, StoreError> {
    let stretches: Vec<i64> = query(sql!(
        "DELETE FROM lines WHERE id IN (SELECT id FROM lines WHERE at_ms < $1 LIMIT $2)
         RETURNING stretch_id"
    ))
    .bind(before_ms)
    .bind(limit as i64)
    .fetch_all(tx.connection())
    .await?;
    // One whose summaries are to be merged is still looked at.
    query(sql!(
        "DELETE FROM stretches
         WHERE id IN (SELECT value FROM json_each($1)) AND merged = TRUE AND last_ms < $2
           AND NOT EXISTS (SELECT 1 FROM lines WHERE stretch_id = stretches.id)"
    ))
    .bind(serde_json::to_string(&stretches)?)
    .bind(before_ms)
    .execute(tx.connection())
    .await?;
    Ok(stretches.len())
}

/// Makes the words of a line again.
pub async fn index_again(
    tx: &mut Tx,
    row: &LineRow,
    owner: Owner,
    words: &str,
) -> Result<(), StoreError> {
    let is_own = !row.is_answer && row.taint.0.is_empty();
    let marks = marks(owner, is_own.then_some(row.user_id));
    query(sql!(sqlite: "DELETE FROM line_words WHERE rowid = $1"))
        .bind(row.id)
        .execute(tx.connection())
        .await?;
    query(sql!(
        sqlite: "INSERT INTO line_words (rowid, words) VALUES ($1, $2)"
    ))
    .bind(row.id)
    .bind(marked(&marks, words))
    .execute(tx.connection())
    .await?;
    Ok(())
}
