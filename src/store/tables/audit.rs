//! Audit rows, which are never changed, and their payloads, which can be erased.

use sayso_core::transcript::{ChatId, SessionId, TurnId, UserId};
use serde::Deserialize;

use crate::sql;
use crate::sql::query;
use crate::{Readers, StoreError, Tx};

/// One row of the audit.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct AuditRow {
    /// Its place: 1, 2, 3 and so on.
    pub seq: i64,
    /// When, in milliseconds since 1970.
    pub at_ms: i64,
    /// What happened.
    pub event: String,
    /// In which turn.
    pub turn_id: Option<TurnId>,
    /// In which session.
    pub session_id: Option<SessionId>,
    /// In which chat.
    pub chat_id: Option<ChatId>,
    /// Whom it concerns.
    pub user_id: Option<UserId>,
    /// The call, by its name in the turn.
    pub call_id: Option<String>,
    /// The name of the tool.
    pub tool: Option<String>,
    /// What was decided.
    pub decision: Option<String>,
    /// By whom.
    pub decided_by: Option<String>,
    /// The outcome of it.
    pub outcome: Option<String>,
    /// The digest of the payload with its salt.
    pub digest: Option<String>,
    /// The hash of the row before and of this one.
    pub hash: String,
}

/// What a row is about, as long as it was not erased.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct PayloadRow {
    /// The row of the audit.
    pub seq: i64,
    /// Whose words they are.
    pub user_id: Option<UserId>,
    /// Random bytes, so that the payload cannot be guessed from its digest.
    pub salt: Vec<u8>,
    /// The payload, as JSON.
    pub payload: String,
}

/// The chain of this worker. There is one worker, and so one chain to write and to read.
const CHAIN: i64 = 0;

/// Returns place and hash of the newest row.
pub async fn head(tx: &mut Tx) -> Result<Option<(i64, String)>, StoreError> {
    query(sql!(
        "SELECT seq, hash FROM audit WHERE chain = $1 ORDER BY seq DESC LIMIT 1"
    ))
    .bind(CHAIN)
    .fetch_optional(tx.connection())
    .await
}

/// Adds a row.
pub async fn append(tx: &mut Tx, row: &AuditRow) -> Result<(), StoreError> {
    query(sql!("INSERT INTO audit (seq, at_ms, event, turn_id, session_id, chat_id, user_id, call_id, tool,
                            decision, decided_by, outcome, digest, hash, chain)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)"))
    .bind(row.seq)
    .bind(row.at_ms)
    .bind(&row.event)
    .bind(row.turn_id)
    .bind(row.session_id)
    .bind(row.chat_id)
    .bind(row.user_id)
    .bind(&row.call_id)
    .bind(&row.tool)
    .bind(&row.decision)
    .bind(&row.decided_by)
    .bind(&row.outcome)
    .bind(&row.digest)
    .bind(&row.hash)
    .bind(CHAIN)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Adds the payload of a row.
pub async fn put_payload(tx: &mut Tx, payload: &PayloadRow) -> Result<(), StoreError> {
    query(sql!(
        "INSERT INTO audit_payloads (seq, user_id, salt, payload, chain)
         VALUES ($1, $2, $3, $4, $5)"
    ))
    .bind(payload.seq)
    .bind(payload.user_id)
    .bind(&payload.salt)
    .bind(&payload.payload)
    .bind(CHAIN)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Erases the payloads of a user, down to the bytes of the file once this is checkpointed; returns
/// how many there were. Their rows stay as they are.
pub async fn forget(tx: &mut Tx, user: UserId) -> Result<u64, StoreError> {
    let erased = query(sql!("DELETE FROM audit_payloads WHERE user_id = $1"))
        .bind(user)
        .execute(tx.connection())
        .await?;
    Ok(erased)
}

/// Returns the rows behind a place, oldest first, at most `limit`.
pub async fn after(readers: &Readers, seq: i64, limit: i64) -> Result<Vec<AuditRow>, StoreError> {
    query(sql!(
        "SELECT * FROM audit WHERE chain = $3 AND seq > $1 ORDER BY seq LIMIT $2"
    ))
    .bind(seq)
    .bind(limit)
    .bind(CHAIN)
    .fetch_all(readers)
    .await
}

/// Returns the payloads of the rows in `(after, until]` that were not erased, oldest first.
pub async fn payloads(
    readers: &Readers,
    after: i64,
    until: i64,
) -> Result<Vec<PayloadRow>, StoreError> {
    query(sql!(
        "SELECT seq, user_id, salt, payload FROM audit_payloads
         WHERE chain = $3 AND seq > $1 AND seq <= $2 ORDER BY seq"
    ))
    .bind(after)
    .bind(until)
    .bind(CHAIN)
    .fetch_all(readers)
    .await
}
