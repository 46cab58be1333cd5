//! Compactions: what stands for the older turns of a session, and the sessions that wait for one.
//!
//! A compaction is made from turns and can be made from them again: whoever takes words out of a turn
//! deletes those that hold it.

use sqlx::FromRow;

use super::{Readers, StoreError, Tx, new_id};
use crate::transcript::{ChatId, SessionId, TurnId, UserId};

/// What stands for the older turns of a session.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct CompactionRow {
    /// Names it.
    pub id: i64,
    /// It stands for the turns that ended up to this place.
    pub until_seq: i64,
    /// What is shown in their place; `None` is nothing.
    pub text: Option<String>,
    /// The untrusted text that was in view in them, as JSON.
    pub taint: String,
    /// Those that it was made from, as JSON.
    pub turns: String,
}

/// A compaction as it is added.
#[derive(Debug, Clone)]
pub struct NewCompaction {
    /// The session.
    pub session: SessionId,
    /// It stands for the turns that ended up to this place.
    pub until_seq: i64,
    /// How many had ended when it was made.
    pub at_seq: i64,
    /// What is shown in their place.
    pub text: Option<String>,
    /// The untrusted text that was in view in them, as JSON.
    pub taint: String,
    /// Those that it was made from.
    pub turns: Vec<TurnId>,
}

/// A session that waits for its compaction.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct WaitingRow {
    /// The session.
    pub session_id: SessionId,
    /// Who pays.
    pub user_id: UserId,
    /// Where it is said, as JSON.
    pub address: String,
    /// Whether somebody waits for a receipt.
    pub asked: bool,
    /// How often a model was asked.
    pub tries: i64,
    /// The chat that it is in.
    pub chat_id: ChatId,
    /// `direct` or `group`.
    pub kind: String,
    /// `en` or `zh-CN`.
    pub language: String,
    /// History begins behind this ended turn.
    pub since_seq: i64,
    /// How many turns have ended.
    pub ended_seq: i64,
}

/// A session that nothing goes on in, and nobody waits in.
const IS_QUIET: &str = "
    NOT EXISTS (SELECT 1 FROM turns t WHERE t.session_id = w.session_id AND t.state = 'running')
    AND NOT EXISTS (SELECT 1 FROM inbox i WHERE i.session_id = w.session_id AND i.state = 'waiting')
    AND NOT EXISTS (SELECT 1 FROM erasures e, json_each(e.users) one
                    WHERE e.state = 'wanted' AND one.value = w.user_id)";

/// Has a session be compacted, not before a time; who asks for it is told what came of it.
pub async fn want(
    tx: &mut Tx,
    (session, user): (SessionId, UserId),
    address: &str,
    asked: bool,
    due_ms: i64,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO compacting VALUES ($1, $2, $3, $4, $5, 0)
         ON CONFLICT DO UPDATE SET
             due_ms = min(due_ms, excluded.due_ms),
             user_id = iif(asked, user_id, excluded.user_id),
             address = iif(asked, address, excluded.address),
             asked = asked OR excluded.asked",
    )
    .bind(session)
    .bind(user)
    .bind(address)
    .bind(asked)
    .bind(due_ms)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns the sessions that are due and quiet.
pub async fn due(
    readers: &Readers,
    now_ms: i64,
    limit: i64,
) -> Result<Vec<WaitingRow>, StoreError> {
    Ok(sqlx::query_as(sqlx::AssertSqlSafe(format!(
        "SELECT w.session_id, w.user_id, w.address, w.asked, w.tries, s.chat_id, c.kind,
                c.language, s.since_seq, s.ended_seq
         FROM compacting w JOIN sessions s ON s.id = w.session_id JOIN chats c ON c.id = s.chat_id
         WHERE w.due_ms <= $1 AND {IS_QUIET} ORDER BY w.due_ms LIMIT $2"
    )))
    .bind(now_ms)
    .bind(limit)
    .fetch_all(readers)
    .await?)
}

/// Counts a try and has the next one come later; says whether it was still waiting.
pub async fn try_one(tx: &mut Tx, waiting: &WaitingRow, next_ms: i64) -> Result<bool, StoreError> {
    let tried = sqlx::query(sqlx::AssertSqlSafe(format!(
        "UPDATE compacting AS w SET tries = tries + 1, due_ms = $3
         WHERE session_id = $1 AND tries = $2 AND {IS_QUIET}"
    )))
    .bind(waiting.session_id)
    .bind(waiting.tries)
    .bind(next_ms)
    .execute(tx.connection())
    .await?;
    Ok(tried.rows_affected() == 1)
}

/// Has it come later.
pub async fn postpone(tx: &mut Tx, session: SessionId, due_ms: i64) -> Result<(), StoreError> {
    sqlx::query("UPDATE compacting SET due_ms = $2 WHERE session_id = $1")
        .bind(session)
        .bind(due_ms)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Ends the waiting of a session; says whether it still waited.
pub async fn close(tx: &mut Tx, session: SessionId) -> Result<bool, StoreError> {
    let closed = sqlx::query("DELETE FROM compacting WHERE session_id = $1")
        .bind(session)
        .execute(tx.connection())
        .await?;
    Ok(closed.rows_affected() == 1)
}

/// Returns what stands for the older turns of a session in the history of a turn that began when so
/// many had ended.
pub async fn newest(
    readers: &Readers,
    session: SessionId,
    since_seq: i64,
    cursor: i64,
) -> Result<Option<CompactionRow>, StoreError> {
    Ok(sqlx::query_as(
        "SELECT id, until_seq, text, taint, turns FROM compactions
         WHERE session_id = $1 AND until_seq > $2 AND at_seq <= $3 ORDER BY id DESC LIMIT 1",
    )
    .bind(session)
    .bind(since_seq)
    .bind(cursor)
    .fetch_optional(readers)
    .await?)
}

/// Returns whether some of the turns that a compaction was made from acted for somebody else.
pub async fn has_turns_of_others(
    readers: &Readers,
    row: &CompactionRow,
    user: UserId,
) -> Result<bool, StoreError> {
    Ok(sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM turns
                        WHERE id IN (SELECT value FROM json_each($1)) AND user_id <> $2)",
    )
    .bind(&row.turns)
    .bind(user)
    .fetch_one(readers)
    .await?)
}

/// Returns how many turns of a session no compaction stands for yet.
pub async fn uncovered(tx: &mut Tx, session: SessionId) -> Result<i64, StoreError> {
    Ok(sqlx::query_scalar(
        "SELECT count(*) FROM turns t JOIN sessions s ON s.id = t.session_id
         WHERE s.id = $1 AND t.ended_seq > s.since_seq AND t.ended_seq >
             coalesce((SELECT max(until_seq) FROM compactions c WHERE c.session_id = s.id), 0)",
    )
    .bind(session)
    .fetch_one(tx.connection())
    .await?)
}

/// Adds a compaction in the place of those before it, if they are still as they were when it was made:
/// the newest was `follows`, the session has not begun anew, and nothing was erased or forgotten of its
/// turns. Says whether it did.
pub async fn add(
    tx: &mut Tx,
    new: &NewCompaction,
    follows: Option<i64>,
) -> Result<bool, StoreError> {
    let turns = serde_json::to_string(&new.turns)?;
    let is_valid: bool = sqlx::query_scalar(
        "SELECT (SELECT since_seq FROM sessions WHERE id = $1) < $2
            AND (SELECT max(c.id) FROM compactions c JOIN sessions s ON s.id = c.session_id
                 WHERE s.id = $1 AND c.until_seq > s.since_seq) IS $3
            AND (SELECT count(*) FROM turns WHERE forgotten = 0
                 AND id IN (SELECT value FROM json_each($4))) = json_array_length($4)",
    )
    .bind(new.session)
    .bind(new.until_seq)
    .bind(follows)
    .bind(&turns)
    .fetch_one(tx.connection())
    .await?;
    if !is_valid {
        return Ok(false);
    }
    sqlx::query("INSERT INTO compactions VALUES ($1, $2, $3, $4, $5, $6, $7)")
        .bind(new_id())
        .bind(new.session)
        .bind(new.until_seq)
        .bind(new.at_seq)
        .bind(&new.text)
        .bind(&new.taint)
        .bind(&turns)
        .execute(tx.connection())
        .await?;
    // A parked turn keeps the beginning that it had, which is the one before this one.
    sqlx::query(
        "DELETE FROM compactions WHERE session_id = $1 AND (id < $2
             OR until_seq <= (SELECT since_seq FROM sessions WHERE id = $1))",
    )
    .bind(new.session)
    .bind(follows.unwrap_or_default())
    .execute(tx.connection())
    .await?;
    Ok(true)
}

/// Deletes the compactions that hold something of these turns.
pub async fn drop_of_turns(tx: &mut Tx, turns: &[TurnId]) -> Result<(), StoreError> {
    sqlx::query(
        "DELETE FROM compactions WHERE session_id IN
             (SELECT session_id FROM turns WHERE id IN (SELECT value FROM json_each($1)))",
    )
    .bind(serde_json::to_string(turns)?)
    .execute(tx.connection())
    .await?;
    Ok(())
}
