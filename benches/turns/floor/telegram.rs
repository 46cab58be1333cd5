//! The floor on Telegram: polls, and answers each message in a task of its own.

use anyhow::Context as _;
use reqwest::Client;
use serde_json::{Value, json};

use super::{ask, spawn, think};

pub async fn poll(telegram: String, model: String) -> anyhow::Result<()> {
    let client = Client::builder().no_proxy().build()?;
    let mut offset = 0;
    loop {
        let poll = json!({ "offset": offset, "timeout": 30 });
        let updates = ask(client.post(format!("{telegram}/getUpdates")).json(&poll)).await?;
        for update in updates["result"].as_array().context("no updates")? {
            offset = update["update_id"].as_i64().context("no number")? + 1;
            let (client, telegram, model) = (client.clone(), telegram.clone(), model.clone());
            spawn(echo(client, telegram, model, update["message"].clone()));
        }
    }
}

async fn echo(client: Client, telegram: String, model: String, heard: Value) -> anyhow::Result<()> {
    let text = think(&client, &model, &heard["text"]).await?;
    let message = json!({ "chat_id": heard["chat"]["id"], "text": text });
    ask(client
        .post(format!("{telegram}/sendMessage"))
        .json(&message))
    .await?;
    Ok(())
}
