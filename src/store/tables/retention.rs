//! Retention: deleting expired turns with all dependent rows, and the messages around them. Each
//! call does one small batch.
//!
//! The rows of the audit, accounts, memories, what was spent, and whatever is open stay.

use sayso_core::transcript::TurnId;

use crate::sql;
use crate::sql::{Statement, query};
use crate::{Readers, StoreError, Tx, first_id_of};

/// What may go of turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OldTurns {
    /// Turns that ended before this time, in milliseconds since 1970.
    pub before_ms: i64,
    /// How many of the newest turns of a session stay, however old they are.
    pub newest: i64,
}

/// What holds a turn: lines by which it is found, learning that is due, words that are not said
/// yet, and a turn of its session that is open, whose history it is.
const MAY_GO: &str = "
    t.state = 'ended' AND t.ended_ms < $1 AND t.to_learn = FALSE AND t.index_due_ms IS NULL
    AND (t.ended_seq IS NULL
         OR t.ended_seq <= (SELECT s.ended_seq FROM sessions s WHERE s.id = t.session_id) - $2)
    AND NOT EXISTS (SELECT 1 FROM lines l WHERE l.turn_id = t.id)
    AND NOT EXISTS (SELECT 1 FROM turns o WHERE o.session_id = t.session_id AND o.state <> 'ended')
    AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.turn_id = t.id
                      AND o.state NOT IN ('sent', 'failed', 'superseded'))";

/// Turns that memories are from, or a compaction was made from. Of these the row stays: whose words
/// are in them is asked there.
const NAMED: &str = "
    (EXISTS (SELECT 1 FROM memories m WHERE m.turn_id = t.id)
     OR EXISTS (SELECT 1 FROM memories m WHERE m.id = t.episode_id)
     OR EXISTS (SELECT 1 FROM compactions c, json_each(c.turns) one
                WHERE c.session_id = t.session_id AND one.value = t.id))";

/// What goes with turns, in an order that leaves no row without its parent. $1 is a JSON array.
const OF_TURNS: [Statement; 13] = [
    sql!("DELETE FROM journal WHERE turn_id IN (SELECT value FROM json_each($1))"),
    // A denial's payload holds the words of a person who is known only through the call. Without
    // the call they could not be erased any more.
    sql!(
        "DELETE FROM audit_payloads WHERE (chain, seq) IN
         (SELECT a.chain, a.seq FROM json_each($1) one CROSS JOIN held_calls h CROSS JOIN audit a
          WHERE h.turn_id = one.value AND a.turn_id = h.turn_id AND h.verdict_why IS NOT NULL AND a.event = 'decided')"
    ),
    sql!("DELETE FROM held_calls WHERE turn_id IN (SELECT value FROM json_each($1))"),
    sql!("DELETE FROM cards WHERE turn_id IN (SELECT value FROM json_each($1))"),
    sql!(
        "DELETE FROM prompts WHERE kind IN ('question', 'file_undo', 'file_redo') AND subject IN
         (SELECT id FROM questions WHERE turn_id IN (SELECT value FROM json_each($1))
          UNION ALL SELECT id FROM undos WHERE turn_id IN (SELECT value FROM json_each($1)))"
    ),
    sql!("DELETE FROM questions WHERE turn_id IN (SELECT value FROM json_each($1))"),
    sql!("DELETE FROM file_changes WHERE turn_id IN (SELECT value FROM json_each($1))"),
    sql!(
        "DELETE FROM undone_files WHERE undo_id IN
         (SELECT id FROM undos WHERE turn_id IN (SELECT value FROM json_each($1)))"
    ),
    sql!("DELETE FROM undos WHERE turn_id IN (SELECT value FROM json_each($1))"),
    sql!("DELETE FROM outbox WHERE turn_id IN (SELECT value FROM json_each($1))"),
    // What was overheard before a turn is in its journal, and found by these rows until then.
    sql!(
        "UPDATE inbox SET said = '', files = NULL WHERE id IN
         (SELECT i.id FROM json_each($1) one CROSS JOIN turns t CROSS JOIN inbox i
          WHERE t.id = one.value AND i.kind = 'message' AND i.message IS NOT NULL
                   AND i.session_id = t.session_id AND i.id < t.id AND i.id > coalesce(
                       (SELECT max(b.id) FROM turns b WHERE b.session_id = t.session_id
                          AND b.id < t.id AND b.id NOT IN (SELECT value FROM json_each($1))), 0)
            AND i.state = 'settled' AND i.said <> '' AND i.user_id IS NULL)"
    ),
    // That they were heard stays known for as long as what was not for a turn.
    sql!(
        "UPDATE inbox SET said = '', files = NULL, turn_id = NULL, state = 'settled'
     WHERE turn_id IN (SELECT value FROM json_each($1))"
    ),
    sql!(
        "UPDATE turns SET request = '', reply_to = NULL WHERE id IN (SELECT value FROM json_each($1))"
    ),
];

/// Returns turns behind `after` that may go, oldest first, at most `limit`.
pub async fn old_turns(
    readers: &Readers,
    old: OldTurns,
    after: TurnId,
    limit: usize,
) -> Result<Vec<TurnId>, StoreError> {
    query(sql!(
        "SELECT t.id FROM turns t WHERE t.id > $3 AND t.id < $4 AND ",
        MAY_GO,
        " AND (EXISTS (SELECT 1 FROM journal j WHERE j.turn_id = t.id) OR NOT ",
        NAMED,
        ") ORDER BY t.id LIMIT $5"
    ))
    .bind(old.before_ms)
    .bind(old.newest)
    .bind(after)
    .bind(first_id_of(old.before_ms))
    .bind(limit as i64)
    .fetch_all(readers)
    .await
}

/// Deletes those of the turns that still may go, with all that is theirs; returns how many.
pub async fn delete_turns(tx: &mut Tx, old: OldTurns, found: &[TurnId]) -> Result<u64, StoreError> {
    let turns: Vec<TurnId> = query(sql!(
        "SELECT t.id FROM json_each($3) one CROSS JOIN turns t WHERE t.id = one.value AND ",
        MAY_GO
    ))
    .bind(old.before_ms)
    .bind(old.newest)
    .bind(serde_json::to_string(found)?)
    .fetch_all(tx.connection())
    .await?;
    if !turns.is_empty() {
        tx.outdates_caches();
    }
    let ids = serde_json::to_string(&turns)?;
    for statement in OF_TURNS {
        query(statement).bind(&ids).execute(tx.connection()).await?;
    }
    query(sql!(
        "DELETE FROM turns AS t WHERE t.id IN (SELECT value FROM json_each($1)) AND NOT ",
        NAMED
    ))
    .bind(&ids)
    .execute(tx.connection())
    .await?;
    Ok(turns.len() as u64)
}

/// What was said is done with when it arrived, failed or had nothing left to say, no turn is open
/// that it belongs to, and nothing is to be edited in it.
const SAID: Statement = sql!(
    "
    DELETE FROM outbox WHERE id IN
        (SELECT o.id FROM outbox o
         WHERE o.id < $1 AND o.state IN ('sent', 'failed', 'superseded')
           AND NOT EXISTS (SELECT 1 FROM turns t WHERE t.id = o.turn_id AND t.state <> 'ended')
           AND o.id NOT IN (SELECT edits FROM outbox
                            WHERE state IN ('pending', 'sending', 'unknown') AND edits IS NOT NULL)
         ORDER BY o.id LIMIT $2)"
);

/// What was heard is done with when no turn has it, no line is found by it, and something was heard
/// later in its session. What was overheard goes empty first, with the turn that has it in its
/// journal.
const HEARD: Statement = sql!(
    "
    DELETE FROM inbox WHERE id IN
        (SELECT i.id FROM inbox i
         WHERE i.id < $1 AND i.state = 'settled' AND i.turn_id IS NULL
           AND (i.said = '' OR i.user_id IS NOT NULL OR i.session_id IS NULL)
           AND NOT EXISTS (SELECT 1 FROM lines l WHERE l.id = i.id)
           AND (i.kind <> 'message' OR i.message IS NULL OR i.session_id IS NULL
                OR EXISTS (SELECT 1 FROM inbox n
                           WHERE n.kind = 'message' AND n.message IS NOT NULL
                             AND n.session_id = i.session_id AND n.id > i.id
                             AND (length(n.message), n.message) >= (length(i.message), i.message)))
         ORDER BY i.id LIMIT $2)"
);

/// Deletes messages that were said before a time, and are done with, at most `limit`; returns how
/// many.
pub async fn delete_said(tx: &mut Tx, before_ms: i64, limit: usize) -> Result<u64, StoreError> {
    delete(tx, SAID, before_ms, limit).await
}

/// Deletes events that were heard before a time, and are done with, at most `limit`; returns how
/// many.
pub async fn delete_heard(tx: &mut Tx, before_ms: i64, limit: usize) -> Result<u64, StoreError> {
    delete(tx, HEARD, before_ms, limit).await
}

async fn delete(
    tx: &mut Tx,
    statement: Statement,
    before_ms: i64,
    limit: usize,
) -> Result<u64, StoreError> {
    let deleted = query(statement)
        .bind(first_id_of(before_ms))
        .bind(limit as i64)
        .execute(tx.connection())
        .await?;
    Ok(deleted)
}
