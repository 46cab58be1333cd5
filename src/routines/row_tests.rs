//! What becomes of rows of routines over a real database: what is swept, moved to another zone, said in
//! notices, and what cannot be read.

use std::sync::Arc;
use std::time::Duration;

use chrono_tz::Tz;
use sayso_channel::ChatKind;
use sayso_core::redact::Redactor;
use sayso_core::transcript::UserId;
use sayso_store::people::AccountStanding;
use sayso_store::{Statement, Store, chats, now_ms, people, personal_times, query, sql};

use super::context::RoutineContext;
use super::scheduler::Scheduler;
use super::{due, move_to_zone, notices};
use crate::delivery::{Channels, Dispatcher};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// A database, and what routines work with.
struct Rows {
    store: Store,
    ctx: RoutineContext,
    /// Keeps what is said in line.
    _dispatcher: Dispatcher,
    _directory: tempfile::TempDir,
}

impl Rows {
    async fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(&directory.path().join("sayso.db"))
            .await
            .unwrap();
        let redactor = Redactor::new([]).unwrap();
        let (dispatcher, outbox) =
            Dispatcher::new(store.clone(), Arc::new(Channels::new()), redactor);
        Self {
            store,
            ctx: RoutineContext::for_test(outbox),
            _dispatcher: dispatcher,
            _directory: directory,
        }
    }

    /// Adds a person with a routine of this number, which is a day from being due.
    async fn has(&self, id: i64, source: Option<&'static str>) -> UserId {
        let added = self.store.write(move |tx| {
            Box::pin(async move {
                let account = id.to_string();
                let standing = AccountStanding::Owner;
                let user = people::add_sender(tx, "chat", &account, "Ann", standing).await?;
                let chat = chats::chat_at(tx, "chat", &account, ChatKind::Direct, "en").await?;
                let session = chats::session_at(tx, chat.id, "").await?;
                let due = source.is_none().then_some(now_ms() + DAY_MS);
                query(sql!(
                    "INSERT INTO routines (id, user_id, role, chat_id, session_id, address, kind,
                         schedule, zone, follows, anchor_ms, prompt, created_ms, changed_ms, due_ms,
                         next_ms, source)
                     VALUES ($1, $2, 'owner', $3, $4, $5, 'turn', $6, 'UTC', TRUE, $7,
                         'look at the mail', $7, $7, $8, $8, $9)"
                ))
                .bind(id)
                .bind(user)
                .bind(chat.id)
                .bind(session)
                .bind(format!("{{\"channel\":\"chat\",\"chat\":\"{id}\"}}"))
                .bind(source.map_or("0 9 * * *", |_| ""))
                .bind(now_ms())
                .bind(due)
                .bind(source)
                .execute(tx.connection())
                .await?;
                Ok(user)
            })
        });
        added.await.unwrap()
    }

    /// Changes rows; `$1` is a time, as far from now as this.
    async fn does(&self, statement: Statement, from_now_ms: i64) {
        let at_ms = now_ms() + from_now_ms;
        let done = self.store.write(move |tx| {
            Box::pin(async move { query(statement).bind(at_ms).execute(tx.connection()).await })
        });
        done.await.unwrap();
    }

    async fn texts(&self, statement: Statement) -> Vec<String> {
        query(statement)
            .fetch_all(self.store.reader())
            .await
            .unwrap()
    }

    async fn says_to(&self, user: UserId) -> Vec<String> {
        let ctx = self.ctx.clone();
        let said = self
            .store
            .write(move |tx| Box::pin(async move { notices::say(tx, &ctx, user).await }));
        said.await
            .unwrap()
            .into_iter()
            .map(|row| row.part)
            .collect()
    }

    async fn addressees(&self) -> Vec<UserId> {
        let found = notices::addressees(self.store.reader(), &self.ctx.limits, now_ms());
        found.await.unwrap()
    }

    async fn sweeps(&self) {
        let scheduler = Scheduler::new(self.store.clone(), self.ctx.clone());
        scheduler.sweep().await.unwrap();
    }

    async fn moves(&self, user: UserId, zone: Tz) {
        let limits = Arc::clone(&self.ctx.limits);
        let moved = self.store.write(move |tx| {
            Box::pin(async move { move_to_zone(tx, &limits, user, zone, now_ms()).await })
        });
        moved.await.unwrap();
    }

    async fn starts(&self) {
        let ctx = self.ctx.clone();
        let begun = self
            .store
            .write(move |tx| Box::pin(async move { due::start(tx, &ctx, now_ms()).await }));
        begun.await.unwrap();
    }
}

#[tokio::test]
async fn keys_of_reports_are_known_for_thirty_days_however_long_runs_are_kept() {
    for kept in [None, Some(Duration::from_mins(1))] {
        let mut rows = Rows::new().await;
        rows.has(1, None).await;
        let of_29 = sql!("INSERT INTO routine_told VALUES (1, 'of 29 days', $1)");
        rows.does(of_29, -29 * DAY_MS).await;
        let of_31 = sql!("INSERT INTO routine_told VALUES (1, 'of 31 days', $1)");
        rows.does(of_31, -31 * DAY_MS).await;
        Arc::make_mut(&mut rows.ctx.limits).keep_runs = kept;
        rows.sweeps().await;
        let left = rows.texts(sql!("SELECT key FROM routine_told")).await;
        assert_eq!(left, ["of 29 days"], "{kept:?}");
    }
}

#[tokio::test]
async fn events_that_wait_for_a_routine_that_is_off_are_swept_after_a_week() {
    let rows = Rows::new().await;
    rows.has(1, Some("\"webhook\"")).await;
    rows.has(2, Some("\"webhook\"")).await;
    let off = sql!("UPDATE routines SET enabled = FALSE, changed_ms = $1 WHERE id = 1");
    rows.does(off, 0).await;
    let of = [
        sql!("INSERT INTO routine_events VALUES (1, 1, 'off, old', $1, 'x', NULL)"),
        sql!("INSERT INTO routine_events VALUES (2, 1, 'off, new', $1 + 172800000, 'x', NULL)"),
        sql!("INSERT INTO routine_events VALUES (3, 2, 'on, old', $1, 'x', NULL)"),
        sql!("INSERT INTO routine_events VALUES (4, 2, 'taken, old', $1, 'x', 7)"),
    ];
    for add in of {
        rows.does(add, -8 * DAY_MS).await;
    }
    rows.sweeps().await;
    let left = rows.texts(sql!("SELECT key FROM routine_events ORDER BY id"));
    assert_eq!(left.await, ["off, new", "on, old"]);
}

#[tokio::test]
async fn what_events_start_moves_to_another_zone_too() {
    let rows = Rows::new().await;
    let user = rows.has(1, Some("\"webhook\"")).await;
    rows.moves(user, Tz::Asia__Tokyo).await;
    let row = sql!("SELECT zone || coalesce(due_ms, ' not due') FROM routines");
    assert_eq!(rows.texts(row).await, ["Asia/Tokyo not due"]);
}

#[tokio::test]
async fn what_is_due_and_not_started_yet_stays_due_in_another_zone() {
    let rows = Rows::new().await;
    let user = rows.has(1, None).await;
    let spread = sql!("UPDATE routines SET due_ms = $1, next_ms = $1 + 60000");
    rows.does(spread, -1000).await;
    let times = sql!("SELECT due_ms || ' ' || next_ms FROM routines");
    let before = rows.texts(times).await;
    rows.moves(user, Tz::Asia__Tokyo).await;
    assert_eq!(rows.texts(times).await, before);
    assert_eq!(
        rows.texts(sql!("SELECT zone FROM routines")).await,
        ["Asia/Tokyo"]
    );
    // What is off is started by none of this, and is planned anew.
    let off = sql!("UPDATE routines SET enabled = FALSE, changed_ms = $1");
    rows.does(off, 0).await;
    rows.moves(user, Tz::Europe__Berlin).await;
    assert_ne!(rows.texts(times).await, before);
}

#[tokio::test]
async fn people_in_quiet_hours_keep_no_notice_from_others() {
    let rows = Rows::new().await;
    let quiet = rows.has(1, None).await;
    let other = rows.has(2, None).await;
    let set = rows.store.write(move |tx| {
        Box::pin(async move {
            // All of the day but a minute that is hours away.
            let is_morning = chrono::DateTime::from_timestamp_millis(now_ms())
                .is_some_and(|now| now.format("%p").to_string() == "AM");
            let hours = if is_morning {
                "18:01-18:00"
            } else {
                "06:01-06:00"
            };
            personal_times::set_quiet(tx, quiet, Some(hours)).await
        })
    });
    set.await.unwrap();
    let many = sql!(
        "INSERT INTO routine_runs (id, routine_id, occurrence, due_ms, state, occurrences, created_ms,
             ended_ms, told)
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
         SELECT i, 1, i, $1, 'missed', 1, $1, $1, FALSE FROM n
         UNION ALL SELECT 601, 2, 'one', $1, 'missed', 1, $1, $1, FALSE"
    );
    rows.does(many, -1000).await;
    assert_eq!(rows.addressees().await, [other]);
    assert_eq!(rows.says_to(other).await.len(), 1);
    assert!(rows.addressees().await.is_empty());
}

#[tokio::test]
async fn a_person_hears_of_what_cannot_be_read() {
    let rows = Rows::new().await;
    let by_clock = rows.has(1, None).await;
    let by_events = rows.has(2, Some("{\"no\": \"trigger\"}")).await;
    let spoil = sql!(
        "UPDATE routines SET next_ms = $1, due_ms = CASE WHEN id = 1 THEN $1 END,
             schedule = CASE WHEN id = 1 THEN 'now and then' ELSE '' END"
    );
    rows.does(spoil, -1000).await;
    rows.starts().await;
    let state = sql!("SELECT enabled || ' ' || off_why FROM routines ORDER BY id");
    assert_eq!(rows.texts(state).await, ["0 unreadable", "0 unreadable"]);
    assert_eq!(rows.addressees().await, [by_clock, by_events]);
    for user in [by_clock, by_events] {
        let said = rows.says_to(user).await.concat();
        assert!(said.contains("cannot be read any more"), "{said}");
        assert!(said.contains("It is switched off now."), "{said}");
    }
}
