//! The notices about what waits for a turn of its own: one for each person and session.

use sayso_core::transcript::{SessionId, UserId};

use crate::of_person;
use crate::sql;
use crate::sql::query;
use crate::{StoreError, Tx, new_id};

/// Notes that a person is informed of what waits; `None` if they were informed before.
pub async fn open(
    tx: &mut Tx,
    session: SessionId,
    user: UserId,
) -> Result<Option<i64>, StoreError> {
    query(sql!(
        "INSERT INTO queued_notices (id, session_id, user_id) VALUES ($1, $2, $3)
         ON CONFLICT (session_id, user_id) DO NOTHING RETURNING id"
    ))
    .bind(new_id())
    .bind(session)
    .bind(user)
    .fetch_optional(tx.connection())
    .await
}

/// Returns the notice about what waits of a person.
pub async fn of(tx: &mut Tx, session: SessionId, user: UserId) -> Result<Option<i64>, StoreError> {
    query(sql!(
        "SELECT id FROM queued_notices WHERE session_id = $1 AND user_id = $2"
    ))
    .bind(session)
    .bind(user)
    .fetch_optional(tx.connection())
    .await
}

/// Returns whose notice it is, and in which session.
pub async fn whose(tx: &mut Tx, id: i64) -> Result<Option<(UserId, SessionId)>, StoreError> {
    query(sql!(
        "SELECT user_id, session_id FROM queued_notices WHERE id = $1"
    ))
    .bind(id)
    .fetch_optional(tx.connection())
    .await
}

/// Notes that nothing of it waits any more.
pub async fn close(tx: &mut Tx, id: i64) -> Result<(), StoreError> {
    query(sql!("DELETE FROM queued_notices WHERE id = $1"))
        .bind(id)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Erases a person (`of_person`): notices that their messages wait.
pub(crate) async fn erase(tx: &mut Tx, users: &str) -> Result<(), StoreError> {
    of_person::run(
        tx,
        users,
        [sql!(
            "DELETE FROM queued_notices WHERE user_id IN (SELECT value FROM json_each($1))"
        )],
    )
    .await
}
