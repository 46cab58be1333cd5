//! Messages that cannot be delivered in their chat: which message they reply to, where they are
//! sent instead, and what happens to a card that cannot be shown to anyone.

use sayso_core::ChatKind;
use sayso_core::transcript::{OutboxId, TurnId};
use serde::Deserialize;

use crate::outbox::OutboxRow;
use crate::sql;
use crate::sql::query;
use crate::{StoreError, Tx, chats};

/// Whom the messages of a turn answer.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Asker {
    /// The account.
    pub sender: String,
    /// The address of the direct chat with it, as JSON, where there was one.
    pub direct: Option<String>,
    /// What they had asked for.
    pub request: String,
    /// The language of the chat in which they asked.
    pub language: String,
    /// What the thread is called in which they asked, where that is known.
    pub title: Option<String>,
}

/// Returns whom a turn answers on a channel.
pub async fn asker_of(
    tx: &mut Tx,
    turn: TurnId,
    channel: &str,
) -> Result<Option<Asker>, StoreError> {
    query(sql!(
        "SELECT p.sender, p.direct, t.request, s.title,
                coalesce((SELECT language FROM users WHERE id = t.user_id), c.language) AS language
         FROM turns t
         JOIN senders p ON p.user_id = t.user_id AND p.channel = $2
         JOIN sessions s ON s.id = t.session_id JOIN chats c ON c.id = s.chat_id
         WHERE t.id = $1 ORDER BY p.direct IS NULL LIMIT 1"
    ))
    .bind(turn)
    .bind(channel)
    .fetch_optional(tx.connection())
    .await
}

/// Puts a row in line again, to be said elsewhere: its address, part and detour are these now.
pub async fn readdress(tx: &mut Tx, row: &OutboxRow) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE outbox SET address = $2, part = $3, detour = $4, state = 'pending' WHERE id = $1"
    ))
    .bind(row.id)
    .bind(&row.address)
    .bind(&row.part)
    .bind(row.detour)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Lets a card be pressed in the direct chat that it goes to instead of its own.
pub async fn press_in(
    tx: &mut Tx,
    row: &OutboxRow,
    chat: &str,
    language: &str,
) -> Result<(), StoreError> {
    let chat = chats::chat_at(tx, &row.channel, chat, ChatKind::Direct, language).await?;
    query(sql!(
        "UPDATE cards SET chat_id = $2 WHERE id = $1 AND state = 'open'"
    ))
    .bind(row.subject)
    .bind(chat.id)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Ends the wait for an answer to a card that no one can see: no copy of it is in a chat or still
/// to be sent. A card of a closed chat stays open until it expires, because the chat may be opened
/// again in time; then the question is sent again.
pub async fn note_unshown(tx: &mut Tx, subject: i64, why: &str) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE cards SET unshown = $2,
                expires_ms = CASE WHEN (SELECT closed FROM chats WHERE chats.id = cards.chat_id)
                             THEN expires_ms ELSE 0 END
         WHERE state = 'open'
           AND (id = $1 OR id IN (SELECT card_id FROM owner_copies WHERE id = $1))
           AND NOT EXISTS (
               SELECT 1 FROM outbox o WHERE o.purpose = 'card'
                 AND o.state IN ('pending', 'sending', 'sent', 'unknown')
                 AND (o.subject = cards.id
                      OR o.subject IN (SELECT id FROM owner_copies WHERE card_id = cards.id)))"
    ))
    .bind(subject)
    .bind(why)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns why a card of a turn could not be shown to anyone, if there was such a card.
pub async fn why_unshown(tx: &mut Tx, turn: TurnId) -> Result<Option<String>, StoreError> {
    query(sql!(
        "SELECT unshown FROM cards WHERE turn_id = $1 AND unshown IS NOT NULL
           AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.purpose = 'card' AND o.state = 'sent'
                             AND o.subject = cards.id)
         ORDER BY id DESC LIMIT 1"
    ))
    .bind(turn)
    .fetch_optional(tx.connection())
    .await
}

/// Puts a row in line again as another part: what the platform disliked is not in it.
pub async fn say_as(tx: &mut Tx, id: OutboxId, part: &str) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE outbox SET part = $2, state = 'pending' WHERE id = $1"
    ))
    .bind(id)
    .bind(part)
    .execute(tx.connection())
    .await?;
    Ok(())
}
