//! Tokens, intents and events at the gateway.

use serde_json::json;

use super::{SERVER, workshop};
use super::{asked_and_held, closed, complaints, open, outcomes_are, status, telegram_goes_on};
use crate::house::House;

const REFUSED: &str = "the platform refuses the token: Discord does not know it; it is wrong or was reset; the page Bot of the Developer Portal gives a new one";
const NOT_ALLOWED: &str = "the platform refuses: Discord does not allow an intent that we asked for (4014); switch on the Message Content intent on the page Bot of the Developer Portal, and restart";

/// `/status` on Telegram says that Discord has stopped, and why.
async fn is_stopped(house: &House, why: &str) {
    let status = status(house).await;
    assert!(
        status.starts_with(&format!("• discord: stopped: {why}")),
        "{status}"
    );
}

#[tokio::test]
async fn refused_token_stops_the_channel_and_nothing_else() {
    let mut house = closed(&[("CHANNELS__DISCORD__TOKEN", "NDI0Mg.wrong0.token")]).await;
    house.start();
    house.logs("a channel cannot go on").await;
    telegram_goes_on(&house).await;
    is_stopped(&house, REFUSED).await;
    insta::assert_snapshot!(complaints(&house).join("\n"), @r#"a channel cannot go on channel=discord error=the platform refuses the token: Discord does not know it; it is wrong or was reset; the page `Bot` of the Developer Portal gives a new one hint="put a valid token into the configuration and restart""#);
    assert!(!house.log().contains("wrong0"), "the token is in the log");
    let token = house.discord.token();
    house.set("CHANNELS__DISCORD__TOKEN", token);
    house.restart().await;
    let chat = house.direct();
    chat.says("hello");
    assert_eq!(chat.hears().await.text, "ok: hello");
    house.assert_clean();
}

#[tokio::test]
async fn token_that_the_gateway_refuses_stops_the_channel_and_what_is_due_is_still_said() {
    let mut house = open(&[]).await;
    let chat = house.discord.direct(&house.ann);
    let gate = asked_and_held(&house, &chat, "It was due.").await;
    house.discord.closes(4004);
    house.logs("a channel cannot go on").await;
    gate.open();
    assert_eq!(chat.hears().await.text, "It was due.");
    outcomes_are(&house, &["sent"]).await;
    telegram_goes_on(&house).await;
    is_stopped(&house, REFUSED).await;
    insta::assert_snapshot!(complaints(&house).join("\n"), @r#"a channel cannot go on channel=discord error=the platform refuses the token: Discord does not know it; it is wrong or was reset; the page `Bot` of the Developer Portal gives a new one hint="put a valid token into the configuration and restart""#);
    // What is said to a channel that has stopped is read when it listens again.
    chat.says("anybody there?");
    house.restart().await;
    chat.hears_with(|message| message.text == "ok: anybody there?")
        .await;
    house.assert_clean();
}

#[tokio::test]
async fn intents_that_are_not_allowed_stop_the_channel_with_where_to_switch_them_on() {
    let mut house = closed(&[]).await;
    // The portal's flags say that it is allowed, and the gateway knows better.
    house.discord.allows_content(false);
    house.discord.application_flags(1 << 19);
    house.start();
    house.logs("a channel cannot go on").await;
    telegram_goes_on(&house).await;
    is_stopped(&house, NOT_ALLOWED).await;
    insta::assert_snapshot!(complaints(&house).join("\n"), @r#"a channel cannot go on channel=discord error=the platform refuses: Discord does not allow an intent that we asked for (4014); switch on the Message Content intent on the page `Bot` of the Developer Portal, and restart hint="the other channels go on""#);
    assert_eq!(
        house.discord.connections(),
        1,
        "asking again changes nothing"
    );
    house.assert_clean();
}

#[tokio::test]
async fn intents_that_discord_does_not_know_stop_the_channel() {
    let house = open(&[]).await;
    house.discord.closes(4013);
    house.logs("a channel cannot go on").await;
    telegram_goes_on(&house).await;
    insta::assert_snapshot!(complaints(&house).join("\n"), @r#"a channel cannot go on channel=discord error=the platform refuses: Discord does not know an intent that we asked for (4013); update Sayso hint="the other channels go on""#);
    house.assert_clean();
}

#[tokio::test]
async fn unknown_events_stop_nothing() {
    let house = open(&[]).await;
    let chat = workshop(&house);
    let discord = &house.discord;
    for server in [None, Some(SERVER)] {
        discord.dispatches(server, "TELEPATHY_CREATE", &json!({"thought": "…"}));
        for event in [
            "MESSAGE_CREATE",
            "INTERACTION_CREATE",
            "THREAD_CREATE",
            "GUILD_CREATE",
        ] {
            discord.dispatches(server, event, &json!(null));
            discord.dispatches(server, event, &json!({}));
            discord.dispatches(server, event, &json!({"id": "not a number", "type": 99}));
            discord.dispatches(server, event, &json!("not even an object"));
        }
    }
    discord.sends_to_gateway(&json!({"op": 77, "d": {"what": "is this"}}));
    discord.sends_to_gateway(&json!({"op": 11, "d": null}));
    chat.says("@sayso_bot hello");
    chat.hears_with(|message| message.text == "ok: Ann: hello")
        .await;
    telegram_goes_on(&house).await;
    // Somebody pressed something, and cannot be answered.
    let unanswered = "an interaction cannot be read, and not be answered channel=discord";
    for complaint in complaints(&house) {
        assert_eq!(complaint, unanswered);
    }
    assert_eq!(discord.connections(), 1, "it listens as before");
    house.assert_clean();
}

#[tokio::test]
async fn an_interaction_of_a_kind_that_nobody_knows_runs_nothing() {
    let house = open(&[]).await;
    let (id, token) = ("1500000000000000001", "of-nobody");
    house.discord.dispatches(
        Some(SERVER),
        "INTERACTION_CREATE",
        &json!({"id": id, "application_id": "4343", "type": 99, "token": token, "version": 1,
                "channel_id": (SERVER + 100).to_string(), "guild_id": SERVER.to_string(),
                "member": {"user": {"id": house.ann.id.to_string(), "username": "ann"}, "roles": []},
                "data": {"custom_id": "y:0", "component_type": 77}}),
    );
    let chat = workshop(&house);
    chat.says("@sayso_bot hello");
    chat.hears_with(|message| message.text == "ok: Ann: hello")
        .await;
    assert_eq!(house.model.turn_requests().len(), 1);
    house.assert_clean();
}
