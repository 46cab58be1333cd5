//! Background maintenance, checked in the tables.

use sayso_core::transcript::{Owner, Taint, TurnId, UserId};
use sayso_store::Store;
use sayso_store::query;
use sayso_store::sql;
use tempfile::TempDir;

use super::Maintenance;
use crate::{Memory as _, MemoryKind, MemorySearch as _, NewMemory, StoredMemory};

async fn open() -> (Store, TempDir) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("sayso.db");
    (Store::open(&path).await.unwrap(), directory)
}

fn maintenance(store: &Store) -> Maintenance {
    Maintenance::new(
        store.clone(),
        None,
        StoredMemory::new(store.clone()).index_repair(),
    )
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

async fn texts(store: &Store, text: &'static str) -> Vec<String> {
    query(sql!(text)).fetch_all(store.reader()).await.unwrap()
}

#[tokio::test]
async fn what_was_indexed_before_spellings_were_one_is_indexed_again() {
    let (store, _directory) = open().await;
    let memory = StoredMemory::new(store.clone());
    let owner = Owner::User(UserId(1));
    let new = NewMemory {
        kind: MemoryKind::Fact,
        text: "我喜歡喝綠茶".to_owned(),
        turn: TurnId(1),
        taint: Taint::default(),
    };
    memory.remember(owner, new).await.unwrap();
    run(
        &store,
        "UPDATE memory_words SET words = 'p00000000000000000001綠茶'",
    )
    .await;
    run(
        &store,
        "UPDATE reindexing SET until_id = (SELECT max(id) FROM memories)",
    )
    .await;
    let maintenance = maintenance(&store);
    assert!(memory.recall(owner, "绿茶", 5).await.unwrap().is_empty());
    maintenance.catch_up(0).await.unwrap();
    for query in ["绿茶", "綠茶"] {
        let found = memory.recall(owner, query, 5).await.unwrap();
        assert_eq!(found.len(), 1, "{query}");
    }
    // A change of how words are made is one more round, over rows that are there by then.
    run(
        &store,
        "UPDATE memory_words SET words = 'p00000000000000000001綠茶'",
    )
    .await;
    maintenance.catch_up(0).await.unwrap();
    assert!(memory.recall(owner, "绿茶", 5).await.unwrap().is_empty());
    run(&store, "UPDATE reindexing SET spelling = 0").await;
    maintenance.catch_up(0).await.unwrap();
    assert_eq!(memory.recall(owner, "绿茶", 5).await.unwrap().len(), 1);
}

/// Two members of a group in one stretch of talk, and a text from outside in view of one turn.
const STRETCH: [&str; 8] = [
    "INSERT INTO users (id, created_ms) VALUES (1, 0), (2, 0)",
    "INSERT INTO chats (id, channel, chat, kind, language) VALUES (1, 'telegram', '9', 'group', 'en')",
    "INSERT INTO sessions (id, chat_id) VALUES (1, 1)",
    "INSERT INTO turns (id, session_id, user_id, address, request, state, started_ms, ended_ms)
     SELECT value, 1, 1 + (value = 13), '{}', '', 'ended', 0, value FROM json_each('[11,12,13,14,15]')",
    "INSERT INTO stretches (id, session_id, owner_kind, owner_id, lines, last_ms)
     VALUES (1, 1, 'chat', 1, 5, 15)",
    "INSERT INTO lines (id, owner_kind, owner_id, turn_id, user_id, stretch_id, place, at_ms)
     SELECT id, 'chat', 1, id, user_id, 1, id, id FROM turns",
    "INSERT INTO memories (id, owner_kind, owner_id, kind, text, turn_id, created_ms, touched_ms, taint)
     SELECT id + 100, 'chat', 1, 'episode', 'turn ' || id, id, id, id,
            CASE WHEN id = 15 THEN '[{\"way\":\"here\",\"origin\":\"others\"}]' END FROM turns",
    "INSERT INTO memory_words (rowid, words)
     SELECT id, 'g00000000000000000001' || text FROM memories",
];

#[tokio::test]
async fn summaries_of_one_member_without_outside_text_become_one() {
    let (store, _directory) = open().await;
    for statement in STRETCH {
        run(&store, statement).await;
    }
    let maintenance = maintenance(&store);
    let hour = 60 * 60 * 1000;
    maintenance.catch_up(hour + 15).await.unwrap();
    assert_eq!(
        texts(&store, "SELECT text FROM memories").await.len(),
        5,
        "it goes on"
    );
    let rest = maintenance.catch_up(hour + 16).await.unwrap();
    assert!(rest.as_millis() > 1_000_000, "{rest:?}");
    assert_eq!(
        texts(&store, "SELECT text FROM memories ORDER BY turn_id").await,
        ["turn 13", "turn 11 / turn 12 / turn 14", "turn 15"]
    );
    assert_eq!(
        texts(
            &store,
            "SELECT CAST(t.id AS TEXT) FROM turns t JOIN memories m ON m.id = t.episode_id
             WHERE m.text LIKE '%/%' ORDER BY t.id"
        )
        .await,
        ["11", "12", "14"]
    );
    assert_eq!(
        texts(
            &store,
            "SELECT CAST(count(*) AS TEXT) FROM memory_words
             WHERE words MATCH 'turn OR g00000000000000000001turn'"
        )
        .await,
        ["3"]
    );
}

#[tokio::test]
async fn lines_that_cannot_be_indexed_are_given_up_in_the_end() {
    let (store, _directory) = open().await;
    for statement in STRETCH {
        run(&store, statement).await;
    }
    for statement in [
        "INSERT INTO journal (turn_id, seq, kind, body, at_ms) VALUES
             (11, 1, 'ended', '{\"entry\":\"ended\",\"outcome\":{\"kind\":\"replied\",\"text\":\"the tea\"}}', 0)",
        "CREATE TRIGGER no_lines BEFORE INSERT ON lines BEGIN SELECT RAISE(ABORT, 'no'); END",
        "UPDATE turns SET index_due_ms = 0, index_tries = 1 WHERE id = 11",
    ] {
        run(&store, statement).await;
    }
    let maintenance = maintenance(&store);
    let left = "SELECT CAST(index_tries AS TEXT) FROM turns WHERE index_due_ms IS NOT NULL";
    let day = 24 * 60 * 60 * 1000;
    for (number, tries) in (1..).zip(["2", "3", "4", "5"]) {
        maintenance.catch_up(number * day).await.unwrap();
        assert_eq!(texts(&store, left).await, [tries]);
        // It is not due yet.
        maintenance.catch_up(number * day + 1).await.unwrap();
        assert_eq!(texts(&store, left).await, [tries]);
    }
    maintenance.catch_up(9 * day).await.unwrap();
    assert_eq!(texts(&store, left).await, Vec::<String>::new());
}

#[tokio::test]
async fn an_index_written_piece_by_piece_becomes_whole() {
    let (store, _directory) = open().await;
    let memory = StoredMemory::new(store.clone());
    let owner = Owner::User(UserId(1));
    for number in 0..15 {
        let new = NewMemory {
            kind: MemoryKind::Fact,
            text: format!("Ann planted tree {number}."),
            turn: TurnId(1),
            taint: Taint::default(),
        };
        memory.remember(owner, new).await.unwrap();
    }
    let pieces = async || -> i64 {
        query(sql!("SELECT count(DISTINCT segid) FROM memory_words_idx"))
            .fetch_one(store.reader())
            .await
            .unwrap()
    };
    assert_eq!(pieces().await, 15);
    let maintenance = maintenance(&store);
    maintenance.catch_up(0).await.unwrap();
    assert_eq!(pieces().await, 1);
    let found = memory.recall(owner, "which trees?", 20).await.unwrap();
    assert_eq!(found.len(), 15);
}
