//! One line of the report.

use sayso_channel::Language;
use serde::ser::{Serialize, SerializeMap as _, Serializer};

use super::messages;

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::cli) enum Finding {
    /// All is well with it.
    Fine(String),
    /// Something is wrong.
    Problem {
        /// What.
        what: String,
        /// What the operator can do about it.
        fix: String,
    },
}

/// For scripts: `{"ok": true, "text": ..}` or `{"ok": false, "text": .., "fix": ..}`.
impl Serialize for Finding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_map(None)?;
        match self {
            Self::Fine(text) => {
                fields.serialize_entry("ok", &true)?;
                fields.serialize_entry("text", text)?;
            }
            Self::Problem { what, fix } => {
                fields.serialize_entry("ok", &false)?;
                fields.serialize_entry("text", what)?;
                fields.serialize_entry("fix", fix)?;
            }
        }
        fields.end()
    }
}

impl Finding {
    /// Returns the lines of it.
    pub(in crate::cli) fn in_words(&self, language: Language) -> String {
        // Further lines stand below the text of the first one.
        let below = |text: &str| text.replace('\n', "\n    ");
        match self {
            Self::Fine(text) => format!("ok  {}", below(text)),
            Self::Problem { what, fix } => {
                let fix = messages::fix(language, &below(fix));
                format!("!!  {}\n    {fix}", below(what))
            }
        }
    }
}
