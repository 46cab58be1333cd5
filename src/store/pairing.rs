//! Pairing codes for access, and strangers who wait for an owner's answer.

use sqlx::FromRow;

use super::{StoreError, Tx, new_id};

/// A stranger who wrote.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct AdmissionRow {
    /// Names the row.
    pub id: i64,
    /// Where the stranger's account is.
    pub channel: String,
    /// The account.
    pub sender: String,
    /// The name that people see.
    pub name: String,
    /// Where the stranger wrote, as JSON.
    pub address: String,
    /// Until when it may be answered.
    pub expires_ms: i64,
    /// `open`, `allowed`, `blocked`, `expired`.
    pub state: String,
}

/// Keeps a code until it is used or expires, in place of earlier ones with this purpose.
pub async fn put_code(
    tx: &mut Tx,
    code: &str,
    purpose: &str,
    expires_ms: i64,
) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM pairing_codes WHERE purpose = $1")
        .bind(purpose)
        .execute(tx.connection())
        .await?;
    sqlx::query("INSERT INTO pairing_codes (code, purpose, expires_ms) VALUES ($1, $2, $3)")
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
    purpose: &str,
    now_ms: i64,
) -> Result<Option<String>, StoreError> {
    Ok(
        sqlx::query_scalar("SELECT code FROM pairing_codes WHERE purpose = $1 AND expires_ms > $2")
            .bind(purpose)
            .bind(now_ms)
            .fetch_optional(tx.connection())
            .await?,
    )
}

/// Uses up a code; returns its purpose when it still held.
pub async fn take_code(tx: &mut Tx, code: &str, now_ms: i64) -> Result<Option<String>, StoreError> {
    Ok(sqlx::query_scalar(
        "DELETE FROM pairing_codes WHERE code = $1 AND expires_ms > $2 RETURNING purpose",
    )
    .bind(code)
    .bind(now_ms)
    .fetch_optional(tx.connection())
    .await?)
}

/// Returns how many strangers of a channel wait for an answer, and whether `sender` is one of them.
pub async fn open_admissions(
    tx: &mut Tx,
    channel: &str,
    sender: &str,
    now_ms: i64,
) -> Result<(i64, bool), StoreError> {
    Ok(sqlx::query_as(
        "SELECT count(*), coalesce(sum(sender = $2), 0) > 0 FROM admissions
         WHERE channel = $1 AND state = 'open' AND expires_ms > $3",
    )
    .bind(channel)
    .bind(sender)
    .bind(now_ms)
    .fetch_one(tx.connection())
    .await?)
}

/// Notes a stranger who wrote and returns the row's id.
pub async fn add_admission(
    tx: &mut Tx,
    token: &str,
    stranger: &AdmissionRow,
) -> Result<i64, StoreError> {
    let id = new_id();
    sqlx::query(
        "INSERT INTO admissions (id, token, channel, sender, name, address, expires_ms, state)
         VALUES ($1, $2, $3, $4, $5, $6, $7, 'open')",
    )
    .bind(id)
    .bind(token)
    .bind(&stranger.channel)
    .bind(&stranger.sender)
    .bind(&stranger.name)
    .bind(&stranger.address)
    .bind(stranger.expires_ms)
    .execute(tx.connection())
    .await?;
    Ok(id)
}

/// Returns the admission that a token stands for.
pub async fn admission(tx: &mut Tx, token: &str) -> Result<Option<AdmissionRow>, StoreError> {
    Ok(sqlx::query_as(
        "SELECT id, channel, sender, name, address, expires_ms, state FROM admissions WHERE token = $1",
    )
    .bind(token)
    .fetch_optional(tx.connection())
    .await?)
}

/// Returns the open admissions that have expired by now, oldest first.
pub async fn expired(tx: &mut Tx, now_ms: i64) -> Result<Vec<AdmissionRow>, StoreError> {
    Ok(sqlx::query_as(
        "SELECT id, channel, sender, name, address, expires_ms, state FROM admissions
         WHERE state = 'open' AND expires_ms <= $1 ORDER BY id",
    )
    .bind(now_ms)
    .fetch_all(tx.connection())
    .await?)
}

/// Answers an admission, once; returns whether this call did it.
pub async fn close_admission(tx: &mut Tx, id: i64, state: &str) -> Result<bool, StoreError> {
    let closed = sqlx::query("UPDATE admissions SET state = $2 WHERE id = $1 AND state = 'open'")
        .bind(id)
        .bind(state)
        .execute(tx.connection())
        .await?;
    Ok(closed.rows_affected() == 1)
}
