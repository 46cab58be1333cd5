//! The floor on Discord: one connection to the gateway with its heartbeats, and each message answered in a task
//! of its own.

use std::time::Duration;

use anyhow::Context as _;
use futures_util::{SinkExt as _, StreamExt as _};
use reqwest::Client;
use reqwest::header::{AUTHORIZATION, HeaderMap};
use serde_json::{Value, json};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

use super::{ask, spawn, think};

/// GUILD_MESSAGES, DIRECT_MESSAGES and MESSAGE_CONTENT.
const INTENTS: u64 = (1 << 9) | (1 << 12) | (1 << 15);

pub async fn listen(discord: String, token: &'static str, model: String) -> anyhow::Result<()> {
    let client = client(token)?;
    let gateway = ask(client.get(format!("{discord}/gateway"))).await?;
    let gateway = gateway["url"].as_str().context("no gateway")?;
    let (mut line, _) = connect_async(format!("{gateway}?v=10&encoding=json")).await?;
    let hello = read(line.next().await)?;
    let interval = hello["d"]["heartbeat_interval"]
        .as_u64()
        .context("no hello")?;
    let mut beats = tokio::time::interval(Duration::from_millis(interval));
    let properties = json!({ "os": "linux", "browser": "floor", "device": "floor" });
    let identify = json!({ "token": token, "intents": INTENTS, "properties": properties });
    line.send(frame(2, &identify)).await?;
    let mut sequence = Value::Null;
    loop {
        let event = tokio::select! {
            _ = beats.tick() => {
                line.send(frame(1, &sequence)).await?;
                continue;
            }
            event = line.next() => read(event)?,
        };
        if event["s"].is_number() {
            sequence = event["s"].clone();
        }
        if event["t"] == "MESSAGE_CREATE" && event["d"]["author"]["bot"] != true {
            let (client, discord, model) = (client.clone(), discord.clone(), model.clone());
            spawn(echo(client, discord, model, event["d"].clone()));
        }
    }
}

async fn echo(client: Client, discord: String, model: String, heard: Value) -> anyhow::Result<()> {
    let text = think(&client, &model, &heard["content"]).await?;
    let chat = heard["channel_id"].as_str().context("no chat")?;
    let message = client.post(format!("{discord}/channels/{chat}/messages"));
    let said = json!({ "content": text, "nonce": heard["id"], "enforce_nonce": true });
    ask(message.json(&said)).await?;
    Ok(())
}

fn client(token: &str) -> anyhow::Result<Client> {
    let headers = HeaderMap::from_iter([(AUTHORIZATION, format!("Bot {token}").parse()?)]);
    let client = Client::builder().no_proxy().default_headers(headers);
    // Discord wants every bot to call itself so, with where to find it.
    Ok(client
        .user_agent("DiscordBot (http://127.0.0.1, 1)")
        .build()?)
}

fn frame(operation: u8, data: &Value) -> Message {
    Message::text(json!({ "op": operation, "d": data }).to_string())
}

fn read<E: std::error::Error + Send + Sync + 'static>(
    came: Option<Result<Message, E>>,
) -> anyhow::Result<Value> {
    let message = came.context("the gateway has hung up")??;
    Ok(serde_json::from_slice(&message.into_data())?)
}
