//! What traces read of journals: the entries with their times, and who is who.

use sayso_core::transcript::{Entry, SessionId, TurnId, UserId};
use serde::Deserialize;

use crate::sql;
use crate::sql::query;
use crate::{Readers, StoreError};

/// One entry of a journal as it lies in the table.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct JournalRow {
    /// Its place in the table: entries of all turns, in the order of their commits.
    pub row: i64,
    /// The turn.
    pub turn_id: TurnId,
    /// Its place in the journal of the turn.
    pub seq: i64,
    /// When it was written, in milliseconds since 1970.
    pub at_ms: i64,
    /// The entry, as JSON.
    pub body: String,
}

impl JournalRow {
    /// Reads the entry.
    pub fn entry(&self) -> Result<Entry, StoreError> {
        Ok(serde_json::from_str(&self.body)?)
    }
}

/// A turn as its trace begins.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct TracedTurn {
    /// Names the turn.
    pub id: TurnId,
    /// Its session.
    pub session_id: SessionId,
    /// The channel of its chat.
    pub channel: String,
    /// The user that it acts for.
    pub user_id: UserId,
    /// How it is named to people.
    pub request: String,
    /// `running`, `parked` or `ended`.
    pub state: String,
    /// How often it was started after a crash.
    pub resumes: i64,
    /// When it began, in milliseconds since 1970.
    pub started_ms: i64,
    /// When it ended.
    pub ended_ms: Option<i64>,
    /// The tokens that its budget counts.
    pub spent_tokens: i64,
    /// The money that its budget counts, in millionths.
    pub spent_micros: i64,
}

/// Returns the entries behind a row, in the order of their commits, at most `limit`.
pub async fn journal_after(
    readers: &Readers,
    row: i64,
    limit: i64,
) -> Result<Vec<JournalRow>, StoreError> {
    query(sql!(
        "SELECT row, turn_id, seq, at_ms, body FROM journal
         WHERE row > $1 ORDER BY row LIMIT $2"
    ))
    .bind(row)
    .bind(limit)
    .fetch_all(readers)
    .await
}

/// Returns the routes behind a row that were taken since a time, in milliseconds since 1970, in the
/// order of their commits, at most `limit`.
pub async fn routed_after(
    readers: &Readers,
    row: i64,
    since_ms: i64,
    limit: i64,
) -> Result<Vec<JournalRow>, StoreError> {
    query(sql!(
        "SELECT row, turn_id, seq, at_ms, body FROM journal
         WHERE row > $1 AND kind = 'routed' AND at_ms >= $2 ORDER BY row LIMIT $3"
    ))
    .bind(row)
    .bind(since_ms)
    .bind(limit)
    .fetch_all(readers)
    .await
}

/// Returns the journal of a turn up to an entry, that one not included.
pub async fn journal_before(
    readers: &Readers,
    turn: TurnId,
    seq: i64,
) -> Result<Vec<JournalRow>, StoreError> {
    query(sql!(
        "SELECT row, turn_id, seq, at_ms, body FROM journal
         WHERE turn_id = $1 AND seq < $2 ORDER BY seq"
    ))
    .bind(turn)
    .bind(seq)
    .fetch_all(readers)
    .await
}

/// Returns the calls of a turn that a person was asked about, each with its kind: `exec`,
/// `write`, `other` ...
pub async fn held_kinds(
    readers: &Readers,
    turn: TurnId,
) -> Result<Vec<(String, String)>, StoreError> {
    query(sql!(
        "SELECT call_id, kind FROM held_calls WHERE turn_id = $1"
    ))
    .bind(turn)
    .fetch_all(readers)
    .await
}

/// Returns a turn, or with `None` the one that began last.
pub async fn traced(
    readers: &Readers,
    turn: Option<TurnId>,
) -> Result<Option<TracedTurn>, StoreError> {
    query(sql!(
        "SELECT t.id, t.session_id, c.channel, t.user_id, t.request, t.state, t.resumes,
                t.started_ms, t.ended_ms, t.spent_tokens, t.spent_micros
         FROM turns t JOIN sessions s ON s.id = t.session_id JOIN chats c ON c.id = s.chat_id
         WHERE $1 IS NULL OR t.id = $1 ORDER BY t.id DESC LIMIT 1"
    ))
    .bind(turn)
    .fetch_optional(readers)
    .await
}

/// Returns how people see a user.
pub async fn name_of(readers: &Readers, user: UserId) -> Result<Option<String>, StoreError> {
    query(sql!("SELECT name FROM senders WHERE user_id = $1"))
        .bind(user)
        .fetch_optional(readers)
        .await
}
