//! The rows of `routines`. Every query is keyed by the user first: a person sees and changes their
//! own, by whichever of their accounts.

use sayso_core::transcript::{ChatId, Owner, RoutineId, SessionId, Taint, UserId};
use serde::Deserialize;

use crate::Connection;
use crate::of_person;
use crate::owners::Owners;
use crate::sql;
use crate::sql::query;
use crate::{Readers, StoreError, Tx, new_id, now_ms};

/// A routine.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct RoutineRow {
    /// Its name.
    pub id: RoutineId,
    /// Where it was made.
    pub chat_id: ChatId,
    /// When it is due, in the words of `routines::Schedule`.
    pub schedule: String,
    /// What is to be done.
    pub prompt: String,
    /// Whether it is on.
    pub enabled: bool,
    /// When it was made.
    pub created_ms: i64,
    /// When it is due next; `None`: not any more.
    pub next_ms: Option<i64>,
    /// When it last ran.
    pub last_ms: Option<i64>,
}

/// A routine to keep.
#[derive(Debug, Clone)]
pub struct NewRoutine {
    /// Whose it is.
    pub user: UserId,
    /// Where it is made.
    pub chat: ChatId,
    /// The conversation.
    pub session: SessionId,
    /// When it is due.
    pub schedule: String,
    /// What is to be done.
    pub prompt: String,
    /// The untrusted text that is in view.
    pub taint: Taint,
    /// When it is due first.
    pub next_ms: i64,
}

/// What is changed of a routine; `None` stays.
#[derive(Debug, Clone, Default)]
pub struct RoutineChange {
    /// When it is due, and when next.
    pub schedule: Option<String>,
    /// What is to be done, and the untrusted text that is in view.
    pub prompt: Option<(String, Taint)>,
    /// Whether it is on.
    pub enabled: Option<bool>,
    /// When it is due next, where that changes.
    pub next_ms: Option<i64>,
}

/// Keeps a routine, unless its person has `most`.
pub async fn add(
    tx: &mut Tx,
    new: &NewRoutine,
    most: usize,
) -> Result<Option<RoutineId>, StoreError> {
    if of_in(tx, new.user, None).await?.len() >= most {
        return Ok(None);
    }
    let id = RoutineId(new_id());
    query(sql!("INSERT INTO routines (id, user_id, chat_id, session_id, schedule, prompt, taint, created_ms,
                               changed_ms, next_ms)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9)"))
    .bind(id)
    .bind(new.user)
    .bind(new.chat)
    .bind(new.session)
    .bind(&new.schedule)
    .bind(&new.prompt)
    .bind(written(&new.taint)?)
    .bind(now_ms())
    .bind(new.next_ms)
    .execute(tx.connection())
    .await?;
    Ok(Some(id))
}

/// Returns the routines of a person, the oldest first: all of them, or those of one chat.
pub async fn of(
    readers: &Readers,
    user: UserId,
    chat: Option<ChatId>,
) -> Result<Vec<RoutineRow>, StoreError> {
    let mut connection = readers.acquire().await?;
    read(&mut connection, user, chat).await
}

/// Returns the same inside a transaction.
pub async fn of_in(
    tx: &mut Tx,
    user: UserId,
    chat: Option<ChatId>,
) -> Result<Vec<RoutineRow>, StoreError> {
    read(tx.connection(), user, chat).await
}

async fn read(
    connection: &mut Connection,
    user: UserId,
    chat: Option<ChatId>,
) -> Result<Vec<RoutineRow>, StoreError> {
    let users = Owners::of(connection, Owner::User(user)).await?;
    query(sql!(
        "SELECT id, chat_id, schedule, prompt, enabled, created_ms, next_ms, last_ms FROM routines
         WHERE user_id IN (SELECT value FROM json_each($1)) AND ($2 IS NULL OR chat_id = $2)
         ORDER BY id"
    ))
    .bind(users.as_json()?)
    .bind(chat)
    .fetch_all(connection)
    .await
}

/// Changes a routine of a person; returns whether there is such a one.
pub async fn change(
    tx: &mut Tx,
    user: UserId,
    id: RoutineId,
    change: &RoutineChange,
) -> Result<bool, StoreError> {
    let users = Owners::of(tx.connection(), Owner::User(user)).await?;
    let prompt = change.prompt.as_ref();
    let taint = prompt.map(|(_, taint)| written(taint)).transpose()?;
    let changed = query(sql!(
        "UPDATE routines SET schedule = coalesce($3, schedule), prompt = coalesce($4, prompt),
             taint = CASE WHEN $4 IS NULL THEN taint ELSE $5 END,
             enabled = coalesce($6, enabled), next_ms = coalesce($7, next_ms), changed_ms = $8
         WHERE id = $1 AND user_id IN (SELECT value FROM json_each($2))"
    ))
    .bind(id)
    .bind(users.as_json()?)
    .bind(&change.schedule)
    .bind(prompt.map(|(text, _)| text))
    .bind(taint.flatten())
    .bind(change.enabled)
    .bind(change.next_ms)
    .bind(now_ms())
    .execute(tx.connection())
    .await?;
    Ok(changed == 1)
}

/// Deletes a routine of a person; returns whether there was such a one.
pub async fn delete(tx: &mut Tx, user: UserId, id: RoutineId) -> Result<bool, StoreError> {
    let users = Owners::of(tx.connection(), Owner::User(user)).await?;
    let deleted = query(sql!(
        "DELETE FROM routines WHERE id = $1 AND user_id IN (SELECT value FROM json_each($2))"
    ))
    .bind(id)
    .bind(users.as_json()?)
    .execute(tx.connection())
    .await?;
    Ok(deleted == 1)
}

fn written(taint: &Taint) -> Result<Option<String>, StoreError> {
    let taint = (!taint.is_empty()).then(|| serde_json::to_string(taint));
    Ok(taint.transpose()?)
}

/// Erases a person (`of_person`): their routines.
pub(crate) async fn erase(tx: &mut Tx, users: &str) -> Result<(), StoreError> {
    of_person::run(
        tx,
        users,
        [sql!(
            "DELETE FROM routines WHERE user_id IN (SELECT value FROM json_each($1))"
        )],
    )
    .await
}
