//! What a key takes, and how a value of it is read from the file, a variable or a default.

use toml::Value;
use toml::de::DeValue;

use crate::config::messages::{Choices, Rule};

/// What a key takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::config) enum Kind {
    /// Any text.
    Text,
    /// A text that must never be shown, or `env:NAME`, or `file:PATH`.
    Secret,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A whole number in this range, ends included.
    Whole(i64, i64),
    /// `auto`, or a whole number in this range; a text either way.
    AutoOrWhole(i64, i64),
    /// A number in this range, ends included.
    Decimal(f64, f64),
    /// `true` or `false`.
    Switch,
    /// A list of texts.
    Texts,
    /// A list of texts that must never be shown, each as [`Kind::Secret`].
    Secrets,
    /// A list of `NAME=VALUE`, never shown; a value may be `env:NAME` or `file:PATH`.
    Variables,
}

impl Kind {
    /// Returns whether what is written must never be shown.
    pub(in crate::config) fn is_secret(self) -> bool {
        matches!(self, Self::Secret | Self::Secrets | Self::Variables)
    }

    /// The largest number of keys that have no limit of their own.
    pub(in crate::config) const UNBOUNDED: i64 = 1_000_000_000_000;

    /// Returns what is allowed.
    pub(in crate::config) fn rule(self) -> Rule {
        match self {
            Self::Text => Rule::Text,
            Self::Secret => Rule::QuotedSecret,
            Self::Choice(words) => Rule::OneOf {
                words: Choices(words),
            },
            Self::Whole(least, most) => Rule::Whole { least, most },
            Self::AutoOrWhole(least, most) => Rule::AutoOrWhole { least, most },
            Self::Decimal(least, most) => Rule::Decimal {
                least: least.to_string(),
                most: most.to_string(),
            },
            Self::Switch => Rule::Switch,
            Self::Texts => Rule::Texts,
            Self::Secrets => Rule::Secrets,
            Self::Variables => Rule::Variables,
        }
    }

    /// Returns the range of a number, where it is of use to a reader.
    pub(in crate::config) fn range(self) -> Option<String> {
        match self {
            Self::Whole(_, most) if most >= Self::UNBOUNDED => None,
            Self::Whole(least, most) | Self::AutoOrWhole(least, most) => {
                Some(format!("{least}-{most}"))
            }
            Self::Decimal(least, most) => Some(format!("{least}-{most}")),
            Self::Text
            | Self::Secret
            | Self::Choice(_)
            | Self::Switch
            | Self::Texts
            | Self::Secrets
            | Self::Variables => None,
        }
    }

    /// Reads a value of the file; `None` when it is not allowed.
    pub(in crate::config) fn read_toml(self, value: &DeValue<'_>) -> Option<Value> {
        match self {
            Self::Text | Self::Secret | Self::Choice(_) => self.read_text(value.as_str()?),
            Self::Whole(..) => {
                let number = value.as_integer()?;
                self.whole(i64::from_str_radix(number.as_str(), number.radix()).ok()?)
            }
            Self::AutoOrWhole(..) => match value.as_integer() {
                Some(number) => self.read_text(number.as_str()),
                None => self.read_text(value.as_str()?),
            },
            Self::Decimal(..) => {
                let whole = value.as_integer().map(toml::de::DeInteger::as_str);
                let number = value.as_float().map(toml::de::DeFloat::as_str).or(whole)?;
                self.read_text(number)
            }
            Self::Switch => value.as_bool().map(Value::Boolean),
            Self::Texts | Self::Secrets | Self::Variables => value
                .as_array()?
                .iter()
                .map(|item| {
                    item.get_ref()
                        .as_str()
                        .map(|text| Value::String(text.to_owned()))
                })
                .collect::<Option<_>>()
                .map(Value::Array),
        }
    }

    /// Reads an environment variable or a default; `None` when it is not allowed.
    pub(in crate::config) fn read_text(self, text: &str) -> Option<Value> {
        match self {
            Self::Text | Self::Secret => Some(Value::String(text.to_owned())),
            Self::Choice(words) => words
                .contains(&text)
                .then(|| Value::String(text.to_owned())),
            Self::Whole(..) => self.whole(text.trim().parse().ok()?),
            Self::AutoOrWhole(least, most) => {
                let text = text.trim();
                let number = text.parse::<i64>().ok();
                let allowed =
                    text == "auto" || number.is_some_and(|it| (least..=most).contains(&it));
                allowed.then(|| Value::String(text.to_owned()))
            }
            Self::Decimal(least, most) => {
                let number: f64 = text.trim().parse().ok()?;
                (least..=most)
                    .contains(&number)
                    .then_some(Value::Float(number))
            }
            Self::Switch => text.trim().parse().ok().map(Value::Boolean),
            Self::Texts | Self::Secrets | Self::Variables if text.trim_start().starts_with('[') => {
                let list = DeValue::parse(text.trim()).ok()?;
                self.read_toml(list.get_ref())
            }
            Self::Texts | Self::Secrets | Self::Variables => Some(Value::Array(
                text.split(',')
                    .map(str::trim)
                    .filter(|item| !item.is_empty())
                    .map(|item| Value::String(item.to_owned()))
                    .collect(),
            )),
        }
    }

    fn whole(self, number: i64) -> Option<Value> {
        let Self::Whole(least, most) = self else {
            return None;
        };
        (least..=most)
            .contains(&number)
            .then_some(Value::Integer(number))
    }
}
