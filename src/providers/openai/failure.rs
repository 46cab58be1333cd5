//! What a server says instead of an answer, as a [`ProviderError`] without secrets.

use std::error::Error;
use std::time::Duration;

use reqwest::header::HeaderMap;
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;

use crate::providers::ProviderError;

/// What a server of something else answers.
pub(super) const WEB_PAGE: &str =
    "a web page instead of an answer: `base_url` may lack its version, such as `/v1`";

/// The longest message that is passed on, in characters.
const MAX_MESSAGE_CHARS: usize = 300;

/// Returns the error that an HTTP status and body mean; its message is still as the server wrote it.
pub(super) fn refused(status: u16, headers: &HeaderMap, body: &[u8]) -> ProviderError {
    let value = serde_json::from_slice(body).unwrap_or(Value::Null);
    let message = message_of(&value).unwrap_or_else(|| plain_message(body));
    if status == 429 && !is_quota(&value) {
        return ProviderError::RateLimited {
            retry_after: retry_after(headers),
        };
    }
    classify(status, message)
}

/// Returns the error that stands in place of an answer, if one does. `status` is that of the
/// response, for errors that do not say their own.
pub(super) fn in_answer(answer: &Value, status: u16) -> Option<ProviderError> {
    let answer = first_of(answer);
    let error = match answer.get("object").and_then(Value::as_str) {
        Some("error") => answer,
        _ => answer.get("error").filter(|error| !error.is_null())?,
    };
    let message = message_of(answer).unwrap_or_else(|| "no reason given".to_owned());
    let said = code(error).unwrap_or(status);
    let limited = said == 429 || names(error, "rate_limit");
    if limited && !is_quota(answer) {
        return Some(ProviderError::RateLimited { retry_after: None });
    }
    Some(classify(said, message))
}

/// Returns the error for a request that failed on its way.
pub(super) fn on_the_way(error: reqwest::Error, connect: Duration) -> ProviderError {
    if error.is_connect() && error.is_timeout() {
        return ProviderError::TimedOut {
            stage: "connect",
            after: connect,
        };
    }
    let error = error.without_url();
    let mut cause: &dyn Error = &error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    ProviderError::Unreachable(cause.to_string())
}

/// Takes the key out of whatever the server said, and then what is too long: in this order, so
/// that no half of a key stays at the cut.
pub(super) fn without_key(error: ProviderError, key: Option<&SecretString>) -> ProviderError {
    let key = key.map(ExposeSecret::expose_secret).unwrap_or_default();
    let clean = |text: String| {
        if key.is_empty() {
            shorten(&text)
        } else {
            shorten(&text.replace(key, "[key]"))
        }
    };
    match error {
        ProviderError::Unreachable(why) => ProviderError::Unreachable(clean(why)),
        ProviderError::Garbage(what) => ProviderError::Garbage(clean(what)),
        ProviderError::Refused { status, message } => ProviderError::Refused {
            status,
            message: clean(message),
        },
        ProviderError::Broken { status, message } => ProviderError::Broken {
            status,
            message: clean(message),
        },
        other @ (ProviderError::TimedOut { .. }
        | ProviderError::RateLimited { .. }
        | ProviderError::Repeating(_)
        | ProviderError::Missing) => other,
    }
}

/// Time-outs and conflicts (408, 409, 425) are the service's affair, as is everything from 500 on.
/// An error inside an answer with status 200 is, too.
fn classify(status: u16, message: String) -> ProviderError {
    match status {
        300..=407 | 410..=424 | 426..=499 => ProviderError::Refused { status, message },
        _ => ProviderError::Broken { status, message },
    }
}

fn message_of(body: &Value) -> Option<String> {
    let body = first_of(body);
    let places = [
        "/error/message",
        "/error/detail",
        "/error/text",
        "/error",
        "/message",
        "/detail",
        "/detail/0/msg",
        "/text",
    ];
    let said = places
        .iter()
        .find_map(|place| body.pointer(place)?.as_str())?;
    Some(said.trim().to_owned()).filter(|said| !said.is_empty())
}

/// Google's compatible server wraps its errors in a list.
fn first_of(body: &Value) -> &Value {
    body.get(0).unwrap_or(body)
}

fn plain_message(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    let text = text.trim();
    if text.is_empty() {
        return "no reason given".to_owned();
    }
    if text.starts_with('<') {
        return WEB_PAGE.to_owned();
    }
    text.to_owned()
}

fn shorten(text: &str) -> String {
    text.chars().take(MAX_MESSAGE_CHARS).collect()
}

/// An empty purse is reported as 429 by OpenAI; waiting does not fill it.
fn is_quota(body: &Value) -> bool {
    first_of(body)
        .get("error")
        .is_some_and(|error| names(error, "insufficient_quota"))
}

fn names(error: &Value, kind: &str) -> bool {
    ["code", "type"].iter().any(|field| {
        let value = error.get(field).and_then(Value::as_str);
        value.is_some_and(|value| value.contains(kind))
    })
}

fn code(error: &Value) -> Option<u16> {
    let field = ["code", "status"]
        .iter()
        .find_map(|field| error.get(field))?;
    let number = field
        .as_u64()
        .or_else(|| field.as_str().and_then(|text| text.parse().ok()))?;
    u16::try_from(number)
        .ok()
        .filter(|code| (400..600).contains(code))
}

/// Reads how long to wait: milliseconds where a server says them, else seconds. Dates are not read.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let number = |name: &str| headers.get(name)?.to_str().ok()?.trim().parse::<f64>().ok();
    let seconds = number("retry-after-ms")
        .map(|milliseconds| milliseconds / 1000.0)
        .or_else(|| number("retry-after"))?;
    Duration::try_from_secs_f64(seconds).ok()
}

#[cfg(test)]
#[path = "failure_tests.rs"]
mod tests;
