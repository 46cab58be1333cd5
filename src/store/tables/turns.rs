//! Turns and their journals.

use sayso_core::transcript::{Entry, Role, SessionId, TurnId, UserId};
use serde::Deserialize;

use crate::history;
use crate::of_person;
use crate::people::USERS_OF_PERSON;
use crate::sql;
use crate::sql::{Statement, named, parsed, query};
use crate::{Readers, StoreError, Tx, now_ms};

named! {
    /// How far a turn is.
    pub enum TurnStatus {
        /// It is worked on.
        Running = "running",
        /// It waits for a person.
        Parked = "parked",
        /// It is over.
        Ended = "ended",
    }
}

/// A turn.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct TurnRow {
    /// Names the turn.
    pub id: TurnId,
    /// The session that it belongs to.
    pub session_id: SessionId,
    /// The user that it acts for.
    pub user_id: UserId,
    /// Where its answer goes, as JSON.
    pub address: String,
    /// The message that it answers.
    pub reply_to: Option<String>,
    /// How it is named to people.
    pub request: String,
    /// What the one who asked for it may do.
    #[serde(deserialize_with = "parsed")]
    pub role: Role,
    /// The level that it began at: it never goes on at a higher one.
    pub autonomy: String,
    /// How far it is.
    pub state: TurnStatus,
    /// How often it was started after a crash.
    pub resumes: i64,
    /// Whether a shutdown left it in good order.
    pub handed_over: bool,
    /// Who wants it stopped.
    pub stop_by: Option<UserId>,
    /// When it began.
    pub started_ms: i64,
    /// For how long it has worked, without the times in which it waited, in milliseconds.
    pub worked_ms: i64,
    /// The project that it works in from its beginning to its end, also when its session has
    /// another by then.
    pub project: Option<String>,
}

/// An entry names its own kind; `key` is its position in the list.
const APPEND: &str = "
    INSERT INTO journal (turn_id, seq, kind, body, at_ms)
    SELECT $1, $2 + entry.key, entry.value ->> 'entry', entry.value, $4 FROM json_each($3) AS entry
    WHERE $2 = (SELECT coalesce(max(seq) + 1, 0) FROM journal WHERE turn_id = $1)
      AND ($5 IS NULL OR $5 = (SELECT s.lease_fence FROM turns t JOIN sessions s ON s.id = t.session_id
                               WHERE t.id = $1))";

/// What tells what the tools of these turns gave, and what was in view beside it.
pub(crate) const RESULTS: &str = "
    SELECT turn_id, '[' || group_concat(body, ',' ORDER BY seq) || ']' FROM journal
    WHERE turn_id IN (SELECT value FROM json_each($1))
      AND kind IN ('started', 'heard', 'fetched', 'replied', 'issued', 'returned')
    GROUP BY turn_id ORDER BY turn_id";
pub(crate) const FORGOTTEN_AMONG: &str =
    "SELECT id FROM turns WHERE id IN (SELECT value FROM json_each($1)) AND forgotten = TRUE";
pub(crate) const BETWEEN: &str =
    "SELECT count(*) FROM turns WHERE session_id = $1 AND ended_seq > $2 AND ended_seq <= $3";
pub(crate) const SPEAKERS: &str = "
    SELECT user_id, min(started_ms) FROM turns
    WHERE id IN (SELECT value FROM json_each($1)) GROUP BY user_id";

/// Adds a turn, running.
pub async fn insert(tx: &mut Tx, turn: &TurnRow) -> Result<(), StoreError> {
    query(sql!(
        "INSERT INTO turns (id, session_id, user_id, address, reply_to, request, role, autonomy,
                            state, started_ms, project)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'running', $9, $10)"
    ))
    .bind(turn.id)
    .bind(turn.session_id)
    .bind(turn.user_id)
    .bind(&turn.address)
    .bind(&turn.reply_to)
    .bind(&turn.request)
    .bind(turn.role.as_str())
    .bind(&turn.autonomy)
    .bind(turn.started_ms)
    .bind(&turn.project)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns the turns of a session that have not ended, oldest first.
pub async fn open_turns(tx: &mut Tx, session: SessionId) -> Result<Vec<TurnRow>, StoreError> {
    query(sql!(
        "SELECT id, session_id, user_id, address, reply_to, request, role, autonomy, state,
                resumes, handed_over, stop_by, started_ms, worked_ms, project
         FROM turns WHERE session_id = $1 AND state <> 'ended' ORDER BY id"
    ))
    .bind(session)
    .fetch_all(tx.connection())
    .await
}

/// What must be known before a turn is continued.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct GuardRow {
    holds: bool,
    /// Who wants it stopped.
    pub stop_by: Option<UserId>,
    /// Whether it has open cards.
    pub has_cards: bool,
}

/// Fails with [`StoreError::Fenced`] unless `fence` is the newest of the turn's session.
pub async fn guard(tx: &mut Tx, id: TurnId, fence: i64) -> Result<GuardRow, StoreError> {
    let row: GuardRow = query(sql!(
        "SELECT s.lease_fence = $2 AS holds, t.stop_by,
                EXISTS (SELECT 1 FROM cards WHERE turn_id = $1 AND state = 'open') AS has_cards
         FROM turns t JOIN sessions s ON s.id = t.session_id WHERE t.id = $1"
    ))
    .bind(id)
    .bind(fence)
    .fetch_one(tx.connection())
    .await?;
    if row.holds {
        Ok(row)
    } else {
        Err(StoreError::Fenced)
    }
}

/// Returns a turn.
pub async fn turn(tx: &mut Tx, id: TurnId) -> Result<TurnRow, StoreError> {
    query(sql!(
        "SELECT id, session_id, user_id, address, reply_to, request, role, autonomy, state,
                resumes, handed_over, stop_by, started_ms, worked_ms, project
         FROM turns WHERE id = $1"
    ))
    .bind(id)
    .fetch_one(tx.connection())
    .await
}

/// Returns whether an owner asked for something in this session before.
pub async fn owner_has_spoken(tx: &mut Tx, session: SessionId) -> Result<bool, StoreError> {
    query(sql!(
        "SELECT EXISTS (SELECT 1 FROM turns
                        WHERE session_id = $1 AND ended_seq IS NOT NULL AND role = 'owner')"
    ))
    .bind(session)
    .fetch_one(tx.connection())
    .await
}

/// Changes whether a turn runs or waits.
pub async fn set_state(tx: &mut Tx, id: TurnId, state: TurnStatus) -> Result<(), StoreError> {
    query(sql!("UPDATE turns SET state = $2 WHERE id = $1"))
        .bind(id)
        .bind(state)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Counts a start of a turn that another run left unfinished, unless it was suspended properly;
/// returns the number of starts after a crash.
pub async fn count_resume(tx: &mut Tx, id: TurnId) -> Result<i64, StoreError> {
    query(sql!(
        "UPDATE turns SET resumes = resumes + CASE WHEN handed_over THEN 0 ELSE 1 END, handed_over = FALSE WHERE id = $1
         RETURNING resumes"
    ))
    .bind(id)
    .fetch_one(tx.connection())
    .await
}

/// Counts that the running turn of a session ended in a panic, as a crash.
pub async fn count_panic(tx: &mut Tx, session: SessionId) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE turns SET resumes = resumes + 1
         WHERE session_id = $1 AND state <> 'ended' AND state = 'running'"
    ))
    .bind(session)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Notes that a turn is left in good order: its next start is not one after a crash.
pub async fn hand_over(tx: &mut Tx, id: TurnId) -> Result<(), StoreError> {
    query(sql!("UPDATE turns SET handed_over = TRUE WHERE id = $1"))
        .bind(id)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Notes that a turn has worked for this much longer.
pub async fn add_worked(tx: &mut Tx, id: TurnId, worked_ms: i64) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE turns SET worked_ms = worked_ms + $2 WHERE id = $1"
    ))
    .bind(id)
    .bind(worked_ms)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns whether a session has a running turn that is not to be stopped.
pub async fn one_runs_on(tx: &mut Tx, session: SessionId) -> Result<bool, StoreError> {
    query(sql!(
        "SELECT EXISTS (SELECT 1 FROM turns WHERE session_id = $1 AND state <> 'ended'
                        AND state = 'running' AND stop_by IS NULL)"
    ))
    .bind(session)
    .fetch_one(tx.connection())
    .await
}

/// Returns the turn of a user that runs in a session.
pub async fn running_of(
    tx: &mut Tx,
    session: SessionId,
    user: UserId,
) -> Result<Option<TurnId>, StoreError> {
    query(sql!(
        "SELECT id FROM turns
         WHERE session_id = $1 AND state <> 'ended' AND state = 'running' AND user_id = $2
           AND stop_by IS NULL
         ORDER BY id LIMIT 1"
    ))
    .bind(session)
    .bind(user)
    .fetch_optional(tx.connection())
    .await
}

/// Returns the turns whose stop was requested and that have not ended.
pub async fn to_stop(readers: &Readers) -> Result<Vec<(SessionId, UserId, TurnId)>, StoreError> {
    query(sql!(
        "SELECT session_id, user_id, id FROM turns WHERE state <> 'ended' AND stop_by IS NOT NULL"
    ))
    .fetch_all(readers)
    .await
}

/// How many of the latest turns of a session say whose turn it is.
const LATEST: i64 = 64;

/// Returns the users of the latest turns of a session, newest first. Turns that are in no history
/// do not count.
pub async fn latest_users(tx: &mut Tx, session: SessionId) -> Result<Vec<UserId>, StoreError> {
    query(sql!(
        "SELECT user_id FROM turns WHERE session_id = $1 AND ended_seq IS NOT NULL
         ORDER BY ended_seq DESC LIMIT $2"
    ))
    .bind(session)
    .bind(LATEST)
    .fetch_all(tx.connection())
    .await
}

/// Notes that something which was said in these turns is forgotten.
pub async fn note_forgotten(tx: &mut Tx, turns: &[TurnId]) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE turns SET forgotten = TRUE WHERE id IN (SELECT value FROM json_each($1))"
    ))
    .bind(serde_json::to_string(turns)?)
    .execute(tx.connection())
    .await?;
    for statement in FILES_OF_THEN {
        query(statement)
            .bind(serde_json::to_string(turns)?)
            .execute(tx.connection())
            .await?;
    }
    Ok(())
}

/// What was forgotten may stand in the files of then.
const FILES_OF_THEN: [Statement; 2] = [
    sql!("DELETE FROM file_changes WHERE turn_id IN (SELECT value FROM json_each($1))"),
    sql!(
        "DELETE FROM undone_files WHERE undo_id IN
         (SELECT id FROM undos WHERE turn_id IN (SELECT value FROM json_each($1)))"
    ),
];

/// Returns whether something which was said in a turn is forgotten.
pub async fn is_forgotten(tx: &mut Tx, turn: TurnId) -> Result<bool, StoreError> {
    let forgotten: Option<bool> = query(sql!("SELECT forgotten FROM turns WHERE id = $1"))
        .bind(turn)
        .fetch_optional(tx.connection())
        .await?;
    Ok(forgotten.unwrap_or_default())
}

/// Appends entries behind `next_seq - 1` and returns the next free place.
pub async fn append(
    tx: &mut Tx,
    turn: TurnId,
    next_seq: i64,
    entries: &[Entry],
) -> Result<i64, StoreError> {
    if !entries.is_empty() && !try_append(tx, turn, None, next_seq, entries).await? {
        return Err(not_behind(turn, next_seq));
    }
    Ok(next_seq + entries.len() as i64)
}

/// Appends an entry behind `seq - 1` on behalf of the holder of the lease with this fence.
///
/// # Errors
/// Fails with [`StoreError::Fenced`] when the fence is not the newest of the session.
pub async fn append_under(
    tx: &mut Tx,
    turn: TurnId,
    fence: i64,
    seq: i64,
    entry: &Entry,
) -> Result<(), StoreError> {
    let entries = std::slice::from_ref(entry);
    if !try_append(tx, turn, Some(fence), seq, entries).await? {
        guard(tx, turn, fence).await?;
        return Err(not_behind(turn, seq));
    }
    Ok(())
}

/// Appends entries, all or none; returns whether it did. With a fence, only the holder of the lease
/// can append.
async fn try_append(
    tx: &mut Tx,
    turn: TurnId,
    fence: Option<i64>,
    seq: i64,
    entries: &[Entry],
) -> Result<bool, StoreError> {
    let appended = query(sql!(sqlite: APPEND))
        .bind(turn)
        .bind(seq)
        .bind(serde_json::to_string(entries)?)
        .bind(now_ms())
        .bind(fence)
        .execute(tx.connection())
        .await?;
    Ok(appended == entries.len() as u64)
}

/// An earlier entry was not written; continuing would leave a gap in the journal.
fn not_behind(turn: TurnId, seq: i64) -> StoreError {
    StoreError::Broken(format!(
        "journal of turn {turn} does not end right before {seq}"
    ))
}

/// Appends entries to the journal of a turn that has ended: results that arrived later.
pub async fn append_behind(tx: &mut Tx, turn: TurnId, entries: &[Entry]) -> Result<(), StoreError> {
    let next_seq: Option<i64> = query(sql!("SELECT max(seq) + 1 FROM journal WHERE turn_id = $1"))
        .bind(turn)
        .fetch_one(tx.connection())
        .await?;
    if let Some(next_seq) = next_seq {
        if entries.iter().any(history::is_of_history) {
            tx.outdates_caches();
        }
        append(tx, turn, next_seq, entries).await?;
    }
    Ok(())
}

/// Returns whom a turn acts for; `None` where there is no such turn any more.
pub async fn user_of(tx: &mut Tx, turn: TurnId) -> Result<Option<UserId>, StoreError> {
    query(sql!("SELECT user_id FROM turns WHERE id = $1"))
        .bind(turn)
        .fetch_optional(tx.connection())
        .await
}

/// Returns the journal of a turn.
pub async fn entries(tx: &mut Tx, turn: TurnId) -> Result<Vec<Entry>, StoreError> {
    let bodies: Vec<String> = query(sql!(
        "SELECT body FROM journal WHERE turn_id = $1 ORDER BY seq"
    ))
    .bind(turn)
    .fetch_all(tx.connection())
    .await?;
    bodies
        .iter()
        .map(|body| Ok(serde_json::from_str(body)?))
        .collect()
}

/// Returns what the tools of a session's turns gave, of one person since it last began anew and
/// without what they want forgotten: what was heard, the calls and the results of one turn, or of
/// the newest `limit`, oldest first.
pub async fn results(
    readers: &Readers,
    session: SessionId,
    user: UserId,
    only: Option<TurnId>,
    limit: i64,
) -> Result<Vec<(TurnId, Vec<Entry>)>, StoreError> {
    let turns = match only {
        Some(_) => WITH_RESULT,
        None => WITH_RESULTS,
    };
    let turns: Vec<TurnId> = query(turns)
        .bind(user)
        .bind(session)
        .bind(only)
        .bind(limit)
        .fetch_all(readers)
        .await?;
    let journals: Vec<(TurnId, String)> = query(sql!(RESULTS))
        .bind(serde_json::to_string(&turns)?)
        .fetch_all(readers)
        .await?;
    journals
        .iter()
        .map(|(turn, entries)| Ok((*turn, serde_json::from_str(entries)?)))
        .collect()
}

/// A turn is in the history of its session or has not ended, and each of the two has an index.
pub(crate) const WITH_RESULTS: Statement = sql!(
    "SELECT id FROM (
             SELECT id FROM turns WHERE session_id = $2 AND state <> 'ended'
                AND user_id IN (",
    USERS_OF_PERSON,
    ") AND forgotten = FALSE
             UNION ALL SELECT id FROM (
                 SELECT id FROM turns WHERE session_id = $2
                    AND ended_seq > (SELECT since_seq FROM sessions WHERE id = $2)
                    AND user_id IN (",
    USERS_OF_PERSON,
    ") AND forgotten = FALSE
                 ORDER BY ended_seq DESC LIMIT $4) AS ended) AS known
         WHERE $3 IS NULL ORDER BY id DESC LIMIT $4"
);

pub(crate) const WITH_RESULT: Statement = sql!(
    "SELECT t.id FROM turns t JOIN sessions s ON s.id = t.session_id
         WHERE t.id = $3 AND t.session_id = $2 AND t.user_id IN (",
    USERS_OF_PERSON,
    ")
           AND t.forgotten = FALSE AND (t.state <> 'ended' OR t.ended_seq > s.since_seq) LIMIT $4"
);

/// Returns the place of an ended turn in its session's history.
pub async fn place_of(readers: &Readers, turn: TurnId) -> Result<Option<i64>, StoreError> {
    let place: Option<Option<i64>> = query(sql!("SELECT ended_seq FROM turns WHERE id = $1"))
        .bind(turn)
        .fetch_optional(readers)
        .await?;
    Ok(place.flatten())
}

/// Returns those of these turns of which something is forgotten.
pub async fn forgotten_among(
    readers: &Readers,
    turns: &[TurnId],
) -> Result<Vec<TurnId>, StoreError> {
    query(sql!(FORGOTTEN_AMONG))
        .bind(serde_json::to_string(turns)?)
        .fetch_all(readers)
        .await
}

/// Returns how many ended turns of a session have places in `(since, until]`.
pub async fn count_between(
    readers: &Readers,
    session: SessionId,
    since: i64,
    until: i64,
) -> Result<usize, StoreError> {
    let turns: i64 = query(sql!(BETWEEN))
        .bind(session)
        .bind(since)
        .bind(until)
        .fetch_one(readers)
        .await?;
    Ok(usize::try_from(turns).unwrap_or_default())
}

/// Returns the users that these turns acted for, each with when the first of theirs began.
pub async fn speakers(tx: &mut Tx, turns: &[TurnId]) -> Result<Vec<(UserId, i64)>, StoreError> {
    query(sql!(SPEAKERS))
        .bind(serde_json::to_string(turns)?)
        .fetch_all(tx.connection())
        .await
}

/// Erases a person (`of_person`): their turns, journals and all.
pub(crate) async fn erase(tx: &mut Tx, users: &str) -> Result<(), StoreError> {
    let statements = [
        sql!(
            "DELETE FROM journal WHERE turn_id IN
             (SELECT id FROM turns WHERE user_id IN (SELECT value FROM json_each($1)))"
        ),
        sql!("DELETE FROM turns WHERE user_id IN (SELECT value FROM json_each($1))"),
    ];
    of_person::run(tx, users, statements).await
}
