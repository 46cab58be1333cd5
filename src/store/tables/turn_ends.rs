//! The ends of turns: in two steps, so that what is found in the first decides what is said.

use sayso_core::transcript::{SessionId, TurnId, UserId};
use serde::Deserialize;

use crate::sql;
use crate::sql::query;
use crate::{StoreError, Tx, now_ms};

/// A turn that is in the history takes the next place there, and one that is stopped always is. The
/// lease goes with its turn.
const BEGIN_END: &str = "
    UPDATE sessions SET
        ended_seq = ended_seq + CASE WHEN $4 OR (SELECT stop_by FROM turns WHERE id = $2) IS NOT NULL
                                     THEN 1 ELSE 0 END,
        lease_owner = NULL, lease_worker = NULL, lease_until_ms = 0
    WHERE id = $1 AND lease_fence = $3
    RETURNING ended_seq, (SELECT stop_by FROM turns WHERE id = $2) AS stop_by,
        EXISTS (SELECT 1 FROM cards WHERE turn_id = $2 AND state = 'open') AS has_cards";

/// A turn that is about to end.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct EndingRow {
    /// How many turns of the session have ended with it.
    ended_seq: i64,
    /// Who wants it stopped.
    pub stop_by: Option<UserId>,
    /// Whether it has open cards.
    pub has_cards: bool,
}

/// How a turn ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndedAs {
    /// Whether it is in the history of its session.
    pub in_history: bool,
    /// Whether something may be learned from it.
    pub is_learned_from: bool,
}

/// Begins to end a turn: gives back the lease with this fence, and takes its place in the history
/// of its session where it is `in_history`, or is to be stopped. [`end`] follows in the same
/// transaction.
///
/// # Errors
/// Fails with [`StoreError::Fenced`] unless the fence is the newest of the session.
pub async fn begin_end(
    tx: &mut Tx,
    id: TurnId,
    session: SessionId,
    fence: i64,
    in_history: bool,
) -> Result<EndingRow, StoreError> {
    let ending = query(sql!(BEGIN_END))
        .bind(session)
        .bind(id)
        .bind(fence)
        .bind(in_history)
        .fetch_optional(tx.connection())
        .await?;
    ending.ok_or(StoreError::Fenced)
}

/// Ends a turn. Its lines are queued for indexing, which the maintenance does if no other code did
/// it before. Returns whether something may be learned from it: not where something that was said
/// in it is forgotten.
pub async fn end(
    tx: &mut Tx,
    id: TurnId,
    ending: &EndingRow,
    how: EndedAs,
) -> Result<bool, StoreError> {
    let ended_ms = now_ms();
    let is_learned_from = query(sql!(
        "UPDATE turns SET state = 'ended', ended_ms = $2, ended_seq = $3,
                          to_learn = $4 AND forgotten = FALSE
         WHERE id = $1 RETURNING to_learn"
    ))
    .bind(id)
    .bind(ended_ms)
    .bind(how.in_history.then_some(ending.ended_seq))
    .bind(how.is_learned_from)
    .fetch_one(tx.connection())
    .await?;
    query(sql!("INSERT INTO unindexed_turns VALUES ($1, 0, $2)"))
        .bind(id)
        .bind(ended_ms)
        .execute(tx.connection())
        .await?;
    Ok(is_learned_from)
}
