//! What no right bot sends is refused and put on the list of violations.

use sayso_fakes::FakeDiscord;
use serde_json::{Value, json};

use crate::Bot;

/// Says something wrong in a direct chat and returns the refusal's code with the one violation.
async fn refused(body: Value) -> (Value, String) {
    let discord = FakeDiscord::start().await;
    let chat = discord.direct(&discord.person(101, "Ann"));
    let bot = Bot::of(&discord);
    let (status, answer) = bot.try_say(chat.id(), body).await;
    assert_eq!(status, 400, "{answer}");
    assert_eq!(chat.transcript(), "");
    let violations = discord.take_violations();
    assert_eq!(violations.len(), 1, "{violations:?}");
    (answer["code"].clone(), violations[0].clone())
}

fn row(buttons: impl Into<Value>) -> Value {
    json!({ "content": "?", "components": [{ "type": 1, "components": buttons.into() }] })
}

fn button(label: &str, token: &str) -> Value {
    json!({ "type": 2, "style": 1, "label": label, "custom_id": token })
}

#[tokio::test]
async fn messages_that_cannot_be_are_violations() {
    let long = "x".repeat(2001);
    assert_eq!(refused(json!({ "content": long })).await.0, 50035);
    assert_eq!(refused(json!({ "content": " " })).await.0, 50006);
    if FakeDiscord::checks_widely() {
        assert_eq!(refused(json!({ "content": 5 })).await.0, 50035);
        let misspelt = refused(json!({ "content": "a", "contents": "b" })).await.1;
        assert!(misspelt.contains("no field contents"), "{misspelt}");
    }
    let no_nonce = refused(json!({ "content": "a", "nonce": null })).await.1;
    assert!(no_nonce.contains("nonce"), "{no_nonce}");
    let both = json!({ "parse": ["users"], "users": ["101"] });
    let both = refused(json!({ "content": "a", "allowed_mentions": both }))
        .await
        .1;
    assert!(both.contains("mutually exclusive"), "{both}");
}

#[tokio::test]
async fn components_that_cannot_be_are_violations() {
    let wrong = async |body: Value| assert_eq!(refused(body).await.0, 50035);
    wrong(row(json!([button("a", "t"), button("b", "t")]))).await;
    wrong(row(json!([button("a", &"t".repeat(101))]))).await;
    wrong(row(json!([button(&"a".repeat(81), "t")]))).await;
    wrong(row(json!([button("", "t")]))).await;
    wrong(row(json!([]))).await;
    let six: Vec<Value> = (0..6).map(|n| button("a", &n.to_string())).collect();
    wrong(row(six)).await;
    wrong(row(json!([{ "type": 2, "style": 5, "label": "link" }]))).await;
    let options: Vec<Value> = (0..26)
        .map(|n| json!({ "label": "a", "value": n.to_string() }))
        .collect();
    wrong(row(
        json!([{ "type": 3, "custom_id": "t", "options": options }]),
    ))
    .await;
}

#[tokio::test]
async fn commands_that_cannot_be_are_violations() {
    let discord = FakeDiscord::start().await;
    let bot = Bot::of(&discord);
    let wrong = async |command: Value| {
        let commands = json!([command]);
        let (status, body) = bot
            .call("PUT", "/applications/4343/commands", commands)
            .await;
        assert_eq!(
            (status, discord.take_violations().len()),
            (400, 1),
            "{body}"
        );
    };
    wrong(json!({ "name": "Help", "description": "capital" })).await;
    wrong(json!({ "name": "help me", "description": "blank" })).await;
    wrong(json!({ "name": "help", "description": "x".repeat(101) })).await;
    wrong(json!({ "name": "help" })).await;
    wrong(json!({ "name": "Ask", "type": 3, "description": "not here" })).await;
    wrong(json!({ "name": "help", "description": "a", "name_localizations": { "xx": "A B" } }))
        .await;
    let option = |required: bool| json!({ "type": 3, "name": format!("o{required}"), "description": "o", "required": required });
    wrong(json!({ "name": "help", "description": "a", "options": [option(false), option(true)] }))
        .await;
}

#[tokio::test]
async fn who_does_not_say_who_it_is_is_turned_away() {
    let discord = FakeDiscord::start().await;
    let client = reqwest::Client::new();
    let url = format!("{}/users/@me", discord.url());
    let response = client.get(&url).header("User-Agent", "DiscordBot (x, 1)");
    let response = response.send().await.unwrap();
    assert_eq!(response.status(), 401);
    let body: Value = serde_json::from_str(&response.text().await.unwrap()).unwrap();
    assert_eq!(body, json!({ "message": "401: Unauthorized", "code": 0 }));
    discord.assert_clean();
    let nameless = client
        .get(&url)
        .header("Authorization", format!("Bot {}", discord.token()));
    assert_eq!(nameless.send().await.unwrap().status(), 200);
    assert!(discord.take_violations()[0].contains("User-Agent"));
}

#[tokio::test]
async fn routes_and_parameters_that_are_not_published_are_violations() {
    let discord = FakeDiscord::start().await;
    let bot = Bot::of(&discord);
    assert_eq!(
        bot.call("GET", "/channels/1/nothing", Value::Null).await.0,
        404
    );
    assert_eq!(discord.take_violations().len(), 1);
    if FakeDiscord::checks_widely() {
        let chat = discord.direct(&discord.person(101, "Ann"));
        for query in ["limit=0", "limit=101", "limit=x", "since=1", "after=abc"] {
            let path = format!("/channels/{}/messages?{query}", chat.id());
            assert_eq!(bot.call("GET", &path, Value::Null).await.0, 400, "{query}");
            assert_eq!(discord.take_violations().len(), 1, "{query}");
        }
    }
}

#[tokio::test]
async fn a_repeated_nonce_says_nothing_twice() {
    let discord = FakeDiscord::start().await;
    let chat = discord.direct(&discord.person(101, "Ann"));
    let bot = Bot::of(&discord);
    let body = json!({ "content": "once", "nonce": "n1", "enforce_nonce": true });
    let (_, first) = bot.try_say(chat.id(), body.clone()).await;
    let (status, second) = bot.try_say(chat.id(), body).await;
    assert_eq!((status, &second["id"]), (200, &first["id"]));
    assert_eq!(chat.transcript(), "Sayso: once");
}
