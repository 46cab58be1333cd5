//! Why a command is allowed, denied or asked about, in both languages.

use sayso_core::Language;
use serde::Deserialize;

/// Why, in both languages: shown in denials and on cards. It may be written as one text for both.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(from = "WrittenJustification")]
pub struct Justification {
    /// In English.
    pub en: String,
    /// In 简体中文.
    pub zh: String,
}

#[derive(Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum WrittenJustification {
    Same(String),
    Both { en: String, zh: String },
}

impl From<WrittenJustification> for Justification {
    fn from(written: WrittenJustification) -> Self {
        match written {
            WrittenJustification::Same(text) => Self {
                en: text.clone(),
                zh: text,
            },
            WrittenJustification::Both { en, zh } => Self { en, zh },
        }
    }
}

impl Justification {
    /// Returns what is said in each language.
    pub fn said<T: Into<String>>(say: impl Fn(Language) -> T) -> Self {
        Self {
            en: say(Language::English).into(),
            zh: say(Language::Chinese).into(),
        }
    }

    /// Returns it in one language.
    pub fn in_language(&self, language: Language) -> &str {
        match language {
            Language::English => &self.en,
            Language::Chinese => &self.zh,
        }
    }
}
