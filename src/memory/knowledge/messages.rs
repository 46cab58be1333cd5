//! Why something of the operator's texts is left out, in English and 简体中文.

use std::fmt;

use sayso_core::{Language, text};

use super::Why;

impl Why {
    /// Returns it in words, to stand behind the name of the file.
    pub fn in_words(&self, language: Language) -> String {
        match self {
            Self::TooLarge => text!(language, "knowledge-too-large").to_owned(),
            Self::NotText => text!(language, "knowledge-not-text").to_owned(),
            Self::LeadsOut => text!(language, "knowledge-leads-out").to_owned(),
            Self::NoFile => text!(language, "knowledge-no-file").to_owned(),
            Self::Unreadable(error) => {
                text!(language, "knowledge-unreadable", error)
            }
            Self::NoRoom => text!(language, "knowledge-no-room").to_owned(),
            Self::GivesOrders(heading) => text!(language, "knowledge-gives-orders", heading),
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_words(Language::English))
    }
}
