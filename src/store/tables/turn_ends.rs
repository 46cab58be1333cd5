//! The ends of turns: in two steps, so that what is found in the first decides what is said.

use sayso_core::transcript::{SessionId, TurnId, UserId};
use serde::Deserialize;

use crate::sql;
use crate::sql::query;
use crate::usage::OpenAmount;
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

impl EndingRow {
    /// Returns the place of the turn in the history of its session, where it has one.
    pub fn place(&self, in_history: bool) -> Option<i64> {
        in_history.then_some(self.ended_seq)
    }
}

/// How a turn ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndedAs {
    /// Whether it is in the history of its session.
    pub in_history: bool,
    /// When something may be learned from it, in milliseconds since 1970; `None` is never.
    pub learn_ms: Option<i64>,
    /// What it has spent since that was last written.
    pub spent: OpenAmount,
}

/// What the end of a turn leaves to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct LeftToDo {
    /// Whether a lesson is to be opened: not where something that was said in the turn is forgotten,
    /// nor where one is open that is not due before `learn_ms`.
    pub lesson_is_missing: bool,
    /// Whether something else waits in the session.
    pub session_has_work: bool,
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
/// it before.
pub async fn end(
    tx: &mut Tx,
    id: TurnId,
    ending: &EndingRow,
    how: EndedAs,
) -> Result<LeftToDo, StoreError> {
    query(sql!(
        "UPDATE turns SET state = 'ended', ended_ms = $2, ended_seq = $3,
                          to_learn = $4 IS NOT NULL AND forgotten = FALSE,
                          spent_tokens = spent_tokens + $5, spent_micros = spent_micros + $6,
                          index_due_ms = $2
         WHERE id = $1
         RETURNING to_learn AND NOT EXISTS
             (SELECT 1 FROM lessons l WHERE l.session_id = turns.session_id
                AND l.user_id = turns.user_id AND l.due_ms >= $4 AND l.tries = 0)
             AS lesson_is_missing,
             EXISTS (SELECT 1 FROM jobs j WHERE j.session_id = turns.session_id
                       AND (j.origin = 'message' OR j.due_ms <= $2))
             OR EXISTS (SELECT 1 FROM turns o WHERE o.session_id = turns.session_id
                          AND o.state <> 'ended' AND o.id <> turns.id) AS session_has_work"
    ))
    .bind(id)
    .bind(now_ms())
    .bind(ending.place(how.in_history))
    .bind(how.learn_ms)
    .bind(how.spent.tokens)
    .bind(how.spent.micros)
    .fetch_one(tx.connection())
    .await
}
