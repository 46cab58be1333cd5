//! Rejections by Telegram, and unknown input from it.

use std::process::Stdio;

use sayso_fakes::Fault;
use serde_json::json;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};

use crate::test_bot::{TestBot, found};

#[tokio::test]
async fn refused_token_stops_the_channel_and_nothing_else() {
    let bot = TestBot::closed(&[]).await;
    let config = bot.path("sayso.toml");
    std::fs::write(&config, "[channels.terminal]\n").unwrap();
    let mut process = bot
        .command()
        .env("SAYSO__CHANNELS__TELEGRAM__TOKEN", "1:wrong")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    bot.logs("the platform refuses the token").await;
    bot.logs("put a valid token into the configuration and restart")
        .await;
    let mut typing = process.stdin.take().unwrap();
    typing.write_all(b"/status details\n").await.unwrap();
    let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
    let status = tokio::time::timeout(crate::test_bot::PATIENCE, async {
        loop {
            let line = lines
                .next_line()
                .await
                .unwrap()
                .unwrap_or_else(|| panic!("it has ended"));
            if line.contains("telegram") {
                return line;
            }
        }
    });
    let status = status.await.unwrap();
    assert!(
        status.contains("stopped: the platform refuses the token"),
        "{status}"
    );
    assert_eq!(process.try_wait().unwrap(), None);
    drop(typing);
    let code = tokio::time::timeout(crate::test_bot::PATIENCE, process.wait()).await;
    assert_eq!(code.unwrap().unwrap().code(), Some(0));
}

#[tokio::test]
async fn another_poller_is_waited_for() {
    let bot = TestBot::closed(&[]).await;
    bot.telegram.fail_next("getUpdates", Fault::Conflict);
    let chat = bot.direct();
    bot.model.says("It was your turn first.");
    chat.says("hello");
    let mut bot = bot;
    bot.start();
    bot.logs("another program polls with this token").await;
    assert_eq!(bot.model.requests().len(), 0);
    chat.settles(|message| message.text == "It was your turn first.")
        .await;
    bot.assert_clean();
}

#[tokio::test]
async fn unknown_updates_stop_nothing() {
    let bot = TestBot::open().await;
    bot.telegram
        .raw_update(json!({"chat_telepathy": {"from": {"id": 101}, "thought": "…"}}));
    bot.telegram.raw_update(json!({}));
    bot.telegram
        .raw_update(json!({"message": "not even an object"}));
    bot.telegram
        .raw_update(json!({"callback_query": {"id": 7}}));
    bot.telegram
        .raw_update(json!({"message": {"message_id": 1, "date": 1, "chat": {}}}));
    let chat = bot.direct();
    bot.model.says("Still listening.");
    chat.says("hello");
    chat.settles(|message| message.text == "Still listening.")
        .await;
    let confirmed = found(|| (bot.telegram.unconfirmed() == 0).then_some(())).await;
    assert!(confirmed.is_some(), "Telegram will send them for ever");
    bot.assert_clean();
}

#[tokio::test]
async fn unknown_entities_lose_no_text() {
    let bot = TestBot::open().await;
    let chat = bot.telegram.direct(&bot.ann);
    let entities = vec![
        json!({"type": "hologram", "offset": 0, "length": 4, "depth": 3}),
        json!({"type": "bold", "offset": 5, "length": 900}),
        json!({"type": "italic", "offset": -3, "length": 2}),
        json!({"offset": 0, "length": 1}),
        json!("nothing"),
    ];
    chat.says_with_entities("look 👀 at this", entities);
    chat.settles(|message| message.text == "ok: look 👀 at this")
        .await;
    bot.assert_clean();
}

#[tokio::test]
async fn unknown_content_is_answered_honestly() {
    let bot = TestBot::open().await;
    let chat = bot.telegram.direct(&bot.ann);
    chat.says_raw("", json!({"smell": {"file_id": "x", "notes": ["rose"]}}));
    chat.says("hello");
    chat.settles(|message| message.text == "ok: hello").await;
    bot.assert_clean();
}
