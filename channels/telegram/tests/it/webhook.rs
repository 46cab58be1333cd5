//! Webhook: only Telegram's calls are taken, and "200" means stored.

use std::net::{SocketAddr, TcpListener};
use std::time::{Duration, Instant};

use sayso_channel::{HealthStatus, Receipt};
use sayso_fakes::{FakeTelegram, PATIENCE};
use sayso_telegram::Mode;
use secrecy::SecretString;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use url::Url;

use crate::bot::{Bot, config, notice};

const SECRET: &str = "only-Telegram_knows";

struct Called {
    bot: Bot,
    url: Url,
}

/// Returns an address without a listener.
fn free_address() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap()
}

async fn called() -> Called {
    let fake = FakeTelegram::start().await;
    let listen = free_address();
    let url = Url::parse(&format!("http://{listen}/hooks/:telegram")).unwrap();
    let mut config = config(&fake);
    config.mode = Mode::Webhook {
        url: url.clone(),
        listen,
        secret: SecretString::from(SECRET),
    };
    let bot = Bot::starts_with(fake, config);
    bot.waits_until(|status| *status == HealthStatus::Connected)
        .await;
    Called { bot, url }
}

/// Calls as somebody would who is not the fake.
async fn call(url: &Url, secret: Option<&str>, body: String) -> u16 {
    let mut request = reqwest::Client::new()
        .post(url.clone())
        .timeout(PATIENCE)
        .body(body);
    if let Some(secret) = secret {
        request = request.header("X-Telegram-Bot-Api-Secret-Token", secret);
    }
    request.send().await.unwrap().status().as_u16()
}

fn update(text: &str) -> Value {
    json!({"update_id": 5, "message": {
        "message_id": 1, "date": 1, "text": text,
        "chat": {"id": 7, "type": "private"}, "from": {"id": 7, "first_name": "Ann"},
    }})
}

#[tokio::test]
async fn telegram_is_told_our_address_and_its_calls_are_heard() {
    let Called { mut bot, url } = called().await;
    let set = bot.fake.calls_of("setWebhook").remove(0);
    assert_eq!(
        (set.text("url"), set.text("secret_token")),
        (url.as_str(), SECRET)
    );
    assert!(
        set.params["allowed_updates"]
            .as_array()
            .unwrap()
            .contains(&json!("my_chat_member"))
    );

    let ann = bot.fake.person(7, "Ann");
    let chat = bot.fake.direct(&ann);
    chat.says("one");
    chat.says("two");
    assert_eq!(bot.stores_message().await.text, "one");
    assert_eq!(bot.stores_message().await.text, "two");
    bot.fake.assert_clean();
    bot.shuts_down().await;
}

#[tokio::test]
async fn calls_that_do_not_prove_themselves_are_refused() {
    let Called { mut bot, url } = called().await;
    let body = update("let me in").to_string();
    assert_eq!(call(&url, None, body.clone()).await, 401);
    assert_eq!(call(&url, Some("wrong"), body.clone()).await, 401);
    assert_eq!(
        call(&url, Some(&SECRET.to_lowercase()), body.clone()).await,
        401
    );
    let elsewhere = url.join("/elsewhere").unwrap();
    assert_eq!(call(&elsewhere, Some(SECRET), body).await, 404);
    assert!(
        bot.deliveries.try_recv().is_err(),
        "nothing came to the door"
    );
}

/// Opens connections, and says on each what a call begins with and no more.
async fn held(url: &Url, count: usize, beginning: &str) -> Vec<TcpStream> {
    let address = url.socket_addrs(|| None).unwrap()[0];
    let mut held = Vec::new();
    for _ in 0..count {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(beginning.as_bytes()).await.unwrap();
        held.push(stream);
    }
    held
}

#[tokio::test]
async fn s9_connections_that_say_nothing_more_keep_no_call_waiting() {
    let Called { mut bot, url } = called().await;
    let line = format!("POST {} HTTP/1.1\r\n", url.path());
    let wrong = format!(
        "{line}host: x\r\ncontent-length: 9\r\nx-telegram-bot-api-secret-token: wrong\r\n\r\n"
    );
    for (count, beginning) in [
        (200, line.as_str()),
        (200, ""),
        (200, wrong.as_str()),
        (400, line.as_str()),
    ] {
        let held = held(&url, count, beginning).await;
        let began = Instant::now();
        let taken = tokio::spawn({
            let url = url.clone();
            async move { call(&url, Some(SECRET), update("hi").to_string()).await }
        });
        assert_eq!(bot.stores_message().await.text, "hi");
        assert_eq!(taken.await.unwrap(), 200);
        let took = began.elapsed();
        assert!(
            took < Duration::from_secs(2),
            "{count} {beginning:?}: {took:?}"
        );
        drop(held);
    }
}

#[tokio::test]
async fn s9_a_head_has_five_seconds() {
    let Called { bot, url } = called().await;
    let mut held = held(&url, 1, "POST / HTTP/1.1\r\n").await.remove(0);
    let began = Instant::now();
    // A byte now and then does not help.
    loop {
        tokio::time::sleep(Duration::from_millis(200)).await;
        let is_over = held.write_all(b"x").await.is_err()
            || match held.try_read(&mut [0; 64]) {
                Ok(length) => length == 0,
                Err(error) => error.kind() != std::io::ErrorKind::WouldBlock,
            };
        if is_over {
            break;
        }
        assert!(began.elapsed() < PATIENCE);
    }
    let end = began.elapsed();
    assert!(end < Duration::from_secs(7), "{end:?}");
    bot.shuts_down().await;
}

#[tokio::test]
async fn bodies_that_are_no_updates_are_refused() {
    let Called { bot, url } = called().await;
    assert_eq!(call(&url, Some(SECRET), "{".to_owned()).await, 400);
    let huge = update(&"a".repeat(1024 * 1024)).to_string();
    assert_eq!(call(&url, Some(SECRET), huge).await, 413);
    assert_eq!(
        call(
            &url,
            Some(SECRET),
            r#"{"update_id":1,"dream":{}}"#.to_owned()
        )
        .await,
        200
    );
    bot.shuts_down().await;
}

#[tokio::test]
async fn answer_is_200_only_after_the_update_is_stored() {
    let Called { mut bot, url } = called().await;
    let refused = tokio::spawn({
        let url = url.clone();
        async move { call(&url, Some(SECRET), update("hi").to_string()).await }
    });
    drop(bot.hears().await.receipt);
    assert_eq!(refused.await.unwrap(), 503);

    let taken =
        tokio::spawn(async move { call(&url, Some(SECRET), update("hi").to_string()).await });
    let delivery = bot.hears().await;
    assert!(!taken.is_finished());
    delivery.receipt.send(Receipt::default()).unwrap();
    assert_eq!(taken.await.unwrap(), 200);
}

#[tokio::test]
async fn what_the_store_refuses_telegram_brings_again() {
    let Called { mut bot, .. } = called().await;
    let ann = bot.fake.person(7, "Ann");
    bot.fake.direct(&ann).says("keep me");
    drop(bot.hears().await.receipt);
    assert_eq!(bot.stores_message().await.text, "keep me");
}

#[tokio::test]
async fn press_is_answered_with_its_notice() {
    let Called { mut bot, .. } = called().await;
    let ann = bot.fake.person(7, "Ann");
    let chat = bot.fake.direct(&ann);
    let said = chat.says("hi");
    bot.stores_message().await;
    let press = chat.presses_token(&ann, said, "t");
    let delivery = bot.hears().await;
    delivery.receipt.send(notice("Done.", true)).unwrap();
    let outcome = press.answered().await;
    assert_eq!(
        (outcome.text.as_deref(), outcome.alert),
        (Some("Done."), true)
    );
}
