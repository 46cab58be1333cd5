//! What a turn of a routine works from: the payload of its job, kept by its journal.

use sayso_core::transcript::{RoutineId, RunId, Taint, first_chars};
use sayso_store::StoreError;
use sayso_store::routines::{Notify, RoutineRow};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::started::Started;

/// What a turn of a routine works from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunRequest {
    /// The routine.
    pub routine: RoutineId,
    /// The occurrence.
    pub run: RunId,
    /// What people call the routine.
    pub name: String,
    /// What is to be done.
    pub prompt: String,
    /// When it was due.
    pub due_ms: i64,
    /// By whose clock.
    pub zone: String,
    /// Whether it says that it is late.
    pub is_late: bool,
    /// Whether it speaks only by the tool `report`.
    pub only_news: bool,
    /// The untrusted text that was in view when it was written.
    #[serde(default, skip_serializing_if = "Taint::is_empty")]
    pub taint: Taint,
}

/// How much of its words names a routine without a name, in characters.
const NAMED_BY: usize = 40;

impl RunRequest {
    /// Reads what a turn of a routine works from; `None` where it is of another origin.
    pub fn of_payload(payload: Option<&Value>) -> Option<Self> {
        serde_json::from_value(payload?.clone()).ok()
    }

    /// Returns how its routine is named to people.
    pub fn shown_name(&self) -> String {
        shown_name(&self.name, &self.prompt)
    }

    /// Returns what the turn of an occurrence works from.
    pub fn of(row: &RoutineRow, run: Started) -> Result<Self, StoreError> {
        Ok(Self {
            routine: row.id,
            run: run.id,
            name: row.name.clone(),
            prompt: row.prompt.clone(),
            due_ms: run.due_ms,
            zone: row.zone.clone(),
            is_late: run.is_late,
            only_news: row.notify == Notify::News,
            taint: row.taint()?,
        })
    }
}

/// Returns how a routine is named to people: by its name, or by the beginning of its words.
pub(super) fn shown_name(name: &str, prompt: &str) -> String {
    if !name.is_empty() {
        return name.to_owned();
    }
    let words = prompt.split_whitespace().collect::<Vec<_>>().join(" ");
    match first_chars(&words, NAMED_BY) {
        Some(beginning) => format!("{beginning}…"),
        None => words,
    }
}
