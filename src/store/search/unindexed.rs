//! The rows of `unindexed_turns`: turns that have ended and whose lines are not indexed. Each turn
//! has one from its end (`turn_ends::end`) until it is, a moment later; it is due at once, for the
//! start after a kill.

use sayso_core::transcript::TurnId;
use serde::Deserialize;

use crate::sql;
use crate::sql::query;
use crate::{Readers, StoreError, Tx};

/// A turn to try again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct UnindexedTurn {
    /// The turn.
    #[serde(rename = "turn_id")]
    pub turn: TurnId,
    /// How often it failed.
    pub tries: i64,
}

/// Notes that the lines of a turn could not be indexed again, and that they are not to be tried
/// before a time.
pub async fn note(tx: &mut Tx, turn: TurnId, due_ms: i64) -> Result<(), StoreError> {
    query(sql!(
        "INSERT INTO unindexed_turns VALUES ($1, 1, $2)
         ON CONFLICT (turn_id) DO UPDATE SET
             tries = unindexed_turns.tries + 1, due_ms = excluded.due_ms"
    ))
    .bind(turn)
    .bind(due_ms)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns what is due, at most `limit`.
pub async fn due(
    readers: &Readers,
    now_ms: i64,
    limit: usize,
) -> Result<Vec<UnindexedTurn>, StoreError> {
    query(sql!(
        "SELECT turn_id, tries FROM unindexed_turns WHERE due_ms <= $1 ORDER BY due_ms LIMIT $2"
    ))
    .bind(now_ms)
    .bind(limit as i64)
    .fetch_all(readers)
    .await
}

/// Returns when the next is due, if there is one.
pub async fn next_due(readers: &Readers) -> Result<Option<i64>, StoreError> {
    query(sql!("SELECT min(due_ms) FROM unindexed_turns"))
        .fetch_one(readers)
        .await
}

/// Takes a turn out: it is indexed, or given up. Returns whether it was there.
pub async fn take_out(tx: &mut Tx, turn: TurnId) -> Result<bool, StoreError> {
    let taken = query(sql!("DELETE FROM unindexed_turns WHERE turn_id = $1"))
        .bind(turn)
        .execute(tx.connection())
        .await?;
    Ok(taken == 1)
}
