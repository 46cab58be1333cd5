//! Unused places of real pages, and pages that are none.

use sqlx::{ConnectOptions as _, Connection as _, Executor as _, SqliteConnection};

use super::{Pages, blank};
use crate::store::log;
use crate::store::open::options;

/// Fills a file with rows that move about and are partly deleted, and returns what is left of them.
async fn moved_about(connection: &mut SqliteConnection) -> Vec<(i64, String)> {
    for statement in [
        "PRAGMA auto_vacuum = INCREMENTAL",
        "CREATE TABLE noise (id INTEGER PRIMARY KEY, name TEXT UNIQUE, text TEXT) STRICT",
        "CREATE INDEX noise_by_text ON noise (text)",
    ] {
        connection.execute(statement).await.unwrap();
    }
    for number in 0..1500_i64 {
        // In no order, so that pages split in their middle.
        let id = number * 7919 % 10_007;
        let word = if number % 3 == 0 {
            "zanzibar"
        } else {
            "walrus"
        };
        let text = format!("{word}{number} ").repeat(1 + (id % 60) as usize);
        sqlx::query("INSERT INTO noise VALUES ($1, $2, $3)")
            .bind(id)
            .bind(format!("{word} {number}"))
            .bind(text)
            .execute(&mut *connection)
            .await
            .unwrap();
    }
    let delete = "DELETE FROM noise WHERE name LIKE 'zanzibar%'";
    connection.execute(delete).await.unwrap();
    assert!(
        log::empty(connection, std::time::Duration::ZERO)
            .await
            .unwrap()
    );
    rows(connection).await
}

async fn rows(connection: &mut SqliteConnection) -> Vec<(i64, String)> {
    sqlx::query_as("SELECT id, name || text FROM noise ORDER BY id")
        .fetch_all(connection)
        .await
        .unwrap()
}

fn has_zanzibar(path: &std::path::Path) -> bool {
    let bytes = std::fs::read(path).unwrap();
    bytes.windows(8).any(|part| part == b"zanzibar")
}

#[tokio::test]
async fn what_rows_left_where_they_moved_from_goes_and_every_row_stays() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("some.db");
    let mut connection = options(&path).connect().await.unwrap();
    let before = moved_about(&mut connection).await;
    assert!(has_zanzibar(&path), "nothing is left behind to be blanked");

    let pages = Pages::open(&path).unwrap();
    let count = pages.count().unwrap();
    for from in (0..count).step_by(7) {
        pages.blank(from..from + 7).unwrap();
    }
    assert!(!has_zanzibar(&path));
    connection.execute("PRAGMA shrink_memory").await.unwrap();
    assert_eq!(rows(&mut connection).await, before);
    connection.close().await.unwrap();

    let mut again = options(&path).connect().await.unwrap();
    assert_eq!(rows(&mut again).await, before);
    let verdict: String = sqlx::query_scalar("PRAGMA integrity_check")
        .fetch_one(&mut again)
        .await
        .unwrap();
    assert_eq!(verdict, "ok");
    // It grows and shrinks on as any other.
    again
        .execute("DELETE FROM noise WHERE id % 2 = 0")
        .await
        .unwrap();
    again.execute("PRAGMA incremental_vacuum").await.unwrap();
    let verdict: String = sqlx::query_scalar("PRAGMA integrity_check")
        .fetch_one(&mut again)
        .await
        .unwrap();
    assert_eq!(verdict, "ok");
}

/// Returns a page of 64 bytes with one row of four bytes at its end.
fn page() -> Vec<u8> {
    let mut page = vec![0xee; 64];
    page[..10].copy_from_slice(&[0x0d, 0, 0, 0, 1, 0, 60, 0, 0, 60]);
    page
}

#[test]
fn rows_and_their_places_stay_and_all_between_them_goes() {
    let mut blanked = page();
    assert_eq!(blank(&mut blanked, 0, 64), Some(true));
    assert_eq!(blanked[..10], page()[..10]);
    assert!(blanked[10..60].iter().all(|byte| *byte == 0));
    assert_eq!(blanked[60..], [0xee; 4]);
    assert_eq!(blank(&mut blanked, 0, 64), Some(false));
}

#[test]
fn what_is_no_page_of_rows_is_left_alone() {
    for (place, byte) in [
        // Of another kind; more rows than fit; a row before the rows; rows behind the end.
        (0, 0x00),
        (0, 0x01),
        (3, 0xff),
        (9, 20),
        (6, 65),
        (5, 0xff),
        // A free block outside of the rows.
        (2, 20),
        (1, 0xff),
    ] {
        let mut other = page();
        other[place] = byte;
        assert_eq!(blank(&mut other, 0, 64), None, "byte {place} is {byte}");
    }
}
