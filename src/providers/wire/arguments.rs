//! The arguments of a tool call, between the text of a model and the object of a tool.

use serde_json::{Map, Value, json};

/// The field that arguments are sent back in when the model wrote no JSON object: services take
/// nothing but an object for the arguments of an earlier call.
const NOT_JSON: &str = "not_json";

/// Returns arguments as a tool takes them: an object, or what the model wrote as a string when that
/// is none. `null` and nothing are an object without fields; an object that was encoded twice is
/// decoded twice.
pub(in crate::providers) fn read(text: &str) -> Value {
    if text.trim().is_empty() {
        return Value::Object(Map::new());
    }
    match serde_json::from_str(text) {
        Ok(Value::Object(fields)) => Value::Object(fields),
        Ok(Value::Null) => Value::Object(Map::new()),
        Ok(Value::String(inner)) => {
            serde_json::from_str::<Map<_, _>>(&inner).map_or(Value::String(inner), Value::Object)
        }
        Ok(_) | Err(_) => Value::String(text.to_owned()),
    }
}

/// Reads the arguments of a call in an answer that may be cut off: nothing for arguments means a
/// call without any, but not where the answer was cut. There the arguments were still to come, and
/// the call must not run without them.
pub(in crate::providers) fn read_of(text: &str, is_cut: bool) -> Value {
    if is_cut && text.trim().is_empty() {
        return Value::String(String::new());
    }
    read(text)
}

/// Returns arguments as they are sent back: always an object.
pub(in crate::providers) fn as_object(arguments: &Value) -> Value {
    if arguments.is_object() {
        return arguments.clone();
    }
    json!({NOT_JSON: arguments})
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{as_object, read, read_of};

    #[test]
    fn arguments_are_an_object_or_what_the_model_wrote() {
        let check = |arguments: &str, expected: Value| {
            assert_eq!(read(arguments), expected, "{arguments}");
        };
        check("{\"a\": 1}", json!({"a": 1}));
        check("", json!({}));
        check("null", json!({}));
        check("\"{\\\"a\\\": 1}\"", json!({"a": 1}));
        check("\"ls\"", json!("ls"));
        check("{\"a\": ", json!("{\"a\": "));
        check("[1]", json!("[1]"));
    }

    #[test]
    fn a_call_that_was_cut_before_its_arguments_has_none_that_can_run() {
        assert_eq!(read_of(" ", true), json!(""));
        assert_eq!(read_of(" ", false), json!({}));
    }

    #[test]
    fn what_is_sent_back_is_an_object() {
        assert_eq!(as_object(&json!({"a": 1})), json!({"a": 1}));
        assert_eq!(as_object(&json!("ls")), json!({"not_json": "ls"}));
    }
}
