//! Queue lengths for monitoring. Every count is read from an index.

use serde::Deserialize;

use crate::Readers;
use crate::StoreError;
use crate::sql;
use crate::sql::query;

/// How much is in line.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Counts {
    /// Rows to send.
    pub outbox_pending: i64,
    /// Rows on the wire.
    pub outbox_sending: i64,
    /// Rows that may have arrived, and are sent again.
    pub outbox_unknown: i64,
    /// Messages that wait for a turn.
    pub inbox_waiting: i64,
    /// Cards that wait for an answer.
    pub cards_open: i64,
}

/// Counts what is in line.
pub async fn counts(readers: &Readers) -> Result<Counts, StoreError> {
    query(sql!(
        "SELECT
            count(*) FILTER (WHERE state = 'pending') AS outbox_pending,
            count(*) FILTER (WHERE state = 'sending') AS outbox_sending,
            count(*) FILTER (WHERE state = 'unknown') AS outbox_unknown,
            (SELECT count(*) FROM jobs WHERE origin = 'message') AS inbox_waiting,
            (SELECT count(*) FROM cards WHERE state = 'open') AS cards_open
         FROM outbox WHERE state IN ('pending', 'sending', 'unknown')"
    ))
    .fetch_one(readers)
    .await
}
