//! Turns that have ended and whose lines are not indexed: those with an `index_due_ms`. Each turn has
//! one from its end (`turn_ends::end`) until they are, a moment later; it is due at once, for the start
//! after a kill.

use sayso_core::transcript::TurnId;
use serde::Deserialize;

use crate::lines::{EndedTurn, HEARD_IN_TURN};
use crate::sql;
use crate::sql::query;
use crate::{Readers, StoreError, Tx};

const TAKE_OUT: &str = "
    UPDATE turns SET index_due_ms = NULL WHERE id = $1 AND index_due_ms IS NOT NULL
    RETURNING id, session_id, user_id, ended_ms, forgotten,
        (SELECT CASE c.kind WHEN 'direct' THEN 'user' ELSE 'chat' END
         FROM sessions s JOIN chats c ON c.id = s.chat_id WHERE s.id = turns.session_id) AS owner_kind,
        (SELECT CASE c.kind WHEN 'direct' THEN turns.user_id ELSE c.id END
         FROM sessions s JOIN chats c ON c.id = s.chat_id WHERE s.id = turns.session_id) AS owner_id";

/// A turn to try again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct UnindexedTurn {
    /// The turn.
    #[serde(rename = "id")]
    pub turn: TurnId,
    /// How often it failed.
    pub tries: i64,
}

/// Notes that the lines of a turn could not be indexed again, and that they are not to be tried
/// before a time.
pub async fn note(tx: &mut Tx, turn: TurnId, due_ms: i64) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE turns SET index_tries = index_tries + 1, index_due_ms = $2 WHERE id = $1"
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
        "SELECT id, index_tries AS tries FROM turns WHERE index_due_ms <= $1
         ORDER BY index_due_ms LIMIT $2"
    ))
    .bind(now_ms)
    .bind(limit as i64)
    .fetch_all(readers)
    .await
}

/// Returns when the next is due, if there is one.
pub async fn next_due(readers: &Readers) -> Result<Option<i64>, StoreError> {
    query(sql!(
        "SELECT min(index_due_ms) FROM turns WHERE index_due_ms IS NOT NULL"
    ))
    .fetch_one(readers)
    .await
}

/// Takes a turn out: it is indexed, or given up. Returns the turn, where it was to be indexed.
pub async fn take_out(tx: &mut Tx, turn: TurnId) -> Result<Option<EndedTurn>, StoreError> {
    query(sql!(sqlite: TAKE_OUT, ", ", HEARD_IN_TURN))
        .bind(turn)
        .fetch_optional(tx.connection())
        .await
}
