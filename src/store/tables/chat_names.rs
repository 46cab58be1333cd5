//! The names of people in a group: people with the same name are distinguished by a permanent mark.

use crate::of_person;
use crate::sql;
use crate::sql::query;
use crate::{StoreError, Tx};

/// Returns the mark of a name in a group: 1 for the first who has it there, which is no mark, and a
/// number of its own for everybody else. A person who takes another name gets its next mark.
pub async fn mark_of(
    tx: &mut Tx,
    channel: &str,
    chat: &str,
    sender: &str,
    name: &str,
) -> Result<i64, StoreError> {
    if let Some(mark) = known_mark(tx, channel, chat, sender, name).await? {
        return Ok(mark);
    }
    query(sql!(
        "INSERT INTO chat_names (channel, chat, sender, name, mark)
         VALUES ($1, $2, $3, $4,
                 (SELECT coalesce(max(mark), 0) + 1 FROM chat_names
                  WHERE channel = $1 AND chat = $2 AND name = $4))
         ON CONFLICT (channel, chat, sender)
         DO UPDATE SET name = excluded.name, mark = excluded.mark
         RETURNING mark"
    ))
    .bind(channel)
    .bind(chat)
    .bind(sender)
    .bind(name)
    .fetch_one(tx.connection())
    .await
}

/// Returns the mark of somebody who is known to have this name in a group.
pub async fn known_mark(
    tx: &mut Tx,
    channel: &str,
    chat: &str,
    sender: &str,
    name: &str,
) -> Result<Option<i64>, StoreError> {
    query(sql!(
        "SELECT mark FROM chat_names
         WHERE channel = $1 AND chat = $2 AND sender = $3 AND name = $4"
    ))
    .bind(channel)
    .bind(chat)
    .bind(sender)
    .bind(name)
    .fetch_optional(tx.connection())
    .await
}

/// Erases a person (`of_person`): the names that they had in groups.
pub(crate) async fn erase(tx: &mut Tx, users: &str) -> Result<(), StoreError> {
    of_person::run(
        tx,
        users,
        [sql!(
            "DELETE FROM chat_names WHERE EXISTS
         (SELECT 1 FROM senders s WHERE s.user_id IN (SELECT value FROM json_each($1))
            AND s.channel = chat_names.channel AND s.sender = chat_names.sender)"
        )],
    )
    .await
}
