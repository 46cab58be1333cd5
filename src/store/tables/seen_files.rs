//! The rows of `seen_files`: what models saw of files of projects.

use sayso_core::transcript::{SessionId, UserId};
use serde::Deserialize;

use crate::of_person;
use crate::sql;
use crate::sql::query;
use crate::{Readers, StoreError, Tx, now_ms};

/// For how long a file counts as seen, in milliseconds: 30 days.
const KEPT_MS: i64 = 30 * 24 * 60 * 60 * 1000;

/// A file as a model saw it last.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct SeenRow {
    /// Where it is, absolute.
    pub path: String,
    /// The digest of what it held.
    pub digest: String,
}

/// Returns what the models of a session saw, the oldest first.
pub async fn of_session(readers: &Readers, session: SessionId) -> Result<Vec<SeenRow>, StoreError> {
    query(sql!(
        "SELECT path, digest FROM seen_files WHERE session_id = $1 ORDER BY seen_ms, path"
    ))
    .bind(session)
    .fetch_all(readers)
    .await
}

/// Keeps what a file was when a model saw it, in place of what was kept of it.
pub async fn keep(
    tx: &mut Tx,
    session: SessionId,
    user: UserId,
    seen: &SeenRow,
) -> Result<(), StoreError> {
    query(sql!(
        "INSERT INTO seen_files (session_id, path, user_id, digest, seen_ms)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (session_id, path) DO UPDATE
         SET user_id = excluded.user_id, digest = excluded.digest, seen_ms = excluded.seen_ms"
    ))
    .bind(session)
    .bind(&seen.path)
    .bind(user)
    .bind(&seen.digest)
    .bind(now_ms())
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Lets go of a file that is not there any more.
pub async fn forget(tx: &mut Tx, session: SessionId, path: &str) -> Result<(), StoreError> {
    query(sql!(
        "DELETE FROM seen_files WHERE session_id = $1 AND path = $2"
    ))
    .bind(session)
    .bind(path)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Lets go of all that the models of a session saw: they are shown none of it any more.
pub async fn forget_session(tx: &mut Tx, session: SessionId) -> Result<(), StoreError> {
    query(sql!("DELETE FROM seen_files WHERE session_id = $1"))
        .bind(session)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Lets go of what is old, and of all but the newest files of a session.
pub async fn trim(tx: &mut Tx, session: SessionId, most: usize) -> Result<(), StoreError> {
    query(sql!(
        "DELETE FROM seen_files WHERE session_id = $1 AND path IN
             (SELECT path FROM seen_files WHERE session_id = $1
              ORDER BY seen_ms DESC, path DESC LIMIT -1 OFFSET $2)"
    ))
    .bind(session)
    .bind(most as i64)
    .execute(tx.connection())
    .await?;
    query(sql!("DELETE FROM seen_files WHERE seen_ms < $1"))
        .bind(now_ms() - KEPT_MS)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Erases a person (`of_person`): what was seen in their turns.
pub(crate) async fn erase(tx: &mut Tx, users: &str) -> Result<(), StoreError> {
    of_person::run(
        tx,
        users,
        [sql!(
            "DELETE FROM seen_files WHERE user_id IN (SELECT value FROM json_each($1))"
        )],
    )
    .await
}
