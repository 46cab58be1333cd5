//! Errors as the API sends them.

use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Value, json};

use super::{in_answer, refused};
use crate::ProviderError;

fn body(kind: &str, message: &str) -> Value {
    json!({"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"})
}

#[track_caller]
fn check(status: u16, kind: &str, message: &str, expected: ProviderError) {
    let body = body(kind, message);
    let found = refused(status, &HeaderMap::new(), body.to_string().as_bytes());
    assert_eq!(found, expected, "{kind}");
    // Inside a stream the status around it is that of a success.
    assert_eq!(in_answer(&body, 200), Some(expected), "{kind} in a stream");
}

fn refusal(status: u16, message: &str) -> ProviderError {
    let message = message.to_owned();
    ProviderError::Refused { status, message }
}

fn broken(status: u16, message: &str) -> ProviderError {
    let message = message.to_owned();
    ProviderError::Broken { status, message }
}

#[test]
fn every_kind_is_what_its_status_means() {
    check(400, "invalid_request_error", "no", refusal(400, "no"));
    check(401, "authentication_error", "no", refusal(401, "no"));
    check(403, "permission_error", "no", refusal(403, "no"));
    check(404, "not_found_error", "no", refusal(404, "no"));
    check(413, "request_too_large", "no", refusal(413, "no"));
    check(500, "api_error", "oh", broken(500, "oh"));
    check(504, "timeout_error", "late", broken(504, "late"));
    check(
        529,
        "overloaded_error",
        "Overloaded",
        broken(529, "Overloaded"),
    );
    let limited = ProviderError::RateLimited { retry_after: None };
    check(429, "rate_limit_error", "slowly", limited);
}

#[test]
fn an_empty_purse_is_told_from_a_wrong_request() {
    let message = "Your credit balance is too low to access the Anthropic API.";
    check(400, "invalid_request_error", message, refusal(402, message));
}

#[test]
fn a_limit_says_how_long_to_wait() {
    let headers = HeaderMap::from_iter([(
        HeaderName::from_static("retry-after"),
        HeaderValue::from_static("7"),
    )]);
    let limited = ProviderError::RateLimited {
        retry_after: Some(Duration::from_secs(7)),
    };
    let body = body("rate_limit_error", "slowly").to_string();
    assert_eq!(refused(429, &headers, body.as_bytes()), limited);
    assert_eq!(refused(429, &headers, b"slowly"), limited);
}

#[test]
fn what_is_not_of_the_protocol_is_judged_by_its_status() {
    let headers = HeaderMap::new();
    assert_eq!(
        refused(502, &headers, b"bad gateway"),
        broken(502, "bad gateway")
    );
    assert_eq!(
        refused(403, &headers, b"blocked\n"),
        refusal(403, "blocked")
    );
    let key = body("invalid_request_error", "no such key").to_string();
    assert_eq!(
        refused(401, &headers, key.as_bytes()),
        refusal(401, "no such key")
    );
    assert_eq!(in_answer(&json!({"type": "ping"}), 200), None);
    assert_eq!(in_answer(&json!({"error": null}), 200), None);
    assert_eq!(
        in_answer(&body("new_kind", "?"), 200),
        Some(broken(200, "?"))
    );
}
