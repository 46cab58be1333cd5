//! A request of this wire in the words of the other, so that tests ask one thing about both.

use serde_json::{Map, Value, json};

/// Tells a request as a chat completion.
pub(crate) fn as_chat(body: &Value) -> Value {
    let mut messages = Vec::new();
    let system = texts(&body["system"]);
    if !system.is_empty() {
        messages.push(json!({"role": "system", "content": system.join("\n")}));
    }
    for message in list(&body["messages"]) {
        if message["role"] == "assistant" {
            messages.push(assistant(&message["content"]));
        } else {
            messages.extend(user(&message["content"]));
        }
    }
    let mut chat = Map::new();
    chat.insert("messages".into(), messages.into());
    for field in ["model", "max_tokens", "temperature", "stream"] {
        if let Some(value) = body.get(field) {
            chat.insert(field.into(), value.clone());
        }
    }
    if let Some(tools) = body["tools"].as_array() {
        chat.insert("tools".into(), tools.iter().map(function).collect());
    }
    Value::Object(chat)
}

/// Each text and each result is a message of its own there.
fn user(content: &Value) -> Vec<Value> {
    if let Some(text) = content.as_str() {
        return vec![json!({"role": "user", "content": text})];
    }
    let said = |block: &Value| match block["type"].as_str() {
        Some("tool_result") => json!({
            "role": "tool",
            "tool_call_id": block["tool_use_id"],
            "content": texts(&block["content"]).join("\n"),
        }),
        Some("image") => {
            let source = &block["source"];
            let field = |name: &str| source[name].as_str().unwrap_or_default();
            let url = format!("data:{};base64,{}", field("media_type"), field("data"));
            let picture = json!({"type": "image_url", "image_url": {"url": url}});
            json!({"role": "user", "content": [picture]})
        }
        _ => json!({"role": "user", "content": block["text"]}),
    };
    list(content).iter().map(said).collect()
}

fn assistant(content: &Value) -> Value {
    let mut message = json!({"role": "assistant", "content": texts(content).concat()});
    let blocks = |kind: &'static str| list(content).iter().filter(move |it| it["type"] == kind);
    let thoughts: Vec<_> = blocks("thinking")
        .filter_map(|block| block["thinking"].as_str())
        .collect();
    if !thoughts.is_empty() {
        message["reasoning_content"] = thoughts.concat().into();
    }
    let calls: Vec<_> = blocks("tool_use").map(call).collect();
    if !calls.is_empty() {
        message["tool_calls"] = calls.into();
    }
    message
}

fn call(block: &Value) -> Value {
    json!({
        "id": block["id"],
        "type": "function",
        "function": {"name": block["name"], "arguments": block["input"].to_string()},
    })
}

fn function(tool: &Value) -> Value {
    json!({
        "type": "function",
        "function": {
            "name": tool["name"],
            "description": tool["description"],
            "parameters": tool["input_schema"],
        },
    })
}

/// The texts of a content, whether it is a string or blocks.
fn texts(content: &Value) -> Vec<String> {
    if let Some(text) = content.as_str() {
        return vec![text.to_owned()];
    }
    let texts = list(content)
        .iter()
        .filter_map(|block| block["text"].as_str());
    texts.map(str::to_owned).collect()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
