//! Values of another type than their key takes: what they are, and how what was meant is written.

use toml::de::DeValue;

use super::keys::Kind;

/// Longer values are not written again in a hint.
const HINT_CHARACTERS: usize = 60;

/// A value of another type.
pub(super) struct WrongType {
    /// What it is, with the value where that may be shown.
    pub(super) found: String,
    /// How what was meant is written.
    pub(super) hint: Option<String>,
}

/// Says what a refused value is, where its type is what is wrong with it. `name` is the last part
/// of its key, `shown` the value where it may be shown.
pub(super) fn wrong_type(
    kind: Kind,
    name: &str,
    value: &DeValue<'_>,
    shown: Option<&str>,
) -> Option<WrongType> {
    let found = found(kind, value, shown)?;
    let meant = shown
        .filter(|text| text.chars().count() <= HINT_CHARACTERS)
        .and_then(|text| meant(kind, value, text));
    let how = match (kind, value) {
        (_, DeValue::Array(_) | DeValue::Table(_) | DeValue::Datetime(_)) => None,
        (Kind::Text | Kind::Secret | Kind::Choice(_), _) => Some("write it in quotes"),
        (Kind::Texts | Kind::Secrets | Kind::Variables, _) => Some("write it as a list"),
        (Kind::Whole(..) | Kind::Decimal(..) | Kind::AutoOrWhole(..) | Kind::Switch, _) => {
            meant.as_ref().map(|_| "write it without quotes")
        }
    };
    let hint = how.map(|how| match &meant {
        Some(meant) => format!("{how}: `{name} = {meant}`"),
        None => how.to_owned(),
    });
    Some(WrongType { found, hint })
}

/// Returns what a value is; `None` where a key takes values of its type.
fn found(kind: Kind, value: &DeValue<'_>, shown: Option<&str>) -> Option<String> {
    let takes = match kind {
        Kind::Text | Kind::Secret | Kind::Choice(_) => value.is_str(),
        Kind::Whole(..) | Kind::Decimal(..) => value.is_integer() || value.is_float(),
        Kind::AutoOrWhole(..) => value.is_integer() || value.is_str(),
        Kind::Switch => value.is_bool(),
        Kind::Texts | Kind::Secrets | Kind::Variables => value.is_array(),
    };
    if takes {
        return None;
    }
    let what = match value {
        DeValue::String(_) => "the text",
        DeValue::Integer(_) | DeValue::Float(_) => "the number",
        DeValue::Boolean(_) => "the switch",
        DeValue::Datetime(_) => "a time",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a section",
    };
    Some(match (value, shown) {
        (DeValue::String(_), Some(text)) => format!("{what} `\"{text}\"`"),
        (DeValue::Integer(_) | DeValue::Float(_) | DeValue::Boolean(_), Some(text)) => {
            format!("{what} `{text}`")
        }
        _ => what.to_owned(),
    })
}

/// Returns what was meant as the file has it, where that would be allowed.
fn meant(kind: Kind, value: &DeValue<'_>, text: &str) -> Option<String> {
    match kind {
        Kind::Text | Kind::Choice(_) => kind.read_text(text).map(|_| format!("\"{text}\"")),
        Kind::Whole(..) | Kind::Decimal(..) | Kind::AutoOrWhole(..) => {
            value.as_str()?;
            kind.read_text(text).map(|_| text.trim().to_owned())
        }
        Kind::Switch => match text.trim().to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" | "1" => Some("true".to_owned()),
            "false" | "no" | "off" | "0" => Some("false".to_owned()),
            _ => None,
        },
        Kind::Texts if !text.contains(['"', '\\', '[']) => {
            let items = text.split(',').map(|item| format!("\"{}\"", item.trim()));
            Some(format!("[{}]", items.collect::<Vec<_>>().join(", ")))
        }
        Kind::Texts | Kind::Secret | Kind::Secrets | Kind::Variables => None,
    }
}
