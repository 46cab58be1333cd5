//! Webhook mode: updates are posted to the bot one by one, in order, each until it is taken.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::params::Params;
use super::refusal::Refusal;
use super::state::World;
use super::updates::{Queued, Webhook};

/// The first pause after a delivery that failed; it doubles up to [`LONGEST_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_millis(20);
const LONGEST_PAUSE: Duration = Duration::from_millis(500);

/// Sets the webhook, or with an empty URL removes it.
pub(crate) fn set(world: &Arc<World>, params: &Params) -> Result<Value, Refusal> {
    let url = params.text("url").unwrap_or_default().to_owned();
    let secret = params.text("secret_token").map(str::to_owned);
    if secret.as_deref().is_some_and(|secret| !is_secret(secret)) {
        return Err(Refusal::violation(
            "secret token contains unallowed characters",
        ));
    }
    let mut state = world.state();
    if params.is_true("drop_pending_updates") {
        state.updates.drop_pending();
    }
    if params.fields.contains_key("allowed_updates") {
        state.updates.allow(params.list("allowed_updates"));
    }
    let reader = state.updates.take_over();
    if url.is_empty() {
        state.updates.webhook = None;
        return Ok(true.into());
    }
    if url::Url::parse(&url).is_err() {
        return Err(Refusal::violation("invalid webhook URL specified"));
    }
    let webhook = Webhook {
        url,
        secret,
        last_error: None,
    };
    state.updates.webhook = Some(webhook.clone());
    let world = Arc::clone(world);
    tokio::spawn(async move {
        let stop = world.stop.clone();
        tokio::select! {
            () = deliver(&world, reader, &webhook) => {}
            () = stop.cancelled() => {}
        }
    });
    Ok(true.into())
}

fn is_secret(secret: &str) -> bool {
    (1..=256).contains(&secret.len())
        && secret
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}

/// Posts updates until another reader takes over.
async fn deliver(world: &World, reader: u64, webhook: &Webhook) {
    let changed = Arc::clone(&world.state().updates.changed);
    let mut pause = FIRST_PAUSE;
    loop {
        let mut signalled = std::pin::pin!(changed.notified());
        signalled.as_mut().enable();
        let front = {
            let state = world.state();
            if !state.updates.is_reader(reader) {
                return;
            }
            state.updates.front()
        };
        let Some(update) = front else {
            signalled.await;
            continue;
        };
        match post(world, webhook, &update).await {
            Ok(()) => {
                world.state().updates.delivered(update.id);
                pause = FIRST_PAUSE;
            }
            Err(error) => {
                note_error(world, error);
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(LONGEST_PAUSE);
            }
        }
    }
}

async fn post(world: &World, webhook: &Webhook, update: &Queued) -> Result<(), String> {
    let mut request = world
        .client
        .post(&webhook.url)
        .header("content-type", "application/json")
        .body(update.body.to_string());
    if let Some(secret) = &webhook.secret {
        request = request.header("X-Telegram-Bot-Api-Secret-Token", secret);
    }
    let response = request.send().await.map_err(|error| error.to_string())?;
    if response.status().is_success() {
        return Ok(());
    }
    Err(format!(
        "Wrong response from the webhook: {}",
        response.status()
    ))
}

fn note_error(world: &World, error: String) {
    if let Some(webhook) = &mut world.state().updates.webhook {
        webhook.last_error = Some(error);
    }
}
