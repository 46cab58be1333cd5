//! The arguments of a tool call, between the text of a model and the object of a tool.

use sayso_core::transcript::{read_lenient, read_lenient_first};
use serde_json::{Map, Value, json};

use crate::visible_text;

/// Begins and ends a block of code.
const FENCE: &str = "```";
/// The field that arguments are sent back in when the model wrote no JSON object: services take
/// nothing but an object for the arguments of an earlier call.
const NOT_JSON: &str = "not_json";

/// Returns arguments as a tool takes them: an object, or what the model wrote as a string when that
/// is none. `null` and nothing are an object without fields; an object that was encoded twice is
/// decoded twice. Faults that have one reading are mended: those of [`read_lenient`], a block of code
/// around the object, and marks by which a model ends a call behind it.
pub(crate) fn read(text: &str) -> Value {
    if text.trim().is_empty() {
        return Value::Object(Map::new());
    }
    match serde_json::from_str(text) {
        Ok(Value::Object(fields)) => Value::Object(fields),
        Ok(Value::Null) => Value::Object(Map::new()),
        Ok(Value::String(inner)) => mended(&inner).unwrap_or(Value::String(inner)),
        Ok(_) => Value::String(text.to_owned()),
        Err(_) => mended(text).unwrap_or_else(|| Value::String(text.to_owned())),
    }
}

/// Reads the object that a text consists of, marks around it aside.
fn mended(text: &str) -> Option<Value> {
    let text = text.trim();
    let inside = text.strip_prefix(FENCE).map_or(text, |block| {
        block.trim_start_matches(|it: char| it.is_ascii_alphanumeric())
    });
    let inside = inside.trim_start();
    if !inside.starts_with('{') {
        return None;
    }
    if let Some(whole) = read_lenient(inside) {
        return Some(whole);
    }
    let (object, behind) = read_lenient_first(inside)?;
    is_marks_alone(behind).then_some(object)
}

/// Returns whether a text is nothing but marks: the end of a block of code, and those that end a call
/// or an answer in the template of a model, such as `<|tool_call_end|>` and `</tool_call>`.
fn is_marks_alone(text: &str) -> bool {
    let mut rest = text;
    loop {
        rest = visible_text::without_ends(rest).trim();
        if rest.is_empty() {
            return true;
        }
        let behind = rest.strip_prefix(FENCE).or_else(|| {
            let (mark, behind) = rest.strip_prefix('<')?.split_once('>')?;
            mark.chars().all(is_of_mark).then_some(behind)
        });
        let Some(behind) = behind else {
            return false;
        };
        rest = behind;
    }
}

fn is_of_mark(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "|｜▁_-:/".contains(letter)
}

/// Reads the arguments of a call in an answer that may be cut off: nothing for arguments means a
/// call without any, but not where the answer was cut. There the arguments were still to come, and
/// the call must not run without them.
pub(crate) fn read_of(text: &str, is_cut: bool) -> Value {
    if is_cut && text.trim().is_empty() {
        return Value::String(String::new());
    }
    read(text)
}

/// Returns arguments as they are sent back: always an object.
pub(crate) fn as_object(arguments: &Value) -> Value {
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
    fn chat_f10_slips_around_and_in_an_object_are_mended() {
        let is_dot = |written: &str| {
            assert_eq!(read(written), json!({"path": "."}), "{written}");
        };
        is_dot("{'path': '.'}");
        is_dot("```json\n{\"path\": \".\"}\n```");
        is_dot("```\n{\"path\": \".\"}\n```\n");
        is_dot("```json\n{\"path\": \".\"}");
        is_dot("{\"path\": \".\"}\n<|tool_call_end|>");
        is_dot("{\"path\": \".\"}<|im_end|>\n<|endoftext|>");
        is_dot("{\"path\": \".\"}</tool_call>");
        is_dot("{\"path\": \".\"}<｜tool▁call▁end｜>");
        is_dot("{\"path\": \".\"}</s>");
        is_dot("{\"path\": \".\"} [EOS]");
        is_dot("{\"path\": \".\",}");
        is_dot("\"{'path': '.'}\"");
    }

    #[test]
    fn chat_f10_what_has_no_reading_is_what_the_model_wrote() {
        for written in [
            "{\"path\": \".\"} {\"path\": \"/\"}",
            "{\"path\": \".\"} and more",
            "{\"path\": \".\"} <b>bold</b> words",
            "{\"path\": \".\"}}",
            "{'path': 'it's'}",
            "{'path': '.'",
            "```json\n{\"path\": \".\"",
            "the path is {'path': '.'}",
        ] {
            assert_eq!(read(written), json!(written), "{written}");
        }
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
