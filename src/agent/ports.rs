//! What a turn needs from above: a journal, and somebody who watches. `sessions` provides both.

use async_trait::async_trait;
use sayso_channel::AttachmentRef;
use thiserror::Error;
use tokio::fs::File;

use crate::approvals::Approved;
use crate::policy::{ClearedCall, GrantPattern, HeldCall};
use crate::providers::Stage;
use crate::transcript::{
    CallId, Entry, FileBefore, HeardText, Past, PlannedStep, ToolStatus, TurnOutcome, UserId,
    WorkspaceProvenance,
};

/// The journal of one turn, as its driver writes it.
///
/// Whatever returns `Ok` is in order behind what was written before; [`Journal::append`] may ride
/// with the next commit, everything else is on disk when it returns.
#[async_trait]
pub trait Journal: Send {
    /// Appends an entry that precedes no outside effect, or a result with a file for the chat,
    /// which is sent by the same commit. So is the notice that a file did not come.
    async fn append(&mut self, entry: &Entry) -> Result<(), JournalError>;

    /// Commits that a call is about to run. Refuses when the turn was stopped, or when the call
    /// needs an approval that is not there or was used before. What a file was that it writes is
    /// kept with it.
    async fn call(
        &mut self,
        cleared: &ClearedCall,
        before: Option<FileBefore>,
    ) -> Result<(), JournalError>;

    /// Returns whether there is an owner who can be asked in a direct chat.
    async fn can_ask_owners(&mut self) -> Result<bool, JournalError>;

    /// Appends the result of a call that an owner would have to approve, where none can be asked.
    /// The asker is informed in the same commit.
    async fn append_unasked(&mut self, entry: &Entry) -> Result<(), JournalError>;

    /// Commits that calls wait for a person, together with the cards that ask.
    async fn hold(&mut self, held: &[HeldCall]) -> Result<(), JournalError>;

    /// Returns the proof that a person approved this call, if one did.
    async fn approved(&mut self, call: &CallId) -> Result<Option<Approved>, JournalError>;

    /// Returns the messages that join the turn now; they are heard in the same commit.
    async fn pending_messages(&mut self) -> Result<Vec<HeardText>, JournalError>;

    /// Says whether messages wait that join the turn now; nothing is heard.
    async fn has_pending_messages(&mut self) -> Result<bool, JournalError>;

    /// Copies a file that came with a message into `into`, replacing what a broken attempt left
    /// there.
    async fn fetch(&mut self, file: &AttachmentRef, into: &mut File) -> Result<(), FetchError>;

    /// Returns the grants that the turn's user has in this session.
    async fn grants(&mut self) -> Result<Vec<GrantPattern>, JournalError>;

    /// Returns what is known of the workspace that the turn works in.
    async fn ground(&mut self) -> Result<WorkspaceProvenance, JournalError>;

    /// Keeps what is known of it. It may ride, and is on disk before what is committed after it.
    async fn note_ground(&mut self, ground: &WorkspaceProvenance) -> Result<(), JournalError>;

    /// Returns how large a file may be that is sent to the chat, in bytes.
    fn largest_file(&self) -> u64;

    /// Returns the turns that ended before this one began.
    async fn history(&mut self) -> Result<Earlier, JournalError>;

    /// Commits the end of the turn together with what is said about it.
    async fn finish(&mut self, outcome: &TurnOutcome) -> Result<(), JournalError>;
}

/// The turns that ended before another one began.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Earlier {
    /// What stands for the oldest of them, where they are summed up.
    pub summary: Option<Past>,
    /// The others, oldest first.
    pub turns: Vec<Past>,
}

/// Why the journal refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum JournalError {
    /// A person stopped the turn.
    #[error("the turn was stopped")]
    Stopped {
        /// Who.
        by: UserId,
    },
    /// The call needs an approval that is not there (any more).
    #[error("the approval of this call was used or withdrawn")]
    NotApproved,
    /// The call cannot be written down in the audit, so it does not run.
    #[error("the call cannot be written down in the audit: {0}")]
    Unaudited(String),
    /// The turn belongs to another worker now: this one must let go of it.
    #[error("the turn belongs to another worker")]
    Lost,
    /// The journal cannot be written; the turn stays where it is and is resumed later.
    #[error("the journal cannot be written: {0}")]
    Broken(String),
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

/// Watches a turn. Must not block: what cannot be shown now may be skipped.
pub trait TurnEvents: Send + Sync {
    /// Something happened.
    fn emit(&self, event: TurnEvent);
}

/// What happens in a turn, for the live message. Nothing here is the truth; the journal is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TurnEvent {
    /// The model is loaded first.
    Starting,
    /// The model reads the prompt; the value is the percentage read.
    Reading(u8),
    /// A model answers; the text that it has said so far in this step.
    Text(String),
    /// A step is over; what was streamed is no longer the newest.
    StepDone,
    /// A tool call changed its status.
    Tool(CallId, ToolStatus),
    /// The turn has this plan now, by this call, or still has it.
    Planned(Option<CallId>, Vec<PlannedStep>),
    /// A message joined the turn.
    Joined,
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
