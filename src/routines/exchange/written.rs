//! A routine as it stands in a file. `docs/src/guides/routines.md` says what each key means.

use serde::{Deserialize, Serialize};

/// The file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenFile<T> {
    /// Its routines and reminders.
    #[serde(default = "Vec::new")]
    pub(super) routines: Vec<T>,
}

/// What an occurrence does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum WrittenKind {
    /// A turn of a model.
    #[default]
    Turn,
    /// Its words are said.
    Remind,
}

/// When a routine reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum WrittenNotify {
    /// After each run.
    #[default]
    Always,
    /// When it has news.
    News,
}

/// A routine or reminder.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct WrittenRoutine {
    /// Whose, by one of their accounts: `telegram:12345`.
    pub(super) person: String,
    /// Where it reports: `telegram:-100123`.
    pub(super) chat: String,
    /// In which thread of that chat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) thread: Option<String>,
    /// What an occurrence does.
    pub(super) kind: WrittenKind,
    /// What people call it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) name: String,
    /// When.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) schedule: Option<String>,
    /// Which files start it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) on_file: Option<String>,
    /// Which words start it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) on_words: Option<Vec<String>>,
    /// Whether signed calls start it.
    #[serde(skip_serializing_if = "is_off")]
    pub(super) on_webhook: bool,
    /// By whose clock, where it is not the person's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) zone: Option<String>,
    /// From where intervals are counted, as in RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) from: Option<String>,
    /// What is to be done, or said.
    pub(super) words: String,
    /// When it reports.
    pub(super) notify: WrittenNotify,
    /// What becomes of a run that is late.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) late: String,
    /// Whether it is off.
    #[serde(skip_serializing_if = "is_off")]
    pub(super) off: bool,
    /// Whether untrusted text was in view when its words were written.
    #[serde(skip_serializing_if = "is_off")]
    pub(super) untrusted: bool,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference to what decides whether a field is left out"
)]
fn is_off(switch: &bool) -> bool {
    !switch
}
