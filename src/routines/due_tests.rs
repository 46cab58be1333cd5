//! What is due at once in great numbers, over a real database.

use std::sync::Arc;
use std::time::{Duration, Instant};

use sayso_channel::ChatKind;
use sayso_core::redact::Redactor;
use sayso_store::people::AccountStanding;
use sayso_store::{Store, chats, now_ms, people, query, sql};

use super::context::RoutineContext;
use super::due;
use crate::delivery::{Channels, Dispatcher};

/// How many reminders are due in the same minute.
const REMINDERS: i64 = 10_000;
/// How many of all that are kept are not due.
const OTHERS: i64 = 20_000;
/// Far more than it takes; a query that reads all rows for each transaction takes longer.
const LONGEST: Duration = Duration::from_mins(1);

/// Adds reminders, of which those up to a number are due.
async fn fill(store: &Store) {
    let filled = store.write(|tx| {
        Box::pin(async move {
            let user = people::add_sender(tx, "chat", "1", "Ann", AccountStanding::Owner).await?;
            let chat = chats::chat_at(tx, "chat", "1", ChatKind::Direct, "en").await?;
            let session = chats::session_at(tx, chat.id, "").await?;
            query(sql!(
                "INSERT INTO routines (id, user_id, role, chat_id, session_id, address, kind,
                     schedule, zone, anchor_ms, prompt, created_ms, changed_ms, due_ms, next_ms)
                 WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $4)
                 SELECT i, $1, 'owner', $2, $3, '{\"channel\":\"chat\",\"chat\":\"1\"}', 'remind',
                     'every 1440 minutes', 'UTC', $5 - i, 'drink water', $5, $5,
                     CASE WHEN i <= $6 THEN $5 - i ELSE $5 + 100000000 END,
                     CASE WHEN i <= $6 THEN $5 - i ELSE $5 + 100000000 END FROM n"
            ))
            .bind(user)
            .bind(chat.id)
            .bind(session)
            .bind(REMINDERS + OTHERS)
            .bind(now_ms())
            .bind(REMINDERS)
            .execute(tx.connection())
            .await?;
            Ok(())
        })
    });
    filled.await.unwrap();
}

#[tokio::test]
async fn ten_thousand_reminders_of_one_minute_are_all_written_once() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(&directory.path().join("sayso.db"))
        .await
        .unwrap();
    fill(&store).await;
    let redactor = Redactor::new([]).unwrap();
    let (_dispatcher, outbox) = Dispatcher::new(store.clone(), Arc::new(Channels::new()), redactor);
    let ctx = RoutineContext::for_test(outbox);
    let began = Instant::now();
    let mut routines = 0;
    loop {
        let there = ctx.clone();
        let begun = store
            .write(move |tx| Box::pin(async move { due::start(tx, &there, now_ms()).await }))
            .await
            .unwrap();
        if begun.routines == 0 {
            break;
        }
        routines += begun.routines;
    }
    let took = began.elapsed();
    println!("{routines} reminders were written in {took:?}");
    assert!(took < LONGEST, "{took:?}");
    for statement in [
        sql!("SELECT count(*) FROM routine_runs WHERE state = 'done'"),
        sql!("SELECT count(DISTINCT routine_id) FROM routine_runs"),
        sql!("SELECT count(*) FROM prompts WHERE kind = 'reminder'"),
        sql!("SELECT count(*) FROM routines WHERE due_ms > anchor_ms AND last_ms IS NOT NULL"),
    ] {
        let count: i64 = query(statement).fetch_one(store.reader()).await.unwrap();
        assert_eq!(count, REMINDERS, "{}", statement.as_str());
    }
}
