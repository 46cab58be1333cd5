//! The rows of `routine_events`: what has happened that starts a routine. An event is a row once by its
//! key, and waits until a run takes it.

use sayso_core::transcript::{ChatId, RoutineId, RunId, TurnId};
use serde::Deserialize;

use crate::sql;
use crate::sql::{Statement, query};
use crate::{Readers, StoreError, Tx, new_id};

/// What occurrences begin with that events started.
pub const OCCURRENCE: &str = "event:";

/// Something that has happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEvent {
    /// The routine that it starts.
    pub routine: RoutineId,
    /// What makes it one: a delivery, a message, a form of a file.
    pub key: String,
    /// When it happened, in milliseconds since 1970.
    pub at_ms: i64,
    /// What its run reads of it.
    pub text: String,
}

/// The row of something that has happened.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct EventRow {
    /// Its number.
    pub id: i64,
    /// When it happened.
    pub at_ms: i64,
    /// What its run reads of it.
    pub text: String,
}

/// The events of a routine that no run has taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct WaitingEvents {
    /// How many there are.
    pub count: i64,
    /// The number of the oldest; `None`: there is none.
    pub first: Option<i64>,
    /// When the oldest happened.
    pub since_ms: Option<i64>,
    /// When the newest happened.
    pub until_ms: Option<i64>,
}

pub(crate) const WAITING: Statement = sql!(
    "SELECT count(*) AS count, min(id) AS first, min(at_ms) AS since_ms, max(at_ms) AS until_ms
     FROM routine_events WHERE routine_id = $1 AND run_id IS NULL"
);
pub(crate) const OF_RUN: Statement = sql!(
    "SELECT id, at_ms, text FROM routine_events WHERE run_id = $1 ORDER BY run_id, id LIMIT $2"
);

/// Writes an event down, once; returns whether it is new.
pub async fn add(tx: &mut Tx, new: &NewEvent) -> Result<bool, StoreError> {
    let added = query(sql!(
        "INSERT INTO routine_events (id, routine_id, key, at_ms, text) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (routine_id, key) DO NOTHING"
    ))
    .bind(new_id())
    .bind(new.routine)
    .bind(&new.key)
    .bind(new.at_ms)
    .bind(&new.text)
    .execute(tx.connection())
    .await?;
    Ok(added == 1)
}

/// Returns whether there is an event of this key.
pub async fn is_known(tx: &mut Tx, routine: RoutineId, key: &str) -> Result<bool, StoreError> {
    query(sql!(
        "SELECT EXISTS (SELECT 1 FROM routine_events WHERE routine_id = $1 AND key = $2)"
    ))
    .bind(routine)
    .bind(key)
    .fetch_one(tx.connection())
    .await
}

/// Returns what waits for a routine.
pub async fn waiting(tx: &mut Tx, routine: RoutineId) -> Result<WaitingEvents, StoreError> {
    query(WAITING)
        .bind(routine)
        .fetch_one(tx.connection())
        .await
}

/// Gives all events of a routine that wait to a run.
pub async fn take(tx: &mut Tx, routine: RoutineId, run: RunId) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE routine_events SET run_id = $2 WHERE routine_id = $1 AND run_id IS NULL"
    ))
    .bind(routine)
    .bind(run)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns the events that a run took, the oldest first, at most some `most`.
pub async fn of_run(tx: &mut Tx, run: RunId, most: i64) -> Result<Vec<EventRow>, StoreError> {
    query(OF_RUN)
        .bind(run)
        .bind(most)
        .fetch_all(tx.connection())
        .await
}

/// Forgets what the events of a run said: it is over. Their keys stay, so that none starts another run.
pub(crate) async fn forget_texts(tx: &mut Tx, run: RunId) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE routine_events SET text = '' WHERE run_id = $1"
    ))
    .bind(run)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Has the events of a routine start a run at a time, unless they do earlier.
pub async fn start_at(tx: &mut Tx, routine: RoutineId, at_ms: i64) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE routines SET next_ms = min(coalesce(next_ms, $2), $2) WHERE id = $1"
    ))
    .bind(routine)
    .bind(at_ms)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Notes when events of a routine start a run next, and when they did last.
pub async fn advance(
    tx: &mut Tx,
    routine: RoutineId,
    next_ms: Option<i64>,
    ran_ms: Option<i64>,
) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE routines SET next_ms = $2, last_ms = coalesce($3, last_ms) WHERE id = $1"
    ))
    .bind(routine)
    .bind(next_ms)
    .bind(ran_ms)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns when the runs of a routine began that events started, since a time, the oldest first.
pub async fn began_since(
    tx: &mut Tx,
    routine: RoutineId,
    since_ms: i64,
) -> Result<Vec<i64>, StoreError> {
    query(sql!(
        "SELECT created_ms FROM routine_runs
         WHERE routine_id = $1 AND created_ms > $2 AND occurrence LIKE 'event:%'
         ORDER BY created_ms"
    ))
    .bind(routine)
    .bind(since_ms)
    .fetch_all(tx.connection())
    .await
}

/// Returns up to when changes of files were looked for, in milliseconds by the machine's clock; `None`
/// where it was never done since the routine was switched on.
pub async fn looked(readers: &Readers, routine: RoutineId) -> Result<Option<i64>, StoreError> {
    query(sql!("SELECT looked_ms FROM routines WHERE id = $1"))
        .bind(routine)
        .fetch_one(readers)
        .await
}

/// Notes up to when changes of files were looked for.
pub async fn set_looked(tx: &mut Tx, routine: RoutineId, looked_ms: i64) -> Result<(), StoreError> {
    query(sql!("UPDATE routines SET looked_ms = $2 WHERE id = $1"))
        .bind(routine)
        .bind(looked_ms)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Returns what was said in a group and not to Sayso, the newest first, as far as messages are kept:
/// also what a turn has read since.
pub async fn last_said_in(
    readers: &Readers,
    chat: ChatId,
    most: i64,
) -> Result<Vec<String>, StoreError> {
    query(sql!(
        "SELECT i.said FROM sessions s JOIN inbox i ON i.session_id = s.id
         WHERE s.chat_id = $1 AND i.state IN ('overheard', 'settled') AND i.untrusted
           AND i.said <> ''
         ORDER BY i.id DESC LIMIT $2"
    ))
    .bind(chat)
    .bind(most)
    .fetch_all(readers)
    .await
}

/// Returns what a person (`of_person`) said in groups that started routines, each as it stands in the
/// journal of the turn that read it (a quotation), and deletes the events.
pub(crate) async fn take_overheard(
    tx: &mut Tx,
    users: &str,
) -> Result<Vec<(Option<TurnId>, String)>, StoreError> {
    let events: Vec<(i64, Option<TurnId>, String)> = query(sql!(
        "SELECT e.id, r.turn_id, '> ' || replace(i.said, $2, $3)
         FROM senders s JOIN inbox i ON i.channel = s.channel AND i.sender = s.sender
         JOIN sessions se ON se.id = i.session_id
         JOIN routines o ON o.chat_id = se.chat_id AND o.source IS NOT NULL
         JOIN routine_events e ON e.routine_id = o.id AND e.key = 'message:' || i.message
         LEFT JOIN routine_runs r ON r.id = e.run_id
         WHERE s.user_id IN (SELECT value FROM json_each($1)) AND i.said <> ''"
    ))
    .bind(users)
    .bind("\n")
    .bind("\n> ")
    .fetch_all(tx.connection())
    .await?;
    let mut said = Vec::new();
    for (id, turn, words) in events {
        query(sql!("DELETE FROM routine_events WHERE id = $1"))
            .bind(id)
            .execute(tx.connection())
            .await?;
        said.push((turn, words));
    }
    Ok(said)
}

/// Deletes events from before a time that a run took, or whose routine is off, so that none will. Returns
/// how many.
pub async fn sweep(tx: &mut Tx, before_ms: i64) -> Result<u64, StoreError> {
    query(sql!(
        "DELETE FROM routine_events WHERE at_ms < $1
           AND (run_id IS NOT NULL
                OR routine_id IN (SELECT id FROM routines WHERE enabled = FALSE))"
    ))
    .bind(before_ms)
    .execute(tx.connection())
    .await
}
