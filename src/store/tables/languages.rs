//! The languages of people, and of the chats that follow them.
//!
//! What is read most often stands beside the chat (`chats.language`): the language of a direct chat
//! is that of its person, and is written anew when theirs changes.

use sayso_core::transcript::{ChatId, UserId};
use serde::Deserialize;

use crate::people::USERS_OF_PERSON;
use crate::sql;
use crate::sql::query;
use crate::{StoreError, Tx};

/// What is known of the language of a person: `en` or `zh-CN` each.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct LanguageRow {
    /// The one that was chosen by a command.
    #[serde(rename = "chosen_language")]
    pub chosen: Option<String>,
    /// The one of the last clear words.
    #[serde(rename = "written_language")]
    pub written: Option<String>,
    /// The one that the platform's client reports.
    #[serde(rename = "client_language")]
    pub client: Option<String>,
}

impl LanguageRow {
    /// Returns the language that the person reads: the chosen one, else what they write, else that
    /// of their client.
    pub fn language(&self) -> Option<&str> {
        let known = [&self.chosen, &self.written, &self.client];
        known.into_iter().find_map(Option::as_deref)
    }
}

/// Returns what is known of the language of a user.
pub async fn of_user(tx: &mut Tx, user: UserId) -> Result<LanguageRow, StoreError> {
    let row = query(sql!(
        "SELECT chosen_language, written_language, client_language FROM users WHERE id = $1"
    ))
    .bind(user)
    .fetch_optional(tx.connection())
    .await?;
    Ok(row.unwrap_or_default())
}

/// Notes what a user writes and what their client reports; their direct chats follow.
pub async fn set(tx: &mut Tx, user: UserId, row: &LanguageRow) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE users SET written_language = $2, client_language = $3 WHERE id = $1"
    ))
    .bind(user)
    .bind(&row.written)
    .bind(&row.client)
    .execute(tx.connection())
    .await?;
    follow(tx, user).await
}

/// Notes what a person chose for all of their accounts; `None` chooses none.
pub async fn choose(tx: &mut Tx, user: UserId, language: Option<&str>) -> Result<(), StoreError> {
    let users: Vec<UserId> = query(sql!(USERS_OF_PERSON))
        .bind(user)
        .fetch_all(tx.connection())
        .await?;
    for user in users {
        query(sql!("UPDATE users SET chosen_language = $2 WHERE id = $1"))
            .bind(user)
            .bind(language)
            .execute(tx.connection())
            .await?;
        follow(tx, user).await?;
    }
    Ok(())
}

/// Gives the direct chats of a user their language.
async fn follow(tx: &mut Tx, user: UserId) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE chats SET language = coalesce((SELECT language FROM users WHERE id = $1), language)
         WHERE (channel, chat) IN (SELECT direct ->> 'channel', direct ->> 'chat' FROM senders
                                   WHERE user_id = $1 AND direct IS NOT NULL)"
    ))
    .bind(user)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Notes the language of a chat.
pub async fn set_of_chat(tx: &mut Tx, chat: ChatId, language: &str) -> Result<(), StoreError> {
    query(sql!("UPDATE chats SET language = $2 WHERE id = $1"))
        .bind(chat)
        .bind(language)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Returns the language of a chat, empty where none is known.
pub async fn of_chat(tx: &mut Tx, channel: &str, chat: &str) -> Result<String, StoreError> {
    let language = query(sql!(
        "SELECT language FROM chats WHERE channel = $1 AND chat = $2"
    ))
    .bind(channel)
    .bind(chat)
    .fetch_optional(tx.connection())
    .await?;
    Ok(language.unwrap_or_default())
}
