//! The rows of `inbox` that wait while a turn of their person runs: what joins it, and what comes
//! next.

use sayso_core::transcript::{SessionId, UserId};

use crate::sql;
use crate::sql::query;
use crate::{Readers, StoreError, Tx};

/// What joins a turn of its user. A message that is to wait or to interrupt, the answer to a
/// question, and what the platform wants answered by itself begin turns of their own.
pub(crate) const JOINING: &str = "FROM jobs j CROSS JOIN inbox i
    WHERE i.id = j.id AND j.session_id = $1 AND j.user_id = $2 AND j.origin = 'message' AND i.answers IS NULL
      AND coalesce(i.while_busy, 'steer') = 'steer'
      AND NOT (i.kind = 'command' AND i.message IS NOT NULL)";

/// Returns since when the oldest message may be taken that joins a turn of this user, if one waits.
pub async fn first_joining(
    readers: &Readers,
    session: SessionId,
    user: UserId,
) -> Result<Option<i64>, StoreError> {
    query(sql!("SELECT j.due_ms ", JOINING, " ORDER BY j.id LIMIT 1"))
        .bind(session)
        .bind(user)
        .fetch_optional(readers)
        .await
}

/// Returns whether something of a user waits for a turn of its own.
pub async fn is_queued(tx: &mut Tx, session: SessionId, user: UserId) -> Result<bool, StoreError> {
    query(sql!(
        "SELECT EXISTS (SELECT 1 FROM jobs j CROSS JOIN inbox i
                        WHERE i.id = j.id AND j.session_id = $1 AND j.user_id = $2 AND i.while_busy = 'queue')"
    ))
    .bind(session)
    .bind(user)
    .fetch_one(tx.connection())
    .await
}

/// Has everything that a user has queued join the turn that runs.
pub async fn absorb(tx: &mut Tx, session: SessionId, user: UserId) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE inbox SET while_busy = 'steer'
         WHERE id IN (SELECT id FROM jobs WHERE session_id = $1 AND user_id = $2)
           AND while_busy = 'queue'"
    ))
    .bind(session)
    .bind(user)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Has the oldest message that a user has queued, with its pieces, come next.
pub async fn let_interrupt(
    tx: &mut Tx,
    session: SessionId,
    user: UserId,
) -> Result<(), StoreError> {
    query(sql!(
        "WITH oldest AS
             (SELECT i.id, i.album FROM jobs j CROSS JOIN inbox i
              WHERE i.id = j.id AND j.session_id = $1 AND j.user_id = $2 AND i.while_busy = 'queue'
              ORDER BY j.id LIMIT 1)
         UPDATE inbox SET while_busy = 'interrupt'
         WHERE id IN (SELECT id FROM jobs WHERE session_id = $1 AND user_id = $2)
           AND (id IN (SELECT id FROM oldest) OR album IN (SELECT album FROM oldest))"
    ))
    .bind(session)
    .bind(user)
    .execute(tx.connection())
    .await?;
    Ok(())
}
