//! The schema of a tool's arguments in the form that every model service takes.
//!
//! Services refuse a whole request for one schema that they do not like: OpenAI wants an object without
//! alternatives at the root, Gemini an `items` in each array, Anthropic property names of
//! `[A-Za-z0-9_.-]{1,64}`. A server's own schema stays what arguments are checked against; this one is
//! what the model reads.

use serde_json::{Map, Value, json};

/// The longest name of a property, in bytes, that all services take.
const MAX_KEY_BYTES: usize = 64;
/// Words for alternatives that may not stand at the root.
const ALTERNATIVES: [&str; 3] = ["anyOf", "oneOf", "allOf"];
/// Further words that may not stand at the root.
const NOT_AT_THE_ROOT: [&str; 5] = ["enum", "not", "if", "then", "else"];

/// Why a schema cannot be brought into that form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unfit {
    /// It does not describe an object.
    NoObject,
    /// A property that must be given has a name that some services refuse.
    RequiredKey,
}

/// A schema that every service takes.
#[derive(Debug, PartialEq)]
pub(super) struct Fitted {
    pub(super) schema: Map<String, Value>,
    /// The optional properties that were left out because of their names.
    pub(super) left_out: Vec<String>,
}

/// Brings a schema into the form that every service takes.
///
/// # Errors
/// Why that cannot be done without another meaning.
pub(super) fn fitted(mut schema: Map<String, Value>) -> Result<Fitted, Unfit> {
    match schema.get("type") {
        None => {}
        Some(Value::String(kind)) if kind == "object" => {}
        Some(Value::Array(kinds)) if kinds.iter().any(|kind| kind == "object") => {}
        Some(_) => return Err(Unfit::NoObject),
    }
    merge_alternatives(&mut schema);
    schema.insert("type".into(), json!("object"));
    if !schema.get("properties").is_some_and(Value::is_object) {
        schema.insert("properties".into(), json!({}));
    }
    let mut root = Value::Object(schema);
    let mut left_out = Vec::new();
    fit(&mut root, &mut left_out)?;
    let Value::Object(schema) = root else {
        return Err(Unfit::NoObject);
    };
    Ok(Fitted { schema, left_out })
}

/// Takes the properties of alternatives at the root into the root. What only one of several
/// alternatives requires is optional then: the server itself checks the call.
fn merge_alternatives(schema: &mut Map<String, Value>) {
    for word in NOT_AT_THE_ROOT {
        schema.shift_remove(word);
    }
    for word in ALTERNATIVES {
        let Some(Value::Array(parts)) = schema.shift_remove(word) else {
            continue;
        };
        for part in parts {
            let Value::Object(mut part) = part else {
                continue;
            };
            merge_alternatives(&mut part);
            if let Some(Value::Object(found)) = part.shift_remove("properties") {
                let properties = schema.entry("properties").or_insert_with(|| json!({}));
                if let Some(properties) = properties.as_object_mut() {
                    for (key, value) in found {
                        properties.entry(key).or_insert(value);
                    }
                }
            }
            if word == "allOf"
                && let Some(Value::Array(more)) = part.shift_remove("required")
            {
                let required = schema.entry("required").or_insert_with(|| json!([]));
                if let Some(required) = required.as_array_mut() {
                    required.extend(more);
                }
            }
        }
    }
}

/// Mends a schema and all that stand in it.
fn fit(schema: &mut Value, left_out: &mut Vec<String>) -> Result<(), Unfit> {
    let Some(fields) = schema.as_object_mut() else {
        return Ok(());
    };
    if describes_array(fields) && !fields.get("items").is_some_and(Value::is_object) {
        // `items: true` says the same as an empty schema; a list of schemas is an old form.
        let items = match fields.shift_remove("items") {
            Some(Value::Array(mut parts)) if parts.len() == 1 => parts.remove(0),
            _ => json!({}),
        };
        fields.insert("items".into(), items);
    }
    drop_odd_keys(fields, left_out)?;
    for (word, value) in fields.iter_mut() {
        match word.as_str() {
            "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas" => {
                let named = value.as_object_mut();
                for schema in named.into_iter().flat_map(Map::values_mut) {
                    fit(schema, left_out)?;
                }
            }
            "anyOf" | "oneOf" | "allOf" | "prefixItems" => {
                for schema in value.as_array_mut().into_iter().flatten() {
                    fit(schema, left_out)?;
                }
            }
            "items" | "additionalProperties" | "not" | "contains" => fit(value, left_out)?,
            _ => {}
        }
    }
    Ok(())
}

fn describes_array(fields: &Map<String, Value>) -> bool {
    match fields.get("type") {
        Some(Value::String(kind)) => kind == "array",
        Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == "array"),
        _ => false,
    }
}

/// Leaves out the properties whose names some services refuse.
fn drop_odd_keys(fields: &mut Map<String, Value>, left_out: &mut Vec<String>) -> Result<(), Unfit> {
    let Some(Value::Object(properties)) = fields.get_mut("properties") else {
        return Ok(());
    };
    let odd: Vec<String> = properties
        .keys()
        .filter(|key| !is_taken_everywhere(key))
        .cloned()
        .collect();
    for key in &odd {
        properties.shift_remove(key);
    }
    let required = fields.get("required").and_then(Value::as_array);
    let is_required = |key: &String| required.is_some_and(|all| all.iter().any(|it| it == key));
    if odd.iter().any(is_required) {
        return Err(Unfit::RequiredKey);
    }
    left_out.extend(odd);
    Ok(())
}

fn is_taken_everywhere(key: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
    (1..=MAX_KEY_BYTES).contains(&key.len()) && key.bytes().all(is_plain)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Unfit, fitted};

    fn fit(schema: Value) -> Result<(Value, Vec<String>), Unfit> {
        let Value::Object(schema) = schema else {
            panic!("an object")
        };
        fitted(schema).map(|it| (Value::Object(it.schema), it.left_out))
    }

    #[test]
    fn chat_f6_a_root_that_is_no_object_has_no_form_that_all_take() {
        for kind in [json!("string"), json!("array"), json!(["string", "null"])] {
            assert_eq!(fit(json!({"type": kind})), Err(Unfit::NoObject));
        }
        let (nullable, _) = fit(json!({"type": ["object", "null"]})).unwrap();
        assert_eq!(nullable, json!({"type": "object", "properties": {}}));
    }

    #[test]
    fn chat_f6_every_array_says_what_it_holds() {
        let (fitted, _) = fit(json!({"type": "object", "properties": {
            "tags": {"type": "array"},
            "nested": {"type": "object", "properties": {"deep": {"type": ["array", "null"]}}},
            "either": {"anyOf": [{"type": "array", "items": true}, {"type": "string"}]},
            "old": {"type": "array", "items": [{"type": "integer"}]},
        }}))
        .unwrap();
        let at = |path: &str| fitted.pointer(path).cloned();
        assert_eq!(at("/properties/tags/items"), Some(json!({})));
        assert_eq!(
            at("/properties/nested/properties/deep/items"),
            Some(json!({}))
        );
        assert_eq!(at("/properties/either/anyOf/0/items"), Some(json!({})));
        assert_eq!(
            at("/properties/old/items"),
            Some(json!({"type": "integer"}))
        );
    }

    #[test]
    fn chat_f6_a_name_that_some_services_refuse_is_left_out_and_told() {
        let long = "k".repeat(65);
        let (fitted, left_out) = fit(json!({"type": "object", "properties": {
            "filter[name]": {"type": "string"},
            long.clone(): {"type": "string"},
            "page.size-1": {"type": "integer"},
        }}))
        .unwrap();
        let expected = json!({"page.size-1": {"type": "integer"}});
        assert_eq!(fitted["properties"], expected);
        assert_eq!(left_out, ["filter[name]".to_owned(), long]);
        let required = json!({
            "type": "object",
            "properties": {"a b": {"type": "string"}},
            "required": ["a b"],
        });
        assert_eq!(fit(required), Err(Unfit::RequiredKey));
    }

    #[test]
    fn chat_f6_alternatives_at_the_root_become_properties() {
        let (fitted, _) = fit(json!({
            "type": "object",
            "oneOf": [
                {"properties": {"id": {"type": "integer"}}, "required": ["id"]},
                {"properties": {"name": {"type": "string"}}, "required": ["name"]},
            ],
            "allOf": [{"properties": {"at": {"type": "string"}}, "required": ["at"]}],
        }))
        .unwrap();
        assert_eq!(
            fitted,
            json!({"type": "object", "properties": {
                "id": {"type": "integer"},
                "name": {"type": "string"},
                "at": {"type": "string"},
            }, "required": ["at"]})
        );
    }
}
