//! What a server says instead of an answer, as a [`ProviderError`] without secrets.

use reqwest::header::HeaderMap;
use serde_json::Value;

use crate::ProviderError;
use crate::wire::error_kinds::{self, Meaning};
use crate::wire::failure::{classify, plain_message, retry_after};

pub(crate) use crate::wire::failure::WEB_PAGE;
pub(super) use crate::wire::failure::{on_the_way, without_key};

/// Returns the error that an HTTP status and body mean; its message is still as the server wrote it.
pub(crate) fn refused(status: u16, headers: &HeaderMap, body: &[u8]) -> ProviderError {
    let value = serde_json::from_slice(body).unwrap_or(Value::Null);
    let message = message_of(&value).unwrap_or_else(|| plain_message(body));
    match meaning_of(&value).or_else(|| error_kinds::of_message(status, &message)) {
        Some(meaning) => classify(meaning.status(), message),
        None if status == 429 => ProviderError::RateLimited {
            retry_after: retry_after(headers),
        },
        None => classify(status, message),
    }
}

/// Returns the error that stands in place of an answer, if one does. `status` is that of the
/// response, for errors that do not say their own.
pub(crate) fn in_answer(answer: &Value, status: u16) -> Option<ProviderError> {
    let answer = first_of(answer);
    let error = error_in(answer)?;
    let message = message_of(answer).unwrap_or_else(|| "no reason given".to_owned());
    let meaning = meaning_of(answer).or_else(|| error_kinds::of_message(status, &message));
    if let Some(meaning) = meaning {
        return Some(classify(meaning.status(), message));
    }
    let said = code(error).unwrap_or(status);
    if said == 429 || names(error, "rate_limit") {
        return Some(ProviderError::RateLimited { retry_after: None });
    }
    Some(classify(said, message))
}

/// Returns the error in an answer. Most services put it into `error`; others say that the answer is one
/// (`object`), write its fields beside each other (Venice), or say how it went in each answer (MiniMax,
/// where 0 is well).
fn error_in(answer: &Value) -> Option<&Value> {
    let is_error = answer.get("object").and_then(Value::as_str) == Some("error");
    if is_error || answer.get("error_type").is_some_and(Value::is_string) {
        return Some(answer);
    }
    if let Some(error) = answer.get("error").filter(|error| !error.is_null()) {
        return Some(error);
    }
    let response = answer.get("base_resp")?;
    let went_well = response.get("status_code").and_then(Value::as_u64) == Some(0);
    (response.is_object() && !went_well).then_some(response)
}

/// Returns whether the template of a model has no place for a system prompt; servers report that as
/// a fault of theirs, too.
pub(crate) fn is_no_system_role(error: &ProviderError) -> bool {
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
        "/error_message",
        "/base_resp/status_msg",
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

/// Returns what the codes and types in a body mean, wherever it has them.
fn meaning_of(body: &Value) -> Option<Meaning> {
    let body = first_of(body);
    let places = [Some(body), body.get("error"), body.get("base_resp")];
    places.into_iter().flatten().find_map(|place| {
        let fields = ["code", "type", "error_type", "status_code"];
        let fields = fields.iter().filter_map(|field| place.get(field));
        fields.into_iter().find_map(|field| match field {
            Value::String(text) => error_kinds::of_code(text),
            Value::Number(number) => error_kinds::of_number(number.as_u64()?),
            _ => None,
        })
    })
}

fn names(error: &Value, kind: &str) -> bool {
    ["code", "type", "error_type"].iter().any(|field| {
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
