//! The rows of `grants`: what a person has allowed for good in a session.

use sayso_core::transcript::{GrantId, SessionId, UserId};

use crate::of_person;
use crate::sql;
use crate::sql::query;
use crate::{StoreError, Tx, new_id, now_ms};

/// Adds a grant; it replaces those that differ only in their files. An equal grant is left
/// unchanged. Returns which grant holds then.
pub async fn grant(
    tx: &mut Tx,
    user: UserId,
    session: SessionId,
    pattern: &str,
) -> Result<GrantId, StoreError> {
    query(sql!(
        sqlite: "DELETE FROM grants
         WHERE user_id = $1 AND session_id = $2 AND pattern <> $3
           AND CASE WHEN json_valid(pattern) AND json_valid($3)
                    THEN json_remove(pattern, '$.files') = json_remove($3, '$.files') ELSE 0 END"
    ))
    .bind(user)
    .bind(session)
    .bind(pattern)
    .execute(tx.connection())
    .await?;
    query(sql!("INSERT INTO grants (id, user_id, session_id, pattern, created_ms) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT DO NOTHING"))
    .bind(new_id())
    .bind(user)
    .bind(session)
    .bind(pattern)
    .bind(now_ms())
    .execute(tx.connection())
    .await?;
    query(sql!(
        "SELECT id FROM grants WHERE user_id = $1 AND session_id = $2 AND pattern = $3"
    ))
    .bind(user)
    .bind(session)
    .bind(pattern)
    .fetch_one(tx.connection())
    .await
}

/// Returns the grants of a user in a session, oldest first, each as JSON.
pub async fn grants(
    tx: &mut Tx,
    user: UserId,
    session: SessionId,
) -> Result<Vec<(GrantId, String)>, StoreError> {
    query(sql!(
        "SELECT id, pattern FROM grants WHERE user_id = $1 AND session_id = $2 ORDER BY id"
    ))
    .bind(user)
    .bind(session)
    .fetch_all(tx.connection())
    .await
}

/// Revokes all grants of a session, regardless of who gave them.
pub async fn revoke_session(tx: &mut Tx, session: SessionId) -> Result<(), StoreError> {
    query(sql!("DELETE FROM grants WHERE session_id = $1"))
        .bind(session)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Revokes a grant of a user in a session, or with `None` all of them; returns how many.
pub async fn revoke(
    tx: &mut Tx,
    user: UserId,
    session: SessionId,
    grant: Option<GrantId>,
) -> Result<u64, StoreError> {
    let revoked = query(sql!(
        "DELETE FROM grants WHERE user_id = $1 AND session_id = $2 AND ($3 IS NULL OR id = $3)"
    ))
    .bind(user)
    .bind(session)
    .bind(grant)
    .execute(tx.connection())
    .await?;
    Ok(revoked)
}

/// Erases a person (`of_person`): what they always allow.
pub(crate) async fn erase(tx: &mut Tx, users: &str) -> Result<(), StoreError> {
    of_person::run(
        tx,
        users,
        [sql!(
            "DELETE FROM grants WHERE user_id IN (SELECT value FROM json_each($1))"
        )],
    )
    .await
}
