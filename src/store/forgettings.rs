//! The rows of `forgettings`: memories that one person may have forgotten by a press.

use sqlx::FromRow;

use super::owners::{columns, owner_of};
use super::{StoreError, Tx, new_id};
use crate::transcript::{ChatId, MemoryId, Owner, UserId};

/// What became of the question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::Type)]
#[sqlx(rename_all = "snake_case")]
pub enum ForgettingState {
    /// It waits for a press.
    Open,
    /// Something was forgotten.
    Done,
    /// Nothing was to be forgotten.
    Refused,
    /// It was not confirmed in time.
    Expired,
}

/// A question what is to be forgotten.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct ForgettingRow {
    /// Names it.
    pub id: i64,
    /// Who asked.
    pub user_id: UserId,
    /// Where it may be pressed.
    pub chat_id: ChatId,
    /// The language of that chat.
    pub language: String,
    owner_kind: String,
    owner_id: i64,
    memories: String,
    /// The words that were asked for, where something was said with all of them.
    pub words: Option<String>,
    /// Until when it may be pressed.
    pub expires_ms: i64,
    /// What became of it.
    pub state: ForgettingState,
}

impl ForgettingRow {
    /// Returns whose memories they are.
    pub fn owner(&self) -> Owner {
        owner_of(&self.owner_kind, self.owner_id)
    }

    /// Returns the memories in the order in which they are shown.
    pub fn memories(&self) -> Result<Vec<MemoryId>, StoreError> {
        Ok(serde_json::from_str(&self.memories)?)
    }
}

/// A question to ask.
#[derive(Debug)]
pub struct NewForgetting<'a> {
    /// What its buttons carry.
    pub token: &'a str,
    /// Who asked.
    pub user: UserId,
    /// Where it may be pressed.
    pub chat: ChatId,
    /// Whose memories they are.
    pub owner: Owner,
    /// The memories.
    pub memories: &'a [MemoryId],
    /// The words that were asked for, where something was said with all of them.
    pub words: Option<&'a str>,
    /// Until when it may be pressed.
    pub expires_ms: i64,
}

const ROW: &str = "
    SELECT f.id, f.user_id, f.chat_id, c.language, f.owner_kind, f.owner_id, f.memories,
           f.words, f.expires_ms, f.state
    FROM forgettings f JOIN chats c ON c.id = f.chat_id";

/// Adds a question and returns its id.
pub async fn ask(tx: &mut Tx, new: &NewForgetting<'_>) -> Result<i64, StoreError> {
    let id = new_id();
    let (kind, owner) = columns(new.owner);
    sqlx::query(
        "INSERT INTO forgettings
             (id, token, user_id, chat_id, owner_kind, owner_id, memories, words, expires_ms, state)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'open')",
    )
    .bind(id)
    .bind(new.token)
    .bind(new.user)
    .bind(new.chat)
    .bind(kind)
    .bind(owner)
    .bind(serde_json::to_string(new.memories)?)
    .bind(new.words)
    .bind(new.expires_ms)
    .execute(tx.connection())
    .await?;
    Ok(id)
}

/// Returns the question whose buttons carry a token.
pub async fn asked(tx: &mut Tx, token: &str) -> Result<Option<ForgettingRow>, StoreError> {
    Ok(
        sqlx::query_as(sqlx::AssertSqlSafe(format!("{ROW} WHERE f.token = $1")))
            .bind(token)
            .fetch_optional(tx.connection())
            .await?,
    )
}

/// Returns the open questions that a user asked in a chat.
pub async fn open_of(
    tx: &mut Tx,
    user: UserId,
    chat: ChatId,
) -> Result<Vec<ForgettingRow>, StoreError> {
    Ok(sqlx::query_as(sqlx::AssertSqlSafe(format!(
        "{ROW} WHERE f.state = 'open' AND f.user_id = $1 AND f.chat_id = $2"
    )))
    .bind(user)
    .bind(chat)
    .fetch_all(tx.connection())
    .await?)
}

/// Returns the open questions that have expired by now.
pub async fn expired(tx: &mut Tx, now_ms: i64) -> Result<Vec<ForgettingRow>, StoreError> {
    Ok(sqlx::query_as(sqlx::AssertSqlSafe(format!(
        "{ROW} WHERE f.state = 'open' AND f.expires_ms <= $1"
    )))
    .bind(now_ms)
    .fetch_all(tx.connection())
    .await?)
}

/// Closes an open question, once.
pub async fn close(tx: &mut Tx, id: i64, state: ForgettingState) -> Result<(), StoreError> {
    sqlx::query(
        "UPDATE forgettings SET state = $2, memories = '[]', words = NULL
         WHERE id = $1 AND state = 'open'",
    )
    .bind(id)
    .bind(state)
    .execute(tx.connection())
    .await?;
    Ok(())
}
