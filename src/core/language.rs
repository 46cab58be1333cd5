//! The languages of Sayso's own texts.

use serde::{Deserialize, Serialize};

/// The languages of Sayso's own texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum Language {
    /// English.
    #[default]
    #[serde(rename = "en")]
    English,
    /// Simplified Chinese.
    #[serde(rename = "zh-CN")]
    Chinese,
}

impl Language {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 2] = [Self::English, Self::Chinese];

    /// Returns the supported language that is nearest to a platform's language code.
    pub fn nearest(code: &str) -> Self {
        if code.to_ascii_lowercase().starts_with("zh") {
            Self::Chinese
        } else {
            Self::English
        }
    }

    /// Returns the language code: `en` or `zh-CN`.
    pub fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Chinese => "zh-CN",
        }
    }
}
