//! Updates are numbered, kept until confirmed, and read by one poll or one webhook at a time.

use sayso_fakes::FakeTelegram;
use serde_json::{Value, json};

use crate::{Bot, description};

#[tokio::test]
async fn updates_come_again_until_confirmed() {
    let telegram = FakeTelegram::start().await;
    let chat = telegram.direct(&telegram.person(101, "Ann"));
    let bot = Bot::of(&telegram);
    for text in ["one", "two", "three"] {
        chat.says(text);
    }
    let texts = async |params: Value| -> Vec<String> {
        let answer = bot.call("getUpdates", params).await;
        let updates = answer["result"].as_array().unwrap();
        updates
            .iter()
            .map(|update| update["message"]["text"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(texts(json!({ "limit": 2 })).await, ["one", "two"]);
    assert_eq!(texts(json!({})).await, ["one", "two", "three"]);
    let first = bot.call("getUpdates", json!({})).await["result"][0]["update_id"]
        .as_i64()
        .unwrap();
    assert_eq!(
        texts(json!({ "offset": first + 1 })).await,
        ["two", "three"]
    );
    assert_eq!(texts(json!({ "offset": first })).await, ["two", "three"]);
    assert_eq!(texts(json!({ "offset": -1 })).await, ["three"]);
    assert_eq!(texts(json!({ "offset": first + 3 })).await, [""; 0]);
    assert_eq!(telegram.unconfirmed(), 0);
}

#[tokio::test]
async fn a_second_poll_ends_the_first() {
    let telegram = FakeTelegram::start().await;
    let bot = Bot::of(&telegram);
    let chat = telegram.direct(&telegram.person(101, "Ann"));
    let first = tokio::spawn({
        let bot = bot.clone();
        async move { bot.call("getUpdates", json!({ "timeout": 30 })).await }
    });
    telegram.waits_for_calls("getUpdates", 1).await;
    let second =
        tokio::spawn(async move { bot.call("getUpdates", json!({ "timeout": 30 })).await });
    let ended = first.await.unwrap();
    assert_eq!(ended["error_code"], 409);
    assert!(description(&ended).contains("terminated by other getUpdates request"));
    chat.says("hi");
    assert_eq!(second.await.unwrap()["result"][0]["message"]["text"], "hi");
}

#[tokio::test]
async fn kinds_that_are_not_asked_for_stay_away() {
    let telegram = FakeTelegram::start().await;
    let chat = telegram.direct(&telegram.person(101, "Ann"));
    let bot = Bot::of(&telegram);
    bot.call("getUpdates", json!({ "allowed_updates": ["message"] }))
        .await;
    chat.blocks();
    chat.unblocks();
    chat.says("hi");
    telegram.raw_update(json!({ "brand_new_kind": {} }));
    let updates = bot.updates().await;
    assert_eq!(updates.len(), 2);
    assert!(updates[0].get("message").is_some() && updates[1].get("brand_new_kind").is_some());
}
