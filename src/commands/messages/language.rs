//! What `/language` says.

use sayso_channel::Language::{self, Chinese, English};
use sayso_channel::text;

/// What may be chosen, as commands and buttons write it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LanguageChoice {
    /// One language, whatever is written.
    Always(Language),
    /// The language that the person writes in.
    Automatic,
}

impl LanguageChoice {
    /// Each of them.
    pub const ALL: [Self; 3] = [
        Self::Always(English),
        Self::Always(Chinese),
        Self::Automatic,
    ];

    /// Reads what is written behind the command.
    pub fn named(written: &str) -> Option<Self> {
        match written.trim().to_lowercase().as_str() {
            "en" | "english" | "英文" | "英语" => Some(Self::Always(English)),
            "zh" | "zh-cn" | "chinese" | "中文" | "汉语" => Some(Self::Always(Chinese)),
            "auto" | "automatic" | "自动" => Some(Self::Automatic),
            _ => None,
        }
    }

    /// Returns how a button writes it.
    pub fn code(self) -> &'static str {
        match self {
            Self::Always(language) => language.code(),
            Self::Automatic => "auto",
        }
    }

    /// Returns what is stored of it.
    pub fn stored(self) -> Option<&'static str> {
        match self {
            Self::Always(language) => Some(language.code()),
            Self::Automatic => None,
        }
    }
}

/// `/language`: which language it is, and why.
pub fn language(is_chosen: bool, language: Language) -> String {
    if is_chosen {
        text!(language, "commands-language-chosen")
    } else {
        text!(language, "commands-language-followed")
    }
    .to_owned()
}

/// The label of a button.
pub fn language_button(choice: LanguageChoice, is_chosen: bool, language: Language) -> String {
    let name = match choice {
        LanguageChoice::Always(English) => "English",
        LanguageChoice::Always(Chinese) => "中文",
        LanguageChoice::Automatic => text!(language, "commands-language-button-name-automatic"),
    };
    let mark = if is_chosen { "✓ " } else { "" };
    format!("{mark}{name}")
}

/// After a choice, in the language that holds from now on.
pub fn language_now(choice: LanguageChoice, language: Language) -> String {
    match choice {
        LanguageChoice::Always(_) => text!(language, "commands-language-now-always"),
        LanguageChoice::Automatic => text!(language, "commands-language-now-automatic"),
    }
    .to_owned()
}
