//! What a call would do, as its tool says it: once, for cards in every language.

use std::fmt;

use sayso_core::transcript::MemoryId;
use serde::{Serialize, Serializer};

/// What a call would do, in one line for people. `messages` puts it in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Summary {
    /// What is the same in every language: a command, a path, an address, what a server defines. A
    /// person approves exactly what stands there.
    Verbatim(String),
    /// This text would be remembered.
    Remember(String),
    /// A memory would say this from now on.
    ChangeMemory {
        /// The memory.
        id: MemoryId,
        /// What it would say.
        text: String,
    },
    /// This would be noted in the vault.
    Note(String),
    /// An entry of this title would be kept in the vault.
    SaveNote(String),
    /// This key of the configuration would be set.
    SetKey(String),
    /// The change of this key would be taken back.
    RestoreKey(String),
    /// What would happen to a routine.
    Routine(RoutineChange),
}

/// What would happen to a routine; schedules are as they are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RoutineChange {
    /// It would be made.
    Create {
        /// When it would run.
        schedule: String,
    },
    /// A reminder would be made.
    Remind {
        /// When it would come.
        schedule: String,
    },
    /// It would run at another time, or do something else.
    Update {
        /// When it runs now.
        before: String,
        /// When it would run.
        after: String,
    },
    /// Its schedule stays, and this would be done with it.
    Switch {
        /// What.
        to: RoutineState,
        /// Its number.
        id: i64,
        /// When it runs.
        schedule: String,
    },
}

/// What a routine would be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoutineState {
    /// At work.
    On,
    /// At rest.
    Off,
    /// No more.
    Deleted,
}

impl From<String> for Summary {
    fn from(text: String) -> Self {
        Self::Verbatim(text)
    }
}

impl From<&str> for Summary {
    fn from(text: &str) -> Self {
        Self::Verbatim(text.to_owned())
    }
}

/// The form that an approval is bound to, with everything that tells one call from another.
impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Verbatim(text) => f.write_str(text),
            Self::Remember(text) => write!(f, "remember: {text}"),
            Self::ChangeMemory { id, text } => write!(f, "change memory {id}: {text}"),
            Self::Note(text) => write!(f, "note: {text}"),
            Self::SaveNote(title) => write!(f, "save to the vault: {title}"),
            Self::SetKey(key) => write!(f, "config: {key}"),
            Self::RestoreKey(key) => write!(f, "config: ↩ {key}"),
            Self::Routine(RoutineChange::Create { schedule }) => write!(f, "routine: {schedule}"),
            Self::Routine(RoutineChange::Remind { schedule }) => write!(f, "remind: {schedule}"),
            Self::Routine(RoutineChange::Update { before, after }) => {
                write!(f, "routine: {before} → {after}")
            }
            Self::Routine(RoutineChange::Switch { to, id, schedule }) => {
                let sign = match to {
                    RoutineState::On => "▶",
                    RoutineState::Off => "⏸",
                    RoutineState::Deleted => "🗑",
                };
                write!(f, "routine: {sign} #{id} {schedule}")
            }
        }
    }
}

impl Serialize for Summary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
