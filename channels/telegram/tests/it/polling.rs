//! Long polling: nothing is forgotten before it is stored, and nothing that may pass ends it.

use std::time::Duration;

use sayso_channel::{Addressed, ChannelError, Event, HealthStatus, Receipt};
use sayso_fakes::{FakeTelegram, Fault};
use sayso_telegram::TelegramConfig;
use secrecy::SecretString;
use serde_json::json;

use crate::bot::{Bot, config, message_of};

#[tokio::test]
async fn offset_does_not_move_before_all_is_stored() {
    let fake = FakeTelegram::start().await;
    let ann = fake.person(7, "Ann");
    let chat = fake.direct(&ann);
    chat.says("one");
    chat.says("two");
    let config = config(&fake);
    let mut bot = Bot::starts_with(fake, config);

    let first = bot.hears().await;
    let second = bot.hears().await;
    assert_eq!(bot.fake.count("getUpdates"), 1);
    second.receipt.send(Receipt::default()).unwrap();
    first.receipt.send(Receipt::default()).unwrap();
    bot.fake.waits_for_calls("getUpdates", 2).await;

    let offsets: Vec<_> = bot
        .fake
        .calls_of("getUpdates")
        .iter()
        .map(|call| call.integer("offset"))
        .collect();
    assert_eq!(offsets[0], None);
    assert!(offsets[1].is_some());
    chat.says("three");
    assert_eq!(bot.stores_message().await.text, "three");
    bot.fake.assert_clean();
    bot.shuts_down().await;
}

#[tokio::test]
async fn what_the_store_refuses_comes_again() {
    let mut bot = Bot::starts().await;
    let ann = bot.fake.person(7, "Ann");
    bot.fake.direct(&ann).says("keep me");

    let refused = bot.hears().await;
    let key = refused.inbound.key.clone();
    drop(refused.receipt);
    bot.waits_until(|status| matches!(status, HealthStatus::Waiting(_)))
        .await;
    assert_eq!(bot.fake.unconfirmed(), 1);

    let again = bot.stores().await;
    assert_eq!(again.key, key);
    assert_eq!(message_of(again).text, "keep me");
    bot.waits_until(|status| *status == HealthStatus::Connected)
        .await;
}

#[tokio::test]
async fn unknown_kinds_lose_no_text_and_stop_nothing() {
    let mut bot = Bot::starts().await;
    let ann = bot.fake.person(7, "Ann");
    let chat = bot.fake.direct(&ann);
    bot.fake.raw_update(json!({"telepathy": {"text": "hm"}}));
    bot.fake
        .raw_update(json!({"message": "not even an object"}));
    chat.says_with_entities(
        "tomorrow",
        vec![json!({"type": "dream", "offset": 0, "length": 8})],
    );
    bot.fake.raw_update(json!({"message": {
        "message_id": 500, "date": 1, "chat": {"id": 7, "type": "private"},
        "from": {"id": 7, "is_bot": false, "first_name": "Ann"}, "hologram": {"text": "inside"},
    }}));

    assert_eq!(bot.stores_message().await.text, "tomorrow");
    let unknown = bot.stores_message().await;
    assert_eq!(unknown.text, "inside");
    assert_eq!(
        unknown.unsupported.as_deref(),
        Some("a message of an unknown kind")
    );
}

#[tokio::test]
async fn faults_of_network_and_server_are_waited_out() {
    let mut bot = Bot::starts().await;
    bot.fake.waits_for_calls("getUpdates", 1).await;
    for fault in [
        Fault::BadGateway,
        Fault::ServerError,
        Fault::DropBefore,
        Fault::DropAfter,
    ] {
        bot.fake.fail_next("getUpdates", fault);
    }
    let ann = bot.fake.person(7, "Ann");
    let chat = bot.fake.direct(&ann);
    chat.says("before");
    assert_eq!(bot.stores_message().await.text, "before");
    bot.fake.waits_for_calls("getUpdates", 5).await;
    // The poll that is open now breaks off with this message on its way.
    chat.says("after");
    assert_eq!(bot.stores_message().await.text, "after");
    bot.waits_until(|status| *status == HealthStatus::Connected)
        .await;
    assert!(bot.health.read().interruptions >= 1);
}

#[tokio::test]
async fn telegram_may_be_down_at_the_start() {
    let fake = FakeTelegram::start().await;
    fake.fail_next("getMe", Fault::BadGateway);
    fake.fail_next("getMe", Fault::DropBefore);
    let ann = fake.person(7, "Ann");
    fake.direct(&ann).says("anybody?");
    let config = config(&fake);
    let mut bot = Bot::starts_with(fake, config);
    assert_eq!(bot.stores_message().await.text, "anybody?");
}

#[tokio::test]
async fn pause_that_telegram_asks_for_is_kept() {
    let fake = FakeTelegram::start().await;
    fake.fail_next("getUpdates", Fault::TooManyRequests { retry_after: 1 });
    let config = config(&fake);
    let bot = Bot::starts_with(fake, config);
    bot.fake.waits_for_calls("getUpdates", 2).await;
    let calls = bot.fake.calls_of("getUpdates");
    assert!(calls[1].at - calls[0].at >= Duration::from_secs(1));
}

#[tokio::test]
async fn another_poller_is_named_in_health_and_outwaited() {
    let fake = FakeTelegram::start().await;
    fake.fail_when(|call| (call.method == "getUpdates").then_some(Fault::Conflict));
    let ann = fake.person(7, "Ann");
    fake.direct(&ann).says("still there?");
    let config = config(&fake);
    let mut bot = Bot::starts_with(fake, config);

    bot.fake.waits_for_calls("getUpdates", 4).await;
    let status = bot.health.read().status;
    let HealthStatus::Waiting(reason) = status else {
        panic!("health is {status:?}");
    };
    assert!(
        reason.contains("another program polls with this token"),
        "{reason}"
    );

    bot.fake.heal();
    assert_eq!(bot.stores_message().await.text, "still there?");
    bot.waits_until(|status| *status == HealthStatus::Connected)
        .await;
}

#[tokio::test]
async fn webhook_in_the_way_is_removed_and_its_messages_are_kept() {
    let fake = FakeTelegram::start().await;
    let url = format!("{}/bot{}/setWebhook", fake.url(), fake.token());
    let body = json!({"url": "http://127.0.0.1:9/nobody"});
    let set = reqwest::Client::new()
        .post(url)
        .json(&body)
        .send()
        .await
        .unwrap();
    assert!(set.status().is_success());
    let ann = fake.person(7, "Ann");
    fake.direct(&ann).says("kept");

    let config = config(&fake);
    let mut bot = Bot::starts_with(fake, config);
    assert_eq!(bot.stores_message().await.text, "kept");
    assert_eq!(bot.fake.count("deleteWebhook"), 1);
}

#[tokio::test]
async fn refused_token_ends_the_channel_and_is_never_shown() {
    let fake = FakeTelegram::start().await;
    let secret = "4242:somebody-elses-token";
    let config = TelegramConfig {
        token: SecretString::from(secret),
        ..config(&fake)
    };
    let bot = Bot::starts_with(fake, config);
    let health = bot.health.clone();
    let error = bot.ends().await.unwrap_err();
    assert!(matches!(error, ChannelError::Unauthorized(_)), "{error:?}");
    let status = health.read().status;
    assert!(matches!(status, HealthStatus::Stopped(_)), "{status:?}");
    assert!(!format!("{error} {error:?} {status:?}").contains("somebody"));
}

#[tokio::test]
async fn token_revoked_while_listening_ends_the_channel() {
    let fake = FakeTelegram::start().await;
    let description = "Unauthorized".to_owned();
    fake.fail_next(
        "getUpdates",
        Fault::Refuse {
            code: 401,
            description,
        },
    );
    let config = config(&fake);
    let bot = Bot::starts_with(fake, config);
    let error = bot.ends().await.unwrap_err();
    assert!(matches!(error, ChannelError::Unauthorized(_)), "{error:?}");
}

#[tokio::test]
async fn shutdown_does_not_wait_for_the_open_poll() {
    let bot = Bot::starts().await;
    bot.fake.waits_for_calls("getUpdates", 1).await;
    bot.shuts_down().await;
}

#[tokio::test]
async fn shutdown_does_not_wait_for_the_store() {
    let mut bot = Bot::starts().await;
    let ann = bot.fake.person(7, "Ann");
    bot.fake.direct(&ann).says("hi");
    let kept = bot.hears().await;
    bot.shutdown.cancel();
    assert_eq!(bot.ends().await, Ok(()));
    drop(kept);
}

#[tokio::test]
async fn group_forum_and_channel_are_heard_at_their_addresses() {
    let mut bot = Bot::starts().await;
    let ann = bot.fake.person(7, "Ann");
    let forum = bot.fake.group(-1_005, "Team").with(&ann).forum();
    let topic = forum.topic("plans");
    topic.says("👍 @sayso_bot hi");
    let inbound = bot.stores().await;
    let thread = topic.thread().unwrap().to_string();
    assert_eq!(inbound.address.thread.as_ref().unwrap().as_str(), thread);
    let heard = message_of(inbound);
    assert_eq!((heard.addressed, heard.quoted), (Addressed::Mention, None));

    forum.says("in general");
    assert_eq!(bot.stores().await.address.thread, None);

    bot.fake.channel(-1_009, "News").says("news");
    assert_eq!(bot.stores().await.address.chat.as_str(), "-1009");
}

#[tokio::test]
async fn blocking_and_migration_are_events() {
    let mut bot = Bot::starts().await;
    let ann = bot.fake.person(7, "Ann");
    let chat = bot.fake.direct(&ann);
    chat.blocks();
    assert_eq!(bot.stores().await.event, Event::Closed);
    chat.unblocks();
    assert_eq!(bot.stores().await.event, Event::Opened);

    let group = bot.fake.group(-55, "Team").with(&ann);
    let _ = group.migrates(-10_055);
    let Event::Moved { to } = bot.stores().await.event else {
        panic!("not a move");
    };
    assert_eq!(to.chat.as_str(), "-10055");
}
