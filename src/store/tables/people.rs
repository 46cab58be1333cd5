//! Users with their platform accounts, and the persons that users are grouped into.
//!
//! Each account has a user of its own for good. Users whose `person` is the same number are one
//! person; a user without one is a person alone.

use sayso_core::transcript::UserId;
use serde::Deserialize;

use crate::sql;
use crate::sql::{named, query};
use crate::{StoreError, Tx, new_id, now_ms};

named! {
    /// What is stored of what an account may do; the configuration comes before it.
    pub enum AccountStanding {
        /// Nothing: the configuration alone says it.
        Listed = "listed",
        /// An owner is to decide.
        Pending = "pending",
        /// It may chat.
        Guest = "guest",
        /// It may have things done.
        Member = "member",
        /// It decides.
        Owner = "owner",
        /// It is not heard.
        Blocked = "blocked",
    }
}

/// A platform account that we know.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct SenderRow {
    /// The person.
    pub user_id: UserId,
    /// The name that people see.
    pub name: String,
    /// What is stored of what it may do.
    pub standing: AccountStanding,
    /// The address of the direct chat with this account, as JSON.
    pub direct: Option<String>,
}

/// One of the accounts of a person.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct AccountRow {
    /// The user that the account is.
    pub user_id: UserId,
    /// Where it is.
    pub channel: String,
    /// The account.
    pub sender: String,
    /// The name that people see.
    pub name: String,
    /// What is stored of what it may do.
    pub standing: AccountStanding,
}

/// The users of the person of one user, that one first. Also what memory is read by.
pub(crate) const USERS_OF_PERSON: &str = "
    SELECT id FROM users WHERE id = $1
    UNION ALL
    SELECT others.id FROM users us JOIN users others ON others.person = us.person
    WHERE us.id = $1 AND others.id <> $1";

/// Returns an account.
pub async fn find_sender(
    tx: &mut Tx,
    channel: &str,
    sender: &str,
) -> Result<Option<SenderRow>, StoreError> {
    query(sql!(
        "SELECT user_id, name, standing, direct FROM senders WHERE channel = $1 AND sender = $2"
    ))
    .bind(channel)
    .bind(sender)
    .fetch_optional(tx.connection())
    .await
}

/// Returns the account that a user is, with its channel.
pub async fn account_of(tx: &mut Tx, user: UserId) -> Result<Option<(String, String)>, StoreError> {
    query(sql!(
        "SELECT channel, sender FROM senders WHERE user_id = $1"
    ))
    .bind(user)
    .fetch_optional(tx.connection())
    .await
}

/// Returns the display name of a user; empty where there is none.
pub async fn name_of(tx: &mut Tx, user: UserId) -> Result<String, StoreError> {
    let name: Option<String> = query(sql!("SELECT name FROM senders WHERE user_id = $1"))
        .bind(user)
        .fetch_optional(tx.connection())
        .await?;
    Ok(name.unwrap_or_default())
}

/// Adds an account with a user of its own. An account that is known on another channel of the same
/// platform is the same human, so the new user joins that person.
pub async fn add_sender(
    tx: &mut Tx,
    channel: &str,
    sender: &str,
    name: &str,
    standing: AccountStanding,
) -> Result<UserId, StoreError> {
    let user = UserId(new_id());
    query(sql!("INSERT INTO users (id, created_ms) VALUES ($1, $2)"))
        .bind(user)
        .bind(now_ms())
        .execute(tx.connection())
        .await?;
    query(sql!(
        "INSERT INTO senders (channel, sender, user_id, name, standing) VALUES ($1, $2, $3, $4, $5)"
    ))
    .bind(channel)
    .bind(sender)
    .bind(user)
    .bind(name)
    .bind(standing)
    .execute(tx.connection())
    .await?;
    if let Some(same) = same_account(tx, channel, sender).await? {
        join(tx, same, user).await?;
    }
    Ok(user)
}

/// Returns the user of this account on another channel of the platform: what stands before the dot.
async fn same_account(
    tx: &mut Tx,
    channel: &str,
    sender: &str,
) -> Result<Option<UserId>, StoreError> {
    let platform = channel
        .split_once('.')
        .map_or(channel, |(platform, _)| platform);
    query(sql!(
        "SELECT user_id FROM senders
         WHERE sender = $2 AND channel <> $1
           AND (channel = $3 OR substr(channel, 1, length($3) + 1) = $3 || '.')
         ORDER BY user_id LIMIT 1"
    ))
    .bind(channel)
    .bind(sender)
    .bind(platform)
    .fetch_optional(tx.connection())
    .await
}

/// Returns the accounts of a user's person, the user's own first.
pub async fn accounts_of(tx: &mut Tx, user: UserId) -> Result<Vec<AccountRow>, StoreError> {
    query(sql!(
        "SELECT user_id, channel, sender, name, standing FROM senders
         WHERE user_id IN (",
        USERS_OF_PERSON,
        ") ORDER BY user_id <> $1, channel, sender"
    ))
    .bind(user)
    .fetch_all(tx.connection())
    .await
}

/// Makes one person of the persons of two users.
pub async fn join(tx: &mut Tx, one: UserId, other: UserId) -> Result<(), StoreError> {
    tx.outdates_caches();
    query(sql!(
        "UPDATE users SET person = $3
         WHERE id IN ($1, $2)
            OR person IN (SELECT person FROM users WHERE id IN ($1, $2) AND person IS NOT NULL)"
    ))
    .bind(one)
    .bind(other)
    .bind(new_id())
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Makes a user a person alone. The other users of the person stay one.
pub async fn part(tx: &mut Tx, user: UserId) -> Result<(), StoreError> {
    tx.outdates_caches();
    query(sql!("UPDATE users SET person = NULL WHERE id = $1"))
        .bind(user)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Changes what an account may do.
pub async fn set_standing(
    tx: &mut Tx,
    channel: &str,
    sender: &str,
    standing: AccountStanding,
) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE senders SET standing = $3 WHERE channel = $1 AND sender = $2"
    ))
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
    query(sql!(
        "UPDATE senders SET direct = $3 WHERE channel = $1 AND sender = $2"
    ))
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
    standing: AccountStanding,
) -> Result<Vec<(String, String, Option<String>)>, StoreError> {
    query(sql!(
        "SELECT channel, sender, direct FROM senders WHERE standing = $1 ORDER BY channel, sender"
    ))
    .bind(standing)
    .fetch_all(tx.connection())
    .await
}

#[cfg(test)]
#[path = "people_tests.rs"]
mod tests;
