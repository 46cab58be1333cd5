//! Derives the schema that the model receives from a type, and parses the model's arguments into
//! that type.

use std::borrow::Cow;
use std::fmt::Write as _;

use sayso_core::transcript::{ToolCall, ToolOutcome, ToolSpec};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use serde_path_to_error::{Path, Segment};

/// How much of arguments that are no object is shown back, in characters.
const SHOWN_BACK_CHARS: usize = 200;

/// An argument that a tool does not take, and why, for the model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{field}`: {problem}")]
pub(crate) struct WrongArgument {
    field: String,
    problem: String,
}

impl WrongArgument {
    /// Names the field by its path in the arguments.
    pub(crate) fn new(field: impl Into<String>, problem: impl Into<String>) -> Self {
        Self {
            field: field.into(),
            problem: problem.into(),
        }
    }

    /// Returns the same with its field below another.
    #[must_use]
    pub(crate) fn below(self, parent: &str) -> Self {
        Self {
            field: format!("{parent}.{}", self.field),
            ..self
        }
    }
}

/// Describes a tool whose arguments are an `A`. `A` should refuse unknown fields, and its doc
/// comments are what the model reads about them.
pub fn spec_of<A: JsonSchema>(name: &str, description: &str) -> ToolSpec {
    let settings = SchemaSettings::default().with(|settings| settings.inline_subschemas = true);
    let schema = settings.into_generator().into_root_schema_for::<A>();
    let mut parameters = schema.to_value();
    tidy(&mut parameters);
    ToolSpec {
        name: name.to_owned(),
        description: description.to_owned(),
        parameters: parameters.into(),
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
        let problem = problem_of(spec, error.path(), &error.inner().to_string());
        refusal(spec, &problem)
    })
}

/// Says which field is wrong, by its whole path, what is wrong with it, and what it takes.
fn problem_of(spec: &ToolSpec, path: &Path, said: &str) -> String {
    let place = match path.to_string() {
        root if root == "." => String::new(),
        place => place,
    };
    let at = schema_at(&spec.parameters, path);
    if let Some(missing) = said
        .strip_prefix("missing field `")
        .and_then(|rest| rest.strip_suffix('`'))
    {
        let dot = if place.is_empty() { "" } else { "." };
        let schema = at.map(|schema| &schema["properties"][missing]);
        let takes = schema.map_or(Cow::Borrowed("any"), described);
        return format!("`{place}{dot}{missing}`: it is missing; it takes {takes}");
    }
    let field = if place.is_empty() {
        String::new()
    } else {
        format!("`{place}`: ")
    };
    let mismatch = ["invalid type", "invalid value", "invalid length"]
        .iter()
        .any(|kind| said.starts_with(kind));
    match (at, said.rsplit_once(", expected ")) {
        (Some(schema), Some((what, _))) if mismatch && !place.is_empty() => {
            format!("{field}{what}; it takes {}", described(schema))
        }
        _ => format!("{field}{said}"),
    }
}

/// Returns what the schema says of a field.
fn schema_at<'s>(schema: &'s Value, path: &Path) -> Option<&'s Value> {
    path.iter()
        .try_fold(schema, |schema, segment| match segment {
            Segment::Map { key } => schema["properties"].get(key),
            Segment::Seq { .. } => schema.get("items"),
            Segment::Enum { .. } | Segment::Unknown => None,
        })
}

/// Refuses arguments that are no JSON object.
pub(crate) fn check_object(call: &ToolCall, spec: &ToolSpec) -> Result<(), ToolOutcome> {
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
pub(crate) fn refusal(spec: &ToolSpec, problem: &str) -> ToolOutcome {
    ToolOutcome::invalid(format!(
        "bad arguments for `{}`: {problem}\nexpected: {}",
        spec.name,
        signature(&spec.parameters)
    ))
}

/// Returns the fields of an object in short: `{"path": string, "limit"?: integer}`.
fn signature(schema: &Value) -> String {
    let required: Vec<&str> = schema["required"]
        .as_array()
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    let fields: Vec<String> = schema["properties"]
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

/// Returns what a field takes in short: its words where it is one of a few, its fields where it is
/// an object that names them, else its type.
fn kind_of(schema: &Value) -> Cow<'_, str> {
    let cases = ["oneOf", "anyOf"]
        .iter()
        .find_map(|key| schema[key].as_array());
    let words: Vec<String> = match (schema["enum"].as_array(), cases) {
        (Some(words), _) => words.iter().map(Value::to_string).collect(),
        (None, Some(cases)) => cases.iter().map(|case| case["const"].to_string()).collect(),
        (None, None) => Vec::new(),
    };
    if !words.is_empty() && words.iter().all(|word| word != "null") {
        return Cow::Owned(words.join(" | "));
    }
    match schema["type"].as_str().unwrap_or("any") {
        "array" if schema.get("items").is_some() => {
            Cow::Owned(format!("[{}]", kind_of(&schema["items"])))
        }
        "object" if schema.get("properties").is_some() => Cow::Owned(signature(schema)),
        kind => Cow::Borrowed(kind),
    }
}

/// Returns what a field takes, with its bounds.
fn described(schema: &Value) -> Cow<'_, str> {
    let bound = |key: &str| schema[key].as_u64();
    let kind = kind_of(schema);
    match (bound("minimum"), bound("maximum")) {
        (Some(least), Some(most)) => Cow::Owned(format!("{kind} from {least} to {most}")),
        (Some(least), None) => Cow::Owned(format!("{kind} from {least}")),
        (None, Some(most)) => Cow::Owned(format!("{kind} up to {most}")),
        (None, None) => kind,
    }
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
    if fields.get("additionalProperties") == Some(&Value::Bool(false)) {
        // Reading the arguments refuses them, with the names of those that there are.
        fields.shift_remove("additionalProperties");
    }
    if let Some(words) = words_alone(fields) {
        fields.shift_remove("oneOf");
        fields.extend(words);
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

/// Returns a field that takes one of a few words, each with a meaning, in fewer words.
fn words_alone(fields: &Map<String, Value>) -> Option<Map<String, Value>> {
    let mut about = fields.get("description")?.as_str()?.to_owned();
    let mut words = Vec::new();
    for case in fields.get("oneOf")?.as_array()? {
        let (word, meaning) = (case["const"].as_str()?, case["description"].as_str()?);
        // Writing to a string cannot fail.
        let _ = write!(about, " `{word}`: {meaning}");
        words.push(Value::from(word));
    }
    let schema = [
        ("type", Value::from("string")),
        ("enum", Value::from(words)),
        ("description", Value::from(about)),
    ];
    Some(
        schema
            .map(|(key, value)| (key.to_owned(), value))
            .into_iter()
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use sayso_core::transcript::{CallId, ToolCall};
    use schemars::JsonSchema;
    use serde::Deserialize;
    use serde_json::{Value, json};

    use super::{parse_arguments, spec_of};

    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    struct Arguments {
        /// Where it is.
        path: String,
        /// How many.
        limit: Option<u32>,
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    struct Nested {
        /// The pieces.
        #[expect(dead_code, reason = "read by the tests in its refusals only")]
        pieces: Vec<Arguments>,
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
        insta::assert_snapshot!(spec.parameters.to_string(), @r#"{"type":"object","properties":{"path":{"type":"string","description":"Where it is."},"limit":{"type":"integer","minimum":0,"description":"How many."}},"required":["path"]}"#);
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
        [error] E_INVALID_ARGS: bad arguments for `look`: `path`: it is missing; it takes string
        expected: {"path": string, "limit"?: integer}
        "#);
        insta::assert_snapshot!(told(json!({"path": 5})), @r#"
        [error] E_INVALID_ARGS: bad arguments for `look`: `path`: invalid type: integer `5`; it takes string
        expected: {"path": string, "limit"?: integer}
        "#);
        insta::assert_snapshot!(told(json!({"path": "a", "limit": -1})), @r#"
        [error] E_INVALID_ARGS: bad arguments for `look`: `limit`: invalid value: integer `-1`; it takes integer from 0
        expected: {"path": string, "limit"?: integer}
        "#);
        insta::assert_snapshot!(told(json!({"file": "a"})), @r#"
        [error] E_INVALID_ARGS: bad arguments for `look`: `file`: unknown field `file`, expected `path` or `limit`
        expected: {"path": string, "limit"?: integer}
        "#);
        insta::assert_snapshot!(told(json!("{\"path\":")), @r#"
        [error] E_INVALID_ARGS: bad arguments for `look`: not a JSON object: {"path":
        expected: {"path": string, "limit"?: integer}
        "#);
    }

    #[test]
    fn a_field_inside_another_is_told_by_its_whole_path() {
        let spec = spec_of::<Nested>("look", "Looks.");
        let told = |arguments| {
            let call = ToolCall {
                id: CallId("1".into()),
                name: "look".into(),
                arguments,
            };
            parse_arguments::<Nested>(&call, &spec)
                .unwrap_err()
                .for_model()
        };
        insta::assert_snapshot!(told(json!({"pieces": [{"path": "a"}, {"limit": 1}]})),@r#"
        [error] E_INVALID_ARGS: bad arguments for `look`: `pieces[1].path`: it is missing; it takes string
        expected: {"pieces": [{"path": string, "limit"?: integer}]}
        "#);
        insta::assert_snapshot!(told(json!({"pieces": [{"path": "a", "limit": "x"}]})),@r#"
        [error] E_INVALID_ARGS: bad arguments for `look`: `pieces[0].limit`: invalid type: string "x"; it takes integer from 0
        expected: {"pieces": [{"path": string, "limit"?: integer}]}
        "#);
        insta::assert_snapshot!(told(json!({"pieces": "a"})),@r#"
        [error] E_INVALID_ARGS: bad arguments for `look`: `pieces`: invalid type: string "a"; it takes [{"path": string, "limit"?: integer}]
        expected: {"pieces": [{"path": string, "limit"?: integer}]}
        "#);
    }
}
