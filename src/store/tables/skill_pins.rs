//! The rows of `skill_pins`: third-party skills, as an owner approved them.

use sayso_core::transcript::Owner;
use serde::Deserialize;

use crate::of_person;
use crate::owners::columns;
use crate::sql;
use crate::sql::query;
use crate::{Readers, StoreError, Tx, now_ms};

/// Where a third-party skill lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SkillPlace {
    /// It is installed, for everybody.
    Installed,
    /// In the workspace of a person, or of a group.
    Workspace(Owner),
}

impl SkillPlace {
    /// Returns the columns that say so.
    pub(crate) fn columns(self) -> (&'static str, i64) {
        match self {
            Self::Installed => ("all", 0),
            Self::Workspace(owner) => columns(owner),
        }
    }
}

/// A skill as it was approved.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct SkillPin {
    /// Its name.
    pub name: String,
    /// The hash of its files.
    pub hash: String,
    /// Its files, as JSON, to show later what changed.
    pub kept: String,
}

const PINS: &str = "
    SELECT name, hash, kept FROM skill_pins
    WHERE owner_kind = $1 AND owner_id = $2 ORDER BY name";

/// Returns the skills of a place that were approved.
pub async fn of(readers: &Readers, place: SkillPlace) -> Result<Vec<SkillPin>, StoreError> {
    let (kind, id) = place.columns();
    let pins = query(sql!(PINS)).bind(kind).bind(id);
    pins.fetch_all(readers).await
}

/// Returns the same inside a transaction.
pub async fn of_in(tx: &mut Tx, place: SkillPlace) -> Result<Vec<SkillPin>, StoreError> {
    let (kind, id) = place.columns();
    let pins = query(sql!(PINS)).bind(kind).bind(id);
    pins.fetch_all(tx.connection()).await
}

/// Keeps a skill as it was approved, in place of what was approved before.
pub async fn put(tx: &mut Tx, place: SkillPlace, pin: &SkillPin) -> Result<(), StoreError> {
    tx.outdates_caches();
    let (kind, id) = place.columns();
    query(sql!(
        "INSERT INTO skill_pins (owner_kind, owner_id, name, hash, kept, pinned_ms)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (owner_kind, owner_id, name) DO UPDATE
         SET hash = excluded.hash, kept = excluded.kept, pinned_ms = excluded.pinned_ms"
    ))
    .bind(kind)
    .bind(id)
    .bind(&pin.name)
    .bind(&pin.hash)
    .bind(&pin.kept)
    .bind(now_ms())
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Takes an approval back; returns whether there was one.
pub async fn delete(tx: &mut Tx, place: SkillPlace, name: &str) -> Result<bool, StoreError> {
    let (kind, id) = place.columns();
    let deleted = query(sql!(
        "DELETE FROM skill_pins WHERE owner_kind = $1 AND owner_id = $2 AND name = $3"
    ))
    .bind(kind)
    .bind(id)
    .bind(name)
    .execute(tx.connection())
    .await?;
    Ok(deleted == 1)
}

/// Erases a person (`of_person`): the versions of skills that they keep.
pub(crate) async fn erase(tx: &mut Tx, users: &str) -> Result<(), StoreError> {
    of_person::run(
        tx,
        users,
        [sql!(
            "DELETE FROM skill_pins WHERE owner_kind = 'user'
         AND owner_id IN (SELECT value FROM json_each($1))"
        )],
    )
    .await
}
