//! What is sent, and what is no longer sent once a server refused it.

use sayso_core::transcript::{
    AssistantMessage, CallId, ConversationMessage, Thought, ThoughtKind, ToolCall, ToolOutcome,
    ToolSpec, clear_old_reasoning_content,
};
use serde_json::{Value, json};

use super::dialect::Dialect;
use super::server_tests::config;
use super::{OpenAiConfig, Quirks, request};
use crate::{AnswerForm, ChatOptions, ChatRequest, ProviderError, ServedModel, ToolsIn};

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
    messages_to("none", &messages)
}

/// Returns the messages as a server with these quirks is sent them.
fn messages_to(quirks: &str, messages: &[ConversationMessage]) -> Value {
    let config = OpenAiConfig {
        quirks: Quirks::named(quirks, &here().served.base_url),
        ..here()
    };
    let body = request::body(
        &config,
        &ChatRequest {
            system: "be brief",
            messages,
            tools: &[],
            temperature: None,
            stream: false,
            attempts: None,
            wanted: None,
            options: ChatOptions::default(),
        },
        ToolsIn::Field,
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
            {"role": "tool", "tool_call_id": "1", "content": "[failed] no such file"},
            {"role": "assistant", "content": ""},
        ])
    );
}

/// Returns the second message of the conversation, which calls tools, as these servers are sent it.
fn call_to(quirks: &str) -> Value {
    let mut call = messages_to(quirks, &conversation())[2].clone();
    call["tool_calls"].take();
    call
}

#[test]
fn reasoning_goes_back_where_a_server_wants_it() {
    let with = |fields: Value| {
        let mut message = json!({"role": "assistant", "content": null, "tool_calls": null});
        for (name, value) in fields.as_object().unwrap() {
            message[name] = value.clone();
        }
        message
    };
    let thought = "I should look.\n";
    assert_eq!(call_to("openai"), with(json!({})));
    assert_eq!(
        call_to("deepseek"),
        with(json!({"reasoning_content": thought}))
    );
    assert_eq!(call_to("openrouter"), with(json!({"reasoning": thought})));
    assert_eq!(
        call_to("glm"),
        with(json!({"reasoning_content": thought, "content": ""}))
    );
    assert_eq!(call_to("gemini"), with(json!({"content": ""})));
    let mut forgotten = conversation();
    clear_old_reasoning_content(&mut forgotten);
    let due = |quirks| messages_to(quirks, &forgotten)[2]["reasoning_content"].clone();
    assert_eq!(due("deepseek"), json!(""));
    assert_eq!(due("moonshot"), json!(" "));
    assert_eq!(due("qwen"), Value::Null);
}

#[test]
fn what_came_with_a_call_goes_back_with_it_to_who_signs_calls() {
    let data = json!({"google": {"thought_signature": "abc"}});
    let message = AssistantMessage {
        thoughts: vec![Thought {
            behind_text: 0,
            behind_calls: 1,
            kind: ThoughtKind::Attached { data: data.clone() },
        }],
        calls: ["1", "2"]
            .map(|id| ToolCall {
                id: CallId(id.into()),
                name: "file_read".into(),
                arguments: json!({}),
            })
            .to_vec(),
        ..AssistantMessage::default()
    };
    let messages = [ConversationMessage::Assistant(message)];
    let sent = |quirks| {
        let calls = messages_to(quirks, &messages)[1]["tool_calls"].clone();
        [0, 1].map(|place| calls[place]["extra_content"].clone())
    };
    assert_eq!(sent("gemini"), [Value::Null, data]);
    assert_eq!(sent("none"), [Value::Null, Value::Null]);
}

#[test]
fn where_roles_are_strict_user_and_assistant_alternate() {
    let said = |text: &str| {
        ConversationMessage::Assistant(AssistantMessage {
            text: text.into(),
            ..AssistantMessage::default()
        })
    };
    let mut messages = vec![
        ConversationMessage::user("one"),
        ConversationMessage::user("two"),
        said("three"),
        said("four"),
    ];
    messages.extend(conversation());
    messages.truncate(7);
    messages.push(ConversationMessage::user("wait"));
    let written = messages_to("llama", &messages);
    let messages = written.as_array().unwrap().iter();
    let sent: Vec<_> = messages
        .map(|it| {
            format!(
                "{}: {}",
                it["role"].as_str().unwrap(),
                it["content"].as_str().unwrap()
            )
        })
        .collect();
    assert_eq!(
        sent,
        [
            "system: be brief",
            "user: one\n\ntwo",
            "assistant: three\n\nfour",
            "user: look",
            "assistant: ",
            "tool: [failed] no such file\n\n[user] wait",
        ]
    );
}

#[test]
fn fields_are_those_that_a_server_takes() {
    let body = |quirks: &str, stream: bool| {
        let config = OpenAiConfig {
            quirks: Quirks::named(quirks, &here().served.base_url),
            served: ServedModel {
                temperature: 2.0,
                ..here().served
            },
            ..here()
        };
        let request = ChatRequest {
            system: "",
            messages: &[],
            tools: &[],
            temperature: None,
            stream,
            attempts: None,
            wanted: None,
            options: ChatOptions::default(),
        };
        Value::Object(request::body(&config, &request, ToolsIn::Field))
    };
    assert_eq!(body("openai", true)["max_completion_tokens"], 64);
    assert!(body("openai", true).get("max_tokens").is_none());
    assert_eq!(body("glm", true)["temperature"], 1.0);
    assert_eq!(body("minimax", true)["reasoning_split"], true);
    assert_eq!(body("qwen", false)["enable_thinking"], false);
    assert!(body("qwen", true).get("enable_thinking").is_none());
}

#[test]
fn a_request_that_streams_asks_for_its_usage_and_carries_the_tools() {
    let tools = [ToolSpec {
        name: "shell".into(),
        description: "Runs a command.".into(),
        parameters: json!({"type": "object"}).into(),
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
            options: ChatOptions::default(),
        },
        ToolsIn::Field,
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

#[test]
fn model_f1_the_form_of_an_answer_is_said_as_a_server_takes_it() {
    let form = AnswerForm::sample();
    let tools = [ToolSpec {
        name: "shell".into(),
        description: "Runs a command.".into(),
        parameters: json!({"type": "object"}).into(),
    }];
    let body = |quirks: &str, tools: &[ToolSpec], tools_in: ToolsIn| {
        let config = OpenAiConfig {
            quirks: Quirks::named(quirks, &here().served.base_url),
            ..here()
        };
        let request = ChatRequest {
            tools,
            stream: true,
            options: ChatOptions {
                form: Some(&form),
                max_tokens: Some(30),
                ..ChatOptions::default()
            },
            ..ChatRequest::default()
        };
        request::body(&config, &request, tools_in)
    };
    for quirks in ["none", "openai", "vllm", "ollama", "openrouter", "gemini"] {
        let body = body(quirks, &[], ToolsIn::Field);
        let format = &body["response_format"];
        assert_eq!(format["type"], "json_schema", "{quirks}");
        assert_eq!(format["json_schema"]["name"], "sample");
        assert_eq!(format["json_schema"]["strict"], true);
        assert!(body.get("grammar").is_none());
    }
    for quirks in ["deepseek", "glm", "qwen", "minimax", "moonshot"] {
        let body = body(quirks, &[], ToolsIn::Field);
        assert!(body.get("response_format").is_none(), "{quirks}");
    }
    assert_eq!(body("qwen", &[], ToolsIn::Field)["enable_thinking"], false);
    let llama = body("llama", &[], ToolsIn::Field);
    assert!(
        llama["grammar"]
            .as_str()
            .unwrap()
            .contains("\\\"names\\\":")
    );
    assert_eq!(llama["max_tokens"], 30);
    assert_eq!(llama["return_progress"], true);
    // llama.cpp refuses a grammar beside tools, and needs one where they stand in the prompt.
    let with_tools = body("llama", &tools, ToolsIn::Field);
    assert!(with_tools.get("grammar").is_none());
    let spoken = body("llama", &tools, ToolsIn::Prompt);
    assert!(spoken.get("tools").is_none());
    assert!(
        spoken["grammar"]
            .as_str()
            .unwrap()
            .starts_with("root ::= call | text")
    );
}

/// Pictures stay what they are, calls and results become text, and no role speaks twice in a row.
#[test]
fn model_f4_a_conversation_is_spoken_where_tools_stand_in_the_prompt() {
    let messages = conversation();
    let tools = [ToolSpec {
        name: "file_read".into(),
        description: "Reads.".into(),
        parameters: json!({"type": "object"}).into(),
    }];
    let request = ChatRequest {
        system: "be brief",
        messages: &messages,
        tools: &tools,
        ..ChatRequest::default()
    };
    let body = request::body(&here(), &request, ToolsIn::Prompt);
    let messages = body["messages"].as_array().unwrap();
    let roles: Vec<_> = messages
        .iter()
        .map(|it| it["role"].as_str().unwrap())
        .collect();
    assert_eq!(roles, ["system", "user", "assistant", "user", "assistant"]);
    let system = messages[0]["content"].as_str().unwrap();
    assert!(system.contains("be brief") && system.contains("- file_read: Reads."));
    let called = r#"{"tool": "file_read", "args": {"path":"a"}}"#;
    assert!(messages[2]["content"].as_str().unwrap().starts_with(called));
    let result = messages[3]["content"].as_str().unwrap();
    assert!(result.starts_with("[result of file_read]"), "{result}");
}
