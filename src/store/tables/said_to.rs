//! What the outbox holds for a person: what is still to be said to them, and what is erased of it.

use crate::sql::query;
use crate::{StoreError, Tx, of_person, sql};

/// The rows of the outbox that are a person's: by their turns, their cards and questions, and their
/// direct chats.
const SAID_TO_THEM: &str = "
    (turn_id IN (SELECT id FROM turns WHERE user_id IN (SELECT value FROM json_each($1)))
     OR subject IN (SELECT id FROM cards WHERE user_id IN (SELECT value FROM json_each($1))
                    UNION ALL
                    SELECT o.id FROM owner_copies o JOIN cards c ON c.id = o.card_id
                    WHERE c.user_id IN (SELECT value FROM json_each($1))
                    UNION ALL
                    SELECT id FROM questions WHERE user_id IN (SELECT value FROM json_each($1))
                    UNION ALL
                    SELECT id FROM prompts WHERE user_id IN (SELECT value FROM json_each($1))
                    UNION ALL
                    SELECT id FROM skill_reviews WHERE user_id IN (SELECT value FROM json_each($1)))
     OR EXISTS (SELECT 1 FROM senders s
                WHERE s.user_id IN (SELECT value FROM json_each($1)) AND s.direct IS NOT NULL
                  AND outbox.channel = s.channel
                  AND outbox.chat = s.direct ->> 'chat'))";

/// Returns whether something is still to be said to a person (`of_person`).
pub(crate) async fn has_unsaid(tx: &mut Tx, users: &str) -> Result<bool, StoreError> {
    query(sql!(
        "SELECT EXISTS (SELECT 1 FROM outbox WHERE state IN ('pending', 'sending', 'unknown') AND ",
        SAID_TO_THEM,
        ")"
    ))
    .bind(users)
    .fetch_one(tx.connection())
    .await
}

/// Erases a person (`of_person`): what was said to them, and our notices in the chats of their turns,
/// which may name their requests. What is being said since they asked stays.
pub(crate) async fn erase(
    tx: &mut Tx,
    users: &str,
    asked_ms: Option<i64>,
) -> Result<(), StoreError> {
    query(sql!(
        "DELETE FROM outbox WHERE ",
        SAID_TO_THEM,
        "
           AND (state NOT IN ('pending', 'sending', 'unknown') OR created_ms <= $2
                OR turn_id IS NOT NULL)"
    ))
    .bind(users)
    .bind(asked_ms)
    .execute(tx.connection())
    .await?;
    let notices_around = sql!(
        "DELETE FROM outbox
    WHERE turn_id IS NULL AND purpose IN ('notice', 'more')
      AND state NOT IN ('pending', 'sending', 'unknown')
      AND EXISTS (SELECT 1 FROM turns t
                  JOIN sessions s ON s.id = t.session_id JOIN chats c ON c.id = s.chat_id
                  WHERE t.user_id IN (SELECT value FROM json_each($1))
                    AND c.channel = outbox.channel AND c.chat = outbox.chat)"
    );
    of_person::run(tx, users, [notices_around]).await
}
