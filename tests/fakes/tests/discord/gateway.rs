//! The gateway begins, resumes and breaks sessions as the real one does.

use std::time::Duration;

use sayso_fakes::FakeDiscord;
use sayso_fakes::discord::Door;
use serde_json::json;
use tokio_tungstenite::tungstenite::Message;

use crate::bot::INTENTS;
use crate::{Bot, Ears};

#[tokio::test]
async fn ready_is_followed_by_the_servers() {
    let discord = FakeDiscord::start().await;
    let team = discord.group(500, "Team").with(&discord.person(102, "Bob"));
    let said = team.says("before");
    let mut ears = Ears::open(&discord).await;
    let server = team.server().unwrap().to_string();
    assert_eq!(ears.ready["user"]["id"], "4242");
    assert_eq!(
        ears.ready["guilds"],
        json!([{ "id": server, "unavailable": true }])
    );
    let guild = ears.hear("GUILD_CREATE").await;
    assert_eq!(guild["id"], server);
    assert_eq!(guild["channels"][0]["last_message_id"], said.to_string());
    discord.assert_clean();
}

#[tokio::test]
async fn a_resume_brings_what_was_missed() {
    let discord = FakeDiscord::start().await;
    let chat = discord.direct(&discord.person(101, "Ann"));
    let mut ears = Ears::open(&discord).await;
    chat.says("one");
    ears.hear("MESSAGE_CREATE").await;
    discord.cuts();
    discord.waits_until_disconnected().await;
    chat.says("two");
    chat.says("three");
    let mut again = ears.resume(&discord).await;
    assert_eq!(again.hear("MESSAGE_CREATE").await["content"], "two");
    assert_eq!(again.hear("MESSAGE_CREATE").await["content"], "three");
    again.hear("RESUMED").await;
    again.hears_nothing_more().await;
    assert_eq!((discord.resumes(), discord.identifies().len()), (1, 1));
    discord.assert_clean();
}

#[tokio::test]
async fn a_forgotten_session_is_invalid() {
    let discord = FakeDiscord::start().await;
    let ears = Ears::open(&discord).await;
    discord.forgets_sessions();
    let mut again = ears.resume(&discord).await;
    assert_eq!(again.frame().await, json!({ "op": 9, "d": false }));
    discord.invalidates_next(true);
    let mut again = ears.resume(&discord).await;
    assert_eq!(again.frame().await, json!({ "op": 9, "d": true }));
}

#[tokio::test]
async fn who_is_wrong_is_closed_with_the_code_that_says_why() {
    let discord = FakeDiscord::start().await;
    let identify = async |token: &str, intents: u64, shard: serde_json::Value| {
        let mut ears = Ears::connect(&discord, "gateway").await;
        ears.send(
            json!({ "op": 2, "d": { "token": token, "intents": intents, "shard": shard,
            "properties": { "os": "linux", "browser": "test", "device": "test" } } }),
        )
        .await;
        ears.closed().await
    };
    let token = discord.token();
    assert_eq!(identify("wrong", INTENTS, json!([0, 1])).await, 4004);
    assert_eq!(identify(token, 1 << 60, json!([0, 1])).await, 4013);
    assert_eq!(identify(token, INTENTS | 2, json!([0, 1])).await, 4014);
    assert_eq!(identify(token, INTENTS, json!([3, 2])).await, 4010);
    discord.allows_content(false);
    assert_eq!(identify(token, INTENTS, json!([0, 1])).await, 4014);
    let mut silent = Ears::connect(&discord, "gateway").await;
    silent.send(json!({ "op": 3, "d": {} })).await;
    assert_eq!(silent.closed().await, 4003);
    assert_eq!(discord.take_violations().len(), 3);
}

#[tokio::test]
async fn who_identifies_too_fast_is_reported() {
    let discord = FakeDiscord::start().await;
    let _first = Ears::open(&discord).await;
    let _second = Ears::open(&discord).await;
    let violations = discord.take_violations();
    assert!(violations[0].contains("max_concurrency"), "{violations:?}");
    discord.spaces_identifies_by(Duration::ZERO);
    let _third = Ears::open(&discord).await;
    discord.assert_clean();
}

#[tokio::test]
async fn each_shard_hears_its_own_servers() {
    let discord = FakeDiscord::start().await;
    let ann = discord.person(101, "Ann");
    let (even, odd) = (
        discord.group(500, "Even").with(&ann),
        discord.group(501, "Odd").with(&ann),
    );
    discord.recommends_shards(2, 2);
    let gateway = Bot::of(&discord).get("/gateway/bot").await;
    assert_eq!(
        (
            &gateway["shards"],
            &gateway["session_start_limit"]["max_concurrency"]
        ),
        (&json!(2), &json!(2))
    );
    let mut zero = Ears::open_with(&discord, INTENTS, json!([0, 2])).await;
    let mut one = Ears::open_with(&discord, INTENTS, json!([1, 2])).await;
    even.says("to zero");
    odd.says("to one");
    discord.direct(&ann).says("direct");
    assert_eq!(zero.hear("MESSAGE_CREATE").await["content"], "to zero");
    assert_eq!(zero.hear("MESSAGE_CREATE").await["content"], "direct");
    assert_eq!(one.hear("MESSAGE_CREATE").await["content"], "to one");
    one.hears_nothing_more().await;
    discord.assert_clean();
}

#[tokio::test]
async fn without_the_intent_only_what_concerns_the_bot_has_words() {
    let discord = FakeDiscord::start().await;
    let bob = discord.person(102, "Bob");
    let team = discord.group(500, "Team").with(&bob);
    let mut ears = Ears::open_with(&discord, INTENTS & !(1 << 15), json!([0, 1])).await;
    team.says("secret");
    team.says("@sayso_bot open");
    discord.direct(&bob).says("private");
    assert_eq!(ears.hear("MESSAGE_CREATE").await["content"], "");
    assert_eq!(ears.hear("MESSAGE_CREATE").await["content"], "<@4242> open");
    assert_eq!(ears.hear("MESSAGE_CREATE").await["content"], "private");
}

#[tokio::test]
async fn heartbeats_are_answered_unless_withheld() {
    let discord = FakeDiscord::start().await;
    let chat = discord.direct(&discord.person(101, "Ann"));
    let mut ears = Ears::open(&discord).await;
    ears.hears_nothing_more().await;
    discord.withholds_acknowledgements(true);
    ears.send(json!({ "op": 1, "d": ears.sequence })).await;
    discord.waits_for_heartbeats(2).await;
    chat.says("next");
    assert_eq!(ears.frame().await["t"], "MESSAGE_CREATE");
    discord.asks_for_heartbeat();
    assert_eq!(ears.frame().await["op"], 1);
    discord.asks_to_reconnect();
    assert_eq!(ears.frame().await["op"], 7);
}

#[tokio::test]
async fn connections_are_closed_cut_and_turned_away() {
    let discord = FakeDiscord::start().await;
    let mut ears = Ears::open(&discord).await;
    discord.closes(4000);
    assert_eq!(ears.closed().await, 4000);
    let mut again = ears.resume(&discord).await;
    again.hear("RESUMED").await;
    discord.goes_away();
    assert!(!matches!(
        again.next().await,
        Some(Message::Text(_) | Message::Close(_))
    ));
    let url = discord
        .url()
        .replace("http", "ws")
        .replace("api/v10", "gateway?v=10&encoding=json");
    assert!(tokio_tungstenite::connect_async(&url).await.is_err());
    discord.door(Door::Unavailable);
    assert!(tokio_tungstenite::connect_async(&url).await.is_err());
    discord.comes_back();
    let mut back = ears.resume(&discord).await;
    back.hear("RESUMED").await;
    assert_eq!(discord.connections(), 5);
    discord.assert_clean();
}

#[tokio::test]
async fn a_dispatch_may_come_twice() {
    let discord = FakeDiscord::start().await;
    let chat = discord.direct(&discord.person(101, "Ann"));
    let mut ears = Ears::open(&discord).await;
    discord.repeats_next(1);
    chat.says("twice");
    let first = ears.frame().await;
    assert_eq!(
        (first["t"].as_str(), &ears.frame().await),
        (Some("MESSAGE_CREATE"), &first)
    );
    discord.dispatches(None, "SOMETHING_NEW", &json!({ "unheard": "of" }));
    assert_eq!(ears.hear("SOMETHING_NEW").await["unheard"], "of");
}

#[tokio::test]
async fn a_flood_of_frames_is_closed() {
    let discord = FakeDiscord::start().await;
    let mut ears = Ears::open(&discord).await;
    for _ in 0..120 {
        ears.send(json!({ "op": 3, "d": {} })).await;
    }
    assert_eq!(ears.closed().await, 4008);
    assert_eq!(discord.take_violations().len(), 1);
}
