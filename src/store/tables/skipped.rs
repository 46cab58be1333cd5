//! Messages that came too fast and were skipped: counted per person and conversation until a notice
//! says how many they were.

use sayso_core::transcript::{SessionId, UserId};
use serde::Deserialize;

use crate::of_person;
use crate::sql;
use crate::sql::query;
use crate::{Readers, StoreError, Tx};

/// How long nothing is skipped before the notice, in milliseconds.
const QUIET_MS: i64 = 3_000;
/// When the notice comes at the latest, counted from the first one, in milliseconds.
const LATEST_MS: i64 = 60_000;

/// A message that is skipped.
#[derive(Debug)]
pub struct Skip<'a> {
    /// Its conversation.
    pub session: SessionId,
    /// Who wrote it.
    pub user: UserId,
    /// Where it stands, as JSON.
    pub address: &'a str,
    /// The platform's name of it, where an answer names the message that it answers.
    pub reply_to: Option<&'a str>,
    /// The code of the language in which its author is answered.
    pub language: &'a str,
}

/// Messages in a row that were skipped.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Skipped {
    /// Where the last one stands, as JSON.
    pub address: String,
    /// The platform's name of the last one, where an answer names the message that it answers.
    pub reply_to: Option<String>,
    /// The code of the language in which their author is answered.
    pub language: String,
    /// How many they are.
    pub messages: i64,
}

/// Counts a message that is skipped.
pub async fn count(tx: &mut Tx, skip: &Skip<'_>, now_ms: i64) -> Result<(), StoreError> {
    query(sql!(
        "INSERT INTO skipped_messages
             (session_id, user_id, address, reply_to, language, messages, first_ms, last_ms)
         VALUES ($1, $2, $3, $4, $5, 1, $6, $6)
         ON CONFLICT (session_id, user_id) DO UPDATE SET
             address = excluded.address, reply_to = excluded.reply_to,
             language = excluded.language, messages = skipped_messages.messages + 1, last_ms = excluded.last_ms"
    ))
    .bind(skip.session)
    .bind(skip.user)
    .bind(skip.address)
    .bind(skip.reply_to)
    .bind(skip.language)
    .bind(now_ms)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns whether a notice is due.
pub async fn is_due(readers: &Readers, now_ms: i64) -> Result<bool, StoreError> {
    query(sql!(
        "SELECT EXISTS (
            SELECT 1 FROM skipped_messages WHERE last_ms <= $1 OR first_ms <= $2)"
    ))
    .bind(now_ms - QUIET_MS)
    .bind(now_ms - LATEST_MS)
    .fetch_one(readers)
    .await
}

/// Takes what notices are due about.
pub async fn take_due(tx: &mut Tx, now_ms: i64) -> Result<Vec<Skipped>, StoreError> {
    query(sql!(
        "DELETE FROM skipped_messages WHERE last_ms <= $1 OR first_ms <= $2
         RETURNING address, reply_to, language, messages"
    ))
    .bind(now_ms - QUIET_MS)
    .bind(now_ms - LATEST_MS)
    .fetch_all(tx.connection())
    .await
}

/// Erases a person (`of_person`): messages of theirs that were skipped.
pub(crate) async fn erase(tx: &mut Tx, users: &str) -> Result<(), StoreError> {
    of_person::run(
        tx,
        users,
        [sql!(
            "DELETE FROM skipped_messages WHERE user_id IN (SELECT value FROM json_each($1))"
        )],
    )
    .await
}
