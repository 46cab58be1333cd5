//! Error bodies as services send them.

use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use secrecy::SecretString;
use serde_json::json;

use super::{in_answer, refused, without_key};
use crate::ProviderError;

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
    assert!(matches!(error, ProviderError::Refused { status: 402, .. }));
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

/// Returns what the services of a file of the trials say, and with which status.
fn trials(file: &str) -> Vec<(String, u16, String)> {
    let material = std::env::var("SAYSO_MATERIAL").unwrap_or_else(|_| "../shared/material".into());
    let Ok(text) = std::fs::read_to_string(format!("{material}/trials/{file}")) else {
        return Vec::new();
    };
    let said: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&text).unwrap();
    let said = said.into_iter().map(|(service, said)| {
        let body = match &said["body"] {
            serde_json::Value::String(text) => text.replace("SSE:data: ", "").trim().to_owned(),
            body => body.to_string(),
        };
        (service, said["status"].as_u64().unwrap() as u16, body)
    });
    said.collect()
}

#[track_caller]
fn means(status: u16, body: &str, meant: u16) {
    let error = if status == 200 {
        in_answer(&serde_json::from_str(body).unwrap(), status)
    } else {
        Some(refused(status, &HeaderMap::new(), body.as_bytes()))
    };
    let Some(ProviderError::Refused { status, .. }) = error else {
        panic!("{body}: {error:?}");
    };
    assert_eq!(status, meant, "{body}");
}

#[test]
fn chat_f4_a_conversation_that_is_too_long_is_known_by_code_type_or_words() {
    for (_, status, body) in trials("errors_too_long.json") {
        means(status, &body, 413);
    }
    for (status, body) in [
        // Of codes and types alone, in each place that services have them.
        (
            400,
            r#"{"error":{"message":"no","code":"context_length_exceeded"}}"#,
        ),
        (
            400,
            r#"{"error":{"message":"no","type":"exceed_context_size_error"}}"#,
        ),
        (400, r#"{"message":"no","code":"context_length_exceeded"}"#),
        (400, r#"{"error":{"code":"1261","message":"Prompt 超长"}}"#),
        (
            200,
            r#"{"error_type":"context_length_exceeded","error_message":"no"}"#,
        ),
        (
            500,
            r#"{"error":{"code":500,"message":"the request exceeds the available context size"}}"#,
        ),
        (
            200,
            r#"{"error":{"message":"Trying to keep the first 5000 tokens when the context overflows. The model is loaded with context length of only 4096 tokens"}}"#,
        ),
        (
            422,
            r#"{"error":"Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096"}"#,
        ),
    ] {
        means(status, body, 413);
    }
}

#[test]
fn chat_f8_an_account_that_is_used_up_is_known_by_code_type_or_words() {
    for (_, status, body) in trials("errors_no_money.json") {
        means(status, &body, 402);
    }
    for (status, body) in [
        (
            429,
            r#"{"error":{"message":"no","code":"insufficient_quota"}}"#,
        ),
        (
            429,
            r#"{"error":{"code":"1113","message":"余额不足或无可用资源包,请充值。"}}"#,
        ),
        (
            200,
            r#"{"base_resp":{"status_code":1008,"status_msg":"insufficient balance"}}"#,
        ),
        (
            400,
            r#"{"code":"Arrearage","message":"Access denied, please make sure your account is in good standing."}"#,
        ),
        (
            402,
            r#"{"error":{"message":"Insufficient Balance","type":"unknown_error"}}"#,
        ),
    ] {
        means(status, body, 402);
    }
    // A rate limit passes.
    let limited = refused(
        429,
        &HeaderMap::new(),
        br#"{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details.","status":"RESOURCE_EXHAUSTED"}}"#,
    );
    assert_eq!(limited, ProviderError::RateLimited { retry_after: None });
    assert_eq!(
        in_answer(
            &json!({"base_resp": {"status_code": 0}, "choices": []}),
            200
        ),
        None
    );
}
