//! Arguments that a model wrote in another type than the schema says, where the schema allows one
//! reading: `"5"` for 5, `"true"`, a list as a text, 5 for `"5"`, `null` for a field that may be left
//! out.
//!
//! What fits is left alone, and so is what could be meant in two ways. This happens once, when the
//! call arrives: what is judged, shown, journaled and run is the same.

use sayso_core::transcript::read_lenient;
use serde_json::{Map, Number, Value};

/// How deep a schema is followed.
const MAX_DEPTH: usize = 32;

/// Returns arguments with each value in the type that its schema says, where there is one way to read
/// it so.
pub(crate) fn coerced(mut arguments: Value, schema: &Value) -> Value {
    if arguments.is_object() {
        visit(&mut arguments, schema, 0);
    }
    arguments
}

/// The types of JSON Schema, a number with a fraction apart from one without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Types(u8);

impl Types {
    const NONE: Self = Self(0);
    const NULL: Self = Self(1);
    const BOOLEAN: Self = Self(1 << 1);
    const INTEGER: Self = Self(1 << 2);
    const FRACTION: Self = Self(1 << 3);
    const STRING: Self = Self(1 << 4);
    const ARRAY: Self = Self(1 << 5);
    const OBJECT: Self = Self(1 << 6);
    const ANY: Self = Self(0x7f);

    fn named(name: &Value) -> Self {
        match name.as_str() {
            Some("null") => Self::NULL,
            Some("boolean") => Self::BOOLEAN,
            Some("integer") => Self::INTEGER,
            Some("number") => Self::INTEGER.or(Self::FRACTION),
            Some("string") => Self::STRING,
            Some("array") => Self::ARRAY,
            Some("object") => Self::OBJECT,
            _ => Self::ANY,
        }
    }

    fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            Value::Number(number) if without_fraction(number).is_some() => Self::INTEGER,
            Value::Number(_) => Self::FRACTION,
            Value::String(_) => Self::STRING,
            Value::Array(_) => Self::ARRAY,
            Value::Object(_) => Self::OBJECT,
        }
    }

    /// Returns what a schema takes, as far as it says so.
    fn taken_by(schema: &Value, depth: usize) -> Self {
        let Some(fields) = schema.as_object().filter(|_| depth < MAX_DEPTH) else {
            return Self::ANY;
        };
        let mut taken = match fields.get("type") {
            Some(Value::Array(names)) => Self::any_of(names.iter().map(Self::named)),
            Some(name) => Self::named(name),
            None => Self::ANY,
        };
        if let Some(words) = words_of(schema) {
            taken = taken.and(Self::any_of(words.iter().map(|word| Self::of(word))));
        }
        for cases in cases_of(schema) {
            let cases = cases.iter().map(|case| Self::taken_by(case, depth + 1));
            taken = taken.and(Self::any_of(cases));
        }
        let all = list(schema, "allOf").iter();
        all.fold(taken, |taken, part| {
            taken.and(Self::taken_by(part, depth + 1))
        })
    }

    fn any_of(all: impl Iterator<Item = Self>) -> Self {
        all.fold(Self::NONE, Self::or)
    }

    fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

fn visit(value: &mut Value, schema: &Value, depth: usize) {
    if depth == MAX_DEPTH {
        return;
    }
    if let Some(read) = reading(value, schema) {
        *value = read;
    }
    for part in parts_for(value, schema) {
        match value {
            Value::Object(fields) => visit_fields(fields, part, depth),
            Value::Array(items) => visit_items(items, part, depth),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
}

fn visit_fields(fields: &mut Map<String, Value>, schema: &Value, depth: usize) {
    let known = schema.get("properties").and_then(Value::as_object);
    for (name, schema_of_field) in known.into_iter().flatten() {
        let Some(value) = fields.get_mut(name) else {
            continue;
        };
        visit(value, schema_of_field, depth + 1);
        let is_required = list(schema, "required").iter().any(|it| it == name);
        if !is_required && is_left_out(value, schema_of_field) {
            fields.shift_remove(name);
        }
    }
    let others = schema.get("additionalProperties");
    if let Some(others) = others.filter(|_| schema.get("patternProperties").is_none()) {
        let is_known = |name: &String| known.is_some_and(|known| known.contains_key(name));
        let rest = fields.iter_mut().filter(|(name, _)| !is_known(name));
        rest.for_each(|(_, value)| visit(value, others, depth + 1));
    }
}

fn visit_items(items: &mut [Value], schema: &Value, depth: usize) {
    let first = match list(schema, "prefixItems") {
        // Drafts before 2020-12 have the schemas of the first items there.
        [] => list(schema, "items"),
        first => first,
    };
    let rest = schema.get("items").filter(|rest| rest.is_object());
    for (at, item) in items.iter_mut().enumerate() {
        if let Some(schema) = first.get(at).or(rest) {
            visit(item, schema, depth + 1);
        }
    }
}

/// Returns whether a value stands for a field that is not given, and the field takes no such value.
fn is_left_out(value: &Value, schema: &Value) -> bool {
    let taken = Types::taken_by(schema, 0);
    match value {
        Value::Null => !taken.has(Types::NULL),
        Value::String(text) => !taken.has(Types::STRING) && matches!(text.trim(), "null" | "None"),
        _ => false,
    }
}

/// Returns what a value that does not fit its schema must mean; `None` where it fits, or where that is
/// not certain.
fn reading(value: &Value, schema: &Value) -> Option<Value> {
    let taken = Types::taken_by(schema, 0);
    let fits = |value: &Value| taken.has(Types::of(value)) && is_a_word_of(value, schema);
    if let Value::Number(number) = value
        && number.is_f64()
        && !taken.has(Types::FRACTION)
    {
        // Deserializers of integers take no `5.0`.
        return without_fraction(number).map(Value::Number).filter(fits);
    }
    if fits(value) {
        return None;
    }
    let read = match value {
        Value::String(text) => match read_lenient(text.trim())? {
            Value::Number(number) if !taken.has(Types::FRACTION) => {
                Value::Number(without_fraction(&number)?)
            }
            read => read,
        },
        Value::Bool(_) => Value::String(value.to_string()),
        // A fraction is no longer what was written: 1.10 has become 1.1.
        Value::Number(number) if !number.is_f64() => Value::String(number.to_string()),
        Value::Number(_) | Value::Null | Value::Array(_) | Value::Object(_) => return None,
    };
    fits(&read).then_some(read)
}

/// Returns the parts of a schema that speak of this value: itself, all of `allOf`, and of the cases
/// the one that takes its type, where there is no other.
fn parts_for<'s>(value: &Value, schema: &'s Value) -> Vec<&'s Value> {
    let mut parts = vec![schema];
    parts.extend(list(schema, "allOf"));
    for cases in cases_of(schema) {
        let takes = |case: &&Value| Types::taken_by(case, 0).has(Types::of(value));
        let mut fitting = cases.iter().filter(takes);
        if let (Some(only), None) = (fitting.next(), fitting.next()) {
            parts.push(only);
        }
    }
    parts
}

fn cases_of(schema: &Value) -> impl Iterator<Item = &[Value]> {
    let cases = ["anyOf", "oneOf"].map(|key| list(schema, key));
    cases.into_iter().filter(|cases| !cases.is_empty())
}

fn list<'s>(schema: &'s Value, key: &str) -> &'s [Value] {
    let items = schema.get(key).and_then(Value::as_array);
    items.map(Vec::as_slice).unwrap_or_default()
}

/// Returns the values that a schema is limited to.
fn words_of(schema: &Value) -> Option<Vec<&Value>> {
    if let Some(word) = schema.get("const") {
        return Some(vec![word]);
    }
    let words = schema.get("enum")?.as_array()?;
    Some(words.iter().collect())
}

fn is_a_word_of(value: &Value, schema: &Value) -> bool {
    words_of(schema).is_none_or(|words| words.contains(&value))
}

/// Returns a number without a fraction as such.
fn without_fraction(number: &Number) -> Option<Number> {
    if !number.is_f64() {
        return Some(number.clone());
    }
    // Beyond 2^53 a double does not tell neighbours apart.
    let is_exact = |it: &f64| it.fract() == 0.0 && it.abs() < 9_007_199_254_740_992.0;
    let whole = number.as_f64().filter(is_exact)?;
    format!("{whole:.0}").parse::<i64>().ok().map(Number::from)
}

#[cfg(test)]
#[path = "coercion_tests.rs"]
mod tests;
