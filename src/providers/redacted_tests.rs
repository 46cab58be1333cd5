//! What a model hears and says, with a redactor around it.

use std::sync::Arc;

use sayso_core::redact::{KnownSecret, Redactor};
use sayso_core::transcript::{
    AssistantMessage, CallId, ConversationMessage, OutsideSource, Thought, ThoughtKind, ToolCall,
    ToolOutcome,
};
use secrecy::SecretString;
use serde_json::json;

use super::Redacted;
use crate::{ChatOptions, ChatRequest, Provider, ProviderError, Reply, Scripted};

const KEY: &str = "canary-7391-of-the-house";

fn call(arguments: serde_json::Value) -> ToolCall {
    ToolCall {
        id: CallId("call_1_0".into()),
        name: "shell".into(),
        arguments,
    }
}

fn signed(text: &str) -> Thought {
    Thought {
        behind_text: 0,
        behind_calls: 0,
        kind: ThoughtKind::Signed {
            text: text.into(),
            signature: "c2ln".into(),
        },
    }
}

async fn ask(
    scripted: &Arc<Scripted>,
    messages: &[ConversationMessage],
) -> Result<Reply, ProviderError> {
    let known = KnownSecret::new("provider-key", SecretString::from(KEY));
    let provider: Arc<dyn Provider> = Arc::clone(scripted) as Arc<dyn Provider>;
    let redacted = Redacted::new(provider, Redactor::new([known]).unwrap());
    let request = ChatRequest {
        system: &format!("Your key is {KEY}."),
        messages,
        tools: &[],
        temperature: None,
        stream: false,
        attempts: None,
        wanted: None,
        options: ChatOptions::default(),
    };
    redacted.chat_with_tools(request, &|_| {}).await
}

#[tokio::test]
async fn no_part_of_a_prompt_holds_a_secret() {
    let scripted = Arc::new(Scripted::default().then_says("Fine."));
    let answer = AssistantMessage {
        text: format!("I use {KEY}."),
        reasoning_content: Some(format!("They gave me {KEY}.")),
        thoughts: vec![signed(&format!("My key is {KEY}.")), signed("Fine.")],
        calls: vec![call(json!({"command": ["echo", KEY]}))],
    };
    let result = ConversationMessage::ToolResult {
        call: CallId("call_1_0".into()),
        name: "shell".into(),
        outcome: ToolOutcome::Failed {
            error: format!("{KEY}: not found"),
            partial: Some(KEY.to_owned()),
        },
        outside: Some(OutsideSource::new(format!("shell {KEY}"))),
    };
    let said = ConversationMessage::user(format!("My key is {KEY}."));
    ask(
        &scripted,
        &[said, ConversationMessage::Assistant(answer), result],
    )
    .await
    .unwrap();
    let asked = format!("{:?}", scripted.asked());
    assert!(!asked.contains(KEY), "{asked}");
    // Signed content is sent unchanged, or not at all.
    assert_eq!(asked.matches("c2ln").count(), 1, "{asked}");
    assert_eq!(
        asked.matches("[redacted: provider-key]").count(),
        8,
        "{asked}"
    );
}

#[tokio::test]
async fn an_answer_holds_no_secret_and_its_calls_stay_as_they_are() {
    let wanted = call(json!({"command": format!("echo {KEY}")}));
    let text = format!("Now {KEY} is said.");
    let scripted = Arc::new(Scripted::default().then_calls(&text, vec![wanted.clone()]));
    let reply = ask(&scripted, &[]).await.unwrap();
    assert_eq!(reply.message.text, "Now [redacted: provider-key] is said.");
    assert_eq!(reply.message.calls, [wanted]);
}

#[tokio::test]
async fn what_went_wrong_is_told_without_a_secret() {
    let refused = ProviderError::Refused {
        status: 401,
        message: format!("Incorrect API key provided: {KEY}"),
    };
    let scripted = Arc::new(Scripted::new([Err(refused)]));
    let error = ask(&scripted, &[]).await.unwrap_err();
    assert!(!error.to_string().contains(KEY), "{error}");
}
