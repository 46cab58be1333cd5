//! Rejections by Telegram, and unknown input from it.

use std::process::Stdio;

use sayso_fakes::Fault;
use serde_json::json;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};

use crate::house::{House, found};

#[tokio::test]
async fn refused_token_stops_the_channel_and_nothing_else() {
    let house = House::closed(&[]).await;
    let config = house.path("sayso.toml");
    std::fs::write(&config, "[channels.terminal]\n").unwrap();
    let mut process = house
        .command()
        .env("SAYSO__CHANNELS__TELEGRAM__TOKEN", "1:wrong")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    house.logs("the platform refuses the token").await;
    house
        .logs("put a valid token into the configuration and restart")
        .await;
    let mut typing = process.stdin.take().unwrap();
    typing.write_all(b"/status\n").await.unwrap();
    let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
    let status = tokio::time::timeout(crate::house::PATIENCE, async {
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
    let code = tokio::time::timeout(crate::house::PATIENCE, process.wait()).await;
    assert_eq!(code.unwrap().unwrap().code(), Some(0));
}

#[tokio::test]
async fn another_poller_is_waited_for() {
    let house = House::closed(&[]).await;
    house.telegram.fail_next("getUpdates", Fault::Conflict);
    let chat = house.direct();
    house.model.says("It was your turn first.");
    chat.says("hello");
    let mut house = house;
    house.start();
    house.logs("another program polls with this token").await;
    assert_eq!(house.model.requests().len(), 0);
    chat.settles(|message| message.text == "It was your turn first.")
        .await;
    house.assert_clean();
}

#[tokio::test]
async fn unknown_updates_stop_nothing() {
    let house = House::open().await;
    house
        .telegram
        .raw_update(json!({"chat_telepathy": {"from": {"id": 101}, "thought": "…"}}));
    house.telegram.raw_update(json!({}));
    house
        .telegram
        .raw_update(json!({"message": "not even an object"}));
    house
        .telegram
        .raw_update(json!({"callback_query": {"id": 7}}));
    house
        .telegram
        .raw_update(json!({"message": {"message_id": 1, "date": 1, "chat": {}}}));
    let chat = house.direct();
    house.model.says("Still listening.");
    chat.says("hello");
    chat.settles(|message| message.text == "Still listening.")
        .await;
    let confirmed = found(|| (house.telegram.unconfirmed() == 0).then_some(())).await;
    assert!(confirmed.is_some(), "Telegram will send them for ever");
    house.assert_clean();
}

#[tokio::test]
async fn unknown_entities_lose_no_text() {
    let house = House::open().await;
    let chat = house.telegram.direct(&house.ann);
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
    house.assert_clean();
}

#[tokio::test]
async fn unknown_content_is_answered_honestly() {
    let house = House::open().await;
    let chat = house.telegram.direct(&house.ann);
    chat.says_raw("", json!({"smell": {"file_id": "x", "notes": ["rose"]}}));
    chat.says("hello");
    chat.settles(|message| message.text == "ok: hello").await;
    house.assert_clean();
}
