//! The floor: the least that a bot can do with a message, in about thirty lines. One poll, one call of the
//! model, one message; it remembers nothing, survives nothing and lets everybody in.

use anyhow::Context as _;
use reqwest::Client;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::world::World;

/// A running floor; dropping it ends the polls.
pub struct Floor(JoinHandle<anyhow::Result<()>>);

impl Floor {
    /// Starts to answer the chats of a world.
    pub async fn start(world: &World) -> Self {
        let token = world.telegram.token();
        let telegram = format!("{}/bot{token}", world.telegram.url());
        let running = Self(tokio::spawn(poll(telegram, world.model.url())));
        world.telegram.waits_for_calls("getUpdates", 1).await;
        running
    }
}

impl Drop for Floor {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn poll(telegram: String, model: String) -> anyhow::Result<()> {
    let client = Client::builder().no_proxy().build()?;
    let mut offset = 0;
    loop {
        let poll = json!({ "offset": offset, "timeout": 30 });
        let updates = ask(&client, &format!("{telegram}/getUpdates"), &poll).await?;
        for update in updates["result"].as_array().context("no updates")? {
            offset = update["update_id"].as_i64().context("no number")? + 1;
            let (client, telegram, model) = (client.clone(), telegram.clone(), model.clone());
            tokio::spawn(echo(client, telegram, model, update["message"].clone()));
        }
    }
}

async fn echo(client: Client, telegram: String, model: String, heard: Value) -> anyhow::Result<()> {
    let messages = json!([{ "role": "user", "content": heard["text"] }]);
    let request = json!({ "model": "fake-large", "messages": messages });
    let answer = ask(&client, &format!("{model}/chat/completions"), &request).await?;
    let text = &answer["choices"][0]["message"]["content"];
    let message = json!({ "chat_id": heard["chat"]["id"], "text": text });
    ask(&client, &format!("{telegram}/sendMessage"), &message).await?;
    Ok(())
}

async fn ask(client: &Client, url: &str, body: &Value) -> anyhow::Result<Value> {
    Ok(client.post(url).json(body).send().await?.json().await?)
}
