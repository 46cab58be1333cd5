//! From a type to the schema that the model is told, and from its arguments to the type.

use schemars::{JsonSchema, schema_for};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::transcript::{ToolCall, ToolOutcome, ToolSpec};

/// How much of arguments that are no object is shown back, in characters.
const SHOWN_BACK_CHARS: usize = 200;

/// Describes a tool whose arguments are an `A`. `A` should refuse unknown fields, and its doc
/// comments are what the model reads about them.
pub fn spec_of<A: JsonSchema>(name: &str, description: &str) -> ToolSpec {
    let mut parameters = schema_for!(A).to_value();
    tidy(&mut parameters);
    ToolSpec {
        name: name.to_owned(),
        description: description.to_owned(),
        parameters,
    }
}

/// Reads the arguments of a call.
///
/// # Errors
/// The model's tool result: which field is wrong, why, and what is expected.
pub fn parse_arguments<A: DeserializeOwned>(
    call: &ToolCall,
    spec: &ToolSpec,
) -> Result<A, ToolOutcome> {
    check_object(call, spec)?;
    serde_path_to_error::deserialize(&call.arguments).map_err(|error| {
        let field = match error.path().to_string().as_str() {
            "." => String::new(),
            path => format!("`{path}`: "),
        };
        refusal(spec, &format!("{field}{}", error.inner()))
    })
}

/// Refuses arguments that are no JSON object.
pub fn check_object(call: &ToolCall, spec: &ToolSpec) -> Result<(), ToolOutcome> {
    if call.arguments.is_object() {
        return Ok(());
    }
    let written = match &call.arguments {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let shown: String = written.chars().take(SHOWN_BACK_CHARS).collect();
    Err(refusal(spec, &format!("not a JSON object: {shown}")))
}

/// Returns the result for arguments that cannot be used, with what is expected.
pub fn refusal(spec: &ToolSpec, problem: &str) -> ToolOutcome {
    ToolOutcome::Error {
        message: format!(
            "bad arguments for `{}`: {problem}\nexpected: {}",
            spec.name,
            signature(spec)
        ),
    }
}

/// Returns the arguments in short: `{"path": string, "limit"?: integer}`.
fn signature(spec: &ToolSpec) -> String {
    let required: Vec<&str> = spec.parameters["required"]
        .as_array()
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    let fields: Vec<String> = spec.parameters["properties"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, schema)| {
            let optional = if required.contains(&name.as_str()) {
                ""
            } else {
                "?"
            };
            format!("\"{name}\"{optional}: {}", kind_of(schema))
        })
        .collect();
    format!("{{{}}}", fields.join(", "))
}

/// Returns what a field takes in short: its words where it is one of a few, else its type.
fn kind_of(schema: &Value) -> String {
    let cases = ["oneOf", "anyOf"]
        .iter()
        .find_map(|key| schema[key].as_array());
    let words: Vec<String> = match (schema["enum"].as_array(), cases) {
        (Some(words), _) => words.iter().map(Value::to_string).collect(),
        (None, Some(cases)) => cases.iter().map(|case| case["const"].to_string()).collect(),
        (None, None) => Vec::new(),
    };
    if words.is_empty() || words.iter().any(|word| word == "null") {
        return schema["type"].as_str().unwrap_or("any").to_owned();
    }
    words.join(" | ")
}

/// Removes what costs tokens and tells a model nothing, and writes `"type": ["integer", "null"]`,
/// which some servers cannot read, as `"type": "integer"`: the field is optional anyway.
fn tidy(schema: &mut Value) {
    let Value::Object(fields) = schema else {
        return;
    };
    for noise in ["$schema", "title", "format"] {
        fields.shift_remove(noise);
    }
    if let Some(Value::Array(kinds)) = fields.get("type") {
        let kind = kinds.iter().find(|kind| kind.as_str() != Some("null"));
        if let Some(kind) = kind.cloned() {
            fields.insert("type".to_owned(), kind);
        }
    }
    if fields.get("description").is_none() {
        fields.shift_remove("default");
    }
    if let Some(Value::Object(properties)) = fields.get_mut("properties") {
        properties.values_mut().for_each(tidy);
    }
    if let Some(items) = fields.get_mut("items") {
        tidy(items);
    }
}

#[cfg(test)]
mod tests {
    use schemars::JsonSchema;
    use serde::Deserialize;
    use serde_json::{Value, json};

    use super::{parse_arguments, spec_of};
    use crate::transcript::{CallId, ToolCall};

    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    struct Arguments {
        /// Where it is.
        path: String,
        /// How many.
        limit: Option<u32>,
    }

    fn parsed(arguments: Value) -> Result<Arguments, String> {
        let spec = spec_of::<Arguments>("look", "Looks.");
        let call = ToolCall {
            id: CallId("1".into()),
            name: "look".into(),
            arguments,
        };
        parse_arguments(&call, &spec).map_err(|outcome| outcome.for_model())
    }

    #[test]
    fn the_schema_says_what_is_needed_and_no_more() {
        let spec = spec_of::<Arguments>("look", "Looks.");
        insta::assert_snapshot!(spec.parameters.to_string(), @r#"{"type":"object","additionalProperties":false,"properties":{"path":{"type":"string","description":"Where it is."},"limit":{"type":"integer","minimum":0,"description":"How many."}},"required":["path"]}"#);
    }

    #[test]
    fn good_arguments_become_the_type() {
        let expected = |limit| Arguments {
            path: "a".into(),
            limit,
        };
        assert_eq!(parsed(json!({"path": "a"})), Ok(expected(None)));
        assert_eq!(
            parsed(json!({"path": "a", "limit": 3})),
            Ok(expected(Some(3)))
        );
        assert_eq!(
            parsed(json!({"path": "a", "limit": null})),
            Ok(expected(None))
        );
    }

    #[test]
    fn bad_arguments_are_told_by_field_with_what_is_expected() {
        let told = |arguments| parsed(arguments).unwrap_err();
        insta::assert_snapshot!(told(json!({})), @r#"
        [错误] bad arguments for `look`: missing field `path`
        expected: {"path": string, "limit"?: integer}
        "#);
        insta::assert_snapshot!(told(json!({"path": 5})), @r#"
        [错误] bad arguments for `look`: `path`: invalid type: integer `5`, expected a string
        expected: {"path": string, "limit"?: integer}
        "#);
        insta::assert_snapshot!(told(json!({"path": "a", "limit": -1})), @r#"
        [错误] bad arguments for `look`: `limit`: invalid value: integer `-1`, expected u32
        expected: {"path": string, "limit"?: integer}
        "#);
        insta::assert_snapshot!(told(json!({"file": "a"})), @r#"
        [错误] bad arguments for `look`: `file`: unknown field `file`, expected `path` or `limit`
        expected: {"path": string, "limit"?: integer}
        "#);
        insta::assert_snapshot!(told(json!("{\"path\":")), @r#"
        [错误] bad arguments for `look`: not a JSON object: {"path":
        expected: {"path": string, "limit"?: integer}
        "#);
    }
}
