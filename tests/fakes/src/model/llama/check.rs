//! What the server and the template of its model refuse.

use serde_json::{Map, Value};

use super::{Grammar, THOUGHTS};

/// The fields of a completion that are in use, of those on the server's page.
const FIELDS: &[&str] = &[
    "prompt",
    "temperature",
    "top_k",
    "top_p",
    "min_p",
    "n_predict",
    "n_keep",
    "stream",
    "return_progress",
    "stop",
    "grammar",
    "json_schema",
    "seed",
    "cache_prompt",
    "id_slot",
];

type Checked = Result<(), String>;

/// Tells what is wrong with a completion, if something is.
pub(crate) fn check(body: &Value) -> Checked {
    let Value::Object(fields) = body else {
        return Err("the body must be an object".to_owned());
    };
    if let Some(unknown) = fields.keys().find(|name| !FIELDS.contains(&name.as_str())) {
        return Err(format!("{unknown} is no field of a completion"));
    }
    let prompt = fields.get("prompt").and_then(Value::as_str);
    let prompt = prompt.ok_or("\"prompt\" must be provided")?;
    let prompt = prompt.strip_suffix(THOUGHTS).unwrap_or(prompt);
    if !prompt.ends_with("<|im_start|>assistant\n") {
        return Err(format!(
            "the prompt does not end where the model goes on: {prompt}"
        ));
    }
    check_kinds(fields)?;
    if fields.contains_key("grammar") && fields.contains_key("json_schema") {
        return Err("Either \"json_schema\" or \"grammar\" can be specified, but not both".into());
    }
    let grammar = fields.get("grammar").and_then(Value::as_str);
    grammar.map_or(Ok(()), |grammar| Grammar::parse(grammar).map(|_| ()))
}

fn check_kinds(fields: &Map<String, Value>) -> Checked {
    let is_fine = |name: &str, holds: fn(&Value) -> bool| fields.get(name).is_none_or(holds);
    let are_fine = [
        ("temperature", is_fine("temperature", Value::is_number)),
        ("n_predict", is_fine("n_predict", Value::is_i64)),
        ("stream", is_fine("stream", Value::is_boolean)),
        ("cache_prompt", is_fine("cache_prompt", Value::is_boolean)),
        ("grammar", is_fine("grammar", Value::is_string)),
        (
            "stop",
            is_fine("stop", |stop| {
                stop.as_array()
                    .is_some_and(|words| words.iter().all(Value::is_string))
            }),
        ),
    ];
    match are_fine.iter().find(|(_, is_fine)| !is_fine) {
        Some((name, _)) => Err(format!("{name} is of the wrong kind: {}", fields[*name])),
        None => Ok(()),
    }
}

/// Refuses what a strict template refuses. As in Mistral's, calls and their results do not count.
pub(crate) fn check_turns(messages: &[Value], has_system_role: bool) -> Checked {
    let begins_with_system = messages.first().is_some_and(|it| it["role"] == "system");
    if begins_with_system && !has_system_role {
        return Err("System role not supported".to_owned());
    }
    let turns = messages.iter().skip(usize::from(begins_with_system));
    let turns = turns.filter(|it| it["role"] != "tool" && it.get("tool_calls").is_none());
    for (place, turn) in turns.enumerate() {
        if (turn["role"] == "user") != (place % 2 == 0) {
            let why = "Conversation roles must alternate user/assistant/user/assistant/...";
            return Err(why.to_owned());
        }
    }
    let after_result = messages.windows(2).find(|pair| pair[0]["role"] == "tool");
    match after_result {
        Some(pair) if pair[1]["role"] == "user" => {
            Err("After the results of tools the assistant speaks".to_owned())
        }
        _ => Ok(()),
    }
}
