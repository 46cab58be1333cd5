//! Values of another type than their key takes: what they are, and how what was meant is written.

use toml::de::DeValue;

use super::keys::Kind;
use super::messages::{Found, Hint};

/// Longer values are not written again in a hint.
const HINT_CHARACTERS: usize = 60;

/// A value of another type.
pub(super) struct WrongType {
    /// What it is, with the value where that may be shown.
    pub(super) found: Found,
    /// How what was meant is written.
    pub(super) hint: Option<Hint>,
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
    Some(WrongType {
        found,
        hint: hint(kind, name, value, meant),
    })
}

/// Says how a value of the right type is written.
fn hint(kind: Kind, name: &str, value: &DeValue<'_>, meant: Option<String>) -> Option<Hint> {
    let name = name.to_owned();
    match (kind, value) {
        (_, DeValue::Array(_) | DeValue::Table(_) | DeValue::Datetime(_)) => None,
        (Kind::Text | Kind::Secret | Kind::Choice(_), _) => Some(match meant {
            Some(meant) => Hint::InQuotesAs { name, meant },
            None => Hint::InQuotes,
        }),
        (Kind::Texts | Kind::Secrets | Kind::Variables, _) => Some(match meant {
            Some(meant) => Hint::AsListAs { name, meant },
            None => Hint::AsList,
        }),
        (Kind::Whole(..) | Kind::Decimal(..) | Kind::AutoOrWhole(..) | Kind::Switch, _) => {
            meant.map(|meant| Hint::WithoutQuotesAs { name, meant })
        }
    }
}

/// Returns what a value is; `None` where a key takes values of its type.
fn found(kind: Kind, value: &DeValue<'_>, shown: Option<&str>) -> Option<Found> {
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
    let shown = shown.map(str::to_owned);
    Some(match (value, shown) {
        (DeValue::String(_), Some(shown)) => Found::Text { shown },
        (DeValue::String(_), None) => Found::HiddenText,
        (DeValue::Integer(_) | DeValue::Float(_), Some(shown)) => Found::Number { shown },
        (DeValue::Integer(_) | DeValue::Float(_), None) => Found::HiddenNumber,
        (DeValue::Boolean(_), Some(shown)) => Found::Switch { shown },
        (DeValue::Boolean(_), None) => Found::HiddenSwitch,
        (DeValue::Datetime(_), _) => Found::Time,
        (DeValue::Array(_), _) => Found::List,
        (DeValue::Table(_), _) => Found::Section,
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
