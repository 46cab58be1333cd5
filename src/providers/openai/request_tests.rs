//! What is sent, and what is no longer sent once a server refused it.

use serde_json::{Value, json};

use super::dialect::Dialect;
use super::server_tests::config;
use super::{OpenAiConfig, request};
use crate::providers::{ChatRequest, ProviderError};
use crate::transcript::{
    AssistantMessage, CallId, ConversationMessage, ToolCall, ToolOutcome, ToolSpec,
};

fn here() -> OpenAiConfig {
    config("http://127.0.0.1:1/v1")
}

fn conversation() -> Vec<ConversationMessage> {
    let call = |id: &str, arguments| ToolCall {
        id: CallId(id.into()),
        name: "file_read".into(),
        arguments,
    };
    vec![
        ConversationMessage::user("look"),
        ConversationMessage::Assistant(AssistantMessage {
            text: String::new(),
            reasoning_content: Some("I should look.\n".into()),
            thoughts: vec![],
            calls: vec![call("1", json!({"path": "a"})), call("2", json!("{\"pa"))],
        }),
        ConversationMessage::ToolResult {
            call: CallId("1".into()),
            name: "file_read".into(),
            outcome: ToolOutcome::Failed {
                error: "no such file".into(),
                partial: None,
            },
            outside: None,
        },
        ConversationMessage::Assistant(AssistantMessage::default()),
    ]
}

fn messages() -> Value {
    let messages = conversation();
    let body = request::body(
        &here(),
        &ChatRequest {
            system: "be brief",
            messages: &messages,
            tools: &[],
            temperature: None,
            stream: false,
            attempts: None,
            wanted: None,
        },
    );
    body["messages"].clone()
}

#[test]
fn a_conversation_is_sent_in_the_words_of_the_wire() {
    assert_eq!(
        messages(),
        json!([
            {"role": "system", "content": "be brief"},
            {"role": "user", "content": "look"},
            {
                "role": "assistant",
                "content": null,
                "reasoning_content": "I should look.\n",
                "tool_calls": [
                    {"id": "1", "type": "function", "function": {
                        "name": "file_read", "arguments": "{\"path\":\"a\"}"}},
                    {"id": "2", "type": "function", "function": {
                        "name": "file_read", "arguments": "{\"not_json\":\"{\\\"pa\"}"}},
                ],
            },
            {"role": "tool", "tool_call_id": "1", "content": "[失败] no such file"},
            {"role": "assistant", "content": ""},
        ])
    );
}

#[test]
fn a_request_that_streams_asks_for_its_usage_and_carries_the_tools() {
    let tools = [ToolSpec {
        name: "shell".into(),
        description: "Runs a command.".into(),
        parameters: json!({"type": "object"}),
    }];
    let body = request::body(
        &here(),
        &ChatRequest {
            system: "",
            messages: &[],
            tools: &tools,
            temperature: Some(0.1),
            stream: true,
            attempts: None,
            wanted: None,
        },
    );
    assert_eq!(
        Value::Object(body),
        json!({
            "model": "small",
            "messages": [],
            "tools": [{"type": "function", "function": {
                "name": "shell",
                "description": "Runs a command.",
                "parameters": {"type": "object"},
            }}],
            "temperature": 0.1,
            "max_tokens": 64,
            "stream": true,
            "stream_options": {"include_usage": true},
        })
    );
}

fn refusal(message: &str) -> ProviderError {
    ProviderError::Refused {
        status: 400,
        message: message.into(),
    }
}

#[track_caller]
fn check_dialect(message: &str, sent: &Value, then: &Value) {
    let dialect = Dialect::default();
    let mut body = sent.as_object().unwrap().clone();
    assert!(dialect.learn(&body, &refusal(message)));
    assert!(!dialect.learn(&body, &refusal(message)), "learned twice");
    dialect.adapt(&mut body);
    assert_eq!(Value::Object(body), *then);
}

#[test]
fn a_field_that_the_server_does_not_know_is_left_out() {
    check_dialect(
        "Unsupported parameter: 'max_tokens' is not supported with this model. \
         Use 'max_completion_tokens' instead.",
        &json!({"max_tokens": 9, "temperature": 1}),
        &json!({"temperature": 1, "max_completion_tokens": 9}),
    );
    check_dialect(
        "Unsupported value: 'temperature' does not support 0.7 with this model.",
        &json!({"max_tokens": 9, "temperature": 0.7}),
        &json!({"max_tokens": 9}),
    );
    check_dialect(
        "property 'reasoning_content' is unsupported",
        &json!({"messages": [{"role": "assistant", "reasoning_content": "hm", "content": "a"}]}),
        &json!({"messages": [{"role": "assistant", "content": "a"}]}),
    );
    check_dialect(
        "Extra inputs are not permitted: stream_options",
        &json!({"stream": true, "stream_options": {}}),
        &json!({"stream": true}),
    );
}

#[test]
fn any_other_refusal_stands() {
    let body = json!({"temperature": 9, "max_tokens": 9});
    let body = body.as_object().unwrap();
    let learns = |error| Dialect::default().learn(body, &error);
    assert!(!learns(refusal("temperature must be between 0 and 2")));
    assert!(!learns(refusal("unknown field stream_options")));
    assert!(!learns(ProviderError::Refused {
        status: 401,
        message: "temperature is not supported for this key".into(),
    }));
}
