//! The rows of `profiles`, which hold what people wrote of themselves, and the facts that a profile
//! is made of.
//!
//! A row belongs to the account that wrote it; every account of the person reads it, as memories
//! are. Of several accounts of a person the newest words count.

use sayso_core::transcript::{Owner, UserId};

use crate::of_person;
use crate::owners::Owners;
use crate::people::USERS_OF_PERSON;
use crate::sql;
use crate::sql::{Runs, Statement, query};
use crate::{Readers, StoreError, Tx, now_ms};

/// The most facts that are read. A profile has room for less.
const FACTS: i64 = 60;

/// What the person wrote, in the first place, and behind it what is known of them for sure since
/// then: who they are, what they like, whom they know. A fact that was written with untrusted text
/// in view would bring that into every turn. One statement is one view of the database: an account
/// that is unlinked concurrently is either in it or not.
const SELECT: Statement = sql!(
    "WITH person (id) AS (",
    USERS_OF_PERSON,
    "),
    written (text, written_ms) AS (
        SELECT text, written_ms FROM profiles WHERE user_id IN (SELECT id FROM person)
        ORDER BY written_ms DESC, user_id LIMIT 1)
    SELECT text, written_ms, 0 AS place FROM written
    UNION ALL
    SELECT text, NULL, row_number() OVER (
        ORDER BY min(CASE WHEN topic = 'relation' THEN 1 ELSE 0 END), max(confidence) DESC, max(touched_ms) DESC, text)
    FROM memories
    WHERE owner_kind = 'user' AND owner_id IN (SELECT id FROM person)
      AND kind = 'fact' AND topic IN ('profile', 'preference', 'relation')
      AND taint IS NULL AND superseded_ms IS NULL
      AND created_ms > coalesce((SELECT written_ms FROM written), -1)
      AND (valid_from_ms IS NULL OR valid_from_ms <= $2)
      AND (valid_until_ms IS NULL OR valid_until_ms > $2)
    GROUP BY text
    ORDER BY place LIMIT $3 + (SELECT count(*) FROM written)"
);

/// What a person wrote of themselves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenRow {
    /// The words.
    pub text: String,
    /// When.
    pub written_ms: i64,
}

/// What a profile is made of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProfileRows {
    /// What the person wrote, if they did.
    pub written: Option<WrittenRow>,
    /// What was learned since then, the surest first.
    pub known: Vec<String>,
}

/// Returns what the profile of a user's person is made of.
pub async fn profile(readers: &Readers, user: UserId) -> Result<ProfileRows, StoreError> {
    read(readers, user).await
}

/// Returns the same inside a transaction.
pub async fn profile_in(tx: &mut Tx, user: UserId) -> Result<ProfileRows, StoreError> {
    read(tx.connection(), user).await
}

async fn read(from: impl Runs, user: UserId) -> Result<ProfileRows, StoreError> {
    let rows: Vec<(String, Option<i64>)> = query(SELECT)
        .bind(user)
        .bind(now_ms())
        .bind(FACTS)
        .fetch_all(from)
        .await?;
    let mut profile = ProfileRows::default();
    for (text, written_ms) in rows {
        match written_ms {
            Some(written_ms) => profile.written = Some(WrittenRow { text, written_ms }),
            None => profile.known.push(text),
        }
    }
    Ok(profile)
}

/// Keeps what a person wrote of themselves, in place of what this account wrote before.
pub async fn write(tx: &mut Tx, user: UserId, text: &str) -> Result<(), StoreError> {
    query(sql!("INSERT INTO profiles (user_id, text, written_ms) VALUES ($1, $2, $3)
         ON CONFLICT (user_id) DO UPDATE SET text = excluded.text, written_ms = excluded.written_ms"))
    .bind(user)
    .bind(text)
    .bind(now_ms())
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Deletes what a person wrote of themselves, on any of their accounts. Returns whether there was
/// something.
pub async fn delete(tx: &mut Tx, user: UserId) -> Result<bool, StoreError> {
    let owners = Owners::of(tx.connection(), Owner::User(user)).await?;
    let deleted = query(sql!(
        "DELETE FROM profiles WHERE user_id IN (SELECT value FROM json_each($1))"
    ))
    .bind(owners.as_json()?)
    .execute(tx.connection())
    .await?;
    Ok(deleted > 0)
}

/// Erases a person (`of_person`): what they are to be called, and how they want to be spoken to.
pub(crate) async fn erase(tx: &mut Tx, users: &str) -> Result<(), StoreError> {
    of_person::run(
        tx,
        users,
        [sql!(
            "DELETE FROM profiles WHERE user_id IN (SELECT value FROM json_each($1))"
        )],
    )
    .await
}

#[cfg(test)]
mod tests {
    use super::SELECT;
    use crate::{Store, query_plans};

    #[tokio::test]
    async fn no_memory_is_read_that_is_in_no_profile() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(&directory.path().join("sayso.db"))
            .await
            .unwrap();
        let steps = query_plans::plan(store.reader(), SELECT.as_str()).await;
        let wanted =
            "SEARCH memories USING INDEX memories_of_profile (owner_kind=? AND owner_id=?)";
        assert!(steps.iter().any(|step| step == wanted), "{steps:#?}");
    }
}
