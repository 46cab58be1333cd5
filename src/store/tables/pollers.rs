//! Who listens with which token: a lease each, so that one token has one listener.

use crate::sql;
use crate::sql::query;
use crate::{StoreError, Tx};

/// Takes the lease of a token until `until_ms`, or prolongs it; returns whether it is ours now.
pub async fn take(
    tx: &mut Tx,
    token: &str,
    owner: &str,
    now_ms: i64,
    until_ms: i64,
) -> Result<bool, StoreError> {
    let taken = query(sql!(
        "INSERT INTO pollers (token, owner, until_ms) VALUES ($1, $2, $4)
         ON CONFLICT (token) DO UPDATE SET owner = $2, until_ms = $4
         WHERE pollers.owner = $2 OR pollers.until_ms < $3"
    ))
    .bind(token)
    .bind(owner)
    .bind(now_ms)
    .bind(until_ms)
    .execute(tx.connection())
    .await?;
    Ok(taken == 1)
}

/// Gives the lease of a token back, if it is still ours.
pub async fn release(tx: &mut Tx, token: &str, owner: &str) -> Result<(), StoreError> {
    query(sql!("DELETE FROM pollers WHERE token = $1 AND owner = $2"))
        .bind(token)
        .bind(owner)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Ends all leases: right when the data directory is ours alone, at a start.
pub async fn end_all(tx: &mut Tx) -> Result<(), StoreError> {
    query(sql!("DELETE FROM pollers"))
        .execute(tx.connection())
        .await?;
    Ok(())
}
