//! The fake model refuses on Anthropic's wire what its published contract forbids, and answers in its words.

#![expect(clippy::unwrap_used, reason = "a test fails by panic")]

use sayso_fakes::{Answer, FakeModel};
use serde_json::{Value, json};

async fn post(model: &FakeModel, body: &Value) -> reqwest::Response {
    let client = reqwest::Client::new();
    let request = client.post(format!("{}/messages", model.url()));
    let request = request.header("anthropic-version", "2023-06-01");
    request.json(body).send().await.unwrap()
}

fn hello() -> Value {
    json!({"model": "m", "max_tokens": 4000, "messages": [{"role": "user", "content": "hello"}]})
}

fn tools() -> Value {
    json!([{"name": "now", "input_schema": {"type": "object"}}])
}

/// Says that a change to a good request is refused, and with which words.
async fn check(change: impl Fn(&mut Value), expected: &str) {
    let model = FakeModel::start().await;
    let mut body = hello();
    change(&mut body);
    let response = post(&model, &body).await;
    assert_eq!(response.status(), 400, "{body}");
    let refusal: Value = response.json().await.unwrap();
    assert_eq!(refusal["error"]["type"], "invalid_request_error");
    let violations = model.take_violations().join("\n");
    assert!(violations.contains(expected), "{violations}");
}

#[tokio::test]
async fn a_request_keeps_to_the_fields() {
    check(|body| body["max_tokens"] = Value::Null, "max_tokens").await;
    check(
        |body| body["n"] = 1.into(),
        "n: Extra inputs are not permitted",
    )
    .await;
    check(
        |body| body["temperature"] = 1.5.into(),
        "temperature: range",
    )
    .await;
    check(|body| body["messages"] = json!([]), "at least one message").await;
    check(
        |body| body["thinking"] = json!({"type": "enabled", "budget_tokens": 4000}),
        "`max_tokens` must be greater",
    )
    .await;
    check(
        |body| {
            body["thinking"] = json!({"type": "enabled", "budget_tokens": 2000});
            body["temperature"] = 0.5.into();
        },
        "may only be set to 1",
    )
    .await;
    check(
        |body| body["system"] = json!([{"type": "text", "text": " "}]),
        "non-whitespace",
    )
    .await;
}

#[tokio::test]
async fn roles_alternate_and_calls_are_answered_at_once() {
    let assistant = json!({"role": "assistant", "content": [
        {"type": "tool_use", "id": "a", "name": "now", "input": {}},
    ]});
    let user = |content: Value| json!({"role": "user", "content": content});
    let result = json!({"type": "tool_result", "tool_use_id": "a", "content": "noon"});
    let text = json!({"type": "text", "text": "well?"});
    let cases = [
        (
            json!([user("a".into()), user("b".into())]),
            "roles must alternate",
        ),
        (json!([assistant]), "roles must alternate"),
        (
            json!([user("a".into()), assistant, user(json!([text]))]),
            "without `tool_result`",
        ),
        (
            json!([user("a".into()), assistant, user(json!([text, result]))]),
            "must come first",
        ),
        (json!([user(json!([result]))]), "unexpected `tool_use_id`"),
    ];
    for (messages, expected) in cases {
        check(
            |body| {
                body["tools"] = tools();
                body["messages"] = messages.clone();
            },
            expected,
        )
        .await;
    }
    let answered = json!([user("a".into()), assistant, user(json!([result, text]))]);
    check(|body| body["messages"] = answered.clone(), "need `tools`").await;
    let model = FakeModel::start().await;
    let mut body = hello();
    body["tools"] = tools();
    body["messages"] = answered;
    assert_eq!(post(&model, &body).await.status(), 200);
    assert_eq!(
        model.requests()[0].tool_results(),
        [("a".into(), "noon".into())]
    );
    model.assert_clean();
}

#[tokio::test]
async fn a_thought_is_taken_back_as_it_was_given_and_no_other() {
    let model = FakeModel::start().await;
    model.answers(Answer::calls(vec![("now", json!({}))]).reasoning("Hm."));
    let mut body = hello();
    body["tools"] = tools();
    body["thinking"] = json!({"type": "enabled", "budget_tokens": 2000});
    let answer: Value = post(&model, &body).await.json().await.unwrap();
    let mut content = answer["content"].clone();
    assert_eq!(content[0]["thinking"], "Hm.");
    let id = content[1]["id"].clone();
    let back = |content: &Value| {
        let mut body = body.clone();
        body["messages"] = json!([
            {"role": "user", "content": "hello"},
            {"role": "assistant", "content": content},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": id}]},
        ]);
        body
    };
    assert_eq!(post(&model, &back(&content)).await.status(), 200);
    model.assert_clean();
    let without = json!([content[1]]);
    assert_eq!(post(&model, &back(&without)).await.status(), 400);
    content[0]["thinking"] = "Aha.".into();
    assert_eq!(post(&model, &back(&content)).await.status(), 400);
    let violations = model.take_violations();
    assert!(
        violations[0].contains("must start with a thinking block"),
        "{violations:?}"
    );
    assert!(
        violations[1].contains("Invalid `signature`"),
        "{violations:?}"
    );
}

#[tokio::test]
async fn the_key_and_the_version_are_headers() {
    let model = FakeModel::start().await;
    model.requires_key("right");
    let client = reqwest::Client::new();
    let request = || {
        client
            .post(format!("{}/messages", model.url()))
            .json(&hello())
    };
    let status =
        |request: reqwest::RequestBuilder| async { request.send().await.unwrap().status() };
    assert_eq!(status(request()).await, 401);
    assert_eq!(status(request().header("x-api-key", "right")).await, 400);
    let whole = request().header("x-api-key", "right");
    assert_eq!(
        status(whole.header("anthropic-version", "2023-06-01")).await,
        200
    );
}
