//! The stop of turns: who requested it, and what else it ended.

use sayso_core::transcript::{SessionId, TurnId, UserId};

use crate::sql;
use crate::sql::query;
use crate::{StoreError, Tx};

/// Requests the stop of the open turns of a session: those of one user, or all. Returns the turns
/// that were asked.
pub async fn ask_to_stop(
    tx: &mut Tx,
    session: SessionId,
    only_of: Option<UserId>,
    by: UserId,
) -> Result<Vec<TurnId>, StoreError> {
    query(sql!(
        "UPDATE turns SET stop_by = $3
         WHERE session_id = $1 AND state <> 'ended' AND stop_by IS NULL
           AND ($2 IS NULL OR user_id = $2)
         RETURNING id"
    ))
    .bind(session)
    .bind(only_of)
    .bind(by)
    .fetch_all(tx.connection())
    .await
}

/// Requests the stop of one turn, unless it has ended or a stop was requested before.
pub async fn ask_one_to_stop(tx: &mut Tx, id: TurnId, by: UserId) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE turns SET stop_by = $2 WHERE id = $1 AND state <> 'ended' AND stop_by IS NULL"
    ))
    .bind(id)
    .bind(by)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Has one of these turns say what else a stop ended: the first of this user, or else the first.
/// Returns which.
pub async fn report_stop(
    tx: &mut Tx,
    stopped: &[TurnId],
    user: UserId,
    background: u64,
) -> Result<Option<TurnId>, StoreError> {
    let ids: Vec<i64> = stopped.iter().map(|turn| turn.0).collect();
    query(sql!(
        "UPDATE turns SET stop_background = $3
         WHERE id = (SELECT id FROM turns WHERE id IN (SELECT value FROM json_each($1))
                     ORDER BY user_id <> $2, id LIMIT 1)
         RETURNING id"
    ))
    .bind(serde_json::json!(ids).to_string())
    .bind(user)
    .bind(i64::try_from(background).unwrap_or(i64::MAX))
    .fetch_optional(tx.connection())
    .await
}

/// Notes that the stop of these turns was answered: their ends say nothing more.
pub async fn note_answered(tx: &mut Tx, stopped: &[TurnId]) -> Result<(), StoreError> {
    let ids: Vec<i64> = stopped.iter().map(|turn| turn.0).collect();
    query(sql!(
        "UPDATE turns SET stop_said = TRUE WHERE id IN (SELECT value FROM json_each($1))"
    ))
    .bind(serde_json::json!(ids).to_string())
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns whether the stop of a turn was answered before it ended.
pub async fn is_answered(tx: &mut Tx, turn: TurnId) -> Result<bool, StoreError> {
    query(sql!("SELECT stop_said FROM turns WHERE id = $1"))
        .bind(turn)
        .fetch_one(tx.connection())
        .await
}

/// Returns how many background commands ended by the stop of a turn.
pub async fn stopped_in_background(tx: &mut Tx, turn: TurnId) -> Result<u64, StoreError> {
    let ended: i64 = query(sql!("SELECT stop_background FROM turns WHERE id = $1"))
        .bind(turn)
        .fetch_one(tx.connection())
        .await?;
    Ok(u64::try_from(ended).unwrap_or_default())
}
