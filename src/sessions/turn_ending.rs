//! What the end of a turn needs to know of it.

use sayso_channel::{Address, Language, MessageKey};
use sayso_core::transcript::{SessionId, TurnId, UserId};

use crate::routines::RunRequest;

/// The turn that ends.
#[derive(Debug, Clone)]
pub struct TurnEnding {
    /// The turn.
    pub turn: TurnId,
    /// Its session.
    pub session: SessionId,
    /// The user that it acted for.
    pub user: UserId,
    /// Where its outcome is said.
    pub address: Address,
    /// The message that it answers; `None` where that goes without saying.
    pub reply_to: Option<MessageKey>,
    /// What the user had asked for.
    pub request: String,
    /// What is to be said of files that did not come or are of no use, in front of the outcome.
    pub file_notices: Vec<String>,
    /// Whether words of others are in it.
    pub untrusted: bool,
    /// How many clarifications in a row there were before.
    pub asked: u32,
    /// The language of our own texts.
    pub language: Language,
    /// The run of a routine that it is.
    pub run: Option<RunRequest>,
    /// How long the session must be idle before something is learned from the turn, in
    /// milliseconds; `None` learns nothing.
    pub learns_after_ms: Option<i64>,
}

impl TurnEnding {
    /// Returns what is said at its end, behind what is to be said of its files.
    pub fn with_file_notices(&self, said: &str) -> String {
        let notices = self.file_notices.iter().map(String::as_str);
        let paragraphs = notices.chain((!said.is_empty()).then_some(said));
        paragraphs.collect::<Vec<_>>().join("\n\n")
    }
}
