//! What goes into audit and trace: without secrets, and not without end.

use sayso_core::redact::Redactor;
use sayso_core::transcript::first_chars;
use serde_json::Value;

/// The longest text, in characters; more is cut with a note.
const TEXT_CHARS: usize = 16_000;

/// Hides the secrets of every text in a value, and cuts what is too long.
pub fn tidy(redactor: &Redactor, value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(bounded(&redactor.redact(&text))),
        Value::Array(items) => {
            let items = items.into_iter().map(|item| tidy(redactor, item));
            Value::Array(items.collect())
        }
        Value::Object(fields) => {
            let fields = fields.into_iter();
            let tidied = fields.map(|(name, field)| {
                let name = redactor.redact(&name).into_owned();
                (name, tidy(redactor, field))
            });
            Value::Object(tidied.collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value,
    }
}

fn bounded(text: &str) -> String {
    match first_chars(text, TEXT_CHARS) {
        None => text.to_owned(),
        Some(kept) => {
            let more = text.chars().count() - TEXT_CHARS;
            format!("{kept} [{more} more characters left out]")
        }
    }
}
