//! The JSON schema of the file, for editors and other programs.

use serde_json::{Map, Value, json};

use crate::config::keys::{Key, Kind, SECTIONS, Section};
use crate::config::several;

/// Returns the schema (draft 2020-12).
pub fn schema() -> Value {
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "sayso.toml",
    });
    if let (Some(head), Value::Object(table)) = (schema.as_object_mut(), table("")) {
        head.extend(table);
    }
    schema
}

/// Returns the schema of the table at a path, with everything below it.
fn table(path: &str) -> Value {
    let mut properties = keys_of(path);
    for name in below(path) {
        let place = [path, name].join(".");
        let place = place.trim_start_matches('.');
        let list = format!("{place}.*");
        let schema = if section(&list).is_some() {
            json!({ "type": "array", "items": table(&list) })
        } else {
            table(place)
        };
        properties.entry(name).or_insert(schema);
    }
    // A named account has the keys of the plain section, and secrets and projects are named alone.
    let accounts = object(&keys_of(path), &json!(false));
    let others = match path {
        path if several::has_only_named(path) => {
            return described(path, object(&Map::new(), &accounts));
        }
        path if several::has_accounts(path) => accounts,
        _ => json!(false),
    };
    described(path, object(&properties, &others))
}

fn object(properties: &Map<String, Value>, others: &Value) -> Value {
    json!({
        "type": "object",
        "properties": properties,
        "additionalProperties": others,
    })
}

/// Adds what the example says above a section.
fn described(path: &str, mut schema: Value) -> Value {
    let above = section(path).map(|section| section.above.english);
    if let (Some(above), Some(schema)) = (above.filter(|it| !it.is_empty()), schema.as_object_mut())
    {
        schema.insert("description".to_owned(), above.replace('\n', " ").into());
    }
    schema
}

fn section(path: &str) -> Option<&'static Section> {
    SECTIONS.iter().find(|section| section.path == path)
}

/// Returns the names of the sections right below a path.
fn below(path: &str) -> impl Iterator<Item = &'static str> {
    SECTIONS.iter().filter_map(move |section| {
        let rest = match path {
            "" => section.path,
            path => section.path.strip_prefix(path)?.strip_prefix('.')?,
        };
        rest.split('.')
            .next()
            .filter(|name| !matches!(*name, "" | "*"))
    })
}

fn keys_of(path: &str) -> Map<String, Value> {
    let keys = section(path).map_or(&[][..], |section| section.keys);
    let named = keys.iter().map(|key| {
        let name = key.path.rsplit('.').next().unwrap_or(key.path);
        (name.to_owned(), one_key(key))
    });
    named.collect()
}

fn one_key(key: &Key) -> Value {
    let mut schema = match key.kind {
        Kind::Text | Kind::Secret => json!({ "type": "string" }),
        Kind::Choice(words) => json!({ "enum": words }),
        Kind::Whole(least, most) => {
            json!({ "type": "integer", "minimum": least, "maximum": most })
        }
        Kind::AutoOrWhole(least, most) => json!({ "anyOf": [
            { "const": "auto" },
            { "type": "integer", "minimum": least, "maximum": most },
            { "type": "string", "pattern": "^[0-9]+$" },
        ] }),
        Kind::Decimal(least, most) => {
            json!({ "type": "number", "minimum": least, "maximum": most })
        }
        Kind::Switch => json!({ "type": "boolean" }),
        Kind::Texts | Kind::Secrets | Kind::Variables => {
            json!({ "type": "array", "items": { "type": "string" } })
        }
    };
    let default = key.default.and_then(|text| key.kind.read_text(text));
    let default = default.and_then(|value| serde_json::to_value(value).ok());
    if let Some(schema) = schema.as_object_mut() {
        schema.insert("description".to_owned(), key.doc.english.into());
        schema.extend(default.map(|default| ("default".to_owned(), default)));
    }
    schema
}
