//! The published contract of a chat completion request, as far as a caller can break it.

use serde_json::{Map, Value};

/// The fields of the request, with those that compatible servers have added.
const FIELDS: &[&str] = &[
    "audio",
    "frequency_penalty",
    "function_call",
    "functions",
    "logit_bias",
    "logprobs",
    "max_completion_tokens",
    "max_tokens",
    "messages",
    "metadata",
    "modalities",
    "model",
    "n",
    "parallel_tool_calls",
    "prediction",
    "presence_penalty",
    "prompt_cache_key",
    "reasoning_effort",
    "response_format",
    "safety_identifier",
    "seed",
    "service_tier",
    "stop",
    "store",
    "stream",
    "stream_options",
    "temperature",
    "tool_choice",
    "tools",
    "top_k",
    "top_logprobs",
    "top_p",
    "user",
    "verbosity",
    "web_search_options",
    "chat_template_kwargs",
    "enable_thinking",
    "extra_body",
    "keep_alive",
    "options",
    "reasoning",
    "thinking",
];
const ROLES: &[&str] = &["system", "developer", "user", "assistant", "tool"];
const MOST_TOOLS: usize = 128;
const LONGEST_NAME: usize = 64;

type Checked = Result<(), String>;

/// Tells what is wrong with the body of a request, if something is.
pub(crate) fn check(body: &Value) -> Checked {
    let Value::Object(fields) = body else {
        return Err("the body must be an object".to_owned());
    };
    if let Some(unknown) = fields.keys().find(|name| !FIELDS.contains(&name.as_str())) {
        return Err(format!("Unrecognized request argument supplied: {unknown}"));
    }
    ensure(
        body["model"]
            .as_str()
            .is_some_and(|model| !model.is_empty()),
        "you must provide a model parameter",
    )?;
    check_numbers(fields)?;
    check_flags(fields)?;
    let names = check_tools(fields)?;
    check_tool_choice(fields, &names)?;
    check_form(fields)?;
    let messages = body["messages"]
        .as_array()
        .filter(|messages| !messages.is_empty());
    check_messages(messages.ok_or("'messages' must be a list that is not empty")?)
}

fn ensure(holds: bool, otherwise: impl Into<String>) -> Checked {
    if holds { Ok(()) } else { Err(otherwise.into()) }
}

fn check_numbers(fields: &Map<String, Value>) -> Checked {
    let ranges = [
        ("temperature", 0.0..=2.0),
        ("top_p", 0.0..=1.0),
        ("frequency_penalty", -2.0..=2.0),
        ("presence_penalty", -2.0..=2.0),
    ];
    for (name, range) in ranges {
        let Some(value) = fields.get(name) else {
            continue;
        };
        let fits = value.as_f64().is_some_and(|number| range.contains(&number));
        ensure(fits, format!("'{name}' is {value}, expected {range:?}"))?;
    }
    for name in ["max_tokens", "max_completion_tokens", "n"] {
        let Some(value) = fields.get(name) else {
            continue;
        };
        let fits = value.as_u64().is_some_and(|number| number > 0);
        ensure(
            fits,
            format!("'{name}' is {value}, expected a whole number above 0"),
        )?;
    }
    let both = fields.contains_key("max_tokens") && fields.contains_key("max_completion_tokens");
    ensure(
        !both,
        "'max_tokens' and 'max_completion_tokens' cannot both be set",
    )
}

/// The words of the strict subset of JSON Schema, without those for texts and numbers.
const SCHEMA_WORDS: [&str; 10] = [
    "type",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "enum",
    "anyOf",
    "minItems",
    "maxItems",
    "description",
];

/// Checks the form of the answer, in the words of OpenAI's guide to structured outputs.
fn check_form(fields: &Map<String, Value>) -> Checked {
    let Some(form) = fields.get("response_format") else {
        return Ok(());
    };
    if form["type"] != "json_schema" {
        return Ok(());
    }
    let schema = &form["json_schema"]["schema"];
    ensure(
        form["json_schema"]["name"].is_string() && schema["type"] == "object",
        "Invalid schema for response_format: it needs a name, and an object at its root",
    )?;
    check_schema(schema)
}

fn check_schema(schema: &Value) -> Checked {
    let Some(fields) = schema.as_object() else {
        return Err("Invalid schema for response_format: no object".to_owned());
    };
    if let Some(word) = fields
        .keys()
        .find(|it| !SCHEMA_WORDS.contains(&it.as_str()))
    {
        return Err(format!(
            "Invalid schema for response_format: '{word}' is not permitted"
        ));
    }
    if let Some(properties) = schema["properties"].as_object() {
        let required = schema["required"].as_array().map_or(0, Vec::len);
        ensure(
            required == properties.len() && schema["additionalProperties"] == false,
            "Invalid schema for response_format: all fields must be required, and no others allowed",
        )?;
        properties.values().try_for_each(check_schema)?;
    }
    if let Some(items) = schema.get("items") {
        check_schema(items)?;
    }
    let choices = schema["enum"].as_array();
    ensure(
        choices.is_none_or(|choices| !choices.is_empty()),
        "Invalid schema for response_format: an empty enum",
    )?;
    let ways = schema["anyOf"].as_array();
    ways.into_iter().flatten().try_for_each(check_schema)
}

fn check_flags(fields: &Map<String, Value>) -> Checked {
    for name in ["stream", "parallel_tool_calls", "logprobs", "store"] {
        let is_flag = fields.get(name).is_none_or(Value::is_boolean);
        ensure(is_flag, format!("'{name}' must be a boolean"))?;
    }
    let Some(options) = fields.get("stream_options") else {
        return Ok(());
    };
    ensure(
        fields.get("stream") == Some(&true.into()),
        "'stream_options' is only allowed when 'stream' is set",
    )?;
    ensure(options.is_object(), "'stream_options' must be an object")
}

/// Checks the tools and returns their names.
fn check_tools(fields: &Map<String, Value>) -> Result<Vec<&str>, String> {
    let Some(tools) = fields.get("tools") else {
        ensure(
            !fields.contains_key("parallel_tool_calls"),
            "'parallel_tool_calls' needs 'tools'",
        )?;
        return Ok(Vec::new());
    };
    let tools = tools
        .as_array()
        .filter(|tools| (1..=MOST_TOOLS).contains(&tools.len()));
    let tools = tools.ok_or("'tools' must be a list of 1 to 128 tools")?;
    let mut names = Vec::new();
    for tool in tools {
        let name = check_tool(tool)?;
        ensure(
            !names.contains(&name),
            format!("tool {name} is given twice"),
        )?;
        names.push(name);
    }
    Ok(names)
}

fn check_tool(tool: &Value) -> Result<&str, String> {
    ensure(
        tool["type"] == "function",
        "a tool's type must be 'function'",
    )?;
    let function = &tool["function"];
    let name = function["name"].as_str().unwrap_or_default();
    ensure(is_name(name), format!("{name:?} is no name of a function"))?;
    let described = function.get("description").is_none_or(Value::is_string);
    ensure(
        described,
        format!("tool {name}: the description must be text"),
    )?;
    let Some(parameters) = function.get("parameters") else {
        return Ok(name);
    };
    ensure(
        parameters["type"] == "object",
        format!("tool {name}: parameters must be a schema of type object"),
    )?;
    let properties = parameters.get("properties");
    ensure(
        properties.is_none_or(Value::is_object),
        format!("tool {name}: properties must be an object"),
    )?;
    for required in parameters["required"]
        .as_array()
        .map_or(&[][..], Vec::as_slice)
    {
        let known = required.as_str().is_some_and(|required| {
            properties.is_some_and(|properties| properties.get(required).is_some())
        });
        ensure(
            known,
            format!("tool {name}: required {required} is no property"),
        )?;
    }
    Ok(name)
}

fn is_name(name: &str) -> bool {
    (1..=LONGEST_NAME).contains(&name.len())
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}

fn check_tool_choice(fields: &Map<String, Value>, names: &[&str]) -> Checked {
    let Some(choice) = fields.get("tool_choice") else {
        return Ok(());
    };
    ensure(
        !names.is_empty(),
        "'tool_choice' is only allowed when 'tools' are specified",
    )?;
    let is_known = match choice {
        Value::String(word) => matches!(word.as_str(), "auto" | "none" | "required"),
        _ => choice["function"]["name"]
            .as_str()
            .is_some_and(|name| names.contains(&name)),
    };
    ensure(
        is_known,
        format!("'tool_choice' is {choice}, which is no tool"),
    )
}

/// Checks each message, and that tool calls and tool results answer each other without a gap.
fn check_messages(messages: &[Value]) -> Checked {
    let mut open: Vec<&str> = Vec::new();
    for (position, message) in messages.iter().enumerate() {
        let at = |why: String| format!("messages[{position}]: {why}");
        let role = message["role"].as_str().unwrap_or_default();
        ensure(
            ROLES.contains(&role),
            at(format!("role {} is unknown", message["role"])),
        )?;
        if role == "tool" {
            let id = message["tool_call_id"].as_str().unwrap_or_default();
            let answered = open.iter().position(|call| *call == id);
            let answered = answered.ok_or_else(|| {
                at(format!("a tool message must answer a call of the preceding assistant message, not {id:?}"))
            })?;
            open.remove(answered);
        } else {
            ensure(
                open.is_empty(),
                at(format!("tool calls were not answered: {}", open.join(", "))),
            )?;
        }
        check_content(role, message).map_err(at)?;
        if role == "assistant" {
            open = check_calls(message).map_err(at)?;
        }
    }
    ensure(
        open.is_empty(),
        format!("tool calls were not answered: {}", open.join(", ")),
    )
}

fn check_content(role: &str, message: &Value) -> Checked {
    let content = &message["content"];
    match content {
        Value::String(text) => {
            let may_be_empty = role == "tool" || message.get("tool_calls").is_some();
            ensure(!text.is_empty() || may_be_empty, "content is empty")
        }
        Value::Array(parts) => {
            ensure(!parts.is_empty(), "content has no parts")?;
            parts.iter().try_for_each(|part| check_part(role, part))
        }
        Value::Null => {
            let calls = role == "assistant" && message.get("tool_calls").is_some();
            ensure(calls, "content is missing")
        }
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => Err(format!(
            "content must be text or a list of parts, not {content}"
        )),
    }
}

fn check_part(role: &str, part: &Value) -> Checked {
    let kind = part["type"].as_str().unwrap_or_default();
    match (kind, role) {
        ("text", _) => ensure(part["text"].is_string(), "a text part has no text"),
        ("image_url", "user") => {
            let url = part["image_url"]["url"].as_str();
            let url = url.ok_or("an image has no url")?;
            let packed = url
                .strip_prefix("data:")
                .map(|url| url.split_once(";base64,"));
            match packed {
                Some(Some((media_type, data))) => check_picture(media_type, data),
                Some(None) => Err("the data URL of an image is not in base64".to_owned()),
                None => ensure(
                    url.starts_with("https://"),
                    "an image has no URL of the web",
                ),
            }
        }
        ("input_audio" | "file", "user") => Ok(()),
        _ => Err(format!(
            "a part of type {kind:?} cannot be in a message of role {role}"
        )),
    }
}

/// Checks a picture in base64: a kind that models take, and no more than 5 MB of it.
pub(crate) fn check_picture(media_type: &str, data: &str) -> Checked {
    let kinds = ["image/jpeg", "image/png", "image/gif", "image/webp"];
    ensure(
        kinds.contains(&media_type),
        format!("{media_type:?} is no type of a picture"),
    )?;
    let is_base64 = |letter: u8| letter.is_ascii_alphanumeric() || b"+/=".contains(&letter);
    ensure(
        !data.is_empty() && data.len().is_multiple_of(4) && data.bytes().all(is_base64),
        "a picture is not in base64",
    )?;
    ensure(data.len() <= 5 * 1024 * 1024, "image exceeds 5 MB maximum")
}

/// Checks the tool calls of an assistant message and returns their ids.
fn check_calls(message: &Value) -> Result<Vec<&str>, String> {
    let Some(calls) = message.get("tool_calls") else {
        return Ok(Vec::new());
    };
    let calls = calls.as_array().filter(|calls| !calls.is_empty());
    let calls = calls.ok_or("tool_calls must be a list that is not empty")?;
    let mut ids = Vec::new();
    for call in calls {
        let id = call["id"]
            .as_str()
            .filter(|id| !id.is_empty())
            .ok_or("a tool call has no id")?;
        ensure(
            !ids.contains(&id),
            format!("two tool calls have the id {id}"),
        )?;
        ensure(
            call["type"] == "function",
            format!("tool call {id}: type must be 'function'"),
        )?;
        let name = call["function"]["name"].as_str().unwrap_or_default();
        ensure(
            is_name(name),
            format!("tool call {id}: {name:?} is no name of a function"),
        )?;
        let arguments = call["function"]["arguments"].as_str();
        let is_object =
            arguments.is_some_and(|text| serde_json::from_str::<Map<String, Value>>(text).is_ok());
        ensure(
            is_object,
            format!("tool call {id}: arguments must be the text of a JSON object"),
        )?;
        ids.push(id);
    }
    Ok(ids)
}
