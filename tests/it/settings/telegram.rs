//! `[channels.telegram]`: which bot, on which server, heard in which way.

use serde_json::json;

use crate::test_bot::{TestBot, free_address};

/// Each key and the test that proves its effect.
pub const PROOFS: &[(&str, fn())] = &[
    ("channels.telegram.token", token_is_the_bot_that_speaks),
    (
        "channels.telegram.api_url",
        api_url_is_the_server_that_is_asked,
    ),
    ("channels.telegram.mode", webhook_mode_hears_without_polling),
    (
        "channels.telegram.webhook_url",
        webhook_mode_hears_without_polling,
    ),
    (
        "channels.telegram.listen",
        webhook_mode_hears_without_polling,
    ),
    (
        "channels.telegram.secret",
        call_without_the_secret_is_refused,
    ),
];

/// The header in which Telegram proves itself.
const SECRET_HEADER: &str = "X-Telegram-Bot-Api-Secret-Token";

#[tokio::test]
pub async fn token_is_the_bot_that_speaks() {
    let mut bot = TestBot::closed(&[]).await;
    bot.set("CHANNELS__TELEGRAM__TOKEN", "1:another");
    bot.start();
    bot.logs("the platform refuses the token").await;
    assert_eq!(bot.telegram.count("getUpdates"), 0);

    bot.kill().await;
    let token = bot.telegram.token();
    bot.set("CHANNELS__TELEGRAM__TOKEN", token);
    bot.start();
    bot.telegram.waits_for_calls("getUpdates", 1).await;
    bot.assert_clean();
}

#[tokio::test]
pub async fn api_url_is_the_server_that_is_asked() {
    let mut bot = TestBot::closed(&[]).await;
    let other = sayso_fakes::FakeTelegram::start().await;
    bot.set("CHANNELS__TELEGRAM__API_URL", &other.url());
    bot.start();
    other.waits_for_calls("getUpdates", 1).await;
    assert_eq!(bot.telegram.calls().len(), 0);
}

/// Returns a bot in which Telegram calls us, and the address of its webhook.
async fn webhook_bot() -> (TestBot, String) {
    let place = free_address();
    let url = format!("http://{place}/hook");
    let mut bot = TestBot::closed(&[]).await;
    bot.set("CHANNELS__TELEGRAM__MODE", "webhook");
    bot.set("CHANNELS__TELEGRAM__WEBHOOK_URL", &url);
    bot.set("CHANNELS__TELEGRAM__LISTEN", &place.to_string());
    bot.set("CHANNELS__TELEGRAM__SECRET", "the-right-one");
    bot.start();
    bot.telegram.waits_for_calls("setWebhook", 1).await;
    (bot, url)
}

#[tokio::test]
pub async fn webhook_mode_hears_without_polling() {
    let (bot, url) = webhook_bot().await;
    assert_eq!(bot.telegram.calls_of("setWebhook")[0].text("url"), url);
    let chat = bot.direct();
    bot.model.says("Heard by webhook.");
    chat.says("hello");
    chat.settles(|message| message.text == "Heard by webhook.")
        .await;
    assert_eq!(bot.telegram.count("getUpdates"), 0);
    bot.assert_clean();
}

#[tokio::test]
pub async fn call_without_the_secret_is_refused() {
    let (bot, url) = webhook_bot().await;
    let update = |number: i64| {
        let ann = json!({"id": 101, "is_bot": false, "first_name": "Ann"});
        let chat = json!({"id": 101, "type": "private", "first_name": "Ann"});
        json!({"update_id": number, "message": {
            "message_id": number, "date": 1_790_000_000, "from": ann, "chat": chat, "text": "forged"
        }})
    };
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    for secret in [None, Some("the-wrong-one"), Some("")] {
        let call = client.post(&url).json(&update(900));
        let call = match secret {
            Some(secret) => call.header(SECRET_HEADER, secret),
            None => call,
        };
        assert_eq!(call.send().await.unwrap().status(), 401, "{secret:?}");
    }
    let call = client
        .post(&url)
        .json(&update(901))
        .header(SECRET_HEADER, "the-right-one");
    assert_eq!(call.send().await.unwrap().status(), 200);
    bot.model
        .waits_for(|request| request.mentions("forged"))
        .await;
    let heard = bot.rows("SELECT event FROM inbox").await;
    assert_eq!(heard.len(), 1, "{heard:?}");
}
