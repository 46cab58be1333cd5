//! The published contract of a request of this wire, as far as a caller can break it.

use axum::http::HeaderMap;
use serde_json::{Map, Value};

use super::signature_of;
use crate::model::check::check_picture;

/// The fields of a request.
const FIELDS: &[&str] = &[
    "cache_control",
    "container",
    "inference_geo",
    "max_tokens",
    "messages",
    "metadata",
    "model",
    "output_config",
    "service_tier",
    "stop_sequences",
    "stream",
    "system",
    "temperature",
    "thinking",
    "tool_choice",
    "tools",
    "top_k",
    "top_p",
];
const MOST_MARKS: usize = 4;
const LONGEST_NAME: usize = 64;
const LEAST_THINKING: u64 = 1024;

type Checked = Result<(), String>;

/// Tells what is wrong with a request, if something is.
pub(crate) fn check(headers: &HeaderMap, body: &Value) -> Checked {
    ensure(
        headers.get("anthropic-version").is_some(),
        "anthropic-version: header is required",
    )?;
    ensure(
        headers.get("authorization").is_none(),
        "the key belongs into x-api-key",
    )?;
    let Value::Object(fields) = body else {
        return Err("the body must be an object".to_owned());
    };
    if let Some(unknown) = fields.keys().find(|name| !FIELDS.contains(&name.as_str())) {
        return Err(format!("{unknown}: Extra inputs are not permitted"));
    }
    let model = body["model"].as_str().unwrap_or_default();
    ensure(!model.is_empty(), "model: Field required")?;
    let most = body["max_tokens"].as_u64().filter(|most| *most > 0);
    let most = most.ok_or("max_tokens: Field required")?;
    check_thinking(fields, most)?;
    let tools = check_tools(fields)?;
    check_system(&body["system"])?;
    let messages = body["messages"]
        .as_array()
        .filter(|messages| !messages.is_empty());
    let messages = messages.ok_or("messages: at least one message is required")?;
    check_messages(messages, !tools.is_empty())?;
    if fields
        .get("thinking")
        .is_some_and(|it| it["type"] == "enabled")
    {
        check_thought_of_last(messages)?;
    }
    ensure(
        marks(body) <= MOST_MARKS,
        "A maximum of 4 blocks with cache_control may be provided.",
    )
}

fn ensure(holds: bool, otherwise: impl Into<String>) -> Checked {
    if holds { Ok(()) } else { Err(otherwise.into()) }
}

fn check_thinking(fields: &Map<String, Value>, most: u64) -> Checked {
    let temperature = fields.get("temperature").map(Value::as_f64);
    let in_range = temperature.is_none_or(|it| it.is_some_and(|it| (0.0..=1.0).contains(&it)));
    ensure(in_range, "temperature: range: 0..1")?;
    let Some(thinking) = fields.get("thinking") else {
        return Ok(());
    };
    ensure(
        temperature.is_none_or(|it| it == Some(1.0)),
        "`temperature` may only be set to 1 when thinking is enabled or in adaptive mode.",
    )?;
    match thinking["type"].as_str() {
        Some("enabled") => {
            let budget = thinking["budget_tokens"].as_u64().unwrap_or_default();
            ensure(
                budget >= LEAST_THINKING,
                "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024",
            )?;
            ensure(
                budget < most,
                "`max_tokens` must be greater than `thinking.budget_tokens`",
            )
        }
        Some("adaptive" | "disabled") => ensure(
            thinking.get("budget_tokens").is_none(),
            "thinking.adaptive.budget_tokens: Extra inputs are not permitted",
        ),
        _ => Err("thinking.type: unknown".to_owned()),
    }
}

/// Checks the tools and returns their names.
fn check_tools(fields: &Map<String, Value>) -> Result<Vec<&str>, String> {
    let Some(tools) = fields.get("tools") else {
        return Ok(Vec::new());
    };
    let tools = tools.as_array().ok_or("tools: Input should be a list")?;
    let mut names = Vec::new();
    for tool in tools {
        let name = tool["name"].as_str().unwrap_or_default();
        ensure(is_name(name), format!("tools: {name:?} is no name"))?;
        ensure(!names.contains(&name), "tools: Tool names must be unique.")?;
        ensure(
            tool["input_schema"]["type"] == "object",
            format!("tools: {name}: input_schema.type: Input should be 'object'"),
        )?;
        let known = ["name", "description", "input_schema", "cache_control"];
        let extra = tool.as_object().into_iter().flatten();
        for (field, _) in extra {
            ensure(
                known.contains(&field.as_str()),
                format!("tools: {field}: Extra inputs are not permitted"),
            )?;
        }
        names.push(name);
    }
    Ok(names)
}

fn is_name(name: &str) -> bool {
    (1..=LONGEST_NAME).contains(&name.len())
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}

fn check_system(system: &Value) -> Checked {
    match system {
        Value::Null | Value::String(_) => Ok(()),
        Value::Array(blocks) => blocks.iter().try_for_each(|block| {
            ensure(block["type"] == "text", "system: only text blocks")?;
            check_text(block)
        }),
        _ => Err("system: Input should be a text or a list".to_owned()),
    }
}

/// Checks each message, that roles take turns, and that the next message answers each call.
fn check_messages(messages: &[Value], has_tools: bool) -> Checked {
    let mut open: Vec<&str> = Vec::new();
    let mut last = "assistant";
    for (position, message) in messages.iter().enumerate() {
        let at = |why: String| format!("messages.{position}: {why}");
        let role = message["role"].as_str().unwrap_or_default();
        ensure(
            ["user", "assistant"].contains(&role),
            at(format!("role {role:?} is unknown")),
        )?;
        ensure(
            role != last,
            at("roles must alternate between \"user\" and \"assistant\"".to_owned()),
        )?;
        last = role;
        let blocks = match &message["content"] {
            Value::String(text) => {
                ensure(!text.is_empty(), at("content is empty".to_owned()))?;
                &[][..]
            }
            Value::Array(blocks) if !blocks.is_empty() => blocks.as_slice(),
            _ => return Err(at("content: at least one block is required".to_owned())),
        };
        for block in blocks {
            check_block(role, block, has_tools).map_err(at)?;
        }
        if role == "user" {
            check_answers(blocks, &open).map_err(at)?;
            open.clear();
        } else {
            open = ids(blocks, "tool_use", "id").map_err(at)?;
        }
    }
    ensure(last == "user", "messages: the last one must be the user's")
}

/// Each call of the message before has one result, at the head of this one.
fn check_answers(blocks: &[Value], open: &[&str]) -> Checked {
    let results = ids(blocks, "tool_result", "tool_use_id")?;
    for id in open {
        ensure(
            results.contains(id),
            format!(
                "`tool_use` ids were found without `tool_result` blocks immediately after: {id}"
            ),
        )?;
    }
    for id in &results {
        ensure(
            open.contains(id),
            format!("unexpected `tool_use_id` found in `tool_result` blocks: {id}"),
        )?;
    }
    let head = blocks.iter().take(results.len());
    let is_first = head.into_iter().all(|block| block["type"] == "tool_result");
    ensure(is_first, "`tool_result` blocks must come first")
}

/// Returns the ids of blocks of a kind, which differ.
fn ids<'a>(blocks: &'a [Value], kind: &str, field: &str) -> Result<Vec<&'a str>, String> {
    let mut ids = Vec::new();
    for block in blocks.iter().filter(|block| block["type"] == kind) {
        let id = block[field].as_str().unwrap_or_default();
        ensure(is_name(id), format!("{kind}.{field}: {id:?} is no id"))?;
        ensure(
            !ids.contains(&id),
            format!("`{kind}` ids must be unique: {id}"),
        )?;
        ids.push(id);
    }
    Ok(ids)
}

fn check_block(role: &str, block: &Value, has_tools: bool) -> Checked {
    match (role, block["type"].as_str().unwrap_or_default()) {
        (_, "text") => check_text(block),
        ("user", "tool_result") => {
            ensure(has_tools, "`tool_result` blocks need `tools`")?;
            let content = &block["content"];
            let is_content = content.is_string() || content.is_array() || content.is_null();
            ensure(is_content, "tool_result.content: text or blocks")
        }
        ("user", "image") => {
            let source = &block["source"];
            ensure(source["type"] == "base64", "image.source: only base64 here")?;
            let field = |name: &str| source[name].as_str().unwrap_or_default();
            check_picture(field("media_type"), field("data"))
        }
        ("assistant", "tool_use") => {
            ensure(has_tools, "`tool_use` blocks need `tools`")?;
            let name = block["name"].as_str().unwrap_or_default();
            ensure(is_name(name), format!("tool_use.name: {name:?} is no name"))?;
            ensure(
                block["input"].is_object(),
                "tool_use.input: Input should be a valid dictionary",
            )
        }
        ("assistant", "thinking") => check_thought(block),
        ("assistant", "redacted_thinking") => ensure(
            block["data"].as_str().is_some_and(|data| !data.is_empty()),
            "redacted_thinking.data: Field required",
        ),
        (_, kind) => Err(format!("a block of type {kind:?} cannot be of role {role}")),
    }
}

fn check_text(block: &Value) -> Checked {
    let text = block["text"].as_str().unwrap_or_default();
    ensure(
        !text.trim().is_empty(),
        "text content blocks must contain non-whitespace text",
    )
}

fn check_thought(block: &Value) -> Checked {
    let text = block["thinking"].as_str().unwrap_or_default();
    ensure(
        block["signature"] == signature_of(text),
        "Invalid `signature` in `thinking` block",
    )?;
    ensure(
        block.get("cache_control").is_none(),
        "thinking.cache_control: Extra inputs are not permitted",
    )
}

/// An answer that waits for the results of its calls begins with what the model thought.
fn check_thought_of_last(messages: &[Value]) -> Checked {
    let mut answers = messages.iter().rev();
    let last = answers.find(|message| message["role"] == "assistant");
    let blocks = last.and_then(|message| message["content"].as_array());
    let blocks = blocks.map_or(&[][..], Vec::as_slice);
    let calls = blocks.iter().any(|block| block["type"] == "tool_use");
    let first = blocks.first().map(|block| &block["type"]);
    let thought = first.is_some_and(|kind| kind == "thinking" || kind == "redacted_thinking");
    ensure(
        !calls || thought,
        "Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, \
         a final `assistant` message must start with a thinking block",
    )
}

/// Counts the marks of the cache, wherever they stand.
fn marks(value: &Value) -> usize {
    match value {
        Value::Object(fields) => {
            let own = usize::from(fields.contains_key("cache_control"));
            own + fields.values().map(marks).sum::<usize>()
        }
        Value::Array(items) => items.iter().map(marks).sum(),
        _ => 0,
    }
}
