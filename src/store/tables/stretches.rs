//! What is erased of the lines of a transcript, and the stretches that they stand in.

use sayso_core::transcript::TurnId;

use crate::sql::query;
use crate::{StoreError, Tx, of_person, sql};

/// Takes lines away that may repeat what a person said and was overheard with: what others were
/// answered in these turns. The person's own lines go with their turns.
pub(crate) async fn erase_answers(tx: &mut Tx, turns: &[TurnId]) -> Result<(), StoreError> {
    query(sql!(
        "DELETE FROM lines WHERE id = turn_id AND turn_id IN (SELECT value FROM json_each($1))"
    ))
    .bind(serde_json::to_string(turns)?)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Erases a person (`of_person`), once their turns are gone: the stretches that are empty then.
pub(crate) async fn erase(tx: &mut Tx, users: &str) -> Result<(), StoreError> {
    of_person::run(
        tx,
        users,
        [sql!(
            "DELETE FROM stretches WHERE owner_kind = 'user'
         AND owner_id IN (SELECT value FROM json_each($1))
         AND NOT EXISTS (SELECT 1 FROM lines WHERE stretch_id = stretches.id)"
        )],
    )
    .await
}
