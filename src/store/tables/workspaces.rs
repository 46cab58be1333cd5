//! The rows of `workspaces`: whether text from outside can be in a person's workspace.

use sayso_core::transcript::{OutsideReason, UserId, WorkspaceProvenance};

use crate::of_person;
use crate::sql;
use crate::sql::query;
use crate::{StoreError, Tx, now_ms};

/// Returns what is known of a user's workspace.
pub async fn ground(tx: &mut Tx, user: UserId) -> Result<WorkspaceProvenance, StoreError> {
    Ok(match row(tx, user).await? {
        None => WorkspaceProvenance::Unknown,
        Some((_, Some((_, why)))) => WorkspaceProvenance::Foreign { why },
        Some((inventory, None)) => WorkspaceProvenance::Own { inventory },
    })
}

/// Returns since when a user's workspace may hold text from outside, and why.
pub async fn outside_since(
    tx: &mut Tx,
    user: UserId,
) -> Result<Option<(i64, OutsideReason)>, StoreError> {
    Ok(row(tx, user).await?.and_then(|(_, outside)| outside))
}

/// Keeps what is known of a user's workspace. The first reason for text from outside stays.
pub async fn note(
    tx: &mut Tx,
    user: UserId,
    ground: &WorkspaceProvenance,
) -> Result<(), StoreError> {
    match ground {
        WorkspaceProvenance::Unknown => Ok(()),
        WorkspaceProvenance::Own { inventory } => {
            query(sql!(
                "INSERT INTO workspaces (user_id, inventory) VALUES ($1, $2)
                 ON CONFLICT (user_id) DO UPDATE
                 SET inventory = $2, outside_since_ms = NULL, outside_why = NULL"
            ))
            .bind(user)
            .bind(inventory)
            .execute(tx.connection())
            .await?;
            Ok(())
        }
        WorkspaceProvenance::Foreign { why } => {
            query(sql!(
                "INSERT INTO workspaces (user_id, outside_since_ms, outside_why)
                 VALUES ($1, $2, $3)
                 ON CONFLICT (user_id) DO UPDATE
                 SET inventory = NULL, outside_since_ms = $2, outside_why = $3
                 WHERE workspaces.outside_since_ms IS NULL
                    OR ($4 AND workspaces.outside_why <> $3)"
            ))
            .bind(user)
            .bind(now_ms())
            .bind(why.as_str())
            .bind(!why.goes_with_its_files())
            .execute(tx.connection())
            .await?;
            Ok(())
        }
    }
}

type Row = (String, Option<(i64, OutsideReason)>);

async fn row(tx: &mut Tx, user: UserId) -> Result<Option<Row>, StoreError> {
    let row: Option<(Option<String>, Option<i64>, Option<String>)> = query(sql!(
        "SELECT inventory, outside_since_ms, outside_why FROM workspaces WHERE user_id = $1"
    ))
    .bind(user)
    .fetch_optional(tx.connection())
    .await?;
    Ok(row.map(|(inventory, since, why)| {
        let why = OutsideReason::named(&why.unwrap_or_default());
        (
            inventory.unwrap_or_default(),
            since.map(|since| (since, why)),
        )
    }))
}

/// Erases a person (`of_person`): their workspaces.
pub(crate) async fn erase(tx: &mut Tx, users: &str) -> Result<(), StoreError> {
    of_person::run(
        tx,
        users,
        [sql!(
            "DELETE FROM workspaces WHERE user_id IN (SELECT value FROM json_each($1))"
        )],
    )
    .await
}
