//! The journals of turns, beside what `turns` writes and reads of them: words that are erased.

use sayso_core::transcript::TurnId;

use crate::erased_words::without;
use crate::sql::query;
use crate::{StoreError, Tx, sql};

/// Takes words out of the journal of a turn; returns the rows that changed, with the turn.
pub(crate) async fn erase_words(
    tx: &mut Tx,
    turn: TurnId,
    words: &str,
) -> Result<Vec<(i64, TurnId)>, StoreError> {
    let entries: Vec<(i64, String)> =
        query(sql!("SELECT row, body FROM journal WHERE turn_id = $1"))
            .bind(turn)
            .fetch_all(tx.connection())
            .await?;
    let mut changed = Vec::new();
    for (row, body) in entries {
        let Some(rest) = without(&body, words)? else {
            continue;
        };
        query(sql!("UPDATE journal SET body = $2 WHERE row = $1"))
            .bind(row)
            .bind(rest)
            .execute(tx.connection())
            .await?;
        changed.push((row, turn));
    }
    if !changed.is_empty() {
        tx.outdates_caches();
    }
    Ok(changed)
}
