//! The rows of `skills_off`: which skills a person, or a group, has switched off for itself.

use sayso_core::transcript::Owner;
use serde::Deserialize;

use crate::Connection;
use crate::of_person;
use crate::owners::columns;
use crate::sql;
use crate::sql::query;
use crate::{Readers, StoreError, Tx, now_ms};

/// A skill that is off.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct SkillOff {
    /// Its name; a skill of this name need not be there any more.
    pub name: String,
    /// Since when.
    pub off_ms: i64,
}

/// Returns what an owner has switched off, in the order of the names.
pub async fn of(readers: &Readers, owner: Owner) -> Result<Vec<SkillOff>, StoreError> {
    let mut connection = readers.acquire().await?;
    read(&mut connection, owner).await
}

/// Returns the same inside a transaction.
pub async fn of_in(tx: &mut Tx, owner: Owner) -> Result<Vec<SkillOff>, StoreError> {
    read(tx.connection(), owner).await
}

async fn read(connection: &mut Connection, owner: Owner) -> Result<Vec<SkillOff>, StoreError> {
    let (kind, id) = columns(owner);
    query(sql!(
        "SELECT name, off_ms FROM skills_off WHERE owner_kind = $1 AND owner_id = $2 ORDER BY name"
    ))
    .bind(kind)
    .bind(id)
    .fetch_all(connection)
    .await
}

/// Switches a skill off for an owner; returns whether it was on.
pub async fn switch_off(tx: &mut Tx, owner: Owner, name: &str) -> Result<bool, StoreError> {
    tx.outdates_caches();
    let (kind, id) = columns(owner);
    let done = query(sql!(
        "INSERT INTO skills_off (owner_kind, owner_id, name, off_ms) VALUES ($1, $2, $3, $4)
         ON CONFLICT DO NOTHING"
    ))
    .bind(kind)
    .bind(id)
    .bind(name)
    .bind(now_ms())
    .execute(tx.connection())
    .await?;
    Ok(done == 1)
}

/// Switches a skill on again for an owner; returns whether it was off.
pub async fn switch_on(tx: &mut Tx, owner: Owner, name: &str) -> Result<bool, StoreError> {
    let (kind, id) = columns(owner);
    let done = query(sql!(
        "DELETE FROM skills_off WHERE owner_kind = $1 AND owner_id = $2 AND name = $3"
    ))
    .bind(kind)
    .bind(id)
    .bind(name)
    .execute(tx.connection())
    .await?;
    Ok(done == 1)
}

/// Erases a person (`of_person`): the skills that they turned off.
pub(crate) async fn erase(tx: &mut Tx, users: &str) -> Result<(), StoreError> {
    of_person::run(
        tx,
        users,
        [sql!(
            "DELETE FROM skills_off WHERE owner_kind = 'user'
         AND owner_id IN (SELECT value FROM json_each($1))"
        )],
    )
    .await
}
