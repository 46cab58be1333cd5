//! Compactions: what stands for the older turns of a session, and the sessions that wait for one.
//!
//! A compaction is derived from turns and can be made again from them. Code that removes words from
//! a turn must delete the compactions that contain them.

use sayso_core::ChatKind;
use sayso_core::transcript::{ChatId, SessionId, TurnId, UserId};
use serde::Deserialize;

use crate::of_person;
use crate::quiet::is_quiet;
use crate::sql;
use crate::sql::{Statement, parsed, query};
use crate::{Readers, StoreError, Tx, new_id};

/// What stands for the older turns of a session.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct CompactionRow {
    /// Names it.
    pub id: i64,
    /// It stands for the turns that ended up to this place.
    pub until_seq: i64,
    /// What is shown in their place; `None` is nothing.
    pub text: Option<String>,
    /// The untrusted text that was in view in them, as JSON.
    pub taint: String,
    /// Those that it was made from, as JSON.
    pub turns: String,
}

/// A compaction to add.
#[derive(Debug, Clone)]
pub struct NewCompaction {
    /// The session.
    pub session: SessionId,
    /// It stands for the turns that ended up to this place.
    pub until_seq: i64,
    /// What is shown in their place.
    pub text: Option<String>,
    /// The untrusted text that was in view in them, as JSON.
    pub taint: String,
    /// Those that it was made from.
    pub turns: Vec<TurnId>,
}

/// A session that waits for its compaction.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct WaitingRow {
    /// The session.
    pub session_id: SessionId,
    /// Who pays.
    pub user_id: UserId,
    /// Where it is said, as JSON.
    pub address: String,
    /// Whether somebody waits for a receipt.
    pub asked: bool,
    /// How often a model gave no summary that can be used.
    pub tries: i64,
    /// Another one when what a model is being asked about does not hold any more.
    pub version: i64,
    /// How often a model was asked since one last answered.
    pub unanswered: i64,
    /// The chat that it is in.
    pub chat_id: ChatId,
    /// Who may read and answer in it.
    #[serde(deserialize_with = "parsed")]
    pub kind: ChatKind,
    /// `en` or `zh-CN`.
    pub language: String,
    /// History begins behind this ended turn.
    pub since_seq: i64,
    /// How many turns have ended.
    pub ended_seq: i64,
}

/// Who waits for a receipt of a compaction, and where.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Waits {
    /// Whether somebody does.
    pub asked: bool,
    /// Where it is said, as JSON.
    pub address: String,
}

pub(crate) const NEWEST: &str = "
    SELECT id, until_seq, text, taint, turns FROM compactions
    WHERE session_id = $1 AND until_seq > $2 AND ($3 IS NULL OR id < $3) ORDER BY id DESC LIMIT 1";
pub(crate) const UNCOVERED: &str = "
    SELECT count(*) FROM turns t JOIN sessions s ON s.id = t.session_id
    WHERE s.id = $1 AND t.ended_seq > s.since_seq AND t.ended_seq >
        coalesce((SELECT max(until_seq) FROM compactions c WHERE c.session_id = s.id), 0)";
/// A turn that has not ended keeps the beginning that it had: the newest one that is older than it.
pub(crate) const REPLACED: &str = "
    DELETE FROM compactions WHERE session_id = $1 AND (id < min($2, coalesce(
        (SELECT max(c.id) FROM compactions c WHERE c.session_id = $1 AND c.id <
            (SELECT min(t.id) FROM turns t WHERE t.session_id = $1 AND t.state <> 'ended')), $2))
        OR until_seq <= (SELECT since_seq FROM sessions WHERE id = $1))";
pub(crate) const OUTDATES: &str = "
    UPDATE compacting SET version = version + 1 WHERE session_id IN
        (SELECT session_id FROM turns WHERE id IN (SELECT value FROM json_each($1)))";

/// Requests the compaction of a session, not before a time. A user who asks for it is informed of
/// the result and does not wait for the time of the next retry.
pub async fn want(
    tx: &mut Tx,
    session: SessionId,
    user: UserId,
    address: &str,
    asked: bool,
    due_ms: i64,
) -> Result<(), StoreError> {
    query(sql!(
        "INSERT INTO compacting (session_id, user_id, address, asked, due_ms, tries, version)
         VALUES ($1, $2, $3, $4, $5, 0, $6)
         ON CONFLICT (session_id) DO UPDATE SET
             due_ms = CASE WHEN excluded.asked AND excluded.due_ms < compacting.due_ms
                           THEN excluded.due_ms ELSE compacting.due_ms END,
             user_id = CASE WHEN compacting.asked THEN compacting.user_id
                            ELSE excluded.user_id END,
             address = CASE WHEN compacting.asked THEN compacting.address
                            ELSE excluded.address END,
             asked = compacting.asked OR excluded.asked"
    ))
    .bind(session)
    .bind(user)
    .bind(address)
    .bind(asked)
    .bind(due_ms)
    .bind(new_id())
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns the sessions that are due and quiet.
pub async fn due(
    readers: &Readers,
    now_ms: i64,
    limit: i64,
) -> Result<Vec<WaitingRow>, StoreError> {
    query(ARE_DUE)
        .bind(now_ms)
        .bind(limit)
        .fetch_all(readers)
        .await
}

pub(crate) const ARE_DUE: Statement = sql!(
    "SELECT w.session_id, w.user_id, w.address, w.asked, w.tries, w.version, w.unanswered,
                s.chat_id, c.kind, s.since_seq, s.ended_seq,
                coalesce((SELECT language FROM users WHERE id = w.user_id), c.language) AS language
         FROM compacting w JOIN sessions s ON s.id = w.session_id JOIN chats c ON c.id = s.chat_id
         WHERE w.due_ms <= $1 AND ",
    is_quiet!("w"),
    " ORDER BY w.due_ms LIMIT $2"
);

/// Notes that a model is asked, and has the next time come later; returns the version that what it
/// answers is for, and `None` when the session is not as it was read.
pub async fn begin(
    tx: &mut Tx,
    waiting: &WaitingRow,
    next_ms: i64,
) -> Result<Option<i64>, StoreError> {
    query(BEGINS)
        .bind(waiting.session_id)
        .bind(waiting.version)
        .bind(next_ms)
        .fetch_optional(tx.connection())
        .await
}

pub(crate) const BEGINS: Statement = sql!(
    "UPDATE compacting AS w
         SET version = version + 1, unanswered = unanswered + 1, due_ms = $3
         WHERE session_id = $1 AND version = $2 AND ",
    is_quiet!("w"),
    " RETURNING version"
);

/// Returns who waits for a compaction; `None` when this version of it does not hold any more: what
/// it was to be made from was erased or forgotten, or somebody else was faster.
pub async fn waits(
    tx: &mut Tx,
    session: SessionId,
    version: i64,
) -> Result<Option<Waits>, StoreError> {
    query(sql!(
        "SELECT asked, address FROM compacting WHERE session_id = $1 AND version = $2"
    ))
    .bind(session)
    .bind(version)
    .fetch_optional(tx.connection())
    .await
}

/// Counts a summary that cannot be used, and has the next time come later.
pub async fn count_useless(tx: &mut Tx, session: SessionId, due_ms: i64) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE compacting SET tries = tries + 1, unanswered = 0, due_ms = $2
         WHERE session_id = $1"
    ))
    .bind(session)
    .bind(due_ms)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Postpones it after the given number of calls without a result.
pub async fn postpone(
    tx: &mut Tx,
    session: SessionId,
    unanswered: i64,
    due_ms: i64,
) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE compacting SET unanswered = $2, due_ms = $3 WHERE session_id = $1"
    ))
    .bind(session)
    .bind(unanswered)
    .bind(due_ms)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Ends the waiting of a session; returns whether it still waited.
pub async fn close(tx: &mut Tx, session: SessionId) -> Result<bool, StoreError> {
    let closed = query(sql!("DELETE FROM compacting WHERE session_id = $1"))
        .bind(session)
        .execute(tx.connection())
        .await?;
    Ok(closed == 1)
}

/// Returns what stands for the older turns of a session that began anew at this place: now, or in
/// the history of a turn, which keeps what stood for them when it began.
pub async fn newest(
    readers: &Readers,
    session: SessionId,
    since_seq: i64,
    seen_by: Option<TurnId>,
) -> Result<Option<CompactionRow>, StoreError> {
    query(sql!(NEWEST))
        .bind(session)
        .bind(since_seq)
        .bind(seen_by)
        .fetch_optional(readers)
        .await
}

/// Returns whether some of the turns that a compaction was made from acted for somebody else.
pub async fn has_turns_of_others(
    readers: &Readers,
    row: &CompactionRow,
    user: UserId,
) -> Result<bool, StoreError> {
    query(sql!(
        "SELECT EXISTS (SELECT 1 FROM turns
                        WHERE id IN (SELECT value FROM json_each($1)) AND user_id <> $2)"
    ))
    .bind(&row.turns)
    .bind(user)
    .fetch_one(readers)
    .await
}

/// Returns how many turns of a session no compaction stands for yet.
pub async fn uncovered(tx: &mut Tx, session: SessionId) -> Result<i64, StoreError> {
    query(sql!(UNCOVERED))
        .bind(session)
        .fetch_one(tx.connection())
        .await
}

/// Adds a compaction in the place of those before it, if they are still as they were when it was
/// made: the newest was `follows`, the session has not begun anew, and nothing was erased or
/// forgotten of its turns. Returns whether it did.
pub async fn add(
    tx: &mut Tx,
    new: &NewCompaction,
    follows: Option<i64>,
) -> Result<bool, StoreError> {
    let turns = serde_json::to_string(&new.turns)?;
    let is_valid: bool = query(sql!(
        "SELECT (SELECT since_seq FROM sessions WHERE id = $1) < $2
            AND (SELECT max(c.id) FROM compactions c JOIN sessions s ON s.id = c.session_id
                 WHERE s.id = $1 AND c.until_seq > s.since_seq) IS NOT DISTINCT FROM $3
            AND (SELECT count(*) FROM turns WHERE forgotten = FALSE
                 AND id IN (SELECT value FROM json_each($4))) = json_array_length($4)"
    ))
    .bind(new.session)
    .bind(new.until_seq)
    .bind(follows)
    .bind(&turns)
    .fetch_one(tx.connection())
    .await?;
    if !is_valid {
        return Ok(false);
    }
    query(sql!(
        "INSERT INTO compactions VALUES ($1, $2, $3, $4, $5, $6)"
    ))
    .bind(new_id())
    .bind(new.session)
    .bind(new.until_seq)
    .bind(&new.text)
    .bind(&new.taint)
    .bind(&turns)
    .execute(tx.connection())
    .await?;
    query(sql!(REPLACED))
        .bind(new.session)
        .bind(follows.unwrap_or_default())
        .execute(tx.connection())
        .await?;
    Ok(true)
}

/// Deletes the compactions that hold something of these turns. What a model is being asked to sum
/// up of their sessions is not written either.
pub async fn drop_of_turns(tx: &mut Tx, turns: &[TurnId]) -> Result<(), StoreError> {
    let turns = serde_json::to_string(turns)?;
    query(sql!(OUTDATES))
        .bind(&turns)
        .execute(tx.connection())
        .await?;
    query(sql!(
        "DELETE FROM compactions WHERE session_id IN
             (SELECT session_id FROM turns WHERE id IN (SELECT value FROM json_each($1)))"
    ))
    .bind(&turns)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Erases a person (`of_person`). What stands for turns of others in a group is made again without
/// theirs.
pub(crate) async fn erase(tx: &mut Tx, users: &str) -> Result<(), StoreError> {
    let statements = [
        sql!(
            "DELETE FROM compactions WHERE session_id IN
             (SELECT session_id FROM turns WHERE user_id IN (SELECT value FROM json_each($1)))"
        ),
        sql!("DELETE FROM compacting WHERE user_id IN (SELECT value FROM json_each($1))"),
        sql!(
            "UPDATE compacting SET version = version + 1 WHERE session_id IN
             (SELECT session_id FROM turns WHERE user_id IN (SELECT value FROM json_each($1)))"
        ),
    ];
    of_person::run(tx, users, statements).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Store;

    const SESSION: SessionId = SessionId(1);

    /// One session of a group in which two turns have ended, and a third waits for a person.
    const GROUP: [&str; 4] = [
        "INSERT INTO users (id, created_ms) VALUES (1, 0)",
        "INSERT INTO chats (id, channel, chat, kind, language)
         VALUES (1, 'telegram', '9', 'group', 'en')",
        "INSERT INTO sessions (id, chat_id, ended_seq) VALUES (1, 1, 2)",
        "INSERT INTO turns (id, session_id, user_id, address, request, state, started_ms, ended_seq)
         VALUES (1, 1, 1, '{}', '', 'ended', 0, 1), (2, 1, 1, '{}', '', 'ended', 0, 2)",
    ];

    async fn open() -> (Store, tempfile::TempDir) {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(&directory.path().join("sayso.db"))
            .await
            .unwrap();
        for statement in GROUP {
            run(&store, statement).await;
        }
        (store, directory)
    }

    async fn run(store: &Store, statement: &'static str) {
        let done = store.write(move |tx| {
            Box::pin(async move {
                tx.connection().batch(statement).await?;
                Ok(())
            })
        });
        done.await.unwrap();
    }

    /// Begins to compact the session; returns the version that is being asked about.
    async fn begun(store: &Store) -> i64 {
        let wanted = store.write(|tx| Box::pin(want(tx, SESSION, UserId(1), "{}", false, 0)));
        wanted.await.unwrap();
        let waiting = due(store.reader(), 1, 9).await.unwrap().remove(0);
        let version = store.write(move |tx| Box::pin(async move { begin(tx, &waiting, 0).await }));
        version.await.unwrap().unwrap()
    }

    async fn still_waits(store: &Store, version: i64) -> bool {
        let waits = store.write(move |tx| Box::pin(waits(tx, SESSION, version)));
        waits.await.unwrap().is_some()
    }

    #[tokio::test]
    async fn what_is_forgotten_while_a_model_is_asked_is_not_written() {
        let (store, _directory) = open().await;
        let version = begun(&store).await;
        assert!(still_waits(&store, version).await);
        let dropped =
            store.write(|tx| Box::pin(async move { drop_of_turns(tx, &[TurnId(1)]).await }));
        dropped.await.unwrap();
        assert!(!still_waits(&store, version).await);
        // It is made again from what is left.
        let again = begun(&store).await;
        assert!(still_waits(&store, again).await);
    }

    #[tokio::test]
    async fn a_turn_that_waits_keeps_the_summary_that_it_began_with() {
        let (store, _directory) = open().await;
        let mut follows = None;
        for text in ["one", "two", "three", "four"] {
            let new = NewCompaction {
                session: SESSION,
                until_seq: 1,
                text: Some(text.to_owned()),
                taint: "[]".to_owned(),
                turns: vec![TurnId(1)],
            };
            let added =
                store.write(move |tx| Box::pin(async move { add(tx, &new, follows).await }));
            assert!(added.await.unwrap());
            let newest = newest(store.reader(), SESSION, 0, None).await.unwrap();
            let newest = newest.unwrap();
            assert_eq!(newest.text.as_deref(), Some(text));
            follows = Some(newest.id);
            if text == "two" {
                let parked = format!(
                    "INSERT INTO turns (id, session_id, user_id, address, request, state, started_ms)
                     VALUES ({}, 1, 1, '{{}}', '', 'parked', 0)",
                    new_id()
                );
                run(&store, parked.leak()).await;
            }
        }
        let parked = store.write(|tx| {
            Box::pin(async move {
                let turns = crate::turns::open_turns(tx, SESSION).await?;
                Ok(turns[0].id)
            })
        });
        let parked = parked.await.unwrap();
        let seen = newest(store.reader(), SESSION, 0, Some(parked)).await;
        let seen = seen.unwrap().unwrap();
        assert_eq!(seen.text.as_deref(), Some("two"));
    }
}
