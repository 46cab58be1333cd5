//! In webhook mode updates are posted in order, each until it is taken, with the secret.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use sayso_fakes::FakeTelegram;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::Notify;

use crate::{Bot, description};

/// A bot's end of a webhook that refuses its first deliveries.
#[derive(Debug, Default)]
struct Door {
    refusals: AtomicUsize,
    taken: Mutex<Vec<String>>,
    changed: Notify,
}

impl Door {
    async fn open(self: &Arc<Self>) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        let router = Router::new()
            .route("/hook", post(take))
            .with_state(Arc::clone(self));
        tokio::spawn(async move { axum::serve(listener, router).await });
        url
    }

    async fn holds(&self, count: usize) -> Vec<String> {
        loop {
            let changed = self.changed.notified();
            let taken = self.taken.lock().unwrap().clone();
            if taken.len() >= count {
                return taken;
            }
            changed.await;
        }
    }
}

async fn take(State(door): State<Arc<Door>>, headers: HeaderMap, body: String) -> StatusCode {
    assert_eq!(headers["x-telegram-bot-api-secret-token"], "secret");
    if door
        .refusals
        .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| {
            left.checked_sub(1)
        })
        .is_ok()
    {
        return StatusCode::INTERNAL_SERVER_ERROR;
    }
    let update: Value = serde_json::from_str(&body).unwrap();
    door.taken
        .lock()
        .unwrap()
        .push(update["message"]["text"].as_str().unwrap().to_owned());
    door.changed.notify_one();
    StatusCode::OK
}

#[tokio::test]
async fn updates_are_posted_in_order_until_taken() {
    let telegram = FakeTelegram::start().await;
    let chat = telegram.direct(&telegram.person(101, "Ann"));
    let bot = Bot::of(&telegram);
    let door = Arc::new(Door {
        refusals: AtomicUsize::new(2),
        ..Door::default()
    });
    chat.says("before");
    let set = json!({ "url": door.open().await, "secret_token": "secret" });
    assert_eq!(bot.call("setWebhook", set).await["ok"], true);
    chat.says("after");
    assert_eq!(door.holds(2).await, ["before", "after"]);
    assert!(
        bot.call("getWebhookInfo", json!({})).await["result"]["last_error_message"].is_string()
    );
    telegram.assert_clean();
}

#[tokio::test]
async fn no_poll_is_open_beside_a_webhook() {
    let telegram = FakeTelegram::start().await;
    let chat = telegram.direct(&telegram.person(101, "Ann"));
    let bot = Bot::of(&telegram);
    let polling = tokio::spawn({
        let bot = bot.clone();
        async move { bot.call("getUpdates", json!({ "timeout": 30 })).await }
    });
    telegram.waits_for_calls("getUpdates", 1).await;
    let door = Arc::new(Door::default());
    let set = json!({ "url": door.open().await, "secret_token": "secret" });
    bot.call("setWebhook", set).await;
    assert_eq!(polling.await.unwrap()["error_code"], 409);
    let refused = bot.call("getUpdates", json!({})).await;
    assert!(description(&refused).contains("while webhook is active"));

    bot.call("deleteWebhook", json!({})).await;
    chat.says("to the poll");
    assert_eq!(bot.updates().await[0]["message"]["text"], "to the poll");
}
