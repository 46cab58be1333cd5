//! What Anthropic's API says instead of an answer, as a [`ProviderError`].
//!
//! Protocol: the pages "Errors" and "Rate limits" of its documentation. Inside a stream the
//! kind of an error says what its status would be.

use reqwest::header::HeaderMap;
use serde_json::Value;

use crate::ProviderError;
use crate::wire::failure::{classify, plain_message, retry_after};

/// The kinds of errors, and the status that each is sent with.
const KINDS: [(&str, u16); 10] = [
    ("invalid_request_error", 400),
    ("authentication_error", 401),
    ("billing_error", 402),
    ("permission_error", 403),
    ("not_found_error", 404),
    ("request_too_large", 413),
    ("rate_limit_error", 429),
    ("api_error", 500),
    ("timeout_error", 504),
    ("overloaded_error", 529),
];

/// Returns the error that an HTTP status and body mean; its message is still as the server wrote it.
pub(super) fn refused(status: u16, headers: &HeaderMap, body: &[u8]) -> ProviderError {
    let value = serde_json::from_slice(body).unwrap_or(Value::Null);
    match in_answer(&value, status) {
        Some(ProviderError::RateLimited { .. }) => ProviderError::RateLimited {
            retry_after: retry_after(headers),
        },
        Some(error) => error,
        None if status == 429 => ProviderError::RateLimited {
            retry_after: retry_after(headers),
        },
        None => classify(status, plain_message(body)),
    }
}

/// Returns the error that stands in place of an answer or of an event, if one does. `status` is that
/// of the response, for errors of an unknown kind.
pub(super) fn in_answer(answer: &Value, status: u16) -> Option<ProviderError> {
    let error = answer.get("error").filter(|error| error.is_object())?;
    let text = |field: &str| error.get(field).and_then(Value::as_str).map(str::trim);
    let kind = text("type").unwrap_or_default();
    let reason = text("message").filter(|message| !message.is_empty());
    let message = reason.unwrap_or("no reason given").to_owned();
    let known = KINDS.iter().find(|(name, _)| *name == kind);
    // Compatible servers call everything a wrong request, and send it with the right status.
    let status = match known {
        Some((_, meant)) if status < 400 => *meant,
        _ => status,
    };
    if status == 429 {
        return Some(ProviderError::RateLimited { retry_after: None });
    }
    Some(classify(status, message))
}

#[cfg(test)]
#[path = "failure_tests.rs"]
mod tests;
