//! Faults strike when and how the test says, and limits hold when they are enforced.

use std::time::Duration;

use reqwest::multipart::{Form, Part};
use sayso_fakes::discord::{Fault, Scope};
use sayso_fakes::{FakeDiscord, Gate};
use serde_json::{Value, json};

use crate::Bot;

#[tokio::test]
async fn faults_strike_before_or_after_the_deed() {
    let discord = FakeDiscord::start().await;
    let chat = discord.direct(&discord.person(101, "Ann"));
    let bot = Bot::of(&discord);
    let path = format!("/channels/{}/messages", chat.id());
    let body = |text: &str| json!({ "content": text, "nonce": text, "enforce_nonce": true });
    discord.fail_next("create_message", Fault::TooManyRequests { retry_after: 7 });
    discord.fail_next("create_message", Fault::DropBefore);
    discord.fail_next("create_message", Fault::DropAfter);
    discord.fail_next("create_message", Fault::BadGateway);
    let limited = bot.send("POST", &path, body("limited")).await.unwrap();
    assert_eq!(limited.headers()["retry-after"], "7");
    assert_eq!(limited.headers()["x-ratelimit-scope"], "user");
    assert!(bot.send("POST", &path, body("lost")).await.is_err());
    assert!(bot.send("POST", &path, body("said")).await.is_err());
    assert_eq!(
        bot.call("POST", &path, body("a page")).await,
        (502, Value::Null)
    );
    assert_eq!(chat.transcript(), "Sayso: said");
    assert_eq!(discord.count("create_message"), 4);

    discord.fail_when(|call| (call.text("content") == "cursed").then_some(Fault::ServerError));
    assert_eq!(bot.call("POST", &path, body("cursed")).await.0, 500);
    assert_eq!(bot.call("POST", &path, body("blessed")).await.0, 200);
    discord.heal();
    assert_eq!(bot.call("POST", &path, body("cursed")).await.0, 200);
}

#[tokio::test]
async fn a_limit_comes_in_every_form() {
    let discord = FakeDiscord::start().await;
    let bot = Bot::of(&discord);
    let next = async |fault: Fault| {
        discord.fail_next("get_my_user", fault);
        bot.send("GET", "/users/@me", Value::Null).await.unwrap()
    };
    let bare = next(Fault::Limited {
        rest: Duration::from_millis(250),
        scope: Scope::Global,
        headers: false,
    })
    .await;
    assert!(bare.headers().get("retry-after").is_none());
    let body: Value = serde_json::from_str(&bare.text().await.unwrap()).unwrap();
    assert_eq!(
        (&body["retry_after"], &body["global"]),
        (&json!(0.25), &json!(true))
    );
    let page = next(Fault::CloudflareLimit {
        retry_after: Some(9),
    })
    .await;
    assert_eq!(
        (
            page.status().as_u16(),
            page.headers()["retry-after"].to_str().unwrap()
        ),
        (429, "9")
    );
    assert!(page.text().await.unwrap().starts_with("<html>"));
    assert_eq!(next(Fault::CloudflareBlock).await.status(), 403);
    assert_eq!(next(Fault::Unavailable).await.status(), 503);
    assert_eq!(next(Fault::GatewayTimeout).await.status(), 504);
}

#[tokio::test]
async fn a_gate_holds_a_request_until_opened() {
    let discord = FakeDiscord::start().await;
    let chat = discord.direct(&discord.person(101, "Ann"));
    let (bot, channel) = (Bot::of(&discord), chat.id());
    let gate = Gate::new();
    discord.fail_next("create_message", Fault::Hold(gate.clone()));
    let sending = tokio::spawn(async move { bot.say(channel, "held").await });
    gate.reached_by(1).await;
    assert_eq!(chat.transcript(), "");
    gate.open();
    sending.await.unwrap();
    assert_eq!(chat.transcript(), "Sayso: held");
}

#[tokio::test]
async fn limits_hold_by_channel_and_are_told_in_headers() {
    let discord = FakeDiscord::start().await;
    let ann = discord.person(101, "Ann");
    let (one, other) = (
        discord.group(500, "One").with(&ann),
        discord.group(501, "Other").with(&ann),
    );
    let bot = Bot::of(&discord);
    discord.enforce_limits(true);
    for _ in 0..5 {
        bot.say(one.id(), "hi").await;
    }
    let body = json!({ "content": "hi", "nonce": "n", "enforce_nonce": true });
    let sixth = bot
        .send("POST", "/channels/500/messages", body)
        .await
        .unwrap();
    assert_eq!(sixth.status(), 429);
    assert_eq!(sixth.headers()["x-ratelimit-remaining"], "0");
    assert_eq!(sixth.headers()["x-ratelimit-limit"], "5");
    bot.say(other.id(), "hi").await;
    discord.enforce_limits(false);
    bot.say(one.id(), "hi").await;
    discord.assert_clean();
}

#[tokio::test]
async fn files_go_both_ways() {
    let discord = FakeDiscord::start().await;
    let chat = discord.direct(&discord.person(101, "Ann"));
    let payload = json!({ "content": "here", "nonce": "f", "enforce_nonce": true,
        "attachments": [{ "id": "0", "filename": "log.txt" }] });
    let part = Part::bytes(b"hello".to_vec()).file_name("log.txt");
    let form = Form::new()
        .text("payload_json", payload.to_string())
        .part("files[0]", part);
    let url = format!("{}/channels/{}/messages", discord.url(), chat.id());
    let client = reqwest::Client::builder()
        .user_agent("DiscordBot (x, 1)")
        .build()
        .unwrap();
    let request = client
        .post(url)
        .header("Authorization", format!("Bot {}", discord.token()));
    assert_eq!(request.multipart(form).send().await.unwrap().status(), 200);
    let heard = chat.hears().await;
    assert_eq!(heard.to_string(), "Sayso: <document log.txt> here");
    let file = client
        .get(heard.file.unwrap().file_id)
        .send()
        .await
        .unwrap();
    assert_eq!(file.text().await.unwrap(), "hello");
    let sent = chat.sends_photo(b"jpg".to_vec(), "look");
    let message = Bot::of(&discord)
        .get(&format!("/channels/{}/messages/{sent}", chat.id()))
        .await;
    let url = message["attachments"][0]["url"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(
        client.get(url).send().await.unwrap().text().await.unwrap(),
        "jpg"
    );
    discord.assert_clean();
}
