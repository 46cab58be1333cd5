//! The rows of `routine_runs`, one for each occurrence of a routine, or one for several that were
//! missed in a row; and of `routine_told`, what a routine has reported.
//!
//! A routine has each occurrence once: that is what keeps it from running twice.

use sayso_core::transcript::{RoutineId, RunId, SessionId, TurnId, UserId};
use serde::Deserialize;

use crate::sql;
use crate::sql::{Statement, named, query};
use crate::{Readers, StoreError, Tx, new_id, now_ms, routine_events};

named! {
    /// What became of an occurrence.
    pub enum RunState {
        /// Its turn has not begun.
        Queued = "queued",
        /// Its turn works.
        Running = "running",
        /// Its turn waits for a person.
        Parked = "parked",
        /// It was said, or its turn reported.
        Done = "done",
        /// Its turn had nothing to report.
        Quiet = "quiet",
        /// Its turn failed.
        Failed = "failed",
        /// It came too late to be run.
        Missed = "missed",
        /// The run before it was not over.
        Overlapped = "overlapped",
        /// There was no budget for it.
        OverBudget = "over_budget",
        /// What it said could not be delivered.
        Undelivered = "undelivered",
    }
}

impl RunState {
    /// Returns whether something is still to become of it.
    pub fn is_open(self) -> bool {
        match self {
            Self::Queued | Self::Running | Self::Parked => true,
            Self::Done
            | Self::Quiet
            | Self::Failed
            | Self::Missed
            | Self::Overlapped
            | Self::OverBudget
            | Self::Undelivered => false,
        }
    }
}

/// An occurrence, or several that were missed in a row.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct RunRow {
    /// Its number.
    pub id: RunId,
    /// Of which routine.
    pub routine_id: RoutineId,
    /// What makes it one: its due time, or what else began it.
    pub occurrence: String,
    /// When it was due.
    pub due_ms: i64,
    /// What became of it.
    pub state: RunState,
    /// Which attempt it is, from 1.
    pub attempt: i64,
    /// How many occurrences it stands for.
    pub occurrences: i64,
    /// When the last of them was due.
    pub until_ms: Option<i64>,
    /// Its turn.
    pub turn_id: Option<TurnId>,
    /// Why it came to that, in words for its person.
    pub why: Option<String>,
    /// Whether the tool `report` said something in it.
    pub reported: bool,
    /// When the row was made.
    pub created_ms: i64,
    /// When it was over.
    pub ended_ms: Option<i64>,
}

/// An occurrence to write down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRun {
    /// Of which routine.
    pub routine: RoutineId,
    /// What makes it one.
    pub occurrence: String,
    /// When it was due.
    pub due_ms: i64,
    /// What becomes of it.
    pub state: RunState,
    /// How many occurrences it stands for.
    pub occurrences: i64,
    /// When the last of them was due.
    pub until_ms: Option<i64>,
    /// Whether its person needs no notice about it.
    pub told: bool,
}

const ROW: &str = "
    SELECT id, routine_id, occurrence, due_ms, state, attempt, occurrences, until_ms, turn_id, why,
           reported, created_ms, ended_ms
    FROM routine_runs";

pub(crate) const OPEN_OF: Statement = sql!(
    ROW,
    " WHERE routine_id = $1 AND state IN ('queued', 'running', 'parked') ORDER BY id LIMIT 1"
);
const NEWEST_OF: Statement = sql!(
    ROW,
    " WHERE routine_id = $1 ORDER BY due_ms DESC, id DESC LIMIT $2"
);
pub(crate) const OF_TURN: Statement = sql!(ROW, " WHERE turn_id = $1");

/// Writes an occurrence down, once; `None` where it was before.
pub async fn insert(tx: &mut Tx, new: &NewRun) -> Result<Option<RunId>, StoreError> {
    let id = RunId(new_id());
    let now = now_ms();
    let inserted = query(sql!(
        "INSERT INTO routine_runs (id, routine_id, occurrence, due_ms, state, occurrences, until_ms,
             created_ms, ended_ms, told)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
         ON CONFLICT (routine_id, occurrence) DO NOTHING"
    ))
    .bind(id)
    .bind(new.routine)
    .bind(&new.occurrence)
    .bind(new.due_ms)
    .bind(new.state)
    .bind(new.occurrences)
    .bind(new.until_ms)
    .bind(now)
    .bind((!new.state.is_open()).then_some(now))
    .bind(new.told)
    .execute(tx.connection())
    .await?;
    Ok((inserted == 1).then_some(id))
}

/// Returns an occurrence.
pub async fn run(tx: &mut Tx, id: RunId) -> Result<Option<RunRow>, StoreError> {
    query(sql!(ROW, " WHERE id = $1"))
        .bind(id)
        .fetch_optional(tx.connection())
        .await
}

/// An occurrence of which its person is to be informed, with what is said of its routine.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct UntoldRun {
    /// The occurrence.
    pub id: RunId,
    /// Its routine.
    pub routine_id: RoutineId,
    /// Whose it is.
    pub user_id: UserId,
    /// Where it reports, as JSON.
    pub address: String,
    /// What people call it.
    pub name: String,
    /// What is to be done.
    pub prompt: String,
    /// By whose clock.
    pub zone: String,
    /// Whether it is on.
    pub enabled: bool,
    /// What became of the occurrence.
    pub state: RunState,
    /// When it was due.
    pub due_ms: i64,
    /// When the last of them was, where it stands for several.
    pub until_ms: Option<i64>,
    /// For how many it stands.
    pub occurrences: i64,
    /// Why it came to that.
    pub why: Option<String>,
}

/// The condition of the index of what people are still to be informed of.
const UNTOLD: &str = "r.ended_ms IS NOT NULL AND r.told = FALSE AND r.state IN ('missed', 'failed', 'over_budget', 'undelivered')";

/// Returns the users who are still to be informed of anything.
pub async fn untold_users(readers: &Readers) -> Result<Vec<UserId>, StoreError> {
    query(sql!(
        "SELECT DISTINCT o.user_id FROM routine_runs r JOIN routines o ON o.id = r.routine_id
         WHERE ",
        UNTOLD,
        " ORDER BY o.user_id"
    ))
    .fetch_all(readers)
    .await
}

/// Returns occurrences of which a user is to be informed, in order of address and routine.
pub async fn untold(tx: &mut Tx, user: UserId, most: i64) -> Result<Vec<UntoldRun>, StoreError> {
    query(sql!(
        "SELECT r.id, r.routine_id, o.user_id, o.address, o.name, o.prompt, o.zone, o.enabled,
                r.state, r.due_ms, r.until_ms, r.occurrences, r.why
         FROM routine_runs r JOIN routines o ON o.id = r.routine_id
         WHERE ",
        UNTOLD,
        " AND o.user_id = $1 ORDER BY o.address, o.id, r.due_ms LIMIT $2"
    ))
    .bind(user)
    .bind(most)
    .fetch_all(tx.connection())
    .await
}

/// Returns the occurrence of a routine of which something is still to become.
pub async fn open_of(tx: &mut Tx, routine: RoutineId) -> Result<Option<RunRow>, StoreError> {
    query(OPEN_OF)
        .bind(routine)
        .fetch_optional(tx.connection())
        .await
}

/// Returns the occurrence that a turn runs.
pub async fn of_turn(tx: &mut Tx, turn: TurnId) -> Result<Option<RunRow>, StoreError> {
    query(OF_TURN)
        .bind(turn)
        .fetch_optional(tx.connection())
        .await
}

/// Returns the newest occurrences of a routine, the newest first.
pub async fn newest_of(
    readers: &Readers,
    routine: RoutineId,
    most: i64,
) -> Result<Vec<RunRow>, StoreError> {
    query(NEWEST_OF)
        .bind(routine)
        .bind(most)
        .fetch_all(readers)
        .await
}

/// Returns the same inside a transaction.
pub async fn newest_in(
    tx: &mut Tx,
    routine: RoutineId,
    most: i64,
) -> Result<Vec<RunRow>, StoreError> {
    query(NEWEST_OF)
        .bind(routine)
        .bind(most)
        .fetch_all(tx.connection())
        .await
}

/// Notes that the turn of an occurrence begins.
pub async fn begin(tx: &mut Tx, id: RunId, turn: TurnId) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE routine_runs SET state = 'running', turn_id = $2 WHERE id = $1"
    ))
    .bind(id)
    .bind(turn)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Notes whether the turn of an occurrence waits for a person.
pub async fn set_parked(tx: &mut Tx, turn: TurnId, is_parked: bool) -> Result<(), StoreError> {
    let state = if is_parked {
        RunState::Parked
    } else {
        RunState::Running
    };
    query(sql!(
        "UPDATE routine_runs SET state = $2
         WHERE turn_id = $1 AND state IN ('running', 'parked')"
    ))
    .bind(turn)
    .bind(state)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Notes that there is no budget for the turn of an occurrence, before it ends.
pub async fn set_over_budget(tx: &mut Tx, turn: TurnId) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE routine_runs SET state = 'over_budget'
         WHERE turn_id = $1 AND state = 'running'"
    ))
    .bind(turn)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Notes what became of an occurrence, and why, once.
pub async fn end(
    tx: &mut Tx,
    id: RunId,
    state: RunState,
    why: Option<&str>,
) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE routine_runs SET state = $2, why = $3, ended_ms = $4
         WHERE id = $1 AND ended_ms IS NULL"
    ))
    .bind(id)
    .bind(state)
    .bind(why)
    .bind(now_ms())
    .execute(tx.connection())
    .await?;
    routine_events::forget_texts(tx, id).await
}

/// Notes that a person is not to be informed of an occurrence any more.
pub async fn note_told(tx: &mut Tx, id: RunId) -> Result<(), StoreError> {
    query(sql!("UPDATE routine_runs SET told = TRUE WHERE id = $1"))
        .bind(id)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Notes that the tool `report` said something in an occurrence.
pub async fn note_reported(tx: &mut Tx, id: RunId) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE routine_runs SET reported = TRUE WHERE id = $1"
    ))
    .bind(id)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Puts an occurrence back in line for its next attempt.
pub async fn retry(tx: &mut Tx, id: RunId) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE routine_runs SET state = 'queued', turn_id = NULL, attempt = attempt + 1
         WHERE id = $1 AND ended_ms IS NULL"
    ))
    .bind(id)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// A run that reported into a chat since its last turn.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Reported {
    /// The run.
    pub id: RunId,
    /// Its turn.
    pub turn_id: TurnId,
    /// What people call its routine.
    pub name: String,
    /// What it is to do.
    pub prompt: String,
    /// When it was due.
    pub due_ms: i64,
    /// By whose clock.
    pub zone: String,
}

/// Returns the runs that reported into the chat of a session and of which no turn there knows, the
/// oldest first; from now on one does.
pub async fn take_untold(
    tx: &mut Tx,
    session: SessionId,
    most: i64,
) -> Result<Vec<Reported>, StoreError> {
    let found: Vec<Reported> = query(sql!(
        "SELECT r.id, r.turn_id, o.name, o.prompt, r.due_ms, o.zone FROM routines o
         JOIN routine_runs r ON r.routine_id = o.id
         WHERE o.session_id = $1 AND o.kind = 'turn' AND r.told = FALSE AND r.state = 'done'
           AND r.turn_id IS NOT NULL
         ORDER BY r.id DESC LIMIT $2"
    ))
    .bind(session)
    .bind(most)
    .fetch_all(tx.connection())
    .await?;
    query(sql!(
        "UPDATE routine_runs SET told = TRUE
         WHERE told = FALSE AND state = 'done'
           AND routine_id IN (SELECT id FROM routines WHERE session_id = $1 AND kind = 'turn')"
    ))
    .bind(session)
    .execute(tx.connection())
    .await?;
    Ok(found.into_iter().rev().collect())
}

/// Notes what a routine reports, and returns the keys that it has not reported since a time.
pub async fn tell(
    tx: &mut Tx,
    routine: RoutineId,
    keys: &[String],
    since_ms: i64,
) -> Result<Vec<String>, StoreError> {
    let mut fresh = Vec::new();
    for key in keys {
        let told: Option<i64> = query(sql!(
            "SELECT told_ms FROM routine_told WHERE routine_id = $1 AND key = $2 AND told_ms >= $3"
        ))
        .bind(routine)
        .bind(key)
        .bind(since_ms)
        .fetch_optional(tx.connection())
        .await?;
        if told.is_none() && !fresh.contains(key) {
            fresh.push(key.clone());
        }
        query(sql!(
            "INSERT INTO routine_told (routine_id, key, told_ms) VALUES ($1, $2, $3)
             ON CONFLICT (routine_id, key) DO UPDATE SET told_ms = excluded.told_ms"
        ))
        .bind(routine)
        .bind(key)
        .bind(now_ms())
        .execute(tx.connection())
        .await?;
    }
    Ok(fresh)
}

/// Deletes the keys of reports from before a time: they are news again. Returns how many.
pub async fn sweep_told(tx: &mut Tx, before_ms: i64) -> Result<u64, StoreError> {
    query(sql!("DELETE FROM routine_told WHERE told_ms < $1"))
        .bind(before_ms)
        .execute(tx.connection())
        .await
}

/// Deletes what is older than a time: runs that are over, and routines that have no occurrence any more
/// and no run. Returns how many rows went, at most some `most`.
pub async fn sweep(tx: &mut Tx, before_ms: i64, most: i64) -> Result<u64, StoreError> {
    let runs = query(sql!(
        "DELETE FROM routine_runs WHERE id IN
             (SELECT id FROM routine_runs WHERE ended_ms IS NOT NULL AND ended_ms < $1 LIMIT $2)"
    ))
    .bind(before_ms)
    .bind(most)
    .execute(tx.connection())
    .await?;
    let routines = query(sql!(
        "DELETE FROM routines WHERE next_ms IS NULL AND source IS NULL AND changed_ms < $1
           AND NOT EXISTS (SELECT 1 FROM routine_runs r WHERE r.routine_id = routines.id)"
    ))
    .bind(before_ms)
    .execute(tx.connection())
    .await?;
    Ok(runs + routines)
}

/// Returns how many occurrences are in each state, for the operator.
pub async fn counts(readers: &Readers) -> Result<Vec<(RunState, i64)>, StoreError> {
    query(sql!(
        "SELECT state, count(*) FROM routine_runs GROUP BY state ORDER BY state"
    ))
    .fetch_all(readers)
    .await
}
