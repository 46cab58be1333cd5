//! Messages of one role joined into one, for chat templates in which user and assistant alternate.

use serde_json::{Value, json};

/// Between the result of a tool and what the user said behind it, where both are one message.
const MEANWHILE: &str = "\n\n[user] ";

/// Joins messages of one role, for templates in which user and assistant alternate. What the user
/// says behind the results of tools joins the last of these, and says whose it is.
pub(super) fn alternating(messages: Vec<Value>) -> Vec<Value> {
    let mut joined: Vec<Value> = Vec::with_capacity(messages.len());
    for message in messages {
        match joined.last_mut() {
            Some(last) if (role(last), role(&message)) == ("user", "user") => {
                join(last, "\n\n", &message);
            }
            Some(last) if (role(last), role(&message)) == ("tool", "user") => {
                join(last, MEANWHILE, &message);
            }
            // Behind its own calls there are results.
            Some(last) if (role(last), role(&message)) == ("assistant", "assistant") => {
                join(last, "\n\n", &message);
                if let Some(calls) = message.get("tool_calls") {
                    last["tool_calls"] = calls.clone();
                }
            }
            _ => joined.push(message),
        }
    }
    joined
}

fn join(last: &mut Value, between: &str, message: &Value) {
    if last["content"].is_array() || message["content"].is_array() {
        let mark = (!between.trim().is_empty()).then(|| json!({"type": "text", "text": between}));
        let all = parts(last).into_iter().chain(mark).chain(parts(message));
        last["content"] = all.collect();
        return;
    }
    let joined = format!("{}{between}{}", text(last), text(message));
    last["content"] = joined.trim().into();
}

fn parts(message: &Value) -> Vec<Value> {
    match &message["content"] {
        Value::Array(parts) => parts.clone(),
        content => vec![json!({"type": "text", "text": content})],
    }
}

fn role(message: &Value) -> &str {
    message["role"].as_str().unwrap_or_default()
}

fn text(message: &Value) -> &str {
    message["content"].as_str().unwrap_or_default()
}
