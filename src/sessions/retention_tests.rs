//! What goes by its age, and what holds it.

use std::time::Duration;

use sayso_core::transcript::{ChatId, UserId};
use sayso_store::query;
use sayso_store::sql;
use sayso_store::{Store, erase, now_ms};
use tokio_util::sync::CancellationToken;

use super::RetentionSweeper;

const DAY: Duration = Duration::from_hours(24);
/// A year after everything in these tests.
fn later() -> i64 {
    now_ms() + 365 * DAY.as_millis() as i64
}

const KEEPING: RetentionSweeper = RetentionSweeper {
    turns: Some(Duration::from_hours(24 * 30)),
    messages: Duration::from_hours(24 * 7),
    history_messages: 50,
};

/// One session with a past of 300 turns, of which the first ten are there still. Each was begun by
/// a message and has a journal, a card, a question and an answer.
const A_PAST: &str = "
    INSERT INTO users (id, created_ms) VALUES (1, 0);
    INSERT INTO chats (id, channel, chat, kind, language) VALUES (1, 'telegram', '7', 'group', 'en');
    INSERT INTO sessions (id, chat_id, ended_seq) VALUES (1, 1, 300);
    WITH RECURSIVE ten (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM ten LIMIT 10)
    INSERT INTO turns (id, session_id, user_id, address, request, state, started_ms, ended_ms, ended_seq)
    SELECT n * 10, 1, 1, '{}', 'do it', 'ended', n, n, n FROM ten;
    INSERT INTO journal (turn_id, seq, kind, body, at_ms) SELECT id, 0, 'ended', '{}', 0 FROM turns;
    INSERT INTO cards (id, turn_id, session_id, user_id, chat_id, token, expires_ms, state)
    SELECT id, id, 1, 1, 1, 'card' || id, 0, 'closed' FROM turns;
    INSERT INTO held_calls (token, card_id, turn_id, call_id, position, tool, summary, why, digest)
    SELECT 'call' || id, id, id, 'a', 0, 't', 's', 'w', 'd' FROM turns;
    INSERT INTO questions (id, turn_id, session_id, user_id, request, question, choices, asked,
                           expires_ms, state)
    SELECT id, id, 1, 1, 'r', 'q', '[]', 1, 0, 'closed' FROM turns;
    INSERT INTO prompts (id, kind, token, session_id, user_id, audience, subject, payload, state)
    SELECT id, 'question', 'question' || id, 1, 1, 'user', id, '{}', 'withdrawn' FROM turns;
    INSERT INTO inbox (id, channel, kind, event, version, session_id, user_id, address, message, said,
                       ready_ms, state, turn_id, stored_ms)
    SELECT id - 1, 'telegram', 'message', id, 0, 1, 1, '{}', id, 'do it', 0, 'heard', id, 0 FROM turns;
    INSERT INTO outbox (id, channel, address, turn_id, purpose, part, state, created_ms)
    SELECT id + 1, 'telegram', '{}', id, 'final', '{}', 'sent', 0 FROM turns;";

async fn with_a_past(more: &'static str) -> (tempfile::TempDir, Store) {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(&directory.path().join("sayso.db"))
        .await
        .unwrap();
    let written = store.write(move |tx| {
        Box::pin(async move {
            for part in [A_PAST, more] {
                tx.connection().batch(part).await?;
            }
            Ok(())
        })
    });
    written.await.unwrap();
    (directory, store)
}

async fn sweep(store: &Store, keeping: RetentionSweeper) {
    let shutdown = CancellationToken::new();
    keeping.sweep(store, later(), &shutdown).await.unwrap();
    let astray: Vec<String> = query(sql!("SELECT \"table\" FROM pragma_foreign_key_check"))
        .fetch_all(store.reader())
        .await
        .unwrap();
    assert!(astray.is_empty(), "a row has lost what it names");
}

async fn ids(store: &Store, text: &'static str) -> Vec<i64> {
    query(sql!(text)).fetch_all(store.reader()).await.unwrap()
}

async fn turns(store: &Store) -> Vec<i64> {
    ids(store, "SELECT id FROM turns ORDER BY id").await
}

#[tokio::test]
async fn old_turns_go_with_all_that_is_theirs() {
    let (_directory, store) = with_a_past("").await;
    sweep(&store, KEEPING).await;
    for table in [
        "turns",
        "journal",
        "cards",
        "held_calls",
        "questions",
        "prompts",
        "outbox",
    ] {
        let count = format!("SELECT count(*) FROM {table}");
        let left: i64 = query(sql!(count.leak()))
            .fetch_one(store.reader())
            .await
            .unwrap();
        assert_eq!(left, 0, "{table}");
    }
    // Where the chat was heard last stays known, without the words.
    let heard: Vec<(i64, String)> = query(sql!("SELECT id, said FROM inbox"))
        .fetch_all(store.reader())
        .await
        .unwrap();
    assert_eq!(heard, [(99, String::new())]);
}

#[tokio::test]
async fn nothing_goes_before_its_time_or_where_it_is_kept_for_ever() {
    let (_directory, store) = with_a_past("UPDATE turns SET ended_ms = 4e15").await;
    sweep(&store, KEEPING).await;
    assert_eq!(turns(&store).await.len(), 10);
    let (_directory, store) = with_a_past("").await;
    let for_ever = RetentionSweeper {
        turns: None,
        ..KEEPING
    };
    sweep(&store, for_ever).await;
    assert_eq!(turns(&store).await.len(), 10);
    let texts = ids(&store, "SELECT id FROM inbox WHERE said <> ''").await;
    assert_eq!(texts.len(), 10);
}

/// Sweeps a past in which something holds turns, and returns those that stay.
async fn held_by(what: &'static str) -> Vec<i64> {
    let (_directory, store) = with_a_past(what).await;
    sweep(&store, KEEPING).await;
    let left = turns(&store).await;
    let journals = ids(&store, "SELECT turn_id FROM journal ORDER BY turn_id").await;
    assert_eq!(journals, left, "{what}");
    left
}

#[tokio::test]
async fn what_is_needed_still_stays() {
    let all: Vec<i64> = (1..=10).map(|number| number * 10).collect();
    // The newest of a session, however old they are.
    let newest = "UPDATE sessions SET ended_seq = 106";
    assert_eq!(held_by(newest).await, [70, 80, 90, 100]);
    // The history of a turn that waits for somebody.
    let open = "INSERT INTO turns (id, session_id, user_id, address, request, state, started_ms)
                VALUES (200, 1, 1, '{}', 'r', 'parked', 0);
                INSERT INTO journal (turn_id, seq, kind, body, at_ms) VALUES (200, 0, 'held', '{}', 0)";
    assert_eq!(held_by(open).await, [all.as_slice(), &[200]].concat());
    // What is found again by its lines.
    let found = "INSERT INTO stretches (id, session_id, owner_kind, owner_id, lines, last_ms)
                 VALUES (1, 1, 'chat', 1, 1, 0);
                 INSERT INTO lines (id, owner_kind, owner_id, turn_id, user_id, stretch_id, place, at_ms)
                 VALUES (29, 'chat', 1, 30, 1, 1, 0, 0)";
    assert_eq!(held_by(found).await, [30]);
    // What is to be learned from, indexed, or said.
    assert_eq!(
        held_by("UPDATE turns SET to_learn = 1 WHERE id = 40").await,
        [40]
    );
    assert_eq!(
        held_by("UPDATE turns SET index_due_ms = 0 WHERE id = 50").await,
        [50]
    );
    for state in [
        "UPDATE outbox SET state = 'pending' WHERE turn_id = 60",
        "UPDATE outbox SET state = 'unknown' WHERE turn_id = 60",
        "UPDATE outbox SET state = 'doubted' WHERE turn_id = 60",
    ] {
        assert_eq!(held_by(state).await, [60], "{state}");
    }
}

#[tokio::test]
async fn whose_words_are_in_a_compaction_stays_known() {
    let (_directory, store) =
        with_a_past("INSERT INTO compactions VALUES (1, 1, 3, 'a summary', '{}', '[10, 20, 30]')")
            .await;
    sweep(&store, KEEPING).await;
    assert_eq!(turns(&store).await, [10, 20, 30]);
    let texts = "SELECT turn_id FROM journal UNION ALL SELECT id FROM turns WHERE request <> ''";
    assert_eq!(ids(&store, texts).await, Vec::<i64>::new());
    // They are looked at once.
    sweep(&store, KEEPING).await;
    assert_eq!(turns(&store).await, [10, 20, 30]);
}

#[tokio::test]
async fn whose_words_are_in_a_memory_of_a_group_stays_known() {
    // One is from turn 40, one sums up the turns 50 and 60.
    let remembered = "
        INSERT INTO memories (id, owner_kind, owner_id, kind, text, turn_id, created_ms, touched_ms)
        VALUES (1, 'chat', 1, 'fact', 'the boiler drips', 40, 0, 0),
               (2, 'chat', 1, 'summary', 'they mended it', 60, 0, 0);
        UPDATE turns SET episode_id = 2 WHERE id IN (50, 60);
        INSERT INTO undos (id, turn_id, user_id, address, state)
        VALUES (1, 40, 1, '{}', 'over');
        INSERT INTO undone_files (undo_id, path, own) VALUES (1, 'p', 0);
        INSERT INTO file_changes (id, turn_id, call_id, path, was, content, becomes, own, undone_by)
        VALUES (1, 40, 'a', 'p', 'd', x'00', 'e', 0, NULL), (2, 40, 'a', 'p', 'd', x'00', 'e', 0, 1)";
    let (_directory, store) = with_a_past(remembered).await;
    sweep(&store, KEEPING).await;
    assert_eq!(turns(&store).await, [40, 50, 60]);
    let texts = "SELECT turn_id FROM journal UNION ALL SELECT id FROM turns WHERE request <> ''
                 UNION ALL SELECT id FROM undos UNION ALL SELECT id FROM file_changes
                 UNION ALL SELECT undo_id FROM undone_files";
    assert_eq!(ids(&store, texts).await, Vec::<i64>::new());
    // So what a group remembers of a person goes when they are erased, however long ago it was
    // said.
    let erased = store.write(|tx| {
        Box::pin(async move {
            erase::ask(tx, UserId(1), ChatId(1), "{}").await?;
            for open in erase::open_of(tx, UserId(1)).await? {
                erase::want(tx, &open).await?;
            }
            Ok(())
        })
    });
    erased.await.unwrap();
    let erasures = erase::unfinished(store.reader()).await.unwrap();
    let [erasure] = <[_; 1]>::try_from(erasures).unwrap();
    let cleared = store.write(move |tx| Box::pin(async move { erase::clear(tx, &erasure).await }));
    cleared.await.unwrap();
    let left = "SELECT id FROM memories UNION ALL SELECT id FROM turns";
    assert_eq!(ids(&store, left).await, Vec::<i64>::new());
}

#[tokio::test]
async fn what_was_overheard_goes_with_the_turn_that_has_it_in_its_journal() {
    // Said between turns 40 and 50, of which the later one stays; and between 60 and 70.
    let overheard = "
        INSERT INTO inbox (id, channel, kind, event, version, session_id, address, message, said,
                           ready_ms, state, stored_ms)
        VALUES (45, 'telegram', 'message', 'x45', 0, 1, '{}', '45', 'psst', 0, 'settled', 0),
               (65, 'telegram', 'message', 'x65', 0, 1, '{}', '65', 'psst', 0, 'settled', 0),
               (999, 'telegram', 'message', 'x999', 0, 1, '{}', '999', 'psst', 0, 'overheard', 0);
        UPDATE turns SET to_learn = 1 WHERE id = 50";
    let (_directory, store) = with_a_past(overheard).await;
    sweep(&store, KEEPING).await;
    let kept = ids(&store, "SELECT id FROM inbox WHERE said <> '' ORDER BY id").await;
    assert_eq!(kept, [45, 49, 999]);
}

#[tokio::test]
async fn words_of_a_denial_go_with_the_call_that_says_whose_they_are() {
    let denied = "
        UPDATE held_calls SET verdict = 'denied', verdict_by = 1, verdict_why = 'no' WHERE turn_id = 20;
        INSERT INTO audit (seq, at_ms, event, turn_id, decided_by, hash)
        VALUES (1, 0, 'decided', 20, 'user 1', ''), (2, 0, 'decided', 30, 'user 1', '');
        INSERT INTO audit_payloads (seq, user_id, salt, payload) VALUES (1, 1, x'00', 'no'),
                                                                        (2, 1, x'00', 'yes')";
    let (_directory, store) = with_a_past(denied).await;
    sweep(&store, KEEPING).await;
    assert_eq!(ids(&store, "SELECT seq FROM audit_payloads").await, [2]);
    assert_eq!(ids(&store, "SELECT seq FROM audit").await, [1, 2]);
}

#[tokio::test]
async fn what_was_said_goes_unless_something_is_to_be_done_with_it() {
    let said = "
        INSERT INTO outbox (id, channel, address, purpose, part, state, created_ms, edits)
        VALUES (1001, 'telegram', '{}', 'notice', '{}', 'sent', 0, NULL),
               (1002, 'telegram', '{}', 'card', '{}', 'sent', 0, NULL),
               (1003, 'telegram', '{}', 'edit', '{}', 'pending', 0, 1002),
               (1004, 'telegram', '{}', 'notice', '{}', 'failed', 0, NULL);
        UPDATE sessions SET ended_seq = 10";
    let (_directory, store) = with_a_past(said).await;
    sweep(&store, KEEPING).await;
    let left = ids(&store, "SELECT id FROM outbox ORDER BY id").await;
    assert_eq!(left, [1002, 1003]);
}

#[tokio::test]
async fn the_file_levels_out() {
    let (_directory, store) = with_a_past("").await;
    let mut sizes = Vec::new();
    for round in 0..6_i64 {
        let filled = store.write(move |tx| {
            Box::pin(async move {
                let part = "[".to_owned() + &"x".repeat(8_000) + "]";
                for row in 0..500_i64 {
                    query(sql!("INSERT INTO outbox (id, channel, address, purpose, part, state, created_ms)
                         VALUES ($1, 'telegram', '{}', 'notice', $2, 'sent', 0)"))
                    .bind(10_000 + round * 500 + row)
                    .bind(&part)
                    .execute(tx.connection())
                    .await?;
                }
                Ok(())
            })
        });
        filled.await.unwrap();
        let full = store.sizes().await.unwrap();
        sweep(&store, KEEPING).await;
        let swept = store.sizes().await.unwrap();
        sizes.push((full.file + full.log, swept.free));
    }
    let (_, free) = sizes[5];
    assert!(free <= 2 * 1024 * 1024, "{sizes:?}");
    let (first, last) = (sizes[1].0, sizes[5].0);
    assert!(last <= first + 6 * 1024 * 1024, "{sizes:?}");
}
