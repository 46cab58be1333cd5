//! Questions as they leave.

use sayso_core::Language;
use sayso_core::transcript::{
    AssistantMessage, CallId, ConversationMessage, Thought, ThoughtKind, ToolCall, ToolOutcome,
    ToolSpec, note_heading,
};
use serde_json::{Value, json};

use super::super::tests::config;
use super::{Dialect, body};
use crate::{ChatOptions, ChatRequest, ProviderError};

fn call(id: &str, arguments: Value) -> ToolCall {
    ToolCall {
        id: CallId(id.into()),
        name: "shell".into(),
        arguments,
    }
}

fn answer(text: &str, calls: Vec<ToolCall>) -> AssistantMessage {
    AssistantMessage {
        text: text.into(),
        calls,
        ..AssistantMessage::default()
    }
}

fn signed(behind_text: usize, text: &str) -> Thought {
    Thought {
        behind_text,
        behind_calls: 0,
        kind: ThoughtKind::Signed {
            text: text.into(),
            signature: "c2ln".into(),
        },
    }
}

fn result(id: &str, outcome: ToolOutcome) -> ConversationMessage {
    ConversationMessage::ToolResult {
        call: CallId(id.into()),
        name: "shell".into(),
        outcome,
        outside: None,
    }
}

fn success(id: &str, output: &str) -> ConversationMessage {
    let output = output.to_owned();
    result(id, ToolOutcome::Success { output })
}

fn tools() -> Vec<ToolSpec> {
    vec![ToolSpec {
        name: "shell".into(),
        description: "Runs a command.".into(),
        parameters: json!({"type": "object"}).into(),
    }]
}

fn request<'a>(messages: &'a [ConversationMessage], tools: &'a [ToolSpec]) -> ChatRequest<'a> {
    ChatRequest {
        system: "Be kind.",
        messages,
        tools,
        temperature: None,
        stream: true,
        attempts: None,
        wanted: None,
        options: ChatOptions::default(),
    }
}

fn written(messages: &[ConversationMessage], tools: &[ToolSpec]) -> Value {
    let config = config("https://api.anthropic.com");
    let body = body(&config, &request(messages, tools), &Dialect::default());
    Value::Object(body)
}

fn assistant(message: AssistantMessage) -> ConversationMessage {
    ConversationMessage::Assistant(message)
}

#[test]
fn a_question_is_as_the_reference_has_it() {
    let body = written(&[ConversationMessage::user("hello")], &tools());
    let cached = json!({"type": "ephemeral"});
    assert_eq!(
        body,
        json!({
            "model": "claude",
            "max_tokens": 64,
            "tools": [{
                "name": "shell",
                "description": "Runs a command.",
                "input_schema": {"type": "object"},
                "cache_control": cached,
            }],
            "system": [{"type": "text", "text": "Be kind.", "cache_control": cached}],
            "messages": [{"role": "user", "content": [
                {"type": "text", "text": "hello", "cache_control": cached},
            ]}],
            "temperature": 0.7,
            "stream": true,
        })
    );
}

#[test]
fn roles_take_turns_and_results_stand_first() {
    let body = written(
        &[
            ConversationMessage::user("look"),
            ConversationMessage::user("   "),
            ConversationMessage::user("both"),
            assistant(answer(
                "",
                vec![call("a", json!({"x": 1})), call("b", json!("ls"))],
            )),
            ConversationMessage::user("quickly"),
            success("a", "one"),
            result("b", ToolOutcome::invalid("no object")),
        ],
        &tools(),
    );
    assert_eq!(
        body["messages"],
        json!([
            {"role": "user", "content": [
                {"type": "text", "text": "look"},
                {"type": "text", "text": "both"},
            ]},
            {"role": "assistant", "content": [
                {"type": "tool_use", "id": "a", "name": "shell", "input": {"x": 1}},
                {"type": "tool_use", "id": "b", "name": "shell", "input": {"not_json": "ls"}},
            ]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "a", "content": "one"},
                {"type": "tool_result", "tool_use_id": "b", "content": "[error] E_INVALID_ARGS: no object",
                 "is_error": true},
                {"type": "text", "text": "quickly", "cache_control": {"type": "ephemeral"}},
            ]},
        ])
    );
}

#[test]
fn an_answer_of_nothing_is_left_out() {
    let body = written(
        &[
            assistant(answer("Hello.", vec![])),
            ConversationMessage::user("hi"),
            assistant(answer(" ", vec![])),
            ConversationMessage::user("still there?"),
        ],
        &[],
    );
    assert_eq!(
        body["messages"],
        json!([
            {"role": "user", "content": [{"type": "text", "text": "(earlier messages are left out)"}]},
            {"role": "assistant", "content": [{"type": "text", "text": "Hello."}]},
            {"role": "user", "content": [
                {"type": "text", "text": "hi"},
                {"type": "text", "text": "still there?"},
            ]},
        ])
    );
}

#[test]
fn without_tools_calls_are_told_in_words() {
    let mut thinking = answer("Looking.", vec![call("a", json!({"x": 1}))]);
    thinking.thoughts.push(signed(0, "Hm."));
    let body = written(
        &[
            ConversationMessage::user("look"),
            assistant(thinking),
            success("a", "one"),
            ConversationMessage::user("sum up"),
        ],
        &[],
    );
    assert_eq!(
        body["messages"],
        json!([
            {"role": "user", "content": [{"type": "text", "text": "look"}]},
            {"role": "assistant", "content": [
                {"type": "text", "text": "Looking."},
                {"type": "text", "text": "[called shell with {\"x\":1}]"},
            ]},
            {"role": "user", "content": [
                {"type": "text", "text": "[shell gave]\none"},
                {"type": "text", "text": "sum up"},
            ]},
        ])
    );
    assert_eq!(body.get("tools"), None);
}

#[test]
fn thoughts_go_back_where_they_stood() {
    let mut thinking = answer("你好。", vec![call("a", json!({}))]);
    thinking.thoughts = vec![
        signed(0, "Hm."),
        Thought {
            behind_text: 4,
            behind_calls: 0,
            kind: ThoughtKind::Redacted {
                data: "ZGF0YQ==".into(),
            },
        },
        signed(100, ""),
    ];
    let body = written(
        &[
            ConversationMessage::user("look"),
            assistant(thinking),
            success("a", "one"),
        ],
        &tools(),
    );
    assert_eq!(
        body["messages"][1]["content"],
        json!([
            {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"},
            {"type": "text", "text": "你"},
            {"type": "redacted_thinking", "data": "ZGF0YQ=="},
            {"type": "text", "text": "好。"},
            {"type": "thinking", "thinking": "", "signature": "c2ln"},
            {"type": "tool_use", "id": "a", "name": "shell", "input": {}},
        ])
    );
}

fn thinks(messages: &[ConversationMessage], temperature: Option<f64>, dialect: &Dialect) -> Value {
    let mut config = config("https://api.anthropic.com");
    config.thinking_tokens = Some(2048);
    let tools = tools();
    let request = ChatRequest {
        temperature,
        ..request(messages, &tools)
    };
    let body = body(&config, &request, dialect);
    json!([
        body.get("thinking"),
        body.get("temperature"),
        body["max_tokens"]
    ])
}

#[test]
fn a_model_thinks_where_it_was_told_to_and_may() {
    let dialect = Dialect::default();
    let hello = [ConversationMessage::user("hello")];
    let enabled = json!([{"type": "enabled", "budget_tokens": 2048}, null, 2112]);
    assert_eq!(thinks(&hello, None, &dialect), enabled);
    assert_eq!(thinks(&hello, Some(0.1), &dialect), json!([null, 0.1, 64]));

    // The answer of another model, whose calls have their results now.
    let step = answer("", vec![call("a", json!({}))]);
    let strange = [
        hello[0].clone(),
        assistant(step.clone()),
        success("a", "one"),
    ];
    assert_eq!(thinks(&strange, None, &dialect), json!([null, 0.7, 64]));
    let mut own = step;
    own.thoughts.push(signed(0, "Hm."));
    let own = [hello[0].clone(), assistant(own), success("a", "one")];
    assert_eq!(thinks(&own, None, &dialect), enabled);

    let refused = ProviderError::Refused {
        status: 400,
        message: "\"thinking.type.enabled\" is not supported for this model.".into(),
    };
    let sent = json!({"thinking": {"type": "enabled", "budget_tokens": 2048}});
    assert!(dialect.learn(sent.as_object().unwrap(), &refused));
    let adaptive = json!([{"type": "adaptive"}, null, 2112]);
    assert_eq!(thinks(&strange, None, &dialect), adaptive);
}

#[test]
fn a_name_that_cannot_be_one_is_written_as_one() {
    let mut odd = call("a", json!({}));
    odd.name = "functions.shell 你".into();
    let mut empty = call("b", json!({}));
    empty.name = String::new();
    let body = written(
        &[
            ConversationMessage::user("look"),
            assistant(answer("", vec![odd, empty])),
            success("a", "one"),
            success("b", "two"),
        ],
        &tools(),
    );
    let names = &body["messages"][1]["content"];
    assert_eq!(names[0]["name"], "functions_shell__");
    assert_eq!(names[1]["name"], "_");
}

#[test]
fn model_f3_the_end_of_the_history_is_marked_for_the_cache() {
    let note = note_heading(Language::English);
    let messages = [
        ConversationMessage::user("hello"),
        assistant(answer("Hello!", vec![])),
        ConversationMessage::user(note),
        ConversationMessage::user("and now?"),
    ];
    let body = written(&messages, &tools());
    let cached = json!({"type": "ephemeral"});
    assert_eq!(
        body["messages"],
        json!([
            {"role": "user", "content": [{"type": "text", "text": "hello"}]},
            {"role": "assistant", "content": [
                {"type": "text", "text": "Hello!", "cache_control": cached},
            ]},
            {"role": "user", "content": [
                {"type": "text", "text": note},
                {"type": "text", "text": "and now?", "cache_control": cached},
            ]},
        ])
    );
    // The first turn has no history.
    let body = written(&messages[2..], &tools());
    let marks = body["messages"].to_string().matches("ephemeral").count();
    assert_eq!(marks, 1);
}
