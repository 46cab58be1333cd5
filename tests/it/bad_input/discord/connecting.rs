//! Tokens, intents and events at the gateway.

use serde_json::json;

use super::{SERVER, workshop};
use super::{asked_and_held, closed, complaints, open, outcomes_are, status, telegram_goes_on};
use crate::test_bot::TestBot;

const REFUSED: &str = "the platform refuses the token: Discord does not know it; it is wrong or was reset; the page Bot of the Developer Portal gives a new one";
const NOT_ALLOWED: &str = "the platform refuses: Discord does not allow an intent that we asked for (4014); switch on the Message Content intent on the page Bot of the Developer Portal, and restart";

/// `/status` on Telegram says that Discord has stopped, and why.
async fn is_stopped(bot: &TestBot, why: &str) {
    let status = status(bot).await;
    assert!(
        status.starts_with(&format!("• discord: stopped: {why}")),
        "{status}"
    );
}

#[tokio::test]
async fn refused_token_stops_the_channel_and_nothing_else() {
    let mut bot = closed(&[("CHANNELS__DISCORD__TOKEN", "NDI0Mg.wrong0.token")]).await;
    bot.start();
    bot.logs("channel failed permanently").await;
    telegram_goes_on(&bot).await;
    is_stopped(&bot, REFUSED).await;
    insta::assert_snapshot!(complaints(&bot).join("\n"), @r#"channel failed permanently channel=discord error=the platform refuses the token: Discord does not know it; it is wrong or was reset; the page `Bot` of the Developer Portal gives a new one hint="put a valid token into the configuration and restart""#);
    assert!(!bot.log().contains("wrong0"), "the token is in the log");
    let token = bot.discord.token();
    bot.set("CHANNELS__DISCORD__TOKEN", token);
    bot.restart().await;
    let chat = bot.direct();
    chat.says("hello");
    assert_eq!(chat.hears().await.text, "ok: hello");
    bot.assert_clean();
}

#[tokio::test]
async fn token_that_the_gateway_refuses_stops_the_channel_and_what_is_due_is_still_said() {
    let mut bot = open(&[]).await;
    let chat = bot.discord.direct(&bot.ann);
    let gate = asked_and_held(&bot, &chat, "It was due.").await;
    bot.discord.closes(4004);
    bot.logs("channel failed permanently").await;
    gate.open();
    assert_eq!(chat.hears().await.text, "It was due.");
    outcomes_are(&bot, &["sent"]).await;
    telegram_goes_on(&bot).await;
    is_stopped(&bot, REFUSED).await;
    insta::assert_snapshot!(complaints(&bot).join("\n"), @r#"channel failed permanently channel=discord error=the platform refuses the token: Discord does not know it; it is wrong or was reset; the page `Bot` of the Developer Portal gives a new one hint="put a valid token into the configuration and restart""#);
    // What is said to a channel that has stopped is read when it listens again.
    chat.says("anybody there?");
    bot.restart().await;
    chat.hears_with(|message| message.text == "ok: anybody there?")
        .await;
    bot.assert_clean();
}

#[tokio::test]
async fn intents_that_are_not_allowed_stop_the_channel_with_where_to_switch_them_on() {
    let mut bot = closed(&[]).await;
    // The portal's flags say that it is allowed, and the gateway knows better.
    bot.discord.allows_content(false);
    bot.discord.application_flags(1 << 19);
    bot.start();
    bot.logs("channel failed permanently").await;
    telegram_goes_on(&bot).await;
    is_stopped(&bot, NOT_ALLOWED).await;
    insta::assert_snapshot!(complaints(&bot).join("\n"), @r#"channel failed permanently channel=discord error=the platform refuses: Discord does not allow an intent that we asked for (4014); switch on the Message Content intent on the page `Bot` of the Developer Portal, and restart hint="the other channels go on""#);
    assert_eq!(bot.discord.connections(), 1, "asking again changes nothing");
    bot.assert_clean();
}

#[tokio::test]
async fn intents_that_discord_does_not_know_stop_the_channel() {
    let bot = open(&[]).await;
    bot.discord.closes(4013);
    bot.logs("channel failed permanently").await;
    telegram_goes_on(&bot).await;
    insta::assert_snapshot!(complaints(&bot).join("\n"), @r#"channel failed permanently channel=discord error=the platform refuses: Discord does not know an intent that we asked for (4013); update Sayso hint="the other channels go on""#);
    bot.assert_clean();
}

#[tokio::test]
async fn unknown_events_stop_nothing() {
    let bot = open(&[]).await;
    let chat = workshop(&bot);
    let discord = &bot.discord;
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
    telegram_goes_on(&bot).await;
    // Somebody pressed something, and cannot be answered.
    let unanswered = "an interaction cannot be read, and not be answered channel=discord";
    for complaint in complaints(&bot) {
        assert_eq!(complaint, unanswered);
    }
    assert_eq!(discord.connections(), 1, "it listens as before");
    bot.assert_clean();
}

#[tokio::test]
async fn an_interaction_of_a_kind_that_no_one_knows_runs_nothing() {
    let bot = open(&[]).await;
    let (id, token) = ("1500000000000000001", "of-nobody");
    bot.discord.dispatches(
        Some(SERVER),
        "INTERACTION_CREATE",
        &json!({"id": id, "application_id": "4343", "type": 99, "token": token, "version": 1,
                "channel_id": (SERVER + 100).to_string(), "guild_id": SERVER.to_string(),
                "member": {"user": {"id": bot.ann.id.to_string(), "username": "ann"}, "roles": []},
                "data": {"custom_id": "y:0", "component_type": 77}}),
    );
    let chat = workshop(&bot);
    chat.says("@sayso_bot hello");
    chat.hears_with(|message| message.text == "ok: Ann: hello")
        .await;
    assert_eq!(bot.model.turn_requests().len(), 1);
    bot.assert_clean();
}
