//! The rows of `tombstones`: what was forgotten, as hashes of its words under a key of its owner.
//! Every query is keyed by owner first.

use sayso_core::transcript::{Owner, UserId};
use serde::Deserialize;

use crate::owners::{columns, owner_of};
use crate::people::USERS_OF_PERSON;
use crate::sql;
use crate::sql::query;
use crate::{StoreError, Tx, new_id, now_ms};

/// The words of a text, hashed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HashedWords {
    /// Each once.
    pub words: Vec<i64>,
    /// Whether they say enough to be found among more words.
    pub is_telling: bool,
}

/// A tombstone that a text is under.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct Covering {
    id: i64,
    is_equal: bool,
    /// Whether the text says all of what was buried, and not only a part of it.
    pub says_all: bool,
    /// When it was buried.
    pub buried_ms: i64,
}

/// Everything that was buried is in the text, or the text is in what was buried.
const COVERING: &str = "
    SELECT t.id, count(*) = t.words AND t.words = $5 AS is_equal,
           count(*) = t.words AND (t.telling OR t.words = $5) AS says_all, t.buried_ms
    FROM tombstone_words w JOIN tombstones t ON t.id = w.tombstone_id
    WHERE t.owner_kind = $1 AND t.owner_id = $2
      AND w.word IN (SELECT value FROM json_each($3))
    GROUP BY t.id
    HAVING (count(*) = t.words AND (t.telling OR t.words = $5)) OR (count(*) = $5 AND $4)";

/// Returns the key of an account or a group, if it has one.
pub async fn key(tx: &mut Tx, owner: Owner) -> Result<Option<Vec<u8>>, StoreError> {
    let (kind, id) = columns(owner);
    let key = query(sql!(
        "SELECT key FROM tombstone_keys WHERE owner_kind = $1 AND owner_id = $2"
    ))
    .bind(kind)
    .bind(id);
    key.fetch_optional(tx.connection()).await
}

/// Returns the accounts of the person, or the group, that have a key, each with it.
pub async fn keys(tx: &mut Tx, owner: Owner) -> Result<Vec<(Owner, Vec<u8>)>, StoreError> {
    if let Some(known) = tx.known_keys(owner) {
        return Ok(known);
    }
    let (kind, id) = columns(owner);
    let text = match owner {
        Owner::User(_) => sql!(
            "SELECT owner_id, key FROM tombstone_keys
             WHERE owner_kind = $2 AND (owner_id = $1 OR owner_id IN (",
            USERS_OF_PERSON,
            "))"
        ),
        Owner::Chat(_) => {
            sql!("SELECT owner_id, key FROM tombstone_keys WHERE owner_kind = $2 AND owner_id = $1")
        }
    };
    let keys: Vec<(i64, Vec<u8>)> = query(text)
        .bind(id)
        .bind(kind)
        .fetch_all(tx.connection())
        .await?;
    let owned = keys.into_iter().map(|(id, key)| (owner_of(kind, id), key));
    let keys: Vec<(Owner, Vec<u8>)> = owned.collect();
    tx.note_keys(owner, keys.clone());
    Ok(keys)
}

/// Notes the key of an account or a group that has none.
pub async fn note_key(tx: &mut Tx, owner: Owner, key: &[u8]) -> Result<(), StoreError> {
    tx.outdates_caches();
    let (kind, id) = columns(owner);
    query(sql!(
        "INSERT INTO tombstone_keys (owner_kind, owner_id, key) VALUES ($1, $2, $3)"
    ))
    .bind(kind)
    .bind(id)
    .bind(key)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Buries a text of an account or a group, once.
pub async fn bury(
    tx: &mut Tx,
    owner: Owner,
    text: &HashedWords,
    whose: Option<UserId>,
) -> Result<(), StoreError> {
    let (kind, id) = columns(owner);
    let is_there = covering(tx, owner, text).await?;
    if text.words.is_empty() || is_there.iter().any(|there| there.is_equal) {
        return Ok(());
    }
    let tombstone = new_id();
    query(sql!(
        "INSERT INTO tombstones (id, owner_kind, owner_id, user_id, words, telling, buried_ms)
         VALUES ($1, $2, $3, $4, $5, $6, $7)"
    ))
    .bind(tombstone)
    .bind(kind)
    .bind(id)
    .bind(whose)
    .bind(text.words.len() as i64)
    .bind(text.is_telling)
    .bind(now_ms())
    .execute(tx.connection())
    .await?;
    query(sql!(
        "INSERT INTO tombstone_words (word, tombstone_id) SELECT value, $1 FROM json_each($2)"
    ))
    .bind(tombstone)
    .bind(serde_json::to_string(&text.words)?)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Lifts every tombstone that a text is under.
pub async fn lift(tx: &mut Tx, owner: Owner, text: &HashedWords) -> Result<(), StoreError> {
    for tombstone in covering(tx, owner, text).await? {
        query(sql!("DELETE FROM tombstones WHERE id = $1"))
            .bind(tombstone.id)
            .execute(tx.connection())
            .await?;
    }
    Ok(())
}

/// Returns the tombstones of an account or a group that a text is under.
pub async fn covering(
    tx: &mut Tx,
    owner: Owner,
    text: &HashedWords,
) -> Result<Vec<Covering>, StoreError> {
    let (kind, id) = columns(owner);
    query(sql!(COVERING))
        .bind(kind)
        .bind(id)
        .bind(serde_json::to_string(&text.words)?)
        .bind(text.is_telling)
        .bind(text.words.len() as i64)
        .fetch_all(tx.connection())
        .await
}

/// Deletes the tombstones and keys of these users, and what groups have buried of their words.
pub(crate) async fn erase(tx: &mut Tx, users: &str) -> Result<(), StoreError> {
    tx.outdates_caches();
    for statement in [
        sql!(
            "DELETE FROM tombstones
         WHERE (owner_kind = 'user' AND owner_id IN (SELECT value FROM json_each($1)))
            OR user_id IN (SELECT value FROM json_each($1))"
        ),
        sql!(
            "DELETE FROM tombstone_keys
         WHERE owner_kind = 'user' AND owner_id IN (SELECT value FROM json_each($1))"
        ),
    ] {
        query(statement)
            .bind(users)
            .execute(tx.connection())
            .await?;
    }
    Ok(())
}
