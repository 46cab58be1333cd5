//! The fake Bot API refuses what the real one refuses, and lets people and a bot talk.

#![expect(clippy::unwrap_used, reason = "a test fails by panic")]

mod chats;
mod checks;
mod faults;
mod updates;
mod webhooks;

use sayso_fakes::FakeTelegram;
use serde_json::{Value, json};

/// A bot of the plainest kind: it calls methods by name.
#[derive(Clone)]
struct Bot {
    client: reqwest::Client,
    base: String,
}

impl Bot {
    fn of(telegram: &FakeTelegram) -> Self {
        let base = format!("{}/bot{}", telegram.url(), telegram.token());
        Self {
            client: reqwest::Client::new(),
            base,
        }
    }

    async fn call(&self, method: &str, params: Value) -> Value {
        self.try_call(method, params).await.unwrap()
    }

    async fn try_call(&self, method: &str, params: Value) -> reqwest::Result<Value> {
        let request = self
            .client
            .post(format!("{}/{method}", self.base))
            .json(&params);
        request.send().await?.json().await
    }

    /// Takes the updates that are there and confirms them.
    async fn updates(&self) -> Vec<Value> {
        let answer = self.call("getUpdates", json!({ "timeout": 5 })).await;
        let updates = answer["result"].as_array().unwrap().clone();
        let next = updates.last().unwrap()["update_id"].as_i64().unwrap() + 1;
        self.call("getUpdates", json!({ "offset": next, "limit": 1 }))
            .await;
        updates
    }
}

fn said(chat: i64, text: &str) -> Value {
    json!({ "chat_id": chat, "text": text })
}

fn description(answer: &Value) -> &str {
    assert_eq!(answer["ok"], false, "{answer}");
    answer["description"].as_str().unwrap()
}
