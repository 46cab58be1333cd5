//! What delivery makes of a platform's answers, on a channel in memory.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use sayso_channel::fake::FakeChannel;
use sayso_channel::{Address, Channel, ChannelError, MessageKey, Outbound, RESENT_MARK};
use sayso_core::redact::Redactor;
use sayso_store::Store;
use sayso_store::outbox::{self, OutboxRow};
use sayso_store::query;
use sayso_store::sql;
use tempfile::TempDir;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::{Dispatcher, MessageRef, OutboxWriter, Purpose, Saying};

/// A dispatcher at work on one channel.
struct Office {
    channel: Arc<FakeChannel>,
    store: Store,
    outbox: OutboxWriter,
    stop: CancellationToken,
    dispatcher: JoinHandle<()>,
    directory: TempDir,
}

impl Office {
    async fn open() -> Self {
        let directory = TempDir::new().unwrap();
        let store = Store::open(&directory.path().join("sayso.db"))
            .await
            .unwrap();
        Self::over(directory, store)
    }

    /// Opens over a channel whose platform drops repetitions.
    async fn open_where_repeats_are_dropped(within: Duration) -> Self {
        let (directory, store) = Self::open().await.close().await;
        let channel = FakeChannel::that_drops_repeats("fake", within);
        Self::with_channel(directory, store, channel)
    }

    fn over(directory: TempDir, store: Store) -> Self {
        Self::with_channel(directory, store, FakeChannel::new("fake"))
    }

    fn with_channel(directory: TempDir, store: Store, channel: FakeChannel) -> Self {
        let channel = Arc::new(channel);
        let mut channels: HashMap<_, Arc<dyn Channel>> = HashMap::new();
        channels.insert("fake".into(), channel.clone());
        let (dispatcher, outbox) = Dispatcher::new(
            store.clone(),
            Arc::new(channels),
            Redactor::new([]).unwrap(),
        );
        let stop = CancellationToken::new();
        let dispatcher = tokio::spawn(dispatcher.run(stop.clone(), Duration::from_secs(5)));
        Self {
            channel,
            store,
            outbox,
            stop,
            dispatcher,
            directory,
        }
    }

    async fn writes(&self, text: &str, subject: Option<i64>) -> Vec<OutboxRow> {
        let (outbox, text) = (self.outbox.clone(), text.to_owned());
        let purpose = if subject.is_some() {
            Purpose::Card
        } else {
            Purpose::Final
        };
        self.store
            .write(move |tx| {
                Box::pin(async move {
                    let to = Address::chat("fake", "1");
                    let outbound = Outbound::markdown(text);
                    let saying = Saying {
                        to: &to,
                        purpose,
                        turn: None,
                        subject,
                        outbound: &outbound,
                    };
                    outbox.say(tx, saying).await
                })
            })
            .await
            .unwrap()
    }

    async fn says(&self, text: &str) {
        let rows = self.writes(text, None).await;
        self.outbox.offer(rows);
    }

    async fn hears(&self, texts: &[&str]) {
        self.channel
            .wait_until(|_| self.channel.texts("1").len() >= texts.len())
            .await;
        assert_eq!(self.channel.texts("1"), texts);
    }

    async fn states(&self) -> Vec<String> {
        query(sql!("SELECT state FROM outbox ORDER BY id"))
            .fetch_all(self.store.reader())
            .await
            .unwrap()
    }

    /// Ends the dispatcher when everything in its queues is sent.
    async fn close(self) -> (TempDir, Store) {
        self.stop.cancel();
        self.dispatcher.await.unwrap();
        // That something was sent is noted with the next commit: this one.
        self.store
            .write(|_| Box::pin(async { Ok(()) }))
            .await
            .unwrap();
        (self.directory, self.store)
    }
}

#[tokio::test]
async fn messages_of_a_chat_go_out_in_their_order() {
    let office = Office::open().await;
    for text in ["one", "two", "three"] {
        office.says(text).await;
    }
    office.hears(&["one", "two", "three"]).await;
}

#[tokio::test]
async fn more_than_a_lane_holds_goes_out_in_order_and_at_once() {
    let office = Office::open().await;
    let texts: Vec<String> = (0..100).map(|number| format!("message {number}")).collect();
    let mut rows = Vec::new();
    for text in &texts {
        rows.extend(office.writes(text, None).await);
    }
    office.outbox.offer(rows);
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    office.hears(&texts).await;
}

#[tokio::test]
async fn what_no_one_announced_is_found() {
    let office = Office::open().await;
    office.writes("quiet", None).await;
    office.hears(&["quiet"]).await;
}

#[tokio::test]
async fn being_told_to_wait_is_no_failure() {
    let office = Office::open().await;
    office
        .channel
        .fail_next(ChannelError::RetryAfter(Duration::from_millis(10)));
    office
        .channel
        .fail_next(ChannelError::Unreachable("down".into()));
    office.says("one").await;
    office.says("two").await;
    office.hears(&["one", "two"]).await;
}

#[tokio::test]
async fn a_lost_answer_means_a_second_message_with_a_mark() {
    let office = Office::open().await;
    office
        .channel
        .fail_next_after_it_happened(ChannelError::Ambiguous("cut".into()));
    office.says("one").await;
    let marked = format!("one{RESENT_MARK}");
    office.hears(&["one", &marked]).await;
}

#[tokio::test]
async fn a_lost_answer_is_asked_for_again_where_the_platform_drops_repetitions() {
    let office = Office::open_where_repeats_are_dropped(Duration::from_mins(2)).await;
    office
        .channel
        .fail_next_after_it_happened(ChannelError::Ambiguous("cut".into()));
    office.says("one").await;
    office.says("two").await;
    office.hears(&["one", "two"]).await;
    let (_directory, store) = office.close().await;
    let rows: Vec<(String, bool)> = query(sql!("SELECT state, resent FROM outbox ORDER BY id"))
        .fetch_all(store.reader())
        .await
        .unwrap();
    let sent_without_a_mark = ("sent".to_owned(), false);
    assert_eq!(rows, [sent_without_a_mark.clone(), sent_without_a_mark]);
}

#[tokio::test]
async fn a_message_that_never_arrived_is_sent_without_a_mark_where_repetitions_are_dropped() {
    let office = Office::open_where_repeats_are_dropped(Duration::from_mins(2)).await;
    office
        .channel
        .fail_next(ChannelError::Ambiguous("cut".into()));
    office.says("one").await;
    office.hears(&["one"]).await;
}

#[tokio::test]
async fn a_repetition_carries_the_mark_when_the_platform_may_have_forgotten_the_first() {
    let office = Office::open_where_repeats_are_dropped(Duration::ZERO).await;
    office
        .channel
        .fail_next(ChannelError::Ambiguous("cut".into()));
    office.says("one").await;
    let marked = format!("one{RESENT_MARK}");
    office.hears(&[&marked]).await;
}

#[tokio::test]
async fn what_was_on_the_wire_at_a_crash_needs_no_mark_while_repetitions_are_dropped() {
    let (directory, store) = Office::open().await.close().await;
    let before = Office::over(directory, store);
    before.stop.cancel();
    let rows = before.writes("one", None).await;
    let id = rows[0].id;
    before
        .store
        .write(move |tx| Box::pin(outbox::begin_sending(tx, id)))
        .await
        .unwrap();
    let (directory, store) = before.close().await;
    let channel = FakeChannel::that_drops_repeats("fake", Duration::from_mins(2));
    let after = Office::with_channel(directory, store, channel);
    after.hears(&["one"]).await;
}

#[tokio::test]
async fn a_refused_message_is_failed_with_its_reason_and_stops_no_one() {
    let office = Office::open().await;
    office
        .channel
        .fail_next(ChannelError::Rejected("blocked".into()));
    office.says("one").await;
    office.says("two").await;
    office.hears(&["two"]).await;
    let (_directory, store) = office.close().await;
    let rows: Vec<(String, Option<String>)> =
        query(sql!("SELECT state, why FROM outbox ORDER BY id"))
            .fetch_all(store.reader())
            .await
            .unwrap();
    assert_eq!(
        rows,
        [
            ("failed".to_owned(), Some("blocked".to_owned())),
            ("sent".to_owned(), None)
        ]
    );
}

#[tokio::test]
async fn what_is_refused_as_it_was_is_said_in_plain_words() {
    let office = Office::open().await;
    office.channel.fail_next(ChannelError::Rejected(
        "message to be replied not found".into(),
    ));
    let outbox = office.outbox.clone();
    let rows = office
        .store
        .write(move |tx| {
            Box::pin(async move {
                let to = Address::chat("fake", "1");
                let outbound = Outbound {
                    reply_to: Some("9".into()),
                    ..Outbound::markdown("one")
                };
                let saying = Saying {
                    to: &to,
                    purpose: Purpose::Final,
                    turn: None,
                    subject: None,
                    outbound: &outbound,
                };
                outbox.say(tx, saying).await
            })
        })
        .await
        .unwrap();
    office.outbox.offer(rows);
    office.hears(&["one"]).await;
    assert_eq!(office.channel.platform().messages[0].part.reply_to, None);
}

#[tokio::test]
async fn a_moved_chat_is_followed() {
    let office = Office::open().await;
    office
        .channel
        .fail_next(ChannelError::Moved(Address::chat("fake", "2")));
    office.says("one").await;
    office
        .channel
        .wait_until(|_| office.channel.texts("2") == ["one"])
        .await;
}

#[tokio::test]
async fn what_was_on_the_wire_at_a_crash_is_sent_again_with_a_mark() {
    let office = Office::open().await;
    let (directory, store) = office.close().await;
    let before = Office::over(directory, store);
    before.stop.cancel();
    let rows = before.writes("one", None).await;
    let id = rows[0].id;
    before
        .store
        .write(move |tx| Box::pin(outbox::begin_sending(tx, id)))
        .await
        .unwrap();
    let (directory, store) = before.close().await;
    let after = Office::over(directory, store);
    let marked = format!("one{RESENT_MARK}");
    after.hears(&[&marked]).await;
}

/// Lets the store refuse a state of rows, as a full disk would, until it is allowed again.
async fn refuse(store: &Store, trigger: &'static str) {
    store
        .write(move |tx| {
            Box::pin(async move {
                tx.connection().batch(trigger).await?;
                Ok(())
            })
        })
        .await
        .unwrap();
}

const ALLOW: &str = "DROP TRIGGER full";

async fn until_state(office: &Office, state: &str) {
    let seen = async {
        while office.states().await != [state] {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), seen)
        .await
        .unwrap();
}

#[tokio::test]
async fn what_was_sent_is_noted_once_the_store_takes_it() {
    let office = Office::open().await;
    refuse(
        &office.store,
        "CREATE TRIGGER full BEFORE UPDATE ON outbox WHEN new.state = 'sent'
         BEGIN SELECT raise(ABORT, 'full'); END",
    )
    .await;
    office.says("one").await;
    office.hears(&["one"]).await;
    until_state(&office, "sending").await;
    refuse(&office.store, ALLOW).await;
    until_state(&office, "sent").await;
    assert_eq!(office.channel.texts("1"), ["one"]);
}

#[tokio::test]
async fn what_could_not_be_noted_as_unknown_is_sent_again_by_the_same_process() {
    let office = Office::open().await;
    refuse(
        &office.store,
        "CREATE TRIGGER full BEFORE UPDATE ON outbox WHEN new.state = 'unknown'
         BEGIN SELECT raise(ABORT, 'full'); END",
    )
    .await;
    office
        .channel
        .fail_next_after_it_happened(ChannelError::Ambiguous("cut".into()));
    office.says("one").await;
    office.hears(&["one"]).await;
    until_state(&office, "sending").await;
    refuse(&office.store, ALLOW).await;
    let marked = format!("one{RESENT_MARK}");
    office.hears(&["one", &marked]).await;
}

#[tokio::test]
async fn a_card_is_rewritten_in_every_copy() {
    let office = Office::open().await;
    office
        .channel
        .fail_next_after_it_happened(ChannelError::Ambiguous("cut".into()));
    let rows = office.writes("May I?", Some(7)).await;
    office.outbox.offer(rows);
    office
        .channel
        .wait_until(|_| office.channel.texts("1").len() == 2)
        .await;
    // The first copy's message is not known to us: it is the one that was pressed.
    let pressed = office.channel.platform().messages[0].sent.message.clone();
    let outbox = office.outbox.clone();
    let edits = office
        .store
        .write(move |tx| {
            Box::pin(async move {
                let to = Address::chat("fake", "1");
                let outcome = Outbound::markdown("Approved");
                let pressed = MessageRef {
                    address: &to,
                    key: &pressed,
                };
                outbox
                    .amend(tx, Purpose::Card, 7, Some(pressed), &outcome)
                    .await
            })
        })
        .await
        .unwrap();
    office.outbox.offer(edits);
    // The mark of the copy stays.
    let again = format!("Approved{RESENT_MARK}");
    office
        .channel
        .wait_until(|_| office.channel.texts("1") == ["Approved", &again])
        .await;
    assert!(office.states().await.iter().all(|state| state != "failed"));
}

#[tokio::test]
async fn a_press_tells_that_the_card_went_out() {
    let office = Office::open().await;
    // Sent messages are not recorded any more.
    office.stop.cancel();
    let card = office.writes("May I?", Some(7)).await[0].id;
    let outbox = office.outbox.clone();
    let after_a_kill = office.store.write(move |tx| {
        Box::pin(async move {
            outbox::begin_sending(tx, card).await?;
            let to = Address::chat("fake", "1");
            let outcome = Outbound::markdown("Approved");
            let pressed = Some(MessageRef {
                address: &to,
                key: &MessageKey::from("m1"),
            });
            outbox
                .amend(tx, Purpose::Card, 7, pressed, &outcome)
                .await?;
            outbox::find_unknown(tx).await
        })
    });
    assert_eq!(
        after_a_kill.await.unwrap(),
        0,
        "the card would be sent again"
    );
    assert_eq!(office.states().await, ["sent", "pending"]);
}

/// Says something in a thread of chat 1.
async fn says_in_thread(office: &Office, text: &str) {
    let (outbox, text) = (office.outbox.clone(), text.to_owned());
    let said = office.store.write(move |tx| {
        Box::pin(async move {
            let to = Address {
                thread: Some("77".into()),
                ..Address::chat("fake", "1")
            };
            let outbound = Outbound::markdown(text);
            let saying = Saying {
                to: &to,
                purpose: Purpose::Final,
                turn: None,
                subject: None,
                outbound: &outbound,
            };
            outbox.say(tx, saying).await
        })
    });
    office.outbox.offer(said.await.unwrap());
}

/// Returns where the rows go: thread, detour and state.
async fn places(office: &Office) -> Vec<(Option<String>, i64, String)> {
    query(sql!(
        "SELECT address ->> 'thread', detour, state FROM outbox ORDER BY id"
    ))
    .fetch_all(office.store.reader())
    .await
    .unwrap()
}

#[tokio::test]
async fn chat_f11_what_a_thread_refuses_goes_beside_it_once_and_as_the_same_row() {
    let office = Office::open().await;
    let gone = || ChannelError::ThreadGone("the topic is gone".to_owned());
    office.channel.fail_next(gone());
    says_in_thread(&office, "an answer").await;
    let says = |text: &str| text.starts_with("an answer\n\n↪ This belongs into a topic");
    office
        .channel
        .wait_until(|_| office.channel.texts("1").iter().any(|text| says(text)))
        .await;
    office.channel.fail_next(gone());
    office.channel.fail_next(gone());
    says_in_thread(&office, "another").await;
    while places(&office)
        .await
        .iter()
        .all(|(.., state)| state != "failed")
    {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let rows = places(&office).await;
    let beside = |state: &str| (None, 1, state.to_owned());
    assert_eq!(rows, [beside("sent"), beside("failed")]);
    assert_eq!(office.channel.texts("1").len(), 1);
}

#[tokio::test]
async fn chat_f11_a_row_that_was_readdressed_before_a_kill_goes_on_from_there() {
    let office = Office::open().await;
    office
        .channel
        .fail_next(ChannelError::ThreadGone("gone".to_owned()));
    office
        .channel
        .fail_next(ChannelError::Unauthorized("no".to_owned()));
    says_in_thread(&office, "an answer").await;
    while places(&office)
        .await
        .first()
        .is_none_or(|(_, detour, _)| *detour == 0)
    {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    office.stop.cancel();
    office.dispatcher.abort();
    let office = Office::over(office.directory, office.store);
    office
        .channel
        .wait_until(|_| !office.channel.texts("1").is_empty())
        .await;
    assert!(office.channel.texts("1")[0].starts_with("an answer"));
    assert_eq!(places(&office).await.len(), 1);
}

#[tokio::test]
async fn chat_f2_what_is_said_plainly_has_its_addresses_and_is_said_once() {
    let office = Office::open().await;
    let links = |number: u32| {
        format!(
            "[item {number}](https://a.example/{}{number}) ",
            "p".repeat(90)
        )
    };
    let text: String = (0..60).map(links).collect();
    let part = sayso_channel::Part {
        text: "items".to_owned(),
        markup: serde_json::json!([{ "type": "bold" }]),
        plain: Some(text),
        buttons: Vec::new(),
        file: None,
        reply_to: None,
        asks_reply: false,
        quiet: false,
        aside: false,
    };
    let parts = super::plain::without_looks(part, office.channel.profile());
    assert_eq!(parts.len(), 2);
    let all: String = parts.iter().map(|part| part.text.as_str()).collect();
    assert!(
        (0..60).all(|number| all.contains(&format!("p{number})"))),
        "{all}"
    );
}
