//! The names of things in the database, each a type of its own.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Declares a newtype over a 63-bit row id.
macro_rules! row_id {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub i64);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )+};
}

row_id!(
    /// A person we know.
    UserId,
    /// A chat we speak in.
    ChatId,
    /// The conversation at an address.
    SessionId,
    /// From a message to its outcome.
    TurnId,
    /// An event that was heard.
    InboxId,
    /// A message to send.
    OutboxId,
    /// One asking, with the calls that it lists.
    CardId,
    /// A question that waits for its answer.
    QuestionId,
    /// A yes that lasts for the session.
    GrantId,
    /// Something remembered.
    MemoryId,
    /// What is to be done at set times.
    RoutineId,
    /// An occurrence of a routine.
    RunId,
);

/// Names a passage of the operator's texts: its file, and a digest of what it says. A passage that
/// was changed is another one.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PassageId(pub String);

impl fmt::Display for PassageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Names a tool call inside its turn. Unique there, also when the model repeats itself.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CallId(pub String);

impl fmt::Display for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
