//! The references of a schema, put in place.
//!
//! A schema that refers to itself could be followed without end, and one whose references fork could be
//! followed for hours. So each reference is replaced by what it names, and that is bounded.

use serde_json::{Map, Value};

/// The most values that a schema has once all references are in place.
const MAX_VALUES: usize = 4_000;
/// How many references may lead on to one another.
const MAX_OPEN: usize = 16;
/// The keys that refer to another place.
const REFERENCES: [&str; 3] = ["$ref", "$dynamicRef", "$recursiveRef"];
/// The keys under which a schema keeps what it refers to.
const KEPT: [&str; 2] = ["$defs", "definitions"];

/// Returns a schema without references. One that stands inside of what it names allows anything. `None`
/// where one names what is not in this schema, or where it becomes too large.
pub(super) fn inlined(schema: &Value) -> Option<Value> {
    let mut inliner = Inliner {
        root: schema,
        open: Vec::new(),
        left: MAX_VALUES,
    };
    let mut whole = inliner.put(schema)?;
    if let Value::Object(fields) = &mut whole {
        for kept in KEPT {
            fields.shift_remove(kept);
        }
    }
    Some(whole)
}

struct Inliner<'a> {
    root: &'a Value,
    /// The references that are being followed.
    open: Vec<&'a str>,
    /// How many more values there may be.
    left: usize,
}

impl<'a> Inliner<'a> {
    fn put(&mut self, value: &'a Value) -> Option<Value> {
        self.left = self.left.checked_sub(1)?;
        match value {
            Value::Array(items) => items.iter().map(|item| self.put(item)).collect(),
            Value::Object(fields) => self.object(fields).map(Value::Object),
            other => Some(other.clone()),
        }
    }

    fn object(&mut self, fields: &'a Map<String, Value>) -> Option<Map<String, Value>> {
        let mut put = Map::new();
        for key in REFERENCES {
            if let Some(Value::String(name)) = fields.get(key) {
                put.extend(self.named(name)?);
            }
        }
        let is_kept = self.open.is_empty();
        for (key, value) in fields {
            let refers = REFERENCES.contains(&key.as_str()) && value.is_string();
            let is_repeated = !is_kept && KEPT.contains(&key.as_str());
            if !refers && !is_repeated {
                put.insert(key.clone(), self.put(value)?);
            }
        }
        Some(put)
    }

    /// Returns what a reference names.
    fn named(&mut self, name: &'a str) -> Option<Map<String, Value>> {
        let place = name.strip_prefix('#')?;
        let target = self.root.pointer(place)?.as_object()?;
        if self.open.contains(&name) {
            return Some(Map::new());
        }
        if self.open.len() == MAX_OPEN {
            return None;
        }
        self.open.push(name);
        let put = self.object(target);
        self.open.pop();
        put
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::inlined;

    #[test]
    fn a_reference_becomes_what_it_names() {
        let schema = json!({
            "type": "object",
            "$defs": {"colour": {"type": "string", "enum": ["red", "blue"]}},
            "properties": {"of": {"$ref": "#/$defs/colour", "description": "Which."}},
        });
        assert_eq!(
            inlined(&schema),
            Some(json!({
                "type": "object",
                "properties": {"of": {"type": "string", "enum": ["red", "blue"], "description": "Which."}},
            }))
        );
    }

    #[test]
    fn what_refers_to_itself_ends() {
        for schema in [
            json!({"type": "object", "allOf": [{"$ref": "#"}]}),
            json!({"type": "object", "properties": {"next": {"$ref": "#"}}}),
            json!({"type": "object", "$recursiveRef": "#"}),
        ] {
            let whole = inlined(&schema).unwrap();
            let written = whole.to_string();
            assert!(!written.contains("$re"), "{written}");
            let validator = jsonschema::validator_for(&whole).unwrap();
            assert!(validator.is_valid(&json!({"next": {}})), "{written}");
        }
        for name in ["https://example.org/schema", "#/$defs/none", "#anchor"] {
            assert_eq!(inlined(&json!({"allOf": [{"$ref": name}]})), None, "{name}");
        }
    }

    #[test]
    fn references_that_fork_do_not_grow_without_bound() {
        let forks = (0..40).map(|place| {
            let next = json!({"$ref": format!("#/$defs/d{}", place + 1)});
            (format!("d{place}"), json!({"anyOf": [next, next]}))
        });
        let mut definitions: serde_json::Map<_, _> = forks.collect();
        definitions.insert("d40".to_owned(), json!({"type": "string"}));
        let schema = json!({"type": "object", "$defs": definitions, "properties": {"x": {"$ref": "#/$defs/d0"}}});
        assert_eq!(inlined(&schema), None);
    }
}
