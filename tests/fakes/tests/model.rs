//! The fake model refuses what the published contract forbids, and answers in every way that servers do.

#![expect(clippy::unwrap_used, reason = "a test fails by panic")]

use sayso_fakes::{Answer, FakeModel, Gate};
use serde_json::{Value, json};

async fn post(model: &FakeModel, body: &Value) -> reqwest::Result<reqwest::Response> {
    let client = reqwest::Client::new();
    client
        .post(format!("{}/chat/completions", model.url()))
        .json(body)
        .send()
        .await
}

async fn ask(model: &FakeModel, body: Value) -> Value {
    post(model, &body).await.unwrap().json().await.unwrap()
}

fn hello() -> Value {
    json!({ "model": "m", "messages": [{ "role": "user", "content": "hello" }] })
}

fn streamed() -> Value {
    let mut body = hello();
    body["stream"] = true.into();
    body["stream_options"] = json!({ "include_usage": true });
    body
}

/// Reads the data of all events.
fn events(text: &str) -> Vec<&str> {
    text.split("\n\n")
        .filter_map(|event| event.strip_prefix("data: "))
        .collect()
}

/// Puts together what a field of all deltas says.
fn joined(text: &str, field: &str) -> String {
    let chunks = events(text)
        .into_iter()
        .filter_map(|data| serde_json::from_str(data).ok());
    chunks
        .filter_map(|chunk: Value| {
            let delta = &chunk["choices"][0]["delta"];
            let arguments = &delta["tool_calls"][0]["function"]["arguments"];
            let value = if field == "arguments" {
                arguments
            } else {
                &delta[field]
            };
            value.as_str().map(str::to_owned)
        })
        .collect()
}

#[tokio::test]
async fn defaults_answer_when_nothing_is_scripted() {
    let model = FakeModel::start().await;
    let answer = ask(&model, hello()).await;
    assert_eq!(answer["choices"][0]["message"]["content"], "ok: hello");
    let mut routing = hello();
    routing["temperature"] = 0.1.into();
    let answer = ask(&model, routing).await;
    assert_eq!(
        answer["choices"][0]["message"]["content"],
        r#"{"skills":[],"direct":true}"#
    );
    assert_eq!(
        (model.requests().len(), model.turn_requests().len()),
        (2, 1)
    );
    model.assert_clean();
}

#[tokio::test]
async fn rules_go_before_queues() {
    let model = FakeModel::start().await;
    model.says("queued");
    model.when(|request| (request.last_user() == "hello").then(|| Answer::text("ruled")));
    assert_eq!(
        ask(&model, hello()).await["choices"][0]["message"]["content"],
        "ruled"
    );
    let mut other = hello();
    other["messages"][0]["content"] = "bye".into();
    assert_eq!(
        ask(&model, other).await["choices"][0]["message"]["content"],
        "queued"
    );
    assert_eq!(model.unused(), 0);
}

#[tokio::test]
async fn a_stream_carries_all_of_an_answer() {
    let model = FakeModel::start().await;
    let script = Answer::text("你好, world 👍")
        .reasoning("thinking hard")
        .and_calls("shell", &json!({ "command": "ls -la" }))
        .usage(7, 3);
    for answer in [
        script.clone(),
        script.clone().split_bytes(7),
        script.chunks_of(1),
    ] {
        model.answers(answer);
        let text = post(&model, &streamed())
            .await
            .unwrap()
            .text()
            .await
            .unwrap();
        assert_eq!(joined(&text, "content"), "你好, world 👍");
        assert_eq!(joined(&text, "reasoning_content"), "thinking hard");
        assert_eq!(joined(&text, "arguments"), r#"{"command":"ls -la"}"#);
        let events = events(&text);
        assert_eq!(events.last(), Some(&"[DONE]"));
        let usage: Value = serde_json::from_str(events[events.len() - 2]).unwrap();
        assert_eq!(
            (&usage["usage"]["total_tokens"], &usage["choices"]),
            (&json!(10), &json!([]))
        );
    }
}

#[tokio::test]
async fn bytes_are_cut_inside_characters() {
    let model = FakeModel::start().await;
    model.answers(Answer::text("好").split_bytes(1));
    let mut response = post(&model, &streamed()).await.unwrap();
    let mut is_cut = false;
    let mut text = Vec::new();
    while let Some(piece) = response.chunk().await.unwrap() {
        is_cut |= std::str::from_utf8(&piece).is_err();
        text.extend_from_slice(&piece);
    }
    assert!(is_cut);
    assert_eq!(joined(&String::from_utf8(text).unwrap(), "content"), "好");
}

#[tokio::test]
async fn tool_calls_come_in_the_styles_of_other_servers() {
    let model = FakeModel::start().await;
    let script = || Answer::calls(vec![("read", json!({ "path": "a" })), ("read", json!({}))]);
    let deltas = async |answer: Answer| -> Vec<Value> {
        model.answers(answer);
        let text = post(&model, &streamed())
            .await
            .unwrap()
            .text()
            .await
            .unwrap();
        let chunks = events(&text)
            .into_iter()
            .filter_map(|data| serde_json::from_str(data).ok());
        let calls =
            chunks.map(|chunk: Value| chunk["choices"][0]["delta"]["tool_calls"][0].clone());
        calls.filter(|call| !call.is_null()).collect()
    };
    let plain = deltas(script()).await;
    assert_eq!(plain.len(), 4);
    assert_eq!(
        (&plain[0]["index"], &plain[2]["index"]),
        (&json!(0), &json!(1))
    );
    assert_ne!(plain[0]["id"], plain[2]["id"]);
    assert!(plain[1].get("id").is_none());
    assert!(
        deltas(script().without_index())
            .await
            .iter()
            .all(|call| call.get("index").is_none())
    );
    assert!(
        deltas(script().repeating_ids())
            .await
            .iter()
            .all(|call| call["id"].is_string())
    );
    let objects = deltas(script().object_arguments()).await;
    assert_eq!(objects[0]["function"]["arguments"], json!({ "path": "a" }));
}

#[tokio::test]
async fn failures_fail_as_scripted() {
    let model = FakeModel::start().await;
    model.answers(Answer::too_many(3));
    let response = post(&model, &hello()).await.unwrap();
    assert_eq!(
        (
            response.status().as_u16(),
            &response.headers()["retry-after"]
        ),
        (429, &"3".parse().unwrap())
    );

    model.answers(Answer::garbage("<html>"));
    assert!(
        post(&model, &hello())
            .await
            .unwrap()
            .json::<Value>()
            .await
            .is_err()
    );

    model.answers(Answer::drops());
    assert!(post(&model, &hello()).await.is_err());

    model.answers(Answer::text("half").cut());
    let text = post(&model, &streamed())
        .await
        .unwrap()
        .text()
        .await
        .unwrap();
    assert_eq!(joined(&text, "content"), "half");
    assert!(!text.contains("[DONE]") && !text.contains(r#""finish_reason":"stop""#));

    model.answers(Answer::text("half").broken());
    assert!(
        post(&model, &streamed())
            .await
            .unwrap()
            .text()
            .await
            .is_err()
    );
}

#[tokio::test]
async fn a_gate_holds_an_answer_until_opened() {
    let model = FakeModel::start().await;
    let gate = Gate::new();
    model.answers(Answer::text("held").held_by(&gate));
    let body = hello();
    let asking = ask(&model, body);
    let opening = async {
        let request = model.waits_for_request(1).await;
        assert_eq!(request.last_user(), "hello");
        gate.reached_by(1).await;
        gate.open();
    };
    let (answer, ()) = tokio::join!(asking, opening);
    assert_eq!(answer["choices"][0]["message"]["content"], "held");
}

#[tokio::test]
async fn a_stream_can_be_held_in_its_middle() {
    let model = FakeModel::start().await;
    let gate = Gate::new();
    model.answers(Answer::text("one two").chunks_of(4).held_after(2, &gate));
    let mut response = post(&model, &streamed()).await.unwrap();
    let mut text = String::new();
    while joined(&text, "content") != "one " {
        text += std::str::from_utf8(&response.chunk().await.unwrap().unwrap()).unwrap();
    }
    gate.reached_by(1).await;
    gate.open();
    assert_eq!(
        joined(&(text + &response.text().await.unwrap()), "content"),
        "one two"
    );
}

#[tokio::test]
async fn a_demanded_key_must_be_brought() {
    let model = FakeModel::start().await;
    model.requires_key("secret");
    assert_eq!(post(&model, &hello()).await.unwrap().status(), 401);
    let request = reqwest::Client::new()
        .get(format!("{}/models", model.url()))
        .bearer_auth("secret");
    let models: Value = request.send().await.unwrap().json().await.unwrap();
    assert_eq!(models["data"][0]["object"], "model");
}

#[tokio::test]
async fn requests_outside_the_contract_are_refused() {
    let model = FakeModel::start().await;
    let with = |field: &str, value: Value| {
        let mut body = hello();
        body[field] = value;
        body
    };
    let talk = |messages: Value| with("messages", messages);
    let user = || json!({ "role": "user", "content": "hi" });
    let call = |id: &str| json!({ "id": id, "type": "function", "function": { "name": "shell", "arguments": "{}" } });
    let calls = |ids: &[&str]| {
        let calls: Vec<_> = ids.iter().map(|id| call(id)).collect();
        json!({ "role": "assistant", "content": null, "tool_calls": calls })
    };
    let result = |id: &str| json!({ "role": "tool", "tool_call_id": id, "content": "" });
    let tool = |name: &str| {
        json!({ "type": "function", "function": { "name": name, "description": "runs",
            "parameters": { "type": "object", "properties": { "a": {} }, "required": ["a"] } } })
    };
    let mut broken = calls(&["a"]);
    broken["tool_calls"][0]["function"]["arguments"] = "{".into();
    let cases = [
        (hello(), ""),
        (json!({ "model": "m" }), "'messages'"),
        (json!({ "messages": [user()] }), "model parameter"),
        (talk(json!([])), "'messages'"),
        (
            talk(json!([{ "role": "robot", "content": "x" }])),
            "role \"robot\" is unknown",
        ),
        (
            talk(json!([{ "role": "user", "content": "" }])),
            "content is empty",
        ),
        (talk(json!([{ "role": "user" }])), "content is missing"),
        (
            talk(json!([{ "role": "user", "content": 5 }])),
            "content must be text",
        ),
        (
            talk(json!([{ "role": "user", "content": [{ "type": "text", "text": "x" }] }])),
            "",
        ),
        (
            talk(json!([{ "role": "assistant", "content": [{ "type": "image_url" }] }])),
            "a part of type",
        ),
        (
            talk(json!([
                user(),
                calls(&["a", "b"]),
                result("b"),
                result("a"),
                user()
            ])),
            "",
        ),
        (
            talk(json!([user(), calls(&["a"]), user()])),
            "tool calls were not answered: a",
        ),
        (
            talk(json!([user(), calls(&["a"])])),
            "tool calls were not answered: a",
        ),
        (talk(json!([user(), result("a")])), "must answer a call"),
        (
            talk(json!([user(), calls(&["a"]), result("a"), result("a")])),
            "must answer a call",
        ),
        (
            talk(json!([
                user(),
                calls(&["a"]),
                result("a"),
                user(),
                result("a")
            ])),
            "must answer a call",
        ),
        (talk(json!([user(), calls(&["a", "a"])])), "two tool calls"),
        (talk(json!([user(), calls(&[])])), "not empty"),
        (talk(json!([user(), broken])), "text of a JSON object"),
        (with("temperature", json!(2.1)), "'temperature'"),
        (with("temperature", json!(0.0)), ""),
        (with("stream", json!("yes")), "'stream' must be a boolean"),
        (
            with("stream_options", json!({})),
            "only allowed when 'stream'",
        ),
        (with("max_tokens", json!(0)), "'max_tokens'"),
        (with("tools", json!([])), "'tools' must be"),
        (with("tools", json!([tool("shell")])), ""),
        (
            with("tools", json!([tool("shell"), tool("shell")])),
            "given twice",
        ),
        (
            with("tools", json!([tool("my shell")])),
            "no name of a function",
        ),
        (
            with(
                "tools",
                json!([{ "type": "function", "function": { "name": "x", "parameters": {} } }]),
            ),
            "type object",
        ),
        (
            with("tool_choice", json!("auto")),
            "only allowed when 'tools'",
        ),
        (
            with("colour", json!("red")),
            "Unrecognized request argument",
        ),
    ];
    for (body, refusal) in cases {
        let answer = ask(&model, body.clone()).await;
        let case = format!("{body} -> {answer}");
        let message = answer["error"]["message"].as_str().unwrap_or_default();
        assert_eq!(message.is_empty(), refusal.is_empty(), "{case}");
        assert!(message.contains(refusal), "{case}");
        assert_eq!(
            model.take_violations().is_empty(),
            refusal.is_empty(),
            "{case}"
        );
    }
}
