//! A question in the words of the chat completions API.
//!
//! Protocol: the API reference of `POST /chat/completions`; `reasoning_content` is DeepSeek's
//! extension, which several servers share.

use sayso_core::transcript::{
    AssistantMessage, ConversationMessage, ThoughtKind, ToolCall, ToolSpec,
};
use serde_json::{Map, Value, json};

use super::alternation::alternating;
use super::content::user_content;
use super::quirks::FormsAs;
use super::{OpenAiConfig, Quirks, spoken};
use crate::llama::grammar;
use crate::wire::arguments;
use crate::{ChatRequest, ToolsIn};

/// Returns the body of a request, with its tools in this place.
pub(super) fn body(
    config: &OpenAiConfig,
    request: &ChatRequest<'_>,
    tools_in: ToolsIn,
) -> Map<String, Value> {
    let quirks = &config.quirks;
    let mut body = Map::new();
    body.insert("model".into(), config.served.model.as_str().into());
    let is_spoken = tools_in == ToolsIn::Prompt && has_tools(request);
    let messages = if is_spoken {
        spoken::messages(request, config)
    } else {
        messages(request, config)
    };
    body.insert("messages".into(), messages);
    if !request.tools.is_empty() && !is_spoken {
        body.insert("tools".into(), request.tools.iter().map(function).collect());
    }
    body.extend(form(quirks, request, is_spoken));
    let temperature = request.temperature.unwrap_or(config.served.temperature);
    body.insert("temperature".into(), temperature.min(quirks.hottest).into());
    let most = request.options.max_tokens.unwrap_or(u32::MAX);
    let most = config.served.max_tokens.min(most);
    body.insert(quirks.limit.into(), most.into());
    body.insert("stream".into(), request.stream.into());
    if request.stream {
        body.insert("stream_options".into(), json!({"include_usage": true}));
    }
    // A short answer in a form is not thought about, however it comes.
    let is_brief = !request.stream || request.options.form.is_some();
    let brief = quirks.in_one_piece.iter().filter(|_| is_brief);
    let streamed = quirks.in_pieces.iter().filter(|_| request.stream);
    for (field, value) in quirks.always.iter().chain(brief).chain(streamed) {
        body.insert((*field).into(), (*value).into());
    }
    body
}

/// Returns whether there are tools to speak of: some that are offered, or were called before.
fn has_tools(request: &ChatRequest<'_>) -> bool {
    let mut messages = request.messages.iter();
    !request.tools.is_empty()
        || messages.any(|message| match message {
            ConversationMessage::Assistant(said) => !said.calls.is_empty(),
            ConversationMessage::ToolResult { .. } => true,
            ConversationMessage::User { .. } => false,
        })
}

/// Returns the fields that hold the form of the answer: of a call where tools stand in the prompt, else
/// what the question asks for.
fn form(quirks: &Quirks, request: &ChatRequest<'_>, is_spoken: bool) -> Vec<(String, Value)> {
    let takes_grammar = quirks.forms == FormsAs::Grammar;
    if !request.tools.is_empty() {
        let is_held = is_spoken && takes_grammar;
        let held = is_held.then(|| ("grammar".to_owned(), grammar::of(request.tools).into()));
        return held.into_iter().collect();
    }
    let Some(form) = request.options.form else {
        return Vec::new();
    };
    match quirks.forms {
        FormsAs::Words => Vec::new(),
        FormsAs::Schema => {
            let schema = json!({"name": form.name, "strict": true, "schema": form.schema()});
            let format = json!({"type": "json_schema", "json_schema": schema});
            vec![("response_format".to_owned(), format)]
        }
        // A thought before the form would break the grammar.
        FormsAs::Grammar => vec![
            ("grammar".to_owned(), grammar::of_form(form).into()),
            (
                "chat_template_kwargs".to_owned(),
                json!({"enable_thinking": false}),
            ),
        ],
    }
}

fn messages(request: &ChatRequest<'_>, config: &OpenAiConfig) -> Value {
    let quirks = &config.quirks;
    let system =
        (!request.system.is_empty()).then(|| json!({"role": "system", "content": request.system}));
    let said = request.messages.iter().map(|it| message(it, config));
    let messages: Vec<Value> = system.into_iter().chain(said).collect();
    if quirks.strict_roles {
        return Value::Array(alternating(messages));
    }
    Value::Array(messages)
}

fn message(message: &ConversationMessage, config: &OpenAiConfig) -> Value {
    match message {
        ConversationMessage::User { text, images } => {
            json!({"role": "user", "content": user_content(text, images, config.served.sight)})
        }
        ConversationMessage::Assistant(assistant) => assistant_message(assistant, &config.quirks),
        ConversationMessage::ToolResult { call, .. } => json!({
            "role": "tool",
            "tool_call_id": call.0,
            "content": message.result_text(),
        }),
    }
}

/// Beside tool calls an empty text is `null`, or empty where that is refused; alone it must be a
/// string, which may be empty.
fn assistant_message(assistant: &AssistantMessage, quirks: &Quirks) -> Value {
    let has_calls = !assistant.calls.is_empty();
    let content = if assistant.text.is_empty() && has_calls && quirks.null_beside_calls {
        Value::Null
    } else {
        assistant.text.as_str().into()
    };
    let mut wire = json!({"role": "assistant", "content": content});
    let due = quirks.reasoning_is_due.filter(|_| has_calls);
    let reasoning = assistant.reasoning_content.as_deref().or(due);
    if let (Some(field), Some(reasoning)) = (quirks.reasoning, reasoning) {
        wire[field] = reasoning.into();
    }
    if has_calls {
        let calls = assistant.calls.iter().enumerate();
        wire["tool_calls"] = calls
            .map(|(place, it)| call(it, attached(assistant, place, quirks)))
            .collect();
    }
    wire
}

/// Returns what came with a call, where it is wanted back.
fn attached<'a>(message: &'a AssistantMessage, place: usize, quirks: &Quirks) -> Option<&'a Value> {
    let thoughts = message.thoughts.iter().filter(|_| quirks.signs_calls);
    let mut attached = thoughts.filter_map(|thought| match &thought.kind {
        ThoughtKind::Attached { data } if thought.behind_calls == place => Some(data),
        ThoughtKind::Attached { .. }
        | ThoughtKind::Signed { .. }
        | ThoughtKind::Redacted { .. } => None,
    });
    attached.next()
}

fn call(call: &ToolCall, attached: Option<&Value>) -> Value {
    let mut wire = json!({
        "id": call.id.0,
        "type": "function",
        "function": {"name": call.name, "arguments": arguments::as_object(&call.arguments).to_string()},
    });
    if let Some(extra) = attached {
        wire["extra_content"] = extra.clone();
    }
    wire
}

fn function(tool: &ToolSpec) -> Value {
    json!({
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description,
            "parameters": tool.parameters,
        },
    })
}
