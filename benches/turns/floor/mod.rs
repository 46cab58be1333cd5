//! The floor: the least that a bot can do with a message, in about thirty lines for each platform. One message
//! heard, one call of the model, one message said; it remembers nothing, survives nothing and lets everybody in.

mod discord;
mod telegram;

use std::time::Instant;

use anyhow::Context as _;
use reqwest::Client;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::world::{Service, World};

/// A running floor; dropping it ends it.
pub struct Floor(JoinHandle<()>);

impl Floor {
    /// Starts to answer the chats of a world.
    pub async fn start(world: &World) -> Self {
        let since = Instant::now();
        let (url, token) = (world.service.url(), world.service.token());
        let model = world.model.url();
        let running = Self(match &world.service {
            Service::Telegram(_) => spawn(telegram::poll(format!("{url}/bot{token}"), model)),
            Service::Discord(_) => spawn(discord::listen(url, token, model)),
        });
        world.is_heard_since(since).await;
        running
    }
}

impl Drop for Floor {
    fn drop(&mut self) {
        self.0.abort();
    }
}

fn spawn(floor: impl Future<Output = anyhow::Result<()>> + Send + 'static) -> JoinHandle<()> {
    tokio::spawn(async {
        if let Err(error) = floor.await {
            println!("the floor has broken: {error:#}");
        }
    })
}

/// Asks the model what to answer, as an echo would.
async fn think(client: &Client, model: &str, heard: &Value) -> anyhow::Result<Value> {
    let messages = json!([{ "role": "user", "content": heard }]);
    let request = json!({ "model": "fake-large", "messages": messages });
    let asked = client.post(format!("{model}/chat/completions"));
    let mut answer = ask(asked.json(&request)).await?;
    let text = answer.pointer_mut("/choices/0/message/content");
    Ok(text.context("no answer")?.take())
}

async fn ask(request: reqwest::RequestBuilder) -> anyhow::Result<Value> {
    Ok(request.send().await?.error_for_status()?.json().await?)
}
