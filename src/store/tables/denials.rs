//! Why people denied calls: their words in the held calls of others.

use sayso_core::transcript::TurnId;

use crate::sql::query;
use crate::{StoreError, Tx, of_person, sql};

/// Takes the words from others' held calls with which the person denied them, and their payloads from the
/// audit; returns the words, each with its turn.
pub(crate) async fn take(
    tx: &mut Tx,
    users: &str,
) -> Result<Vec<(Option<TurnId>, String)>, StoreError> {
    let denials = query(sql!(
        "SELECT turn_id, verdict_why FROM held_calls
         WHERE verdict_by IN (SELECT value FROM json_each($1)) AND verdict_why IS NOT NULL"
    ))
    .bind(users)
    .fetch_all(tx.connection())
    .await?;
    let statements = [
        sql!(
            "DELETE FROM audit_payloads WHERE (chain, seq) IN
             (SELECT a.chain, a.seq FROM audit a JOIN held_calls h ON h.turn_id = a.turn_id
              WHERE h.verdict_why IS NOT NULL AND a.event = 'decided'
                AND a.decided_by = 'user ' || h.verdict_by
                AND h.verdict_by IN (SELECT value FROM json_each($1)))"
        ),
        sql!(
            "UPDATE held_calls SET verdict_why = NULL
             WHERE verdict_by IN (SELECT value FROM json_each($1))"
        ),
    ];
    of_person::run(tx, users, statements).await?;
    Ok(denials)
}
