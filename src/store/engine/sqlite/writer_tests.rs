//! What the line of work promises, shown on a table of its own.

use std::time::Duration;

use tokio::sync::oneshot;

use super::super::connection::{Access, Connection as SqliteConnection, LOCK_WAIT};
use super::{Committed, Tx, Urgency, Writer};
use crate::sql;
use crate::{Connection, StoreError, query};

fn writer() -> (tempfile::TempDir, Writer, SqliteConnection) {
    writer_that_waits(LOCK_WAIT)
}

/// Returns a writer that waits for so long for the locks of others.
fn writer_that_waits(wait: Duration) -> (tempfile::TempDir, Writer, SqliteConnection) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("line.db");
    let connection = SqliteConnection::open(&path, Access::Write).unwrap();
    connection.wait_for_locks(wait).unwrap();
    connection
        .batch("CREATE TABLE line (word TEXT NOT NULL UNIQUE)")
        .unwrap();
    let reader = SqliteConnection::open(&path, Access::Write).unwrap();
    let writer = Writer::start(Connection::Sqlite(connection), &path).unwrap();
    (directory, writer, reader)
}

async fn add(tx: &mut Tx, word: &str) -> Result<(), StoreError> {
    query(sql!("INSERT INTO line (word) VALUES ($1)"))
        .bind(word)
        .execute(tx.connection())
        .await?;
    Ok(())
}

async fn put(writer: &Writer, urgency: Urgency, words: &'static [&'static str]) -> Committed<()> {
    writer
        .enqueue(urgency, move |tx| {
            Box::pin(async move {
                for word in words {
                    add(tx, word).await?;
                }
                Ok(())
            })
        })
        .await
}

fn words(reader: &SqliteConnection) -> Vec<String> {
    let words = "SELECT word FROM line ORDER BY rowid";
    reader.fetch(words, &[], usize::MAX).unwrap()
}

#[tokio::test]
async fn a_piece_that_fails_alone_leaves_nothing() {
    let (_directory, writer, reader) = writer();
    let failed = put(&writer, Urgency::Now, &["a", "a"]).await.wait().await;
    assert!(failed.is_err());
    put(&writer, Urgency::Now, &["b"])
        .await
        .wait()
        .await
        .unwrap();
    assert_eq!(words(&reader), ["b"]);
}

#[tokio::test]
async fn a_piece_that_fails_among_others_is_undone_alone() {
    for (pieces, kept) in [
        ([&["a"][..], &["b", "a"], &["c"]], &["a", "c"][..]),
        ([&["a"], &["b"], &["c", "a"]], &["a", "b"]),
        ([&["a", "a"], &["b"], &["c"]], &["b", "c"]),
    ] {
        let (_directory, writer, reader) = writer();
        // The writer's task runs when this one first waits, and finds all three in line.
        let mut line = Vec::new();
        for words in pieces {
            line.push(put(&writer, Urgency::Now, words).await);
        }
        for committed in line {
            // Which of them fails is shown by what is kept.
            let _ = committed.wait().await;
        }
        assert_eq!(words(&reader), kept);
    }
}

#[tokio::test]
async fn what_rides_is_on_disk_before_what_follows_it() {
    let (_directory, writer, reader) = writer();
    let mut rides = put(&writer, Urgency::Rides, &["a"]).await;
    put(&writer, Urgency::Now, &["b"])
        .await
        .wait()
        .await
        .unwrap();
    assert_eq!(words(&reader), ["a", "b"]);
    assert_eq!(rides.failure(), None);
}

#[tokio::test]
async fn what_rides_is_committed_when_nothing_follows() {
    let (_directory, writer, reader) = writer();
    let rides = put(&writer, Urgency::Rides, &["a"]).await;
    rides.wait().await.unwrap();
    assert_eq!(words(&reader), ["a"]);
    put(&writer, Urgency::Rides, &["b"]).await;
    writer.close().await;
    assert_eq!(words(&reader), ["a", "b"]);
    reader.close().unwrap();
}

async fn is_put_soon(writer: &Writer, words: &'static [&'static str]) {
    let put = put(writer, Urgency::Soon, words).await;
    put.wait().await.unwrap();
}

/// Returns whether a commit waits for the disk now, by what SQLite says inside of it.
fn is_waiting(tx: &mut Tx) -> Result<bool, StoreError> {
    let level: Vec<i64> = tx
        .connection()
        .sqlite()
        .fetch("PRAGMA synchronous", &[], 1)?;
    // https://www.sqlite.org/pragma.html#pragma_synchronous: NORMAL is 1, FULL is 2.
    match level[..] {
        [1] => Ok(false),
        [2] => Ok(true),
        _ => panic!("level {level:?}"),
    }
}

/// Returns whether the commit of a piece waits for the disk.
async fn waits_for_the_disk(writer: &Writer, urgency: Urgency) -> bool {
    let asked = writer.enqueue(urgency, |tx| Box::pin(async { is_waiting(tx) }));
    asked.await.wait().await.unwrap()
}

#[tokio::test]
async fn what_is_wanted_soon_is_committed_at_once_and_on_disk_a_moment_later() {
    let (directory, writer, reader) = writer();
    let log = directory.path().join("line.db-wal");
    is_put_soon(&writer, &["a"]).await;
    assert_eq!(words(&reader), ["a"]);
    let committed = log.metadata().unwrap().len();
    // Having it on disk writes a page of its own.
    while log.metadata().unwrap().len() == committed {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert!(!waits_for_the_disk(&writer, Urgency::Soon).await);
    assert!(waits_for_the_disk(&writer, Urgency::Now).await);
    assert!(waits_for_the_disk(&writer, Urgency::Rides).await);
}

#[tokio::test]
async fn what_is_done_between_two_commits_finds_all_before_it_on_disk() {
    let (directory, writer, reader) = writer();
    let log = directory.path().join("line.db-wal");
    is_put_soon(&writer, &["a"]).await;
    let committed = log.metadata().unwrap().len();
    // Nothing is written by it itself.
    let waits = writer.aside(is_waiting);
    assert_eq!(waits.await, Ok(true));
    assert!(log.metadata().unwrap().len() > committed);
    put(&writer, Urgency::Soon, &["b"]).await;
    writer.close().await;
    assert_eq!(words(&reader), ["a", "b"]);
}

#[tokio::test]
async fn what_is_wanted_now_and_fails_has_all_before_it_on_disk() {
    let (directory, writer, reader) = writer();
    let log = directory.path().join("line.db-wal");
    is_put_soon(&writer, &["a"]).await;
    let committed = log.metadata().unwrap().len();
    let failed = put(&writer, Urgency::Now, &["b", "a"]).await;
    assert!(failed.wait().await.is_err());
    assert!(log.metadata().unwrap().len() > committed);
    assert_eq!(words(&reader), ["a"]);
}

#[tokio::test]
async fn what_is_wanted_soon_waits_for_the_disk_with_what_is_wanted_now() {
    let (_directory, writer, _reader) = writer();
    // Both are in line before either is begun: what is before them does not end until then.
    let (begins, begun) = oneshot::channel();
    let (end, ends) = oneshot::channel::<()>();
    let first = writer.enqueue(Urgency::Soon, move |tx| {
        Box::pin(async move {
            begins.send(()).unwrap();
            ends.await.unwrap();
            add(tx, "a").await
        })
    });
    let first = first.await;
    begun.await.unwrap();
    let soon = writer.enqueue(Urgency::Soon, |tx| Box::pin(async { is_waiting(tx) }));
    let soon = soon.await;
    let now = put(&writer, Urgency::Now, &["b"]).await;
    end.send(()).unwrap();
    first.wait().await.unwrap();
    now.wait().await.unwrap();
    assert!(soon.wait().await.unwrap());
}

#[tokio::test]
async fn what_no_transaction_was_begun_for_can_be_tried_again() {
    let (_directory, writer, other) = writer_that_waits(Duration::from_millis(10));
    other.batch("BEGIN IMMEDIATE").unwrap();
    let mut line = Vec::new();
    for words in [&["a"][..], &["b"]] {
        line.push(put(&writer, Urgency::Now, words).await);
    }
    for committed in line {
        let failed = committed.wait().await;
        assert!(matches!(failed, Err(StoreError::Locked(_))), "{failed:?}");
    }
    other.batch("ROLLBACK").unwrap();
    let again = put(&writer, Urgency::Now, &["a"]).await;
    again.wait().await.unwrap();
    assert_eq!(words(&other), ["a"]);
    let closed = writer.clone();
    writer.close().await;
    let refused = put(&closed, Urgency::Now, &["b"]).await.wait().await;
    assert!(matches!(refused, Err(StoreError::Closed)), "{refused:?}");
}
