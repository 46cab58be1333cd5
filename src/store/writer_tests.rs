//! What the line of work promises, shown on a table of its own.

use std::time::Duration;

use sqlx::{ConnectOptions as _, Connection as _, Executor as _, SqliteConnection};

use super::{Committed, Tx, Urgency, Writer};
use crate::store::StoreError;
use crate::store::open::{LOCK_WAIT, options};

async fn writer() -> (tempfile::TempDir, Writer, SqliteConnection) {
    writer_that_waits(LOCK_WAIT).await
}

/// Returns a writer that waits for so long for the locks of others.
async fn writer_that_waits(wait: Duration) -> (tempfile::TempDir, Writer, SqliteConnection) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("line.db");
    let waiting = options(&path).busy_timeout(wait);
    let mut connection = waiting.connect().await.unwrap();
    connection
        .execute("CREATE TABLE line (word TEXT NOT NULL UNIQUE)")
        .await
        .unwrap();
    let reader = options(&path).connect().await.unwrap();
    (directory, Writer::start(connection, &path), reader)
}

async fn add(tx: &mut Tx, word: &str) -> Result<(), StoreError> {
    sqlx::query("INSERT INTO line (word) VALUES ($1)")
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

async fn words(reader: &mut SqliteConnection) -> Vec<String> {
    sqlx::query_scalar("SELECT word FROM line ORDER BY rowid")
        .fetch_all(reader)
        .await
        .unwrap()
}

#[tokio::test]
async fn a_piece_that_fails_alone_leaves_nothing() {
    let (_directory, writer, mut reader) = writer().await;
    let failed = put(&writer, Urgency::Now, &["a", "a"]).await.wait().await;
    assert!(failed.is_err());
    put(&writer, Urgency::Now, &["b"])
        .await
        .wait()
        .await
        .unwrap();
    assert_eq!(words(&mut reader).await, ["b"]);
}

#[tokio::test]
async fn a_piece_that_fails_among_others_is_undone_alone() {
    for (pieces, kept) in [
        ([&["a"][..], &["b", "a"], &["c"]], &["a", "c"][..]),
        ([&["a"], &["b"], &["c", "a"]], &["a", "b"]),
        ([&["a", "a"], &["b"], &["c"]], &["b", "c"]),
    ] {
        let (_directory, writer, mut reader) = writer().await;
        // The writer's task runs when this one first waits, and finds all three in line.
        let mut line = Vec::new();
        for words in pieces {
            line.push(put(&writer, Urgency::Now, words).await);
        }
        for committed in line {
            // Which of them fails is shown by what is kept.
            let _ = committed.wait().await;
        }
        assert_eq!(words(&mut reader).await, kept);
    }
}

#[tokio::test]
async fn what_rides_is_on_disk_before_what_follows_it() {
    let (_directory, writer, mut reader) = writer().await;
    let mut rides = put(&writer, Urgency::Rides, &["a"]).await;
    put(&writer, Urgency::Now, &["b"])
        .await
        .wait()
        .await
        .unwrap();
    assert_eq!(words(&mut reader).await, ["a", "b"]);
    assert_eq!(rides.failure(), None);
}

#[tokio::test]
async fn what_rides_is_committed_when_nothing_follows() {
    let (_directory, writer, mut reader) = writer().await;
    let rides = put(&writer, Urgency::Rides, &["a"]).await;
    rides.wait().await.unwrap();
    assert_eq!(words(&mut reader).await, ["a"]);
    put(&writer, Urgency::Rides, &["b"]).await;
    writer.close().await;
    assert_eq!(words(&mut reader).await, ["a", "b"]);
    reader.close().await.unwrap();
}

#[tokio::test]
async fn what_no_transaction_was_begun_for_can_be_tried_again() {
    let (_directory, writer, mut other) = writer_that_waits(Duration::from_millis(10)).await;
    other.execute("BEGIN IMMEDIATE").await.unwrap();
    let mut line = Vec::new();
    for words in [&["a"][..], &["b"]] {
        line.push(put(&writer, Urgency::Now, words).await);
    }
    for committed in line {
        let failed = committed.wait().await;
        assert!(matches!(failed, Err(StoreError::Locked(_))), "{failed:?}");
    }
    other.execute("ROLLBACK").await.unwrap();
    let again = put(&writer, Urgency::Now, &["a"]).await;
    again.wait().await.unwrap();
    assert_eq!(words(&mut other).await, ["a"]);
    let closed = writer.clone();
    writer.close().await;
    let refused = put(&closed, Urgency::Now, &["b"]).await.wait().await;
    assert!(matches!(refused, Err(StoreError::Closed)), "{refused:?}");
}
