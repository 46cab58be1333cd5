//! Discord's REST API: one request out, the answer or what is known about its fate back.
//!
//! serenity's client has no part in this: with its rate limiter it cannot be pointed at another
//! address, without it a 429 loses its pause, and a 5xx is one error among many. What delivery must
//! know is whether a request certainly did not happen, may have happened, has to wait, or was
//! refused.
//!
//! Nothing here sleeps. `limits` keeps what Discord says about its buckets; a request that would
//! certainly be answered 429 is answered [`CallError::Limited`] without being made.

mod answer;
mod limits;
mod request;
mod route;
#[cfg(test)]
mod tests;

use std::error::Error as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use reqwest::{Client, Response};
use secrecy::ExposeSecret;
use serde::de::DeserializeOwned;
use tracing::{trace, warn};
use url::Url;

use crate::DiscordConfig;
use crate::config::ConfigError;
use limits::{Limit, Limits};

#[cfg(test)]
pub(crate) use answer::Complaint;
pub(crate) use answer::{CallError, Refusal};
pub(crate) use request::Request;

/// How long a connection may take to be made.
const CONNECT_WITHIN: Duration = Duration::from_secs(10);
/// How long an answer may take.
const ANSWER_WITHIN: Duration = Duration::from_secs(20);
/// How long an upload or a download may take: 25 MB on a slow line.
const TRANSFER_WITHIN: Duration = Duration::from_mins(5);
/// What Discord demands of every client: a name, an address and a version
/// (<https://docs.discord.com/developers/reference#user-agent>).
const USER_AGENT: &str = concat!(
    "DiscordBot (https://crates.io/crates/sayso, ",
    env!("CARGO_PKG_VERSION"),
    ")"
);

/// The REST API of one account. Clones share what is known of its limits.
///
/// It has no `Debug`: it holds the token.
#[derive(Clone)]
pub(crate) struct Rest {
    client: Client,
    /// For what is not Discord's API itself: no token travels there.
    stranger: Client,
    server: String,
    limits: Arc<Mutex<Limits>>,
}

impl Rest {
    /// Returns the API of a configuration that keeps to Discord's rules. Nothing is sent yet.
    pub(crate) fn new(config: &DiscordConfig) -> Result<Self, ConfigError> {
        config.validate()?;
        let mut token = HeaderValue::try_from(format!("Bot {}", config.token.expose_secret()))
            .map_err(|_| ConfigError::Token)?;
        token.set_sensitive(true);
        Ok(Self {
            client: client(HeaderMap::from_iter([(AUTHORIZATION, token)]))?,
            stranger: client(HeaderMap::new())?,
            server: config.api_url.as_str().trim_end_matches('/').to_owned(),
            limits: Arc::default(),
        })
    }

    /// Makes a request and reads of its answer what `Output` has fields for; an answer without a
    /// body reads as `null`.
    pub(crate) async fn call<Output>(&self, request: Request) -> Result<Output, CallError>
    where
        Output: DeserializeOwned,
    {
        let route = request.route();
        if let Some(rest) = self.limits().take(&route, Instant::now()) {
            return Err(CallError::Limited(rest));
        }
        let within = if request.is_upload() {
            TRANSFER_WITHIN
        } else {
            ANSWER_WITHIN
        };
        let response = request
            .build(&self.client, &self.server)?
            .timeout(within)
            .send()
            .await
            .map_err(lost_or_not_sent)?;
        let (status, headers) = (response.status(), response.headers().clone());
        let body = match response.bytes().await {
            Ok(body) => Vec::from(body),
            Err(error) if status.is_success() => return Err(lost_or_not_sent(error)),
            // The status alone says that it did not happen.
            Err(_) => Vec::new(),
        };
        trace!(%route, status = status.as_u16(), "Discord answered");
        let (outcome, limit) = answer::judge(status, &headers, body);
        if let Some(Limit::All(pause)) = &limit {
            let (status, seconds) = (status.as_u16(), pause.as_secs());
            warn!(
                status,
                seconds,
                "Discord refuses everything from here for a while; what is to be said waits"
            );
        }
        self.limits().learn(&route, &headers, limit, Instant::now());
        answer::read(outcome?)
    }

    /// Opens a file of Discord's, without our token; its body is read by the caller.
    pub(crate) async fn open(&self, url: Url) -> Result<Response, CallError> {
        let request = self.stranger.get(url).timeout(TRANSFER_WITHIN);
        let response = request.send().await.map_err(lost_or_not_sent)?;
        let status = response.status();
        if status.is_success() {
            Ok(response)
        } else if status.is_server_error() || status.as_u16() == 429 {
            Err(CallError::NotSent(format!("Discord answered {status}")))
        } else {
            Err(CallError::Refused(Refusal::of_status(status)))
        }
    }

    fn limits(&self) -> MutexGuard<'_, Limits> {
        self.limits.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn client(headers: HeaderMap) -> Result<Client, ConfigError> {
    Client::builder()
        .user_agent(USER_AGENT)
        .default_headers(headers)
        .connect_timeout(CONNECT_WITHIN)
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .map_err(|error| ConfigError::Client(describe(error)))
}

/// Says of a transport error whether the request can have reached Discord.
pub(crate) fn lost_or_not_sent(error: reqwest::Error) -> CallError {
    if error.is_connect() || error.is_builder() {
        CallError::NotSent(describe(error))
    } else {
        CallError::AnswerLost(describe(error))
    }
}

/// Puts a transport error into words without its address, which can hold an interaction's token.
fn describe(error: reqwest::Error) -> String {
    let error = error.without_url();
    if error.is_timeout() {
        return "no answer in time".to_owned();
    }
    let mut root = error.source();
    while let Some(deeper) = root.and_then(std::error::Error::source) {
        root = Some(deeper);
    }
    match root {
        Some(root) => format!("{error}: {root}"),
        None => error.to_string(),
    }
}
