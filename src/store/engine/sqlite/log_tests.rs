//! The bound of the log: under many writes, with readers that overlap, and with one that stays
//! long.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::{BOUND_BYTES, WORTH_BYTES, length, path_of};
use crate::sql;
use crate::{Store, query};

/// What a reader sees.
const SEEN: &str = "SELECT count(*) FROM noise";
const MIB: u64 = 1024 * 1024;

async fn store() -> (tempfile::TempDir, Store) {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(&directory.path().join("sayso.db"))
        .await
        .unwrap();
    let made = store.write(|tx| {
        Box::pin(async move {
            query(sql!("CREATE TABLE noise (bytes BLOB)"))
                .execute(tx.connection())
                .await?;
            Ok(())
        })
    });
    made.await.unwrap();
    (directory, store)
}

/// Writes a mebibyte; returns how long the log is then, in bytes.
async fn write_one(store: &Store, path: &Path) -> u64 {
    let written = store.write(|tx| {
        Box::pin(async move {
            query(sql!("INSERT INTO noise VALUES (randomblob(1024 * 1024))"))
                .execute(tx.connection())
                .await?;
            Ok(())
        })
    });
    written.await.unwrap();
    length(&path_of(path))
}

#[tokio::test]
async fn readers_that_overlap_for_ever_do_not_make_it_grow_for_ever() {
    let (directory, store) = store().await;
    let path = directory.path().join("sayso.db");
    let ended = Arc::new(AtomicBool::new(false));
    let readers: Vec<_> = (0..3)
        .map(|_| {
            let (readers, ended) = (store.reader().clone(), Arc::clone(&ended));
            tokio::spawn(async move {
                while !ended.load(Ordering::Relaxed) {
                    let mut reading = readers.begin().await.unwrap();
                    query(sql!("SELECT count(*) FROM noise"))
                        .fetch_one::<i64>(&mut reading)
                        .await
                        .unwrap();
                    tokio::time::sleep(Duration::from_millis(10)).await;
                    drop(reading);
                }
            })
        })
        .collect();
    // It is looked at behind each commit; where a reader stays too long just then, a second later.
    let (mut emptied, mut written, mut before) = (0, 0, 0);
    while emptied < 3 && written < 1024 {
        let now = write_one(&store, &path).await;
        emptied += usize::from(before > BOUND_BYTES / 2 && now < before / 2);
        (before, written) = (now, written + 1);
    }
    ended.store(true, Ordering::Relaxed);
    for reader in readers {
        reader.await.unwrap();
    }
    assert_eq!(emptied, 3, "{} MiB after {written} writes", before / MIB);
    assert_eq!(store.sizes().await.unwrap().log, length(&path_of(&path)));
}

#[tokio::test]
async fn reader_that_stays_long_holds_up_no_one_and_its_end_empties_it() {
    let (directory, store) = store().await;
    let path = directory.path().join("sayso.db");
    write_one(&store, &path).await;
    let mut reading = store.reader().begin().await.unwrap();
    let before: i64 = query(sql!(SEEN)).fetch_one(&mut reading).await.unwrap();
    for _ in 0..24 {
        write_one(&store, &path).await;
    }
    assert!(length(&path_of(&path)) > BOUND_BYTES);
    let still: i64 = query(sql!(SEEN)).fetch_one(&mut reading).await.unwrap();
    assert_eq!(still, before);
    drop(reading);
    // The log is emptied although nothing is written any more.
    let emptied = async {
        while length(&path_of(&path)) > WORTH_BYTES {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let emptied = tokio::time::timeout(Duration::from_secs(30), emptied).await;
    assert!(emptied.is_ok(), "the log stays as long as it was");
}
