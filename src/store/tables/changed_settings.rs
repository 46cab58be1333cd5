//! The rows of `changed_settings`: what owners changed of the configuration in chat.

use sayso_core::transcript::UserId;
use serde::Deserialize;

use crate::of_person;
use crate::sql;
use crate::sql::query;
use crate::{Readers, StoreError, Tx, new_id, now_ms};

/// A change that was not undone.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ChangedSetting {
    /// Names the row.
    pub id: i64,
    /// The dotted key.
    pub key: String,
    /// The value, as an environment variable would give it.
    pub value: String,
}

/// Returns every change that was not undone, the oldest first.
pub async fn standing(readers: &Readers) -> Result<Vec<ChangedSetting>, StoreError> {
    query(sql!(
        "SELECT id, key, value FROM changed_settings WHERE undone_ms IS NULL ORDER BY id"
    ))
    .fetch_all(readers)
    .await
}

/// Notes a change by a user.
pub async fn change(tx: &mut Tx, user: UserId, key: &str, value: &str) -> Result<(), StoreError> {
    query(sql!(
        "INSERT INTO changed_settings (id, key, value, user_id, at_ms) VALUES ($1, $2, $3, $4, $5)"
    ))
    .bind(new_id())
    .bind(key)
    .bind(value)
    .bind(user)
    .bind(now_ms())
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Undoes a change, once; returns whether this call did it.
pub async fn undo(tx: &mut Tx, user: UserId, id: i64) -> Result<bool, StoreError> {
    let undone = query(sql!(
        "UPDATE changed_settings SET undone_by = $2, undone_ms = $3
         WHERE id = $1 AND undone_ms IS NULL"
    ))
    .bind(id)
    .bind(user)
    .bind(now_ms())
    .execute(tx.connection())
    .await?;
    Ok(undone == 1)
}

/// Erases a person (`of_person`). What holds for everybody stays; who said so goes.
pub(crate) async fn erase(tx: &mut Tx, users: &str) -> Result<(), StoreError> {
    let statements = [
        sql!(
            "UPDATE changed_settings SET user_id = NULL
             WHERE user_id IN (SELECT value FROM json_each($1))"
        ),
        sql!(
            "UPDATE changed_settings SET undone_by = NULL
             WHERE undone_by IN (SELECT value FROM json_each($1))"
        ),
    ];
    of_person::run(tx, users, statements).await
}
