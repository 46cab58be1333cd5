//! The rows of `processes`: commands that keep running in the background when their call is over.
//!
//! What they ran is kept for people while they run, and not any longer.

use sayso_core::transcript::{CallId, SessionId, TurnId, UserId};
use serde::Deserialize;

use crate::of_person;
use crate::sql;
use crate::sql::query;
use crate::{Readers, StoreError, Tx, new_id, now_ms};

/// A process that runs.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ProcessRow {
    /// Its name.
    pub id: i64,
    /// The turn that started it.
    pub turn_id: TurnId,
    /// What runs.
    pub command: String,
    /// Since when.
    pub started_ms: i64,
    /// When it is ended at the latest.
    pub until_ms: i64,
}

/// A process to be started.
#[derive(Debug, Clone)]
pub struct NewProcessRow {
    /// The turn that starts it.
    pub turn: TurnId,
    /// The call that does.
    pub call: CallId,
    /// The conversation.
    pub session: SessionId,
    /// Whose it is.
    pub user: UserId,
    /// What runs.
    pub command: String,
    /// When it is ended at the latest.
    pub until_ms: i64,
}

/// Where the end of a process is said, and in which language.
#[derive(Debug, Clone, Deserialize)]
pub struct Told {
    /// The address, as JSON.
    pub address: String,
    /// The language of its person, or of the chat.
    pub language: String,
}

/// Notes a process that is about to start, and returns its name.
pub async fn begin(tx: &mut Tx, new: &NewProcessRow) -> Result<i64, StoreError> {
    let id = new_id();
    query(sql!("INSERT INTO processes (id, turn_id, call_id, session_id, user_id, command, started_ms, until_ms)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)"))
    .bind(id)
    .bind(new.turn)
    .bind(&new.call.0)
    .bind(new.session)
    .bind(new.user)
    .bind(&new.command)
    .bind(now_ms())
    .bind(new.until_ms)
    .execute(tx.connection())
    .await?;
    Ok(id)
}

/// Notes how a process ended, once; returns whether this call did it.
pub async fn end(tx: &mut Tx, id: i64, ended: &str) -> Result<bool, StoreError> {
    let done = query(sql!(
        "UPDATE processes SET ended_ms = $2, ended = $3, command = ''
         WHERE id = $1 AND ended_ms IS NULL"
    ))
    .bind(id)
    .bind(now_ms())
    .bind(ended)
    .execute(tx.connection())
    .await?;
    Ok(done == 1)
}

/// Returns where the end of a process is said; `None` when its turn is gone.
pub async fn told_at(tx: &mut Tx, id: i64) -> Result<Option<Told>, StoreError> {
    query(sql!("SELECT t.address, coalesce((SELECT language FROM users WHERE id = t.user_id), c.language) AS language
         FROM processes p
         JOIN turns t ON t.id = p.turn_id
         JOIN sessions s ON s.id = p.session_id
         JOIN chats c ON c.id = s.chat_id
         WHERE p.id = $1"))
    .bind(id)
    .fetch_optional(tx.connection())
    .await
}

/// Returns all processes that have no end, oldest first.
pub async fn unended(tx: &mut Tx) -> Result<Vec<ProcessRow>, StoreError> {
    query(sql!(
        "SELECT id, turn_id, command, started_ms, until_ms FROM processes
         WHERE ended_ms IS NULL ORDER BY id"
    ))
    .fetch_all(tx.connection())
    .await
}

/// Returns what runs in a session, oldest first.
pub async fn running_in(tx: &mut Tx, session: SessionId) -> Result<Vec<ProcessRow>, StoreError> {
    query(sql!(
        "SELECT id, turn_id, command, started_ms, until_ms FROM processes
         WHERE session_id = $1 AND ended_ms IS NULL ORDER BY id"
    ))
    .bind(session)
    .fetch_all(tx.connection())
    .await
}

/// Wants everything stopped that runs in a session, or what runs there for one user. Returns how
/// many that are.
pub async fn want_stopped(
    tx: &mut Tx,
    session: SessionId,
    only_of: Option<UserId>,
) -> Result<u64, StoreError> {
    let wanted = query(sql!(
        "UPDATE processes SET stop_ms = $3
         WHERE session_id = $1 AND ($2 IS NULL OR user_id = $2)
           AND ended_ms IS NULL AND stop_ms IS NULL"
    ))
    .bind(session)
    .bind(only_of)
    .bind(now_ms())
    .execute(tx.connection())
    .await?;
    Ok(wanted)
}

/// Returns the names of those whose stop was requested.
pub async fn to_stop(readers: &Readers) -> Result<Vec<i64>, StoreError> {
    query(sql!(
        "SELECT id FROM processes WHERE ended_ms IS NULL AND stop_ms IS NOT NULL"
    ))
    .fetch_all(readers)
    .await
}

/// Returns how the process of a call ended, as JSON; the inner `None` is one that has not. Without
/// one of this user in this session there is none.
pub async fn end_of(
    readers: &Readers,
    session: SessionId,
    user: UserId,
    turn: TurnId,
    call: &CallId,
) -> Result<Option<Option<String>>, StoreError> {
    query(sql!(
        "SELECT ended FROM processes
         WHERE session_id = $1 AND user_id = $2 AND turn_id = $3 AND call_id = $4"
    ))
    .bind(session)
    .bind(user)
    .bind(turn)
    .bind(&call.0)
    .fetch_optional(readers)
    .await
}

/// Returns the processes of a user that ended in a session since the last notice to a turn, by turn and
/// call, each with its end as JSON. From now on they count as told.
pub async fn take_untold(
    tx: &mut Tx,
    session: SessionId,
    user: UserId,
) -> Result<Vec<(TurnId, String, String)>, StoreError> {
    let mut untold: Vec<(TurnId, String, String)> = query(sql!(
        "UPDATE processes SET told = TRUE
         WHERE session_id = $1 AND user_id = $2 AND ended_ms IS NOT NULL AND told = FALSE
         RETURNING turn_id, call_id, coalesce(ended, '')"
    ))
    .bind(session)
    .bind(user)
    .fetch_all(tx.connection())
    .await?;
    untold.sort_by_key(|(turn, ..)| turn.0);
    Ok(untold)
}

/// Counts the end of a process as told.
pub async fn note_told(tx: &mut Tx, turn: TurnId, call: &CallId) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE processes SET told = TRUE WHERE turn_id = $1 AND call_id = $2 AND ended_ms IS NOT NULL"
    ))
    .bind(turn)
    .bind(&call.0)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Erases a person (`of_person`): their background processes.
pub(crate) async fn erase(tx: &mut Tx, users: &str) -> Result<(), StoreError> {
    of_person::run(
        tx,
        users,
        [sql!(
            "DELETE FROM processes WHERE user_id IN (SELECT value FROM json_each($1))"
        )],
    )
    .await
}
