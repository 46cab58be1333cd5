//! Users and their platform accounts.

use sqlx::FromRow;

use super::{StoreError, Tx, new_id, now_ms};
use crate::transcript::UserId;

/// A platform account that we know.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct SenderRow {
    /// The person.
    pub user_id: UserId,
    /// The name that people see.
    pub name: String,
    /// `pending`, `member`, `owner` or `blocked`.
    pub standing: String,
    /// The address of the direct chat with this account, as JSON.
    pub direct: Option<String>,
}

/// Returns an account.
pub async fn find_sender(
    tx: &mut Tx,
    channel: &str,
    sender: &str,
) -> Result<Option<SenderRow>, StoreError> {
    Ok(sqlx::query_as(
        "SELECT user_id, name, standing, direct FROM senders WHERE channel = $1 AND sender = $2",
    )
    .bind(channel)
    .bind(sender)
    .fetch_optional(tx.connection())
    .await?)
}

/// Adds an account, with a person of its own.
pub async fn add_sender(
    tx: &mut Tx,
    channel: &str,
    sender: &str,
    name: &str,
    standing: &str,
) -> Result<UserId, StoreError> {
    let user = UserId(new_id());
    sqlx::query("INSERT INTO users (id, created_ms) VALUES ($1, $2)")
        .bind(user)
        .bind(now_ms())
        .execute(tx.connection())
        .await?;
    sqlx::query(
        "INSERT INTO senders (channel, sender, user_id, name, standing) VALUES ($1, $2, $3, $4, $5)",
    )
    .bind(channel)
    .bind(sender)
    .bind(user)
    .bind(name)
    .bind(standing)
    .execute(tx.connection())
    .await?;
    Ok(user)
}

/// Changes what an account may do.
pub async fn set_standing(
    tx: &mut Tx,
    channel: &str,
    sender: &str,
    standing: &str,
) -> Result<(), StoreError> {
    sqlx::query("UPDATE senders SET standing = $3 WHERE channel = $1 AND sender = $2")
        .bind(channel)
        .bind(sender)
        .bind(standing)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Remembers where an account can be written to directly.
pub async fn set_direct(
    tx: &mut Tx,
    channel: &str,
    sender: &str,
    address: &str,
) -> Result<(), StoreError> {
    sqlx::query("UPDATE senders SET direct = $3 WHERE channel = $1 AND sender = $2")
        .bind(channel)
        .bind(sender)
        .bind(address)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Returns the accounts of a channel with this standing: account and direct address.
pub async fn senders_with_standing(
    tx: &mut Tx,
    standing: &str,
) -> Result<Vec<(String, String, Option<String>)>, StoreError> {
    Ok(sqlx::query_as(
        "SELECT channel, sender, direct FROM senders WHERE standing = $1 ORDER BY channel, sender",
    )
    .bind(standing)
    .fetch_all(tx.connection())
    .await?)
}
