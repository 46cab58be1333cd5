//! The history of sessions: what counts of the journals of turns that have ended for those after
//! them.

use sayso_core::transcript::{Entry, SessionId, TurnId, UserId};
use serde::Deserialize;

use crate::sql;
use crate::sql::{json, query};
use crate::{Readers, StoreError};

/// One row for each turn, so that a long history costs few of them.
pub(crate) const HISTORY: &str = "
    SELECT min(t.id) AS turn, min(t.user_id) AS user, min(t.project) AS project,
           t.ended_seq AS place,
           '[' || group_concat(j.body, ',' ORDER BY j.seq) || ']' AS entries
    FROM turns t JOIN journal j ON j.turn_id = t.id
    WHERE t.session_id = $1 AND t.ended_seq > $2 AND t.ended_seq <= $3
      AND j.kind IN ('started', 'heard', 'fetched', 'replied', 'issued', 'returned', 'ended', 'undone', 'redone')
    GROUP BY t.ended_seq ORDER BY t.ended_seq DESC LIMIT $4";

/// A turn that has ended, with what counts of its journal for the turns after it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct EndedTurnRow {
    /// The turn.
    pub turn: TurnId,
    /// For whom it acted.
    pub user: UserId,
    /// The project that it worked in.
    pub project: Option<String>,
    /// Its place in the history of its session.
    pub place: i64,
    /// The entries of which [`is_of_history`] is true, in their order.
    #[serde(deserialize_with = "json")]
    pub entries: Vec<Entry>,
}

/// Returns whether an entry counts for the turns after its own.
pub fn is_of_history(entry: &Entry) -> bool {
    match entry {
        Entry::Started(_)
        | Entry::Heard(_)
        | Entry::Fetched(_)
        | Entry::Replied(_)
        | Entry::Issued(_)
        | Entry::Returned(_)
        | Entry::Ended { .. }
        | Entry::Undone(_)
        | Entry::Redone(_) => true,
        Entry::Routed(_)
        | Entry::Planned(_)
        | Entry::Consulted(_)
        | Entry::Called { .. }
        | Entry::Held { .. }
        | Entry::Decided(_)
        | Entry::Noted { .. }
        | Entry::Compacted(_)
        | Entry::Condensed(_) => false,
    }
}

/// Returns what counts of the journals of a session's ended turns with places in
/// `(since, until]`: the newest `limit` turns, oldest first.
pub async fn ended_turns(
    readers: &Readers,
    session: SessionId,
    since: i64,
    until: i64,
    limit: i64,
) -> Result<Vec<EndedTurnRow>, StoreError> {
    let mut turns: Vec<EndedTurnRow> = query(sql!(HISTORY))
        .bind(session)
        .bind(since)
        .bind(until)
        .bind(limit)
        .fetch_all(readers)
        .await?;
    turns.reverse();
    Ok(turns)
}

#[cfg(test)]
mod tests {
    use super::HISTORY;
    use crate::Store;
    use crate::query_plans::plan;

    #[tokio::test]
    async fn history_is_read_from_its_end_and_no_further_than_its_limit() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(&directory.path().join("sayso.db"))
            .await
            .unwrap();
        let steps = plan(store.reader(), HISTORY).await;
        insta::assert_snapshot!(steps.join("\n"), @r"
        SEARCH t USING INDEX turns_history (session_id=? AND ended_seq>? AND ended_seq<?)
        SEARCH j USING INDEX sqlite_autoindex_journal_1 (turn_id=?)
        USE TEMP B-TREE FOR group_concat(ORDER BY)
        ");
    }
}
