//! What the database promises: order, shared commits, and how it opens.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::Arc;

use sayso_core::ChatKind;
use sayso_core::transcript::{Entry, TurnId};
use tempfile::TempDir;

use super::engine::sqlite::{
    self, Access, MIGRATIONS, Migration, known_schema, migrate, schema_version,
};
use super::people::AccountStanding;
use super::sql::query;
use super::{
    Store, StoreError, chats, check_file, examine, is_in_use, lock_directory, open_to_read, people,
    turns,
};
use crate::sql;

async fn store() -> (TempDir, Store) {
    let directory = TempDir::new().unwrap();
    let store = Store::open(&directory.path().join("sayso.db"))
        .await
        .unwrap();
    (directory, store)
}

async fn names(store: &Store) -> Vec<String> {
    query(sql!("SELECT name FROM senders ORDER BY user_id"))
        .fetch_all(store.reader())
        .await
        .unwrap()
}

async fn add(store: &Store, name: &'static str) -> super::Committed<()> {
    store
        .write_later(move |tx| {
            Box::pin(async move {
                people::add_sender(tx, "telegram", name, name, AccountStanding::Member).await?;
                Ok(())
            })
        })
        .await
}

#[tokio::test]
async fn who_has_lost_the_lease_writes_no_entry_and_no_one_leaves_a_hole() {
    let (_directory, store) = store().await;
    add(&store, "ann").await.wait().await.unwrap();
    let prepared = store.write(|tx| {
        Box::pin(async move {
            let chat = chats::chat_at(tx, "telegram", "1", ChatKind::Direct, "en").await?;
            chats::session_at(tx, chat.id, "").await?;
            query(sql!(
                "INSERT INTO turns (id, session_id, user_id, address, request, state, started_ms)
                 SELECT 7, s.id, u.id, '{}', '', 'running', 0 FROM sessions s, users u"
            ))
            .execute(tx.connection())
            .await?;
            Ok(())
        })
    });
    prepared.await.unwrap();
    let append = |fence, seq| {
        store.write(move |tx| {
            let text = "word".to_owned();
            Box::pin(async move {
                turns::append_under(tx, TurnId(7), fence, seq, &Entry::Noted { text }).await
            })
        })
    };
    // The lease of this session has not been taken yet.
    assert_eq!(append(0, 0).await, Ok(()));
    assert_eq!(append(1, 1).await, Err(StoreError::Fenced));
    let hole = append(0, 2).await;
    assert!(matches!(hole, Err(StoreError::Broken(_))), "{hole:?}");
    assert_eq!(append(0, 1).await, Ok(()));
    let kept: i64 = query(sql!("SELECT count(*) FROM journal"))
        .fetch_one(store.reader())
        .await
        .unwrap();
    assert_eq!(kept, 2);
}

#[tokio::test]
async fn work_runs_in_order_and_is_there_when_it_is_said_to_be() {
    let (_directory, store) = store().await;
    let first = add(&store, "first").await;
    let second = add(&store, "second").await;
    second.wait().await.unwrap();
    first.wait().await.unwrap();
    assert_eq!(names(&store).await, ["first", "second"]);
}

#[tokio::test]
async fn a_piece_that_fails_undoes_only_itself() {
    let (_directory, store) = store().await;
    let before = add(&store, "before").await;
    let failing = store
        .write_later(|tx| {
            Box::pin(async move {
                people::add_sender(tx, "telegram", "half", "half", AccountStanding::Member).await?;
                Err::<(), _>(StoreError::Fenced)
            })
        })
        .await;
    let after = add(&store, "after").await;
    assert_eq!(failing.wait().await, Err(StoreError::Fenced));
    before.wait().await.unwrap();
    after.wait().await.unwrap();
    assert_eq!(names(&store).await, ["before", "after"]);
}

#[tokio::test]
async fn a_caller_that_goes_away_does_not_take_its_work_with_it() {
    let (_directory, store) = store().await;
    drop(add(&store, "left").await);
    add(&store, "stayed").await.wait().await.unwrap();
    assert_eq!(names(&store).await, ["left", "stayed"]);
}

#[tokio::test]
async fn closing_commits_what_is_in_line_and_refuses_what_comes_later() {
    let (directory, store) = store().await;
    let also = store.clone();
    let last = add(&store, "last").await;
    store.close().await;
    last.wait().await.unwrap();
    assert_eq!(
        add(&also, "late").await.wait().await,
        Err(StoreError::Closed)
    );
    let reopened = Store::open(&directory.path().join("sayso.db"))
        .await
        .unwrap();
    assert_eq!(names(&reopened).await, ["last"]);
    assert!(!directory.path().join("sayso.db-wal").exists() || wal_is_empty(directory.path()));
}

fn wal_is_empty(directory: &Path) -> bool {
    std::fs::metadata(directory.join("sayso.db-wal"))
        .unwrap()
        .len()
        == 0
}

#[tokio::test]
async fn many_at_once_are_all_kept() {
    let (_directory, store) = store().await;
    let store = Arc::new(store);
    let tasks: Vec<_> = (0..300)
        .map(|number| {
            let store = Arc::clone(&store);
            tokio::spawn(async move {
                let name = number.to_string();
                store
                    .write(move |tx| {
                        Box::pin(async move {
                            people::add_sender(
                                tx,
                                "telegram",
                                &name,
                                &name,
                                AccountStanding::Member,
                            )
                            .await
                        })
                    })
                    .await
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap().unwrap();
    }
    assert_eq!(names(&store).await.len(), 300);
}

#[test]
fn a_directory_belongs_to_one_process() {
    let directory = TempDir::new().unwrap();
    let lock = lock_directory(directory.path()).unwrap();
    let refused = lock_directory(directory.path()).unwrap_err();
    let in_use = StoreError::InUse {
        directory: directory.path().to_owned(),
        holder: Some(std::process::id()),
    };
    assert_eq!(refused, in_use);
    drop(lock);
    lock_directory(directory.path()).unwrap();
}

#[test]
fn who_only_looks_whether_a_directory_is_in_use_keeps_no_one_out() {
    let directory = TempDir::new().unwrap();
    let path = directory.path();
    drop(lock_directory(path).unwrap());
    std::thread::scope(|scope| {
        let looking = scope.spawn(|| {
            for _ in 0..300 {
                is_in_use(path);
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
        });
        while !looking.is_finished() {
            drop(lock_directory(path).unwrap());
        }
    });
}

/// Returns the permissions of the files of a database.
fn modes(directory: &Path) -> Vec<(String, u32)> {
    let mut modes: Vec<_> = std::fs::read_dir(directory)
        .unwrap()
        .map(|entry| {
            let entry = entry.unwrap();
            let mode = entry.metadata().unwrap().permissions().mode() & 0o777;
            (entry.file_name().into_string().unwrap(), mode)
        })
        .collect();
    modes.sort();
    modes
}

#[tokio::test]
async fn only_its_owner_may_read_the_file_its_log_and_its_index() {
    let (directory, store) = store().await;
    let private = ["sayso.db", "sayso.db-shm", "sayso.db-wal"].map(|name| (name.to_owned(), 0o600));
    assert_eq!(modes(directory.path()), private);
    // As an earlier version left it.
    let path = directory.path().join("sayso.db");
    store.close().await;
    std::fs::set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
    let store = Store::open(&path).await.unwrap();
    assert_eq!(modes(directory.path()), private);
    store.close().await;
}

#[tokio::test]
async fn a_file_from_the_future_is_refused() {
    let (directory, store) = store().await;
    let path = directory.path().join("sayso.db");
    store.close().await;
    let connection = sqlite::Connection::open(&path, Access::Write).unwrap();
    connection
        .batch("UPDATE _sqlx_migrations SET version = 9999")
        .unwrap();
    connection.close().unwrap();
    let error = Store::open(&path).await.unwrap_err();
    assert!(
        matches!(error, StoreError::FromTheFuture { found: 9999, .. }),
        "{error}"
    );
}

#[tokio::test]
async fn a_file_of_a_version_that_was_never_released_is_refused_and_left_alone() {
    let (directory, store) = store().await;
    let path = directory.path().join("sayso.db");
    store.close().await;
    let connection = sqlite::Connection::open(&path, Access::Write).unwrap();
    connection
        .batch("UPDATE _sqlx_migrations SET version = 41, checksum = x'00'")
        .unwrap();
    connection.close().unwrap();
    let before = std::fs::read(&path).unwrap();
    for error in [
        Store::open(&path).await.unwrap_err(),
        check_file(&path).await.unwrap_err(),
        examine(&path).await.unwrap_err(),
        open_to_read(&path).await.unwrap_err(),
    ] {
        let is_it = matches!(error, StoreError::Unreleased { .. });
        assert!(is_it, "{error}");
        assert!(error.to_string().contains("move it away"), "{error}");
    }
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[tokio::test]
async fn a_file_that_is_no_database_is_refused_and_left_alone() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("sayso.db");
    std::fs::write(&path, "a letter to a friend, which is no database at all").unwrap();
    let error = Store::open(&path).await.unwrap_err();
    assert!(matches!(error, StoreError::Corrupt(_)), "{error}");
    assert!(
        std::fs::read_to_string(&path)
            .unwrap()
            .starts_with("a letter")
    );
}

/// Brings a new file to each version in turn and fills it with the rows that lie in
/// `tests/data/migrations` for it, so that the next migration meets a database in use.
fn grown(path: &Path) -> sqlite::Connection {
    let connection = sqlite::Connection::open(path, Access::Write).unwrap();
    for (done, migration) in MIGRATIONS.iter().enumerate() {
        migrate(path, &connection, &MIGRATIONS[..=done]).unwrap();
        connection.batch(&data_of(migration.version)).unwrap();
    }
    connection
}

#[tokio::test]
async fn every_migration_meets_a_database_in_use() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("sayso.db");
    let connection = grown(&path);
    let broken = "SELECT \"table\" FROM pragma_foreign_key_check";
    let broken: Vec<String> = connection.fetch(broken, &[], usize::MAX).unwrap();
    assert!(
        broken.is_empty(),
        "rows without their parents in {broken:?}"
    );
    assert_eq!(wrong_totals(&connection), Vec::<String>::new());
    connection.close().unwrap();
    let store = Store::open(&path).await.unwrap();
    assert_eq!(names(&store).await, ["Ann", "Bob"]);
}

/// Returns the days whose totals are not what all rows of the day come to.
fn wrong_totals(connection: &sqlite::Connection) -> Vec<String> {
    let wrong = "WITH sums AS (
             SELECT day, 0, sum(calls), sum(prompt_tokens + completion_tokens + open_tokens),
                    sum(unpriced_tokens), sum(micros + open_micros) FROM usage GROUP BY day)
         SELECT day FROM (SELECT * FROM sums EXCEPT SELECT * FROM usage_totals)
         UNION SELECT day FROM (SELECT * FROM usage_totals EXCEPT SELECT * FROM sums)";
    connection.fetch(wrong, &[], usize::MAX).unwrap()
}

#[tokio::test]
async fn totals_of_a_day_follow_all_that_is_written() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("sayso.db");
    let connection = grown(&path);
    for change in [
        "INSERT INTO usage VALUES (2, '2026-11-24', 20, '', 1, 70, 0, 3, 0, 73, 0, 0, 0)",
        "INSERT INTO usage VALUES (2, '2026-11-24', 20, '', 1, 9, 0, 1, 0, 0, 4, 0, 0)
         ON CONFLICT DO UPDATE SET calls = calls + 1, prompt_tokens = prompt_tokens + 9, micros = 4",
        "UPDATE usage SET open_tokens = 0, open_micros = 0, completion_tokens = completion_tokens + 5",
        "UPDATE usage SET day = '2026-11-25' WHERE user_id = 2",
        "DELETE FROM usage WHERE user_id = 1 AND day = '2026-11-24'",
    ] {
        connection.batch(change).unwrap();
        let wrong = wrong_totals(&connection);
        assert_eq!(wrong, Vec::<String>::new(), "{change}");
    }
}

#[tokio::test]
async fn an_existing_file_is_copied_before_it_is_migrated() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("sayso.db");
    let connection = grown(&path);
    let mut migrations = MIGRATIONS.to_vec();
    migrations.push(Migration {
        version: 9000,
        description: "one more",
        statements: "CREATE TABLE one_more (id INTEGER) STRICT",
    });
    migrate(&path, &connection, &migrations).unwrap();
    connection.close().unwrap();

    let copy = directory.path().join("sayso.db.before-9000");
    let connection = sqlite::Connection::open(&copy, Access::Write).unwrap();
    assert_eq!(schema_version(&connection).unwrap(), known_schema());
    let kept: Vec<i64> = connection
        .fetch("SELECT count(*) FROM senders", &[], 1)
        .unwrap();
    assert_eq!(kept, [2]);
}

#[test]
fn a_migration_whose_text_changed_behind_its_run_is_refused() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("sayso.db");
    let connection = grown(&path);
    let mut migrations = MIGRATIONS.to_vec();
    migrations.last_mut().unwrap().statements = "SELECT 1";
    let refused = migrate(&path, &connection, &migrations).unwrap_err();
    assert!(refused.to_string().contains("another text"), "{refused}");
}

fn data_of(version: i64) -> String {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/migrations");
    let prefix = format!("{version:04}_");
    let file = std::fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| {
            path.file_name()
                .unwrap()
                .to_string_lossy()
                .starts_with(&prefix)
        });
    std::fs::read_to_string(file.unwrap_or_else(|| panic!("no rows for migration {prefix}")))
        .unwrap()
}
