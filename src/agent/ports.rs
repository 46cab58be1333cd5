//! What a model's turn needs from above, beside what its calls need: where messages come from, and
//! an observer. `sessions` provides both.

use std::collections::BTreeMap;

use async_trait::async_trait;
use sayso_channel::AttachmentRef;
use sayso_core::transcript::{HeardText, Past};
use sayso_providers::Stage;
use thiserror::Error;
use tokio::fs::File;

use crate::executor::{CallEvents, CallJournal, JournalError};

/// The journal of a model's turn: that of its calls, and what people say meanwhile.
pub trait Journal: CallJournal + MessageSource {}

impl<T: CallJournal + MessageSource> Journal for T {}

/// What was said before a turn, and what is said while it works.
#[async_trait]
pub trait MessageSource: Send {
    /// Returns the messages that join the turn now; they are heard in the same commit.
    async fn pending_messages(&mut self) -> Result<Vec<HeardText>, JournalError>;

    /// Says whether messages wait that join the turn now; nothing is heard.
    async fn has_pending_messages(&mut self) -> Result<bool, JournalError>;

    /// Copies a file that came with a message into `into`, replacing what a broken attempt left
    /// there.
    async fn fetch(&mut self, file: &AttachmentRef, into: &mut File) -> Result<(), FetchError>;

    /// Returns the turns that ended before this one began.
    async fn history(&mut self) -> Result<Earlier, JournalError>;

    /// Returns the hash of each `AGENTS.md` of a project that an owner accepted, by its path from the
    /// root of the project.
    async fn accepted_instructions(
        &mut self,
        project: &str,
    ) -> Result<BTreeMap<String, String>, JournalError>;
}

/// The turns that ended before another one began.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Earlier {
    /// What stands for the oldest of them, where they are summed up.
    pub summary: Option<Past>,
    /// The others, oldest first.
    pub turns: Vec<Past>,
}

/// Why a file did not come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum FetchError {
    /// It is not handed out, or not any more.
    #[error("it is not handed out (any more)")]
    Gone,
    /// There was no answer, or it came too late.
    #[error("it did not come in time")]
    Unreachable,
}

/// Observes a turn and its calls. Must not block: what cannot be shown now may be skipped.
pub trait TurnEvents: CallEvents {
    /// Something happened.
    fn emit(&self, event: TurnEvent);
}

/// What happens in a turn beside its calls, for the live message. Nothing here is the truth; the
/// journal is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TurnEvent {
    /// The model is loaded first.
    Starting,
    /// The model reads the prompt; the value is the percentage read.
    Reading(u8),
    /// A model answers; the text that it has said so far in this step.
    Text(String),
    /// The model is asked.
    Asking,
    /// A step is over; what was streamed is whole.
    StepDone,
    /// What was streamed cannot be used; the model is asked again.
    Discarded,
    /// Messages joined the turn; their texts, as the model sees them.
    Joined(Vec<String>),
}

impl TurnEvent {
    /// Returns what a model does before it answers.
    pub(super) fn of(stage: Stage) -> Self {
        match stage {
            Stage::Starting => Self::Starting,
            Stage::Reading(percent) => Self::Reading(percent),
        }
    }
}
