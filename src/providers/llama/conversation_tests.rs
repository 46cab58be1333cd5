//! Who speaks when, whatever was said in which order.

use sayso_core::transcript::{
    AssistantMessage, CallId, ConversationMessage, ToolCall, ToolOutcome, ToolSpec,
};
use serde_json::json;

use super::Conversation;
use crate::{ChatOptions, ChatRequest};

fn request<'a>(messages: &'a [ConversationMessage], tools: &'a [ToolSpec]) -> ChatRequest<'a> {
    ChatRequest {
        system: "Be kind.",
        messages,
        tools,
        temperature: None,
        stream: false,
        attempts: None,
        wanted: None,
        options: ChatOptions::default(),
    }
}

fn calls() -> ConversationMessage {
    ConversationMessage::Assistant(AssistantMessage {
        text: "I look.".to_owned(),
        calls: vec![ToolCall {
            id: CallId("1".to_owned()),
            name: "list_dir".to_owned(),
            arguments: json!({"path": "."}),
        }],
        ..AssistantMessage::default()
    })
}

fn result() -> ConversationMessage {
    ConversationMessage::ToolResult {
        call: CallId("1".to_owned()),
        name: "list_dir".to_owned(),
        outcome: ToolOutcome::Success {
            output: "a.txt".to_owned(),
        },
        outside: None,
    }
}

#[test]
fn user_and_assistant_alternate_also_behind_results_and_interjections() {
    let tools = [ToolSpec {
        name: "list_dir".to_owned(),
        description: "Lists.".to_owned(),
        parameters: json!({"type": "object"}).into(),
    }];
    let messages = [
        ConversationMessage::user("what is there?"),
        ConversationMessage::user("in this folder"),
        calls(),
        result(),
        ConversationMessage::user("be quick"),
    ];
    let conversation = Conversation::of(&request(&messages, &tools));
    let messages = conversation.messages(true);
    let lines: Vec<String> = messages
        .as_array()
        .unwrap()
        .iter()
        .map(|it| {
            format!(
                "{}: {}",
                it["role"].as_str().unwrap(),
                it["content"].as_str().unwrap()
            )
        })
        .collect();
    insta::assert_snapshot!(lines.join("\n---\n"), @r#"
    system: # Tools
    To use a tool, answer with one line of JSON and nothing else: {"tool": NAME, "args": {...}}
    Its result comes next. Any other answer is plain text that does not begin with {.
    - list_dir: Lists.
      args: {"type":"object"}

    Be kind.
    ---
    user: what is there?

    in this folder
    ---
    assistant: I look.
    {"tool": "list_dir", "args": {"path":"."}}
    ---
    user: [result of list_dir]
    a.txt

    [user] be quick
    "#);
}

#[test]
fn without_a_place_for_it_the_system_prompt_is_in_the_first_message() {
    let messages = [calls(), result()];
    let conversation = Conversation::of(&request(&messages, &[]));
    let (system, turns) = conversation.parted(false);
    assert_eq!(system, "");
    let texts: Vec<_> = turns.iter().map(|turn| turn.text.as_str()).collect();
    assert_eq!(texts[0], "Be kind.\n\n(earlier messages are left out)");
    assert_eq!(texts.len(), 3);
}
