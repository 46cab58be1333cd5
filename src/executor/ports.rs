//! What calls need from above: a journal, and an observer of their status. `sessions` provides both.

use async_trait::async_trait;
use sayso_core::approval::Approved;
use sayso_core::transcript::{
    CallId, Entry, FileBefore, PlannedStep, TurnOutcome, UserId, WorkspaceProvenance,
};
use sayso_policy::{ClearedCall, GrantPattern, HeldCall};
use thiserror::Error;

use super::messages::PeopleLine;

/// The entries of one turn's journal.
///
/// Whatever returns `Ok` is in order behind what was written before; [`EntryLog::append`] may be
/// batched with the next commit, everything else is on disk when it returns.
#[async_trait]
pub trait EntryLog: Send {
    /// Appends an entry that precedes no outside effect, or a result with a file for the chat,
    /// which is sent by the same commit. So is the notice that a file did not come.
    async fn append(&mut self, entry: &Entry) -> Result<(), JournalError>;

    /// Commits the end of the turn together with what is said about it.
    async fn finish(&mut self, outcome: &TurnOutcome) -> Result<(), JournalError>;
}

/// What the journal of a turn does for its calls.
#[async_trait]
pub trait CallJournal: EntryLog + WorkspaceLog {
    /// Commits that a call is about to run. Refuses when the turn was stopped, or when the call
    /// needs an approval that is not there or was used before. What files were that it writes is
    /// kept with it.
    async fn call(
        &mut self,
        cleared: &ClearedCall,
        before: Vec<FileBefore>,
    ) -> Result<(), JournalError>;

    /// Returns what the files were before a call of the turn that was committed.
    async fn changes_of(&mut self, call: &CallId) -> Result<Vec<FileBefore>, JournalError>;

    /// Commits that calls wait for a person, together with the cards that ask.
    async fn hold(&mut self, held: &[HeldCall]) -> Result<(), JournalError>;

    /// Returns the proof that a person approved this call, if one did.
    async fn approved(&mut self, call: &CallId) -> Result<Option<Approved>, JournalError>;

    /// Returns the grants that the turn's user has in this session.
    async fn grants(&mut self) -> Result<Vec<GrantPattern>, JournalError>;

    /// Returns whether there is an owner who can be asked in a direct chat.
    async fn can_ask_owners(&mut self) -> Result<bool, JournalError>;

    /// Appends the result of a call that an owner would have to approve, where none can be asked.
    /// The asker is informed in the same commit.
    async fn append_unasked(&mut self, entry: &Entry) -> Result<(), JournalError>;

    /// Returns the name by which people know somebody.
    async fn name_of(&mut self, user: UserId) -> Result<Option<String>, JournalError>;
}

/// What is kept of the workspace that a turn works in.
#[async_trait]
pub trait WorkspaceLog: Send {
    /// Returns what is known of the workspace that the turn works in.
    async fn provenance(&mut self) -> Result<WorkspaceProvenance, JournalError>;

    /// Keeps what is known of it. It may be batched, and is on disk before what is committed after
    /// it.
    async fn note_provenance(&mut self, now: &WorkspaceProvenance) -> Result<(), JournalError>;

    /// Keeps what files were before a command that changed them, so that it can be taken back. It may
    /// be batched, and is on disk before what is committed after it.
    async fn keep_changes(
        &mut self,
        call: &CallId,
        files: Vec<FileBefore>,
    ) -> Result<(), JournalError>;
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

/// Observes calls. Must not block: what cannot be shown now may be skipped.
pub trait CallEvents: Send + Sync {
    /// Something happened.
    fn call(&self, event: CallEvent);
}

/// What happens to calls, for the live message. Nothing here is the truth; the journal is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallEvent {
    /// A call runs or has a result; `None` where there is nothing to show of it.
    Shown(CallId, Option<PeopleLine>),
    /// The turn has this plan now, by this call, or still has it.
    Planned(Option<CallId>, Vec<PlannedStep>),
    /// Calls wait for a person: a card asks, and says what the model said of them.
    Held,
}
