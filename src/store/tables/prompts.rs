//! The rows of `prompts`: questions with buttons, each answered once.

use sayso_core::transcript::{ChatId, SessionId, UserId};
use serde::Deserialize;

use crate::of_person;
use crate::sql;
use crate::sql::{Statement, named, query};
use crate::{Readers, StoreError, Tx, new_id, now_ms};

named! {
    /// Who may answer.
    pub enum Audience {
        /// The user of the row.
        User = "user",
        /// Every owner.
        Owner = "owner",
        /// The user of the row, and every owner.
        UserOrOwner = "user_or_owner",
    }
}

named! {
    /// What became of a prompt.
    pub enum PromptState {
        /// It waits for a press.
        Open = "open",
        /// A press answered it.
        Answered = "answered",
        /// Its time was over first.
        Expired = "expired",
        /// Its feature needs no answer any more.
        Withdrawn = "withdrawn",
    }
}

/// A question with buttons.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct PromptRow {
    /// Names it.
    pub id: i64,
    /// Which question it is, by the name of its kind.
    pub kind: String,
    /// What its buttons carry.
    pub token: String,
    /// The chat in which it may be pressed; `None` where that does not matter.
    pub chat_id: Option<ChatId>,
    /// The session in which it may be pressed; `None` where that does not matter.
    pub session_id: Option<SessionId>,
    /// The person who may press.
    pub user_id: Option<UserId>,
    /// Who may press.
    pub audience: Audience,
    /// The row of its feature that it is about.
    pub subject: Option<i64>,
    /// What its feature keeps with it, as JSON; empty once it is closed.
    pub payload: String,
    /// What became of it.
    pub state: PromptState,
    /// Until when it may be pressed.
    pub expires_ms: Option<i64>,
    /// The language of its chat.
    pub language: Option<String>,
}

/// What a closed prompt keeps of its payload: nothing.
const NO_PAYLOAD: &str = "{}";

pub(crate) const NEXT_EXPIRY: &str = "SELECT min(expires_ms) FROM prompts WHERE state = 'open'";

const ROW: &str = "
    SELECT p.id, p.kind, p.token, p.chat_id, p.session_id, p.user_id, p.audience, p.subject,
           p.payload, p.state, p.expires_ms,
           coalesce((SELECT language FROM users WHERE id = p.user_id), c.language) AS language
    FROM prompts p LEFT JOIN chats c ON c.id = p.chat_id";

pub(crate) const OF_TOKEN: Statement = sql!(ROW, " WHERE p.token = $1 AND p.kind = $2");
pub(crate) const OPEN_OF_KIND: Statement =
    sql!(ROW, " WHERE p.state = 'open' AND p.kind = $1 ORDER BY p.id");
pub(crate) const OPEN_FOR_USER: Statement = sql!(
    ROW,
    " WHERE p.state = 'open' AND p.kind = $1 AND p.user_id = $2 ORDER BY p.id"
);
pub(crate) const OF_SUBJECT: Statement = sql!(
    ROW,
    " WHERE p.kind = $1 AND p.subject = $2 ORDER BY p.id DESC LIMIT 1"
);
pub(crate) const THAT_EXPIRED: Statement = sql!(
    ROW,
    " WHERE p.state = 'open' AND p.expires_ms <= $1 ORDER BY p.expires_ms, p.id"
);

/// Adds an open prompt and returns its id; the id, the state and the language of `new` are not
/// read.
pub async fn insert(tx: &mut Tx, new: &PromptRow) -> Result<i64, StoreError> {
    let id = new_id();
    query(sql!(
        "INSERT INTO prompts (id, kind, token, chat_id, session_id, user_id, audience, subject,
                              payload, state, expires_ms)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'open', $10)"
    ))
    .bind(id)
    .bind(&new.kind)
    .bind(&new.token)
    .bind(new.chat_id)
    .bind(new.session_id)
    .bind(new.user_id)
    .bind(new.audience)
    .bind(new.subject)
    .bind(&new.payload)
    .bind(new.expires_ms)
    .execute(tx.connection())
    .await?;
    Ok(id)
}

/// Returns the prompt of a kind whose buttons carry a token.
pub async fn by_token(
    tx: &mut Tx,
    kind: &str,
    token: &str,
) -> Result<Option<PromptRow>, StoreError> {
    query(OF_TOKEN)
        .bind(token)
        .bind(kind)
        .fetch_optional(tx.connection())
        .await
}

/// Returns the open prompts of a kind, oldest first.
pub async fn open_of(tx: &mut Tx, kind: &str) -> Result<Vec<PromptRow>, StoreError> {
    query(OPEN_OF_KIND)
        .bind(kind)
        .fetch_all(tx.connection())
        .await
}

/// Returns the open prompts of a kind that one person may answer, oldest first.
pub async fn open_for(tx: &mut Tx, kind: &str, user: UserId) -> Result<Vec<PromptRow>, StoreError> {
    query(OPEN_FOR_USER)
        .bind(kind)
        .bind(user)
        .fetch_all(tx.connection())
        .await
}

/// Returns the newest prompt of a kind about a row of its feature, whatever became of it.
pub async fn about(tx: &mut Tx, kind: &str, subject: i64) -> Result<Option<PromptRow>, StoreError> {
    query(OF_SUBJECT)
        .bind(kind)
        .bind(subject)
        .fetch_optional(tx.connection())
        .await
}

/// Closes an open prompt by a press, once, and empties it; returns whether this call did it.
pub async fn answer(tx: &mut Tx, id: i64, by: UserId) -> Result<bool, StoreError> {
    let answered = query(sql!(
        "UPDATE prompts SET state = 'answered', payload = $2, answered_by = $3, answered_ms = $4
         WHERE id = $1 AND state = 'open'"
    ))
    .bind(id)
    .bind(NO_PAYLOAD)
    .bind(by)
    .bind(now_ms())
    .execute(tx.connection())
    .await?;
    Ok(answered == 1)
}

/// Closes an open prompt without a press, once, and empties it; returns whether this call did it.
pub async fn close(tx: &mut Tx, id: i64, state: PromptState) -> Result<bool, StoreError> {
    let closed = query(sql!(
        "UPDATE prompts SET state = $2, payload = $3 WHERE id = $1 AND state = 'open'"
    ))
    .bind(id)
    .bind(state)
    .bind(NO_PAYLOAD)
    .execute(tx.connection())
    .await?;
    Ok(closed == 1)
}

/// Withdraws the open prompts of a kind about a row of its feature.
pub async fn withdraw_about(tx: &mut Tx, kind: &str, subject: i64) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE prompts SET state = 'withdrawn', payload = $3
         WHERE kind = $1 AND subject = $2 AND state = 'open'"
    ))
    .bind(kind)
    .bind(subject)
    .bind(NO_PAYLOAD)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Opens a prompt again that a press has just closed, with what it held.
pub async fn reopen(tx: &mut Tx, prompt: &PromptRow) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE prompts SET state = 'open', payload = $2, answered_by = NULL, answered_ms = NULL
         WHERE id = $1 AND state = 'answered'"
    ))
    .bind(prompt.id)
    .bind(&prompt.payload)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Changes what an open prompt holds.
pub async fn set_payload(tx: &mut Tx, id: i64, payload: &str) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE prompts SET payload = $2 WHERE id = $1 AND state = 'open'"
    ))
    .bind(id)
    .bind(payload)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns when the next open prompt expires, in milliseconds since 1970.
pub async fn next_expiry(readers: &Readers) -> Result<Option<i64>, StoreError> {
    query(sql!(NEXT_EXPIRY)).fetch_one(readers).await
}

/// Returns the open prompts that have expired by now, oldest first.
pub async fn overdue(tx: &mut Tx, now_ms: i64) -> Result<Vec<PromptRow>, StoreError> {
    query(THAT_EXPIRED)
        .bind(now_ms)
        .fetch_all(tx.connection())
        .await
}

/// Erases a person (`of_person`). A request to link accounts is about another account too, and holds
/// no words: it stays.
pub(crate) async fn erase(tx: &mut Tx, users: &str) -> Result<(), StoreError> {
    of_person::run(tx, users, [sql!("DELETE FROM prompts WHERE user_id IN (SELECT value FROM json_each($1)) AND kind <> 'link'")]).await
}
