//! One call of the Bot API: the request out, the answer or what is known about its fate back.
//!
//! Methods, their names and parameters are teloxide's [`Payload`]s (ours in `requests.rs` where
//! teloxide lags behind Telegram). The way over the wire is our own, for three reasons.
//! teloxide's sleeps 10 s on every 5xx before it says anything; it drops the HTTP status and the
//! error code, so that 401, 409 and 502 are words to guess from; and a sent message whose answer
//! it cannot parse looks like a failure. What delivery must know is exactly that: whether the
//! request certainly did not arrive, may have been carried out, or was refused.

use std::error::Error as _;
use std::time::Duration;

use reqwest::multipart::Form;
use reqwest::{Client, ClientBuilder, RequestBuilder, Response, StatusCode};
use secrecy::{ExposeSecret, SecretString};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use teloxide::requests::Payload;
use thiserror::Error;
use tracing::trace;

use crate::TelegramConfig;
use crate::config::ConfigError;

/// How long a connection may take to be made.
const CONNECT_WITHIN: Duration = Duration::from_secs(10);
/// How long an answer may take.
const ANSWER_WITHIN: Duration = Duration::from_secs(20);
/// How long a poll may take beyond the time for which Telegram holds it: after that it is lost, and
/// health must not look as if it were waiting in peace.
const POLL_MARGIN: Duration = Duration::from_secs(5);
/// How long a polled connection may be silent before its other end is asked for a sign of life, how
/// long each further sign may take, and how many may be missing. A dead connection is so noticed
/// within 5 seconds, and not at the end of a poll.
const SIGN_OF_LIFE_AFTER: Duration = Duration::from_secs(2);
/// See [`SIGN_OF_LIFE_AFTER`].
const SIGN_OF_LIFE_EVERY: Duration = Duration::from_secs(1);
/// See [`SIGN_OF_LIFE_AFTER`].
const SIGNS_MISSING: u32 = 2;
/// How long an upload or a download may take: 50 MB on a slow line.
const TRANSFER_WITHIN: Duration = Duration::from_mins(5);
/// The pause after a 429 that names none.
const UNNAMED_PAUSE: Duration = Duration::from_secs(5);

/// The Bot API of one account. It has no `Debug`: it holds the token.
#[derive(Clone)]
pub(crate) struct BotApi {
    client: Client,
    /// For long polls alone: they may be cut at the first doubt, since they are just asked again,
    /// while a message that was cut off may have been sent.
    polling: Client,
    server: String,
    token: SecretString,
}

/// Why a call has no result. The texts never hold the token or an address.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum CallError {
    /// No connection was made, so nothing was carried out.
    #[error("{0}")]
    NotSent(String),
    /// It was sent, and it is unknown whether it was carried out.
    #[error("{0}")]
    AnswerLost(String),
    /// Telegram refused it.
    #[error("{0}")]
    Refused(Refusal),
}

/// A refusal in Telegram's own words.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{description} ({code})")]
pub(crate) struct Refusal {
    /// Telegram's error code, which is the HTTP status.
    pub(crate) code: u16,
    /// What it says, in English: "Bad Request: chat not found".
    pub(crate) description: String,
    /// How long to wait; always set for 429.
    pub(crate) retry_after: Option<Duration>,
    /// The chat's new id, when the group became a supergroup.
    pub(crate) moved_to: Option<i64>,
}

#[derive(Deserialize)]
struct Answer {
    ok: bool,
    #[serde(default)]
    result: Value,
    error_code: Option<u16>,
    description: Option<String>,
    parameters: Option<AnswerParameters>,
}

#[derive(Deserialize)]
struct AnswerParameters {
    retry_after: Option<u64>,
    migrate_to_chat_id: Option<i64>,
}

impl BotApi {
    pub(crate) fn new(config: &TelegramConfig) -> Result<Self, ConfigError> {
        config.validate()?;
        let built = |builder: ClientBuilder| {
            builder
                .build()
                .map_err(|error| ConfigError::Client(describe(error)))
        };
        Ok(Self {
            client: built(usual_client())?,
            polling: built(polling_client())?,
            server: config.api_url.as_str().trim_end_matches('/').to_owned(),
            token: config.token.clone(),
        })
    }

    /// Calls a method and reads of its result what `Output` has fields for.
    pub(crate) async fn call<P, Output>(&self, payload: &P) -> Result<Output, CallError>
    where
        P: Payload + Serialize,
        Output: DeserializeOwned,
    {
        let (client, within) = match payload.timeout_hint() {
            Some(held) => (&self.polling, held + POLL_MARGIN),
            None => (&self.client, ANSWER_WITHIN),
        };
        let request = client
            .post(self.method_url(P::NAME))
            .timeout(within)
            .json(payload);
        read_answer(P::NAME, request).await
    }

    /// Calls a method that takes a file.
    pub(crate) async fn upload<Output>(
        &self,
        method: &'static str,
        form: Form,
    ) -> Result<Output, CallError>
    where
        Output: DeserializeOwned,
    {
        let request = self
            .client
            .post(self.method_url(method))
            .timeout(TRANSFER_WITHIN)
            .multipart(form);
        read_answer(method, request).await
    }

    /// Opens a file that getFile named; its body is read by the caller.
    pub(crate) async fn open_file(&self, path: &str) -> Result<Response, CallError> {
        let url = format!(
            "{}/file/bot{}/{path}",
            self.server,
            self.token.expose_secret()
        );
        let request = self.client.get(url).timeout(TRANSFER_WITHIN);
        let response = request.send().await.map_err(lost_or_not_sent)?;
        if response.status().is_success() {
            return Ok(response);
        }
        let status = response.status();
        if status.is_server_error() {
            return Err(CallError::NotSent(format!("Telegram answered {status}")));
        }
        Err(CallError::Refused(Refusal {
            code: status.as_u16(),
            description: "Bad Request: the file is not there any more".to_owned(),
            retry_after: None,
            moved_to: None,
        }))
    }

    fn method_url(&self, method: &str) -> String {
        format!("{}/bot{}/{method}", self.server, self.token.expose_secret())
    }
}

fn usual_client() -> ClientBuilder {
    Client::builder()
        .connect_timeout(CONNECT_WITHIN)
        .redirect(reqwest::redirect::Policy::none())
}

fn polling_client() -> ClientBuilder {
    usual_client()
        .tcp_keepalive(SIGN_OF_LIFE_AFTER)
        .tcp_keepalive_interval(SIGN_OF_LIFE_EVERY)
        .tcp_keepalive_retries(SIGNS_MISSING)
        // On Linux this overrides the number of missing signs (tcp(7)).
        .tcp_user_timeout(SIGN_OF_LIFE_AFTER + SIGN_OF_LIFE_EVERY * SIGNS_MISSING)
}

async fn read_answer<Output: DeserializeOwned>(
    method: &'static str,
    request: RequestBuilder,
) -> Result<Output, CallError> {
    let response = request.send().await.map_err(lost_or_not_sent)?;
    let status = response.status();
    let body = response.bytes().await.map_err(lost_or_not_sent)?;
    trace!(method, status = status.as_u16(), "Telegram answered");
    if status.is_server_error() {
        return Err(CallError::AnswerLost(format!("Telegram answered {status}")));
    }
    match serde_json::from_slice(&body) {
        Ok(answer) => judge(method, status.as_u16(), answer),
        Err(_) => Err(unreadable(status)),
    }
}

/// Says what an answer means that is a page of something before Telegram.
fn unreadable(status: StatusCode) -> CallError {
    let said = format!("something before Telegram answered {status}");
    if status == StatusCode::PAYLOAD_TOO_LARGE {
        return CallError::Refused(Refusal {
            code: status.as_u16(),
            description: "Request Entity Too Large".to_owned(),
            retry_after: None,
            moved_to: None,
        });
    }
    if status.is_success() {
        CallError::AnswerLost(said)
    } else {
        CallError::NotSent(said)
    }
}

fn judge<Output: DeserializeOwned>(
    method: &str,
    status: u16,
    answer: Answer,
) -> Result<Output, CallError> {
    if answer.ok {
        return serde_json::from_value(answer.result).map_err(|error| {
            CallError::AnswerLost(format!(
                "the result of {method} is not as expected: {error}"
            ))
        });
    }
    let code = answer.error_code.unwrap_or(status);
    let description = answer.description.unwrap_or_default();
    if code >= 500 {
        return Err(CallError::AnswerLost(format!(
            "Telegram answered {code} {description}"
        )));
    }
    let named = answer.parameters.as_ref().and_then(|told| told.retry_after);
    let retry_after = match (code, named) {
        (_, Some(seconds)) => Some(Duration::from_secs(seconds)),
        (429, None) => Some(UNNAMED_PAUSE),
        (_, None) => None,
    };
    Err(CallError::Refused(Refusal {
        code,
        description,
        retry_after,
        moved_to: answer.parameters.and_then(|told| told.migrate_to_chat_id),
    }))
}

/// Says of a transport error whether the request can have reached Telegram.
pub(crate) fn lost_or_not_sent(error: reqwest::Error) -> CallError {
    if error.is_connect() || error.is_builder() {
        CallError::NotSent(describe(error))
    } else {
        CallError::AnswerLost(describe(error))
    }
}

/// Puts a transport error into words without its address, which holds the token.
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
