//! Webhook: Telegram calls us, and hears "200" only when what it brought is stored.
//!
//! Telegram repeats what was not answered with 200, keeps the order of each chat, and proves
//! itself with our secret in a header. TLS is the affair of the operator's proxy.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, Method, StatusCode};
use sayso_channel::{ChannelError, Event, Inbound, Inbox};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use teloxide::payloads::SetWebhook;
use tokio::net::TcpListener;
use tokio::time::timeout;
use tracing::warn;
use url::Url;

use super::bounded::{Bounded, Caller};
use super::presses::{Judged, judge, send};
use super::{Listener, now_ms};
use crate::bot_api::{BotApi, CallError};
use crate::from_telegram::{UpdateMapper, from_telegram};
use crate::messages;
use crate::requests::HEARD;

/// The header in which Telegram proves itself (<https://core.telegram.org/bots/api#setwebhook>).
const SECRET_HEADER: &str = "x-telegram-bot-api-secret-token";
/// The longest body; updates are some kilobytes.
const LONGEST_BODY: usize = 1024 * 1024;
/// How long a body may take to arrive.
const BODY_WITHIN: Duration = Duration::from_secs(10);
/// How long calls that are being answered may take after shutdown; Telegram repeats the others.
const DRAIN_WITHIN: Duration = Duration::from_millis(500);

/// Where Telegram calls, where we listen, and what proves a call.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) url: &'a Url,
    pub(super) listen: SocketAddr,
    pub(super) secret: &'a SecretString,
}

/// Serves Telegram's calls until shutdown.
pub(super) async fn serve(
    listener: Listener<'_>,
    mapper: UpdateMapper,
    place: Place<'_>,
) -> Result<(), ChannelError> {
    let bind = || async move {
        let bound = TcpListener::bind(place.listen).await;
        bound.map_err(|error| CallError::NotSent(messages::cannot_listen(place.listen, &error)))
    };
    let Some(socket) = listener.until_it_works(bind).await? else {
        return Ok(());
    };
    let request = set_webhook(place);
    let register = || listener.api.call::<_, bool>(&request);
    if listener.until_it_works(register).await?.is_none() {
        return Ok(());
    }
    listener.inbox.health().connected();
    let door = Arc::new(Door {
        api: listener.api.clone(),
        inbox: listener.inbox.clone(),
        mapper,
        path: place.url.path().to_owned(),
        secret: place.secret.clone(),
        answer_within: listener.config.timeouts.answer_press_within,
    });
    // Not a route: the operator's path may hold what the router takes for a pattern.
    let router = Router::new().fallback(receive).with_state(door);
    let shutdown = listener.shutdown.clone();
    let router = router.into_make_service_with_connect_info::<Caller>();
    let served = axum::serve(Bounded::new(socket), router)
        .with_graceful_shutdown(shutdown.cancelled_owned());
    let drained = async {
        listener.shutdown.cancelled().await;
        tokio::time::sleep(DRAIN_WITHIN).await;
    };
    tokio::select! {
        outcome = served => outcome.map_err(|error| {
            ChannelError::Unreachable(messages::cannot_listen(place.listen, &error))
        }),
        () = drained => Ok(()),
    }
}

fn set_webhook(place: Place<'_>) -> SetWebhook {
    let mut request = SetWebhook::new(place.url.clone());
    request.secret_token = Some(place.secret.expose_secret().to_owned());
    request.allowed_updates = Some(HEARD.to_vec());
    request
}

/// What a call needs.
struct Door {
    api: BotApi,
    inbox: Inbox,
    mapper: UpdateMapper,
    path: String,
    secret: SecretString,
    answer_within: Duration,
}

async fn receive(
    State(door): State<Arc<Door>>,
    ConnectInfo(caller): ConnectInfo<Caller>,
    request: Request,
) -> StatusCode {
    let (head, body) = request.into_parts();
    if head.method != Method::POST || head.uri.path() != door.path {
        return StatusCode::NOT_FOUND;
    }
    if !door.knows(&head.headers) {
        warn!(channel = %door.mapper.channel, "a call without the webhook's secret was refused");
        return StatusCode::UNAUTHORIZED;
    }
    caller.has_proven_itself().await;
    let update = match read(body).await {
        Ok(update) => update,
        Err(refused) => return refused,
    };
    let stored = match from_telegram(&update, &door.mapper, now_ms()) {
        None => true,
        Some(press) if matches!(press.event, Event::Press(_)) => door.press(press).await,
        Some(inbound) => door.inbox.put(inbound).await.is_ok(),
    };
    if stored {
        door.inbox.health().connected();
        StatusCode::OK
    } else {
        door.inbox.health().waiting(messages::store_is_closed());
        StatusCode::SERVICE_UNAVAILABLE
    }
}

async fn read(body: Body) -> Result<Value, StatusCode> {
    let bytes = match timeout(BODY_WITHIN, to_bytes(body, LONGEST_BODY)).await {
        Err(_) => return Err(StatusCode::REQUEST_TIMEOUT),
        Ok(Err(_)) => return Err(StatusCode::PAYLOAD_TOO_LARGE),
        Ok(Ok(bytes)) => bytes,
    };
    serde_json::from_slice(&bytes).map_err(|_| StatusCode::BAD_REQUEST)
}

impl Door {
    /// Returns whether a call proves itself with our secret.
    fn knows(&self, headers: &HeaderMap) -> bool {
        headers.get(SECRET_HEADER).is_some_and(|given| {
            equal_in_constant_time(given.as_bytes(), self.secret.expose_secret().as_bytes())
        })
    }

    /// Returns whether a press is stored, after it was answered.
    async fn press(&self, press: Inbound) -> bool {
        let query = press.key.id.clone();
        let stored = self.inbox.put(press);
        match judge(&self.api, query, stored, self.answer_within).await {
            Judged::NotStored => false,
            Judged::Stored(answer) => {
                if let Some(answer) = answer {
                    send(&self.api, answer).await;
                }
                true
            }
        }
    }
}

/// Compares without telling by its time how much of the secret was right; only its length.
fn equal_in_constant_time(given: &[u8], secret: &[u8]) -> bool {
    if given.len() != secret.len() {
        return false;
    }
    let difference = given
        .iter()
        .zip(secret)
        .fold(0, |difference, (left, right)| {
            std::hint::black_box(difference | (left ^ right))
        });
    difference == 0
}
