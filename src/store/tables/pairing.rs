//! Pairing codes for access.

use crate::people::AccountStanding;
use crate::sql;
use crate::sql::query;
use crate::{StoreError, Tx};

/// Keeps a code until it is used or expires, in place of earlier ones with this purpose.
pub async fn put_code(
    tx: &mut Tx,
    code: &str,
    purpose: AccountStanding,
    expires_ms: i64,
) -> Result<(), StoreError> {
    query(sql!("DELETE FROM pairing_codes WHERE purpose = $1"))
        .bind(purpose)
        .execute(tx.connection())
        .await?;
    query(sql!(
        "INSERT INTO pairing_codes (code, purpose, expires_ms) VALUES ($1, $2, $3)"
    ))
    .bind(code)
    .bind(purpose)
    .bind(expires_ms)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns a code with this purpose that still holds at `now_ms`.
pub async fn valid_code(
    tx: &mut Tx,
    purpose: AccountStanding,
    now_ms: i64,
) -> Result<Option<String>, StoreError> {
    query(sql!(
        "SELECT code FROM pairing_codes WHERE purpose = $1 AND expires_ms > $2"
    ))
    .bind(purpose)
    .bind(now_ms)
    .fetch_optional(tx.connection())
    .await
}

/// Uses up a code; returns its purpose when it still held.
pub async fn take_code(
    tx: &mut Tx,
    code: &str,
    now_ms: i64,
) -> Result<Option<AccountStanding>, StoreError> {
    query(sql!(
        "DELETE FROM pairing_codes WHERE code = $1 AND expires_ms > $2 RETURNING purpose"
    ))
    .bind(code)
    .bind(now_ms)
    .fetch_optional(tx.connection())
    .await
}
