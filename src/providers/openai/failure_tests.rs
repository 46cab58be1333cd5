//! Error bodies as services send them.

use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use secrecy::SecretString;
use serde_json::json;

use super::{in_answer, refused, without_key};
use crate::providers::ProviderError;

#[track_caller]
fn check_message(body: &str, expected: &str) {
    let error = refused(400, &HeaderMap::new(), body.as_bytes());
    assert_eq!(
        error,
        ProviderError::Refused {
            status: 400,
            message: expected.to_owned()
        }
    );
}

#[test]
fn the_message_is_found_in_every_known_place() {
    check_message(
        r#"{"error":{"message":"no such model","code":400}}"#,
        "no such model",
    );
    check_message(r#"{"error":"no such model"}"#, "no such model");
    check_message(r#"{"message":"too hot","code":400}"#, "too hot");
    check_message(r#"{"detail":"Invalid key"}"#, "Invalid key");
    check_message(
        r#"{"detail":[{"loc":["body"],"msg":"field required"}]}"#,
        "field required",
    );
    check_message(r#"[{"error":{"message":"in a list"}}]"#, "in a list");
    check_message(r#"{"text":"busy"}"#, "busy");
    check_message("plain words\n", "plain words");
    check_message("", "no reason given");
    check_message(
        "<html><body>404</body></html>",
        "a web page instead of an answer: `base_url` may lack its version, such as `/v1`",
    );
}

fn limited(header: Option<(&'static str, &'static str)>) -> Option<Duration> {
    let headers: HeaderMap = header
        .into_iter()
        .map(|(name, value)| {
            (
                HeaderName::from_static(name),
                HeaderValue::from_static(value),
            )
        })
        .collect();
    match refused(429, &headers, b"{}") {
        ProviderError::RateLimited { retry_after } => retry_after,
        other => panic!("{other}"),
    }
}

#[test]
fn a_limit_says_how_long_to_wait_where_the_service_does() {
    assert_eq!(limited(None), None);
    assert_eq!(
        limited(Some(("retry-after", "7"))),
        Some(Duration::from_secs(7))
    );
    assert_eq!(
        limited(Some(("retry-after-ms", "250"))),
        Some(Duration::from_millis(250))
    );
    assert_eq!(limited(Some(("retry-after", "-1"))), None);
    assert_eq!(
        limited(Some(("retry-after", "Wed, 21 Oct 2026 07:28:00 GMT"))),
        None
    );
}

#[test]
fn an_empty_purse_is_a_refusal_and_no_limit() {
    let body = r#"{"error":{"message":"You exceeded your quota","code":"insufficient_quota"}}"#;
    let error = refused(429, &HeaderMap::new(), body.as_bytes());
    assert!(matches!(error, ProviderError::Refused { status: 429, .. }));
}

#[test]
fn what_may_pass_is_the_services_fault_and_what_may_not_is_a_refusal() {
    let is_broken = |status| {
        let error = refused(status, &HeaderMap::new(), b"");
        matches!(error, ProviderError::Broken { .. })
    };
    for status in [408, 409, 425, 500, 502, 503, 529] {
        assert!(is_broken(status), "{status}");
    }
    for status in [301, 400, 401, 402, 403, 404, 413, 422] {
        assert!(!is_broken(status), "{status}");
    }
}

#[test]
fn an_error_inside_an_answer_says_its_own_status() {
    let check = |answer, expected| assert_eq!(in_answer(&answer, 200), expected);
    check(json!({"choices": [], "error": null}), None);
    check(
        json!({"error": {"message": "bad", "code": 401}}),
        Some(ProviderError::Refused {
            status: 401,
            message: "bad".into(),
        }),
    );
    check(
        json!({"error": {"message": "slow", "type": "rate_limit_exceeded"}}),
        Some(ProviderError::RateLimited { retry_after: None }),
    );
    check(
        json!({"object": "error", "message": "out of memory", "code": 500}),
        Some(ProviderError::Broken {
            status: 500,
            message: "out of memory".into(),
        }),
    );
}

#[test]
fn an_echoed_key_is_removed_before_the_message_is_cut() {
    let key = SecretString::from("sk-very-secret-0123456789");
    let message = format!("{}sk-very-secret-0123456789 is wrong", "x".repeat(290));
    let error = without_key(
        ProviderError::Refused {
            status: 401,
            message,
        },
        Some(&key),
    );
    let ProviderError::Refused { message, .. } = error else {
        panic!("{error}");
    };
    assert_eq!(message.chars().count(), 300);
    assert!(message.ends_with("x[key] is w"), "{message}");
}
