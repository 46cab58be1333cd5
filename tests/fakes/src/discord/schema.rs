//! JSON values against the JSON Schema that Discord's description is written in: the part of it that occurs there.

use serde_json::{Map, Value};

const POINTER: &str = "#/components/schemas/";

/// The named schemas.
#[derive(Debug, Default)]
pub(crate) struct Schemas(Map<String, Value>);

impl Schemas {
    pub(crate) fn new(named: Value) -> Self {
        match named {
            Value::Object(named) => Self(named),
            _ => Self::default(),
        }
    }

    /// Checks a value; the error names the place and what is wrong there.
    pub(crate) fn check(&self, path: &str, value: &Value, schema: &Value) -> Result<(), String> {
        let schema = self.resolve(schema)?;
        for part in list(schema, "allOf") {
            self.check(path, value, part)?;
        }
        for unions in ["oneOf", "anyOf"] {
            self.check_union(path, value, list(schema, unions))?;
        }
        check_type(path, value, schema)?;
        check_constants(path, value, schema)?;
        match value {
            Value::String(text) => check_text(path, text, schema),
            Value::Number(_) => check_number(path, value, schema),
            Value::Array(values) => self.check_array(path, values, schema),
            Value::Object(fields) => self.check_object(path, fields, schema),
            Value::Null | Value::Bool(_) => Ok(()),
        }
    }

    /// Checks a parameter of path or query, which is text whatever its type.
    pub(crate) fn check_text(
        &self,
        name: &str,
        value: &Value,
        schema: &Value,
    ) -> Result<(), String> {
        if self.check(name, value, schema).is_ok() {
            return Ok(());
        }
        let text = value.as_str().unwrap_or_default();
        let meant = serde_json::from_str(text).unwrap_or(Value::Null);
        self.check(name, &meant, schema)
    }

    /// A field that the operation does not know is most likely a misspelt one.
    pub(crate) fn check_known_fields(&self, schema: &Value, value: &Value) -> Result<(), String> {
        let schema = self.resolve(schema)?;
        let (Some(known), Some(given)) = (schema["properties"].as_object(), value.as_object())
        else {
            return Ok(());
        };
        match given.keys().find(|name| !known.contains_key(*name)) {
            Some(name) => Err(format!("body has no field {name}")),
            None => Ok(()),
        }
    }

    fn resolve<'a>(&'a self, schema: &'a Value) -> Result<&'a Value, String> {
        let Some(pointer) = schema["$ref"].as_str() else {
            return Ok(schema);
        };
        let name = pointer.trim_start_matches(POINTER);
        let named = self.0.get(name);
        self.resolve(named.ok_or_else(|| format!("no schema {pointer}"))?)
    }

    fn check_union(&self, path: &str, value: &Value, branches: &[Value]) -> Result<(), String> {
        let mut complaints = Vec::new();
        for branch in branches {
            match self.check(path, value, branch) {
                Ok(()) => return Ok(()),
                Err(complaint) => complaints.push(complaint),
            }
        }
        if branches.is_empty() {
            return Ok(());
        }
        complaints.dedup();
        Err(complaints.join(", or "))
    }

    fn check_array(&self, path: &str, values: &[Value], schema: &Value) -> Result<(), String> {
        let length = values.len() as u64;
        check_range(path, length, schema, "minItems", "maxItems")?;
        let is_repeated = |(position, value)| values[..position].contains(value);
        if schema["uniqueItems"] == true && values.iter().enumerate().any(is_repeated) {
            return Err(format!("{path} holds something twice"));
        }
        if let Some(items) = schema.get("items") {
            for (position, value) in values.iter().enumerate() {
                self.check(&format!("{path}[{position}]"), value, items)?;
            }
        }
        Ok(())
    }

    fn check_object(
        &self,
        path: &str,
        fields: &Map<String, Value>,
        schema: &Value,
    ) -> Result<(), String> {
        check_range(
            path,
            fields.len() as u64,
            schema,
            "minProperties",
            "maxProperties",
        )?;
        for required in list(schema, "required").iter().filter_map(Value::as_str) {
            if !fields.contains_key(required) {
                return Err(format!("{path}.{required} is missing"));
            }
        }
        for (name, value) in fields {
            let below = format!("{path}.{name}");
            match (
                schema["properties"].get(name),
                schema.get("additionalProperties"),
            ) {
                (Some(field), _) => self.check(&below, value, field)?,
                (None, Some(Value::Bool(false))) => return Err(format!("{below} is unknown")),
                (None, Some(others @ Value::Object(_))) => self.check(&below, value, others)?,
                (None, _) => {}
            }
        }
        Ok(())
    }
}

fn list<'a>(schema: &'a Value, name: &str) -> &'a [Value] {
    schema[name].as_array().map_or(&[], Vec::as_slice)
}

fn check_type(path: &str, value: &Value, schema: &Value) -> Result<(), String> {
    let is = |kind: &Value| match kind.as_str().unwrap_or_default() {
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        _ => true,
    };
    let fits = match &schema["type"] {
        Value::Null => true,
        Value::Array(kinds) => kinds.iter().any(is),
        kind => is(kind),
    };
    if fits {
        return Ok(());
    }
    Err(format!("{path} must be {}", schema["type"]))
}

fn check_constants(path: &str, value: &Value, schema: &Value) -> Result<(), String> {
    let constants = list(schema, "enum");
    if !constants.is_empty() && !constants.contains(value) {
        return Err(format!("{path} must be one of {}", schema["enum"]));
    }
    match schema.get("const") {
        Some(constant) if constant != value => Err(format!("{path} must be {constant}")),
        _ => Ok(()),
    }
}

fn check_text(path: &str, text: &str, schema: &Value) -> Result<(), String> {
    let length = text.chars().count() as u64;
    check_range(path, length, schema, "minLength", "maxLength")?;
    let is_well_formed = match schema["format"].as_str() {
        Some("snowflake") => {
            let digits = text.bytes().all(|byte| byte.is_ascii_digit());
            digits && text.parse::<u64>().is_ok() && (text == "0" || !text.starts_with('0'))
        }
        Some("uri") => text.contains(':'),
        Some("date-time") => text.contains('T'),
        _ => true,
    };
    if is_well_formed {
        return Ok(());
    }
    Err(format!("{path} is not a {}", schema["format"]))
}

fn check_number(path: &str, value: &Value, schema: &Value) -> Result<(), String> {
    let number = value.as_f64().unwrap_or_default();
    let too_small = schema["minimum"]
        .as_f64()
        .is_some_and(|least| number < least);
    let too_large = schema["maximum"].as_f64().is_some_and(|most| number > most);
    if too_small || too_large {
        return Err(format!("{path} is out of range"));
    }
    Ok(())
}

fn check_range(
    path: &str,
    size: u64,
    schema: &Value,
    least: &str,
    most: &str,
) -> Result<(), String> {
    let too_small = schema[least].as_u64().is_some_and(|least| size < least);
    let too_large = schema[most].as_u64().is_some_and(|most| size > most);
    if too_small {
        return Err(format!("{path} is shorter than {}", schema[least]));
    }
    if too_large {
        return Err(format!("{path} is longer than {}", schema[most]));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn schemas() -> Schemas {
        Schemas::new(json!({
            "Id": { "type": "string", "format": "snowflake" },
            "Style": { "type": "integer", "oneOf": [{ "const": 1 }, { "const": 2 }] },
            "Button": {
                "type": "object",
                "properties": {
                    "style": { "$ref": "#/components/schemas/Style" },
                    "label": { "type": ["string", "null"], "maxLength": 3 },
                    "ids": { "type": "array", "maxItems": 2, "uniqueItems": true,
                        "items": { "$ref": "#/components/schemas/Id" } },
                    "rows": { "type": "integer", "minimum": 1, "maximum": 5 },
                    "names": { "type": "object", "additionalProperties": { "type": "string" } },
                },
                "required": ["style"],
            },
        }))
    }

    #[track_caller]
    fn check(value: &Value, complaint: &str) {
        let schema = json!({ "$ref": "#/components/schemas/Button" });
        match schemas().check("body", value, &schema) {
            Ok(()) => assert_eq!(complaint, "", "{value}"),
            Err(why) => assert!(
                !complaint.is_empty() && why.contains(complaint),
                "{value}: {why}"
            ),
        }
    }

    #[test]
    fn what_fits_is_taken() {
        check(&json!({ "style": 1 }), "");
        check(
            &json!({ "style": 2, "label": null, "ids": ["1", "20"], "rows": 5 }),
            "",
        );
        check(
            &json!({ "style": 2, "label": "中文字", "names": { "zh": "a" } }),
            "",
        );
    }

    #[test]
    fn what_does_not_fit_is_named() {
        check(&json!({}), "body.style is missing");
        check(&json!([]), "body must be \"object\"");
        check(&json!({ "style": 3 }), "body.style must be 1");
        check(
            &json!({ "style": 1, "label": "four" }),
            "body.label is longer than 3",
        );
        check(&json!({ "style": 1, "label": 4 }), "body.label must be");
        check(
            &json!({ "style": 1, "ids": ["x"] }),
            "body.ids[0] is not a \"snowflake\"",
        );
        check(
            &json!({ "style": 1, "ids": ["1", "1"] }),
            "body.ids holds something twice",
        );
        check(
            &json!({ "style": 1, "ids": ["1", "2", "3"] }),
            "body.ids is longer",
        );
        check(
            &json!({ "style": 1, "rows": 0 }),
            "body.rows is out of range",
        );
        check(
            &json!({ "style": 1, "names": { "zh": 1 } }),
            "body.names.zh must be",
        );
    }
}
