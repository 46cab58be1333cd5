//! Grants: listed by number, and revoked.

use sayso_core::transcript::{GrantId, SessionId, UserId};
use sayso_store::{StoreError, Tx, cards};

/// A grant as `/grants` lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrantLine {
    /// Names the grant.
    pub id: GrantId,
    /// What it covers, as JSON.
    pub pattern: String,
}

/// Returns the grants of a user in a session, oldest first.
pub async fn list(
    tx: &mut Tx,
    user: UserId,
    session: SessionId,
) -> Result<Vec<GrantLine>, StoreError> {
    let rows = cards::grants(tx, user, session).await?;
    Ok(rows
        .into_iter()
        .map(|(id, pattern)| GrantLine { id, pattern })
        .collect())
}

/// Revokes all grants of a session, for all users.
pub async fn revoke_session(tx: &mut Tx, session: SessionId) -> Result<(), StoreError> {
    cards::revoke_session(tx, session).await
}

/// Revokes a grant, or with `None` all of a user's in a session; returns how many.
pub async fn revoke(
    tx: &mut Tx,
    user: UserId,
    session: SessionId,
    grant: Option<GrantId>,
) -> Result<u64, StoreError> {
    cards::revoke(tx, user, session, grant).await
}
