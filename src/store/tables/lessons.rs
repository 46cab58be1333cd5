//! Lessons: users of sessions of whom something may be learned, the turns that it may be learned
//! from, and what was learned. A lesson is closed in the transaction that writes its result.

use sayso_core::ChatKind;
use sayso_core::transcript::{ChatId, Entry, SessionId, TurnId, UserId};
use serde::Deserialize;

use crate::of_person;
use crate::quiet::is_quiet;
use crate::sql;
use crate::sql::{Statement, parsed, query};
use crate::{Readers, StoreError, Tx};

/// Of whom something may be learned, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct LessonRow {
    /// The session.
    pub session_id: SessionId,
    /// The user.
    pub user_id: UserId,
    /// How often a model was asked about it.
    pub tries: i64,
}

/// A message of the user, in a turn that something may be learned from.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct SaidRow {
    /// The turn.
    pub turn_id: TurnId,
    /// The text.
    pub said: String,
    /// When it came.
    pub stored_ms: i64,
}

/// Where a lesson takes place.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct PlaceRow {
    /// The chat.
    pub chat_id: ChatId,
    /// Who may read and answer in it.
    #[serde(deserialize_with = "parsed")]
    pub kind: ChatKind,
    /// `en` or `zh-CN`.
    pub language: String,
    /// Where the newest of the turns was answered, as JSON.
    pub address: String,
    /// How people see the user.
    pub name: String,
}

/// Notes that something may be learned of a user from turns that have ended, not before a time
/// (milliseconds since 1970). A lesson that is open already comes up to `slack_ms` later, so that the
/// turns of a conversation need not move it each time.
pub async fn open(
    tx: &mut Tx,
    session: SessionId,
    user: UserId,
    due_ms: i64,
    slack_ms: i64,
) -> Result<(), StoreError> {
    query(sql!(
        "INSERT INTO lessons VALUES ($1, $2, $3, 0)
         ON CONFLICT (session_id, user_id) DO UPDATE SET due_ms = excluded.due_ms + $4, tries = 0"
    ))
    .bind(session)
    .bind(user)
    .bind(due_ms)
    .bind(slack_ms)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Has nothing be learned from these turns any more. What a model is being asked about them is not
/// written either.
pub async fn drop_turns(tx: &mut Tx, turns: &[TurnId]) -> Result<(), StoreError> {
    let dropped: Vec<(SessionId, UserId)> = query(sql!(
        "UPDATE turns SET to_learn = FALSE
         WHERE id IN (SELECT value FROM json_each($1)) AND to_learn = TRUE
         RETURNING session_id, user_id"
    ))
    .bind(serde_json::to_string(turns)?)
    .fetch_all(tx.connection())
    .await?;
    for (session, user) in dropped {
        delete_empty(tx, session, user).await?;
    }
    Ok(())
}

/// Deletes a lesson that no turn is left of.
async fn delete_empty(tx: &mut Tx, session: SessionId, user: UserId) -> Result<(), StoreError> {
    query(sql!(
        "DELETE FROM lessons WHERE session_id = $1 AND user_id = $2 AND NOT EXISTS
             (SELECT 1 FROM turns WHERE session_id = $1 AND user_id = $2 AND to_learn = TRUE)"
    ))
    .bind(session)
    .bind(user)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Has the lessons of a session come earlier.
pub async fn hurry(tx: &mut Tx, session: SessionId, due_ms: i64) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE lessons SET due_ms = min(due_ms, $2) WHERE session_id = $1"
    ))
    .bind(session)
    .bind(due_ms)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Has a lesson come later.
pub async fn postpone(tx: &mut Tx, lesson: &LessonRow, due_ms: i64) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE lessons SET due_ms = $3 WHERE session_id = $1 AND user_id = $2"
    ))
    .bind(lesson.session_id)
    .bind(lesson.user_id)
    .bind(due_ms)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns when the next lesson is due, if there is one.
pub async fn next_due(readers: &Readers) -> Result<Option<i64>, StoreError> {
    query(sql!("SELECT min(due_ms) FROM lessons"))
        .fetch_one(readers)
        .await
}

/// Returns the lessons that are due in sessions in which nothing goes on, at most `limit`.
pub async fn due(readers: &Readers, now_ms: i64, limit: i64) -> Result<Vec<LessonRow>, StoreError> {
    query(ARE_DUE)
        .bind(now_ms)
        .bind(limit)
        .fetch_all(readers)
        .await
}

pub(crate) const ARE_DUE: Statement = sql!(
    "SELECT session_id, user_id, tries FROM lessons l
         WHERE due_ms <= $1 AND ",
    is_quiet!("l"),
    " ORDER BY due_ms LIMIT $2"
);

/// Counts a try of a lesson that is due, and has the next one come later; returns whether it was
/// still due.
pub async fn try_one(
    tx: &mut Tx,
    lesson: &LessonRow,
    now_ms: i64,
    next_ms: i64,
) -> Result<bool, StoreError> {
    let tried = query(BEGINS)
        .bind(lesson.session_id)
        .bind(lesson.user_id)
        .bind(lesson.tries)
        .bind(now_ms)
        .bind(next_ms)
        .execute(tx.connection())
        .await?;
    Ok(tried == 1)
}

pub(crate) const BEGINS: Statement = sql!(
    "UPDATE lessons AS l SET tries = tries + 1, due_ms = $5
         WHERE session_id = $1 AND user_id = $2 AND tries = $3 AND due_ms <= $4 AND ",
    is_quiet!("l")
);

/// Returns the turns of a lesson, oldest first.
pub async fn turns(readers: &Readers, lesson: &LessonRow) -> Result<Vec<TurnId>, StoreError> {
    query(sql!(
        "SELECT id FROM turns WHERE session_id = $1 AND user_id = $2 AND to_learn = TRUE ORDER BY id"
    ))
    .bind(lesson.session_id)
    .bind(lesson.user_id)
    .fetch_all(readers)
    .await
}

/// Returns where a lesson takes place; `None` when none of its turns is left.
pub async fn place(readers: &Readers, lesson: &LessonRow) -> Result<Option<PlaceRow>, StoreError> {
    query(sql!(
        "SELECT c.id AS chat_id, c.kind, t.address,
                coalesce((SELECT language FROM users WHERE id = t.user_id), c.language) AS language,
                coalesce((SELECT name FROM senders s WHERE s.user_id = t.user_id), '') AS name
         FROM turns t JOIN sessions s ON s.id = t.session_id JOIN chats c ON c.id = s.chat_id
         WHERE t.session_id = $1 AND t.user_id = $2 AND t.to_learn = TRUE
         ORDER BY t.id DESC LIMIT 1"
    ))
    .bind(lesson.session_id)
    .bind(lesson.user_id)
    .fetch_optional(readers)
    .await
}

/// Returns the newest messages of these turns that their user wrote, and in which there are no
/// words of others, oldest first.
pub async fn said(
    readers: &Readers,
    lesson: &LessonRow,
    turns: &[TurnId],
    limit: i64,
) -> Result<Vec<SaidRow>, StoreError> {
    let mut said: Vec<SaidRow> = query(sql!(
        "SELECT turn_id, said, stored_ms FROM inbox
         WHERE turn_id IN (SELECT value FROM json_each($1)) AND user_id = $2
           AND state = 'heard' AND kind IN ('message', 'command') AND untrusted = FALSE
         ORDER BY id DESC LIMIT $3"
    ))
    .bind(serde_json::to_string(turns)?)
    .bind(lesson.user_id)
    .bind(limit)
    .fetch_all(readers)
    .await?;
    said.reverse();
    Ok(said)
}

/// Returns the journals of these turns.
pub async fn journals(
    readers: &Readers,
    turns: &[TurnId],
) -> Result<Vec<(TurnId, Vec<Entry>)>, StoreError> {
    let journals: Vec<(TurnId, String)> = query(sql!(
        "SELECT turn_id, '[' || group_concat(body, ',' ORDER BY seq) || ']' FROM journal
         WHERE turn_id IN (SELECT value FROM json_each($1)) GROUP BY turn_id"
    ))
    .bind(serde_json::to_string(turns)?)
    .fetch_all(readers)
    .await?;
    journals
        .iter()
        .map(|(turn, entries)| Ok((*turn, serde_json::from_str(entries)?)))
        .collect()
}

/// Ends a lesson: nothing more is learned from these turns. Returns those that it still was to be
/// learned from: what was said in the others was erased or forgotten meanwhile.
pub async fn close(
    tx: &mut Tx,
    lesson: &LessonRow,
    turns: &[TurnId],
) -> Result<Vec<TurnId>, StoreError> {
    let closed = query(sql!(
        "UPDATE turns SET to_learn = FALSE
         WHERE id IN (SELECT value FROM json_each($1)) AND to_learn = TRUE
         RETURNING id"
    ))
    .bind(serde_json::to_string(turns)?)
    .fetch_all(tx.connection())
    .await?;
    // A turn that ended meanwhile is a lesson of its own.
    delete_empty(tx, lesson.session_id, lesson.user_id).await?;
    Ok(closed)
}

/// Erases a person (`of_person`): what is still to be learned from them.
pub(crate) async fn erase(tx: &mut Tx, users: &str) -> Result<(), StoreError> {
    of_person::run(
        tx,
        users,
        [sql!(
            "DELETE FROM lessons WHERE user_id IN (SELECT value FROM json_each($1))"
        )],
    )
    .await
}
