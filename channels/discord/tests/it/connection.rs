//! The connection: what may pass is outlived without a loss, what may not ends it with a reason.

use std::collections::HashSet;
use std::time::Duration;

use sayso_channel::{ChannelError, HealthStatus};
use sayso_discord::{DiscordConfig, Shards};
use sayso_fakes::discord::{Door, Fault};
use secrecy::SecretString;
use serde_json::json;

use crate::bot::{Bot, config, fake, message_of};

#[tokio::test]
async fn cut_connection_is_resumed_and_nothing_is_missed() {
    let mut bot = Bot::starts().await;
    let ann = bot.fake.person(7, "Ann");
    let chat = bot.fake.direct(&ann);
    chat.says("before");
    bot.stores_texts(&["before"]).await;
    bot.fake.cuts();
    chat.says("meanwhile");
    chat.says("and more");
    bot.stores_texts(&["meanwhile", "and more"]).await;
    assert_eq!(bot.fake.identifies().len(), 1);
    assert!(bot.fake.resumes() >= 1);
    bot.waits_until(|status| *status == HealthStatus::Connected)
        .await;
    assert!(bot.health.read().interruptions >= 1);
    bot.fake.assert_clean();
    bot.shuts_down().await;
}

#[tokio::test]
async fn request_to_reconnect_is_followed_at_once() {
    let mut bot = Bot::starts().await;
    let ann = bot.fake.person(7, "Ann");
    let chat = bot.fake.direct(&ann);
    bot.fake.asks_to_reconnect();
    bot.fake.waits_for_resumes(1).await;
    chat.says("still here?");
    bot.stores_texts(&["still here?"]).await;
    bot.fake.assert_clean();
}

#[tokio::test]
async fn invalid_session_is_resumed_or_begun_anew_as_discord_says() {
    let mut bot = Bot::starts().await;
    let ann = bot.fake.person(7, "Ann");
    let chat = bot.fake.direct(&ann);
    bot.fake.invalidates(true);
    bot.fake.waits_for_resumes(1).await;
    chat.says("one");
    bot.stores_texts(&["one"]).await;
    assert_eq!(bot.fake.identifies().len(), 1);

    bot.fake.invalidates(false);
    bot.fake.waits_for_identifies(2).await;
    bot.fake.waits_for_sessions(1).await;
    chat.says("two");
    bot.stores_texts(&["two"]).await;
    bot.fake.assert_clean();
}

#[tokio::test]
async fn connection_that_only_looks_alive_is_left() {
    let fake = fake().await;
    fake.beats_every(Duration::from_millis(50));
    let config = config(&fake);
    let mut bot = Bot::starts_with(fake, config);
    bot.fake.waits_for_sessions(1).await;
    bot.fake.withholds_acknowledgements(true);
    bot.waits_until(|status| matches!(status, HealthStatus::Waiting(_)))
        .await;
    bot.fake.withholds_acknowledgements(false);
    let ann = bot.fake.person(7, "Ann");
    bot.fake.direct(&ann).says("hello?");
    bot.stores_texts(&["hello?"]).await;
    bot.waits_until(|status| *status == HealthStatus::Connected)
        .await;
}

#[tokio::test]
async fn close_codes_that_pass_are_outlived() {
    let mut bot = Bot::starts().await;
    let ann = bot.fake.person(7, "Ann");
    let chat = bot.fake.direct(&ann);
    for (index, code) in [1000, 1001, 4000, 4008].into_iter().enumerate() {
        bot.fake.closes(code);
        bot.fake.waits_for_connections(index + 2).await;
        bot.fake.waits_for_sessions(1).await;
        chat.says("again");
        bot.stores_texts(&["again"]).await;
    }
    bot.fake.closes(4009);
    bot.fake.waits_for_identifies(2).await;
}

#[tokio::test]
async fn refused_token_ends_the_channel_and_is_never_shown() {
    let fake = fake().await;
    let secret = "MTIz.Gabcde.somebody-elses-token";
    let config = DiscordConfig {
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
async fn token_that_is_reset_while_listening_ends_the_channel() {
    let bot = Bot::starts().await;
    bot.fake.closes(4004);
    let error = bot.ends().await.unwrap_err();
    assert!(matches!(error, ChannelError::Unauthorized(_)), "{error:?}");
}

#[tokio::test]
async fn intent_that_is_not_allowed_ends_the_channel_with_what_to_do() {
    let fake = fake().await;
    fake.allows_content(false);
    fake.application_flags(1 << 19);
    let config = config(&fake);
    let bot = Bot::starts_with(fake, config);
    let error = bot.ends().await.unwrap_err();
    assert!(
        error.to_string().contains("Message Content intent"),
        "{error}"
    );
}

#[tokio::test]
async fn content_is_not_asked_for_where_it_is_not_allowed() {
    let fake = fake().await;
    fake.allows_content(false);
    let ann = fake.person(7, "Ann");
    let group = fake.group(500, "general").with(&ann);
    let config = config(&fake);
    let mut bot = Bot::starts_with(fake, config);
    bot.fake.waits_for_sessions(1).await;
    group.says("among ourselves");
    group.says("@sayso_bot and you?");
    bot.stores_texts(&["and you?"]).await;
    bot.fake.assert_clean();
}

#[tokio::test]
async fn discord_may_be_down_at_the_start() {
    let fake = fake().await;
    let gateway = "get_bot_gateway";
    for (method, fault) in [
        ("get_my_user", Fault::BadGateway),
        ("get_my_user", Fault::DropBefore),
        (gateway, Fault::ServerError),
        (gateway, Fault::TooManyRequests { retry_after: 1 }),
    ] {
        fake.fail_next(method, fault);
    }
    let config = config(&fake);
    let bot = Bot::starts_with(fake, config);
    bot.fake.waits_for_sessions(1).await;
    bot.waits_until(|status| *status == HealthStatus::Connected)
        .await;
    assert_eq!(bot.fake.count("get_my_user"), 3);
    assert_eq!(bot.fake.count("get_bot_gateway"), 3);
}

#[tokio::test]
async fn gateway_that_is_away_is_waited_for_with_pauses() {
    let mut bot = Bot::starts().await;
    let ann = bot.fake.person(7, "Ann");
    bot.fake.goes_away();
    bot.waits_until(|status| matches!(status, HealthStatus::Waiting(_)))
        .await;
    bot.fake.direct(&ann).says("are you there?");
    bot.fake.waits_for_connections(3).await;
    bot.fake.comes_back();
    bot.stores_texts(&["are you there?"]).await;
}

#[tokio::test]
async fn unknown_and_broken_frames_stop_nothing() {
    let mut bot = Bot::starts().await;
    let ann = bot.fake.person(7, "Ann");
    let chat = bot.fake.direct(&ann);
    bot.fake.sends_to_gateway(&json!({"op": 99, "d": {"x": 1}}));
    bot.fake
        .dispatches(None, "TELEPATHY", &json!({"text": "hm"}));
    bot.fake.dispatches(None, "MESSAGE_CREATE", &json!(5));
    bot.fake
        .dispatches(None, "GUILD_CREATE", &json!({"id": []}));
    bot.fake.dispatches(None, "INTERACTION_CREATE", &json!({}));
    bot.fake.asks_for_heartbeat();
    chat.says("still here");
    bot.stores_texts(&["still here"]).await;
    assert_eq!(bot.fake.connections(), 1);
    bot.fake.sends_to_gateway(&json!("no frame"));
    bot.fake.waits_for_connections(2).await;
    chat.says("and again");
    bot.stores_texts(&["and again"]).await;
}

#[tokio::test]
async fn several_shards_hear_each_its_part() {
    let fake = fake().await;
    fake.recommends_shards(2, 1);
    let ann = fake.person(7, "Ann");
    let config = DiscordConfig {
        shards: Shards::Auto,
        ..config(&fake)
    };
    let mut bot = Bot::starts_with(fake, config);
    bot.fake.waits_for_sessions(2).await;
    let direct = bot.fake.direct(&ann);
    direct.says("to the first");
    bot.stores_texts(&["to the first"]).await;
    for server in [0_i64, 1] {
        let group = bot
            .fake
            .group_in((server + 1) << 22, 500 + server, "general");
        group.with(&ann).says("@sayso_bot hi");
        bot.stores_texts(&["hi"]).await;
    }
    bot.fake.assert_clean();
    bot.shuts_down().await;
}

#[tokio::test]
async fn shutdown_does_not_wait_for_a_gateway_that_says_nothing() {
    let fake = fake().await;
    fake.door(Door::Refusing);
    let config = config(&fake);
    let bot = Bot::starts_with(fake, config);
    bot.fake.waits_for_connections(1).await;
    bot.shuts_down().await;
}

#[tokio::test]
async fn nothing_is_lost_and_nothing_changes_its_order_in_bad_weather() {
    let mut bot = Bot::starts().await;
    let ann = bot.fake.person(7, "Ann");
    let chat = bot.fake.direct(&ann);
    chat.says("0");
    bot.stores_texts(&["0"]).await;
    for number in 1..=200 {
        chat.says(&number.to_string());
        match number % 20 {
            3 => bot.fake.cuts(),
            6 => bot.fake.repeats_next(3),
            9 => bot.fake.asks_to_reconnect(),
            12 => bot.fake.invalidates(false),
            15 => bot.fake.closes(4009),
            18 => bot.fake.fail_next("list_messages", Fault::BadGateway),
            _ => tokio::task::yield_now().await,
        }
    }
    let mut keys = HashSet::new();
    let mut texts = Vec::new();
    while texts.last().is_none_or(|last| last != "200") {
        let inbound = bot.stores().await;
        if keys.insert(inbound.key.clone()) {
            texts.push(message_of(inbound).text);
        }
    }
    let all: Vec<String> = (1..=200).map(|number| number.to_string()).collect();
    assert_eq!(texts, all);
}
