//! What a server says instead of an answer, as a [`ProviderError`] without secrets.

use reqwest::header::HeaderMap;
use serde_json::Value;

use crate::providers::ProviderError;
use crate::providers::wire::failure::{classify, plain_message, retry_after};

pub(in crate::providers) use crate::providers::wire::failure::WEB_PAGE;
pub(super) use crate::providers::wire::failure::{on_the_way, without_key};

/// Returns the error that an HTTP status and body mean; its message is still as the server wrote it.
pub(in crate::providers) fn refused(
    status: u16,
    headers: &HeaderMap,
    body: &[u8],
) -> ProviderError {
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
pub(in crate::providers) fn in_answer(answer: &Value, status: u16) -> Option<ProviderError> {
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

/// Returns whether the template of a model has no place for a system prompt; servers report that as
/// a fault of theirs, too.
pub(in crate::providers) fn is_no_system_role(error: &ProviderError) -> bool {
    let (ProviderError::Refused { message, .. } | ProviderError::Broken { message, .. }) = error
    else {
        return false;
    };
    let message = message.to_ascii_lowercase();
    message.contains("system role") && message.contains("support")
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

#[cfg(test)]
#[path = "failure_tests.rs"]
mod tests;
