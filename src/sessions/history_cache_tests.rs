//! What is known of the past of a session is what the database says of it, whatever happens to it.

use std::sync::Arc;

use proptest::prelude::{Just, Strategy, prop_assert_eq, prop_oneof, proptest};
use proptest::test_runner::{Config, TestCaseError};
use sayso_core::transcript::{
    AssistantMessage, Entry, Heard, HeardText, InboxId, Replied, SessionId, Taint, TurnId,
    TurnOutcome, TurnState, Undone, Usage, UserId,
};
use sayso_store::{Store, history, query, sql, turns};

use super::{EndedTurn, HistoryCache, MOST_BYTES, Span};

const SESSION: SessionId = SessionId(1);
const LIMIT: usize = 4;

/// What happens to a session.
#[derive(Debug, Clone)]
enum Event {
    /// A turn of a user ends here, having said this.
    Ends(i64, String),
    /// One ends that another process drove.
    EndsElsewhere(i64, String),
    /// Files of a turn are put back; it is the one this far from the newest.
    Undone(i64),
    /// A transaction fails.
    RolledBack,
    /// Somebody begins anew.
    BeginsAnew,
    /// The summary that stood for older turns is gone.
    BeginsEarlier(i64),
    /// The next turn begins here.
    Read,
    /// One goes on that was parked this many turns ago.
    ReadFrom(i64),
}

fn events() -> impl Strategy<Value = Event> {
    let said = || (1..3_i64, "[a-c]{0,3}");
    prop_oneof![
        6 => said().prop_map(|(user, text)| Event::Ends(user, text)),
        2 => said().prop_map(|(user, text)| Event::EndsElsewhere(user, text)),
        1 => (0..6_i64).prop_map(Event::Undone),
        1 => Just(Event::RolledBack),
        1 => Just(Event::BeginsAnew),
        1 => (0..6_i64).prop_map(Event::BeginsEarlier),
        6 => Just(Event::Read),
        2 => (0..6_i64).prop_map(Event::ReadFrom),
    ]
}

/// A session, and what is known of it.
struct Bench {
    store: Store,
    cache: HistoryCache,
    _directory: tempfile::TempDir,
    since: i64,
    ended: i64,
}

impl Bench {
    async fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(&directory.path().join("sayso.db"))
            .await
            .unwrap();
        run(
            &store,
            "INSERT INTO users (id, created_ms) VALUES (1, 0), (2, 0);
             INSERT INTO chats (id, channel, chat, kind, language)
             VALUES (1, 'telegram', '7', 'group', 'en');
             INSERT INTO sessions (id, chat_id) VALUES (1, 1);",
        )
        .await;
        Self {
            store,
            cache: HistoryCache::default(),
            _directory: directory,
            since: 0,
            ended: 0,
        }
    }

    /// Has a turn end; returns what is known of it here.
    async fn end(&mut self, user: i64, said: &str) -> (u64, EndedTurn) {
        self.ended += 1;
        let (turn, place) = (TurnId(self.ended), self.ended);
        run(
            &self.store,
            format!(
                "INSERT INTO turns (id, session_id, user_id, address, request, state, started_ms,
                                    ended_ms, ended_seq)
                 VALUES ({turn}, 1, {user}, '{{}}', 'do it', 'ended', 0, 0, {place})"
            ),
        )
        .await;
        let entries = entries(said);
        let written = entries.clone();
        let version = self.store.write(move |tx| {
            Box::pin(async move {
                turns::append(tx, turn, 0, &written).await?;
                Ok(tx.version())
            })
        });
        let version = version.await.unwrap();
        let entries: Vec<Entry> = entries.into_iter().filter(history::is_of_history).collect();
        let ended = EndedTurn::of(turn, UserId(user), None, place, TurnState::fold(&entries));
        (version, ended)
    }

    async fn play(&mut self, event: Event) -> Result<(), TestCaseError> {
        match event {
            Event::Ends(user, said) => {
                let (version, ended) = self.end(user, &said).await;
                self.cache.note_end(version, SESSION, ended, LIMIT);
            }
            Event::EndsElsewhere(user, said) => _ = self.end(user, &said).await,
            Event::Undone(ago) if ago < self.ended => {
                let turn = TurnId(self.ended - ago);
                let entry = Entry::Undone(Undone {
                    by: UserId(1),
                    files: vec!["a.txt".to_owned()],
                });
                let appended = self.store.write(move |tx| {
                    Box::pin(async move { turns::append_behind(tx, turn, &[entry]).await })
                });
                appended.await.unwrap();
            }
            Event::RolledBack => {
                let failed = self.store.write(|tx| {
                    Box::pin(async move { tx.connection().batch("INSERT INTO nothing").await })
                });
                assert!(failed.await.is_err());
            }
            Event::BeginsAnew => self.since = self.ended,
            Event::BeginsEarlier(by) => self.since = (self.since - by).max(0),
            Event::Undone(_) => {}
            Event::Read => self.compare(self.ended).await?,
            Event::ReadFrom(ago) => self.compare((self.ended - ago).max(self.since)).await?,
        }
        Ok(())
    }

    /// Compares what is known with what a process finds that knows nothing.
    async fn compare(&self, until: i64) -> Result<(), TestCaseError> {
        let span = Span {
            since: self.since,
            until,
            limit: LIMIT,
        };
        let known = self.cache.turns(&self.store, SESSION, span).await.unwrap();
        let limit = LIMIT as i64;
        let rows = history::ended_turns(self.store.reader(), SESSION, self.since, until, limit);
        let read: Vec<Arc<EndedTurn>> = rows.await.unwrap().iter().map(EndedTurn::read).collect();
        prop_assert_eq!(known, read);
        Ok(())
    }
}

fn entries(said: &str) -> Vec<Entry> {
    vec![
        Entry::Heard(Heard {
            messages: vec![HeardText {
                inbox: InboxId(1),
                text: said.to_owned(),
                untrusted: false,
                files: Vec::new(),
            }],
        }),
        Entry::Noted {
            text: "noted".to_owned(),
        },
        Entry::Replied(Replied {
            message: AssistantMessage {
                text: format!("You said {said}."),
                reasoning_content: Some("hm".to_owned()),
                ..AssistantMessage::default()
            },
            usage: Usage::default(),
            memory_hits: Vec::new(),
            knowledge_hits: Vec::new(),
            asking: None,
            taint: Taint::default(),
        }),
        Entry::Ended {
            outcome: TurnOutcome::Replied {
                text: format!("You said {said}."),
            },
        },
    ]
}

async fn run(store: &Store, text: impl Into<String>) {
    let text = text.into();
    let ran = store.write(move |tx| Box::pin(async move { tx.connection().batch(&text).await }));
    ran.await.unwrap();
}

proptest! {
    #![proptest_config(Config { failure_persistence: None, ..Config::with_cases(64) })]

    #[test]
    fn what_is_known_of_the_past_is_what_the_database_says(
        events in proptest::collection::vec(events(), 1..40),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut bench = Bench::new().await;
            for event in events {
                bench.play(event).await?;
            }
            bench.compare(bench.ended).await
        })?;
    }
}

#[tokio::test]
async fn a_turn_that_ended_here_is_not_read_again() {
    let mut bench = Bench::new().await;
    for said in ["one", "two", "three"] {
        let (version, ended) = bench.end(1, said).await;
        bench.cache.note_end(version, SESSION, ended, LIMIT);
    }
    // What is written beside the process without its knowledge is not seen.
    run(&bench.store, "DELETE FROM journal").await;
    let span = Span {
        since: 0,
        until: 3,
        limit: LIMIT,
    };
    let known = bench
        .cache
        .turns(&bench.store, SESSION, span)
        .await
        .unwrap();
    assert_eq!(known.len(), 3);
}

#[tokio::test]
async fn what_was_used_last_is_kept() {
    let bench = Bench::new().await;
    let said = "word ".repeat(MOST_BYTES / 5 / 10);
    let version = bench.store.version();
    for session in 1..=12 {
        let state = TurnState::fold(&entries(&said)[..1]);
        let ended = EndedTurn::of(TurnId(session), UserId(1), None, 1, state);
        bench
            .cache
            .note_end(version, SessionId(session), ended, LIMIT);
    }
    let known = bench.cache.known();
    assert!(known.bytes <= MOST_BYTES && known.used.len() == known.sessions.len());
    let mut kept: Vec<i64> = known.sessions.keys().map(|id| id.0).collect();
    kept.sort_unstable();
    assert_eq!(kept, (4..=12).collect::<Vec<_>>());
}

#[tokio::test]
async fn what_is_erased_is_not_known_any_more() {
    let mut bench = Bench::new().await;
    let (version, ended) = bench.end(1, "secret").await;
    bench.cache.note_end(version, SESSION, ended, LIMIT);
    let gone = bench.store.write(|tx| {
        Box::pin(async move {
            tx.outdates_caches();
            query(sql!("DELETE FROM journal"))
                .execute(tx.connection())
                .await
        })
    });
    gone.await.unwrap();
    bench.compare(1).await.unwrap();
}
