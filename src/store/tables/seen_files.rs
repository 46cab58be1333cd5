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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Store;

    const TWO_SESSIONS: &str = "
        INSERT INTO users (id, created_ms) VALUES (1, 0), (2, 0);
        INSERT INTO chats (id, channel, chat, kind, language)
        VALUES (1, 'telegram', '9', 'group', 'en');
        INSERT INTO sessions (id, chat_id, thread, ended_seq) VALUES (1, 1, '', 2), (2, 1, '7', 2);
        INSERT INTO seen_files (session_id, path, user_id, digest, seen_ms)
        VALUES (2, '/p/old', 1, '1', 0)";

    async fn open() -> (Store, tempfile::TempDir) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("sayso.db");
        let store = Store::open(&path).await.unwrap();
        let set_up = store.write(|tx| {
            Box::pin(async move {
                tx.connection().batch(TWO_SESSIONS).await?;
                Ok(())
            })
        });
        set_up.await.unwrap();
        (store, directory)
    }

    async fn sees(store: &Store, session: i64, user: i64, path: &str, most: usize) {
        let seen = SeenRow {
            path: path.to_owned(),
            digest: format!("of {path}"),
        };
        let session = SessionId(session);
        let kept = store.write(move |tx| {
            Box::pin(async move {
                keep(tx, session, UserId(user), &seen).await?;
                trim(tx, session, most).await
            })
        });
        kept.await.unwrap();
    }

    async fn paths(store: &Store, session: i64) -> Vec<String> {
        let rows = of_session(store.reader(), SessionId(session))
            .await
            .unwrap();
        rows.into_iter().map(|row| row.path).collect()
    }

    #[tokio::test]
    async fn the_newest_of_a_session_are_kept_and_none_that_is_old() {
        let (store, _directory) = open().await;
        for path in ["/p/a", "/p/b", "/p/c"] {
            sees(&store, 1, 1, path, 2).await;
        }
        assert_eq!(paths(&store, 1).await, ["/p/b", "/p/c"]);
        assert_eq!(paths(&store, 2).await, Vec::<String>::new());
    }

    #[tokio::test]
    async fn a_new_conversation_and_an_erased_person_leave_nothing() {
        let (store, _directory) = open().await;
        sees(&store, 1, 1, "/p/a", 9).await;
        sees(&store, 2, 1, "/p/b", 9).await;
        sees(&store, 2, 2, "/p/c", 9).await;
        let begun = store.write(|tx| Box::pin(forget_session(tx, SessionId(1))));
        begun.await.unwrap();
        assert_eq!(paths(&store, 1).await, Vec::<String>::new());
        let erased = store.write(|tx| Box::pin(erase(tx, "[1]")));
        erased.await.unwrap();
        assert_eq!(paths(&store, 2).await, ["/p/c"]);
    }
}
