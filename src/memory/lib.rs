//! What is remembered of a user: [`Memory`], recall, and the tools over it.
//!
//! No call exists here without an [`Owner`]: memories of two owners never meet.

mod bigrams;
#[cfg(test)]
mod deeds;
mod deletion;
mod episode_merge;
mod excerpt;
pub mod extraction;
mod index_repair;
pub mod knowledge;
mod languages;
#[cfg(test)]
mod languages_tests;
mod learned_facts;
mod letter_folding;
mod lines;
mod maintenance;
mod note_store;
mod notes;
mod query_time;
mod questions;
pub mod rank;
mod results;
mod rows;
mod section;
mod stored;
mod summary;
mod suppression;
mod sweep;
mod tombstones;
mod tool;
mod tool_names;
mod transcript_search;
mod update;
mod vectors;

use async_trait::async_trait;
use sayso_core::transcript::{MemoryId, Owner, Taint, TurnId, UserId};
pub use sayso_store::memories::MemoryKind;

pub use bigrams::{query_terms, recall_terms};
pub use deletion::{forget, meant};
pub use index_repair::IndexRepair;
pub use learned_facts::{Learned, NewFact, Source, Topic, learn_in, undo as undo_in};
pub use lines::keep_lines;
pub use maintenance::Maintenance;
pub use note_store::{Filed, NewEntry};
pub use notes::{QuickNote, SaveToVault};
pub use query_time::asked_at;
pub use results::ReadResult;
pub use sayso_store::memories::Span;
pub use section::{SECTION_CHARS, fitting, recall_section};
pub use stored::StoredMemory;
pub use summary::turn_summary;
pub use suppression::{forgets, said_with, unsay_words, without_forgotten};
pub use sweep::{Retention, sweep};
pub use tool::{MemoryForget, MemoryRecall, MemoryStore};
pub use update::MemoryUpdate;
pub use vectors::{EmbeddingLedger, OnBehalf, TokensRead, Vectors};

/// The longest memory, in characters.
pub const TEXT_CHARS: usize = 2000;

/// What is remembered, kept apart by owner.
#[async_trait]
pub trait Memory: MemorySearch {
    /// Remembers a text; an equal text of the same owner is touched, not doubled. `None`: it is the
    /// summary of a turn and says what was forgotten.
    async fn remember(&self, owner: Owner, new: NewMemory) -> anyhow::Result<Option<MemoryId>>;

    /// Remembers a fact, or has it take the place of one: whatever is there and says the same is
    /// touched, and what it changes stays with the time until when it held. What was forgotten is
    /// not learned again, unless the person states it again.
    async fn learn(&self, owner: Owner, new: NewFact) -> anyhow::Result<Learned>;

    /// Keeps an entry of the vault, all of it or nothing; `None` when its name is taken too often.
    async fn file(&self, owner: Owner, entry: NewEntry) -> anyhow::Result<Option<Filed>>;

    /// Takes back what one learning did and returns whether there was anything to take back. What
    /// it had superseded holds again, and what it said is not learned again.
    async fn undo(&self, owner: Owner, learned: &Learned) -> anyhow::Result<bool>;

    /// Deletes memories by id, with what they superseded, has lines of these ids found no more, and
    /// returns how many were there. What memories said is not learned again and is found in nothing
    /// that was said.
    async fn forget(&self, owner: Owner, ids: &[MemoryId]) -> anyhow::Result<u64>;

    /// Notes that memories were written in a transaction of the caller ([`learn_in`]).
    fn note_written(&self);
}

/// Finds what an owner has in memory.
#[async_trait]
pub trait MemorySearch: Send + Sync {
    /// Returns the memories that match `query` best and hold now, best first, at most `limit`. This
    /// is noted as a use of theirs.
    async fn recall(
        &self,
        owner: Owner,
        query: &str,
        limit: usize,
    ) -> anyhow::Result<Vec<Recalled>>;

    /// Returns those of these memories that are still there, in this order; it is no use of them.
    async fn named(&self, owner: Owner, ids: &[MemoryId]) -> anyhow::Result<Vec<Recalled>>;

    /// Returns what a recall would, but over a span of time, and as no use.
    async fn find(
        &self,
        owner: Owner,
        query: &str,
        limit: usize,
        span: Span,
    ) -> anyhow::Result<Vec<Recalled>>;

    /// Returns what answers a question best: memories, and lines of the transcript that are not in
    /// view anyway.
    async fn search_transcript(
        &self,
        owner: Owner,
        question: &Question<'_>,
    ) -> anyhow::Result<Vec<Recalled>> {
        self.recall(owner, question.text, question.limit).await
    }
}

/// What is looked for in everything that was remembered and said.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// The text.
    pub text: &'a str,
    /// How much is wanted at most.
    pub limit: usize,
    /// The turns that the requester already has in view.
    pub in_view: &'a [TurnId],
}

/// Something to remember.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewMemory {
    /// What kind of memory it is.
    pub kind: MemoryKind,
    /// The text, 1-2000 characters.
    pub text: String,
    /// The turn that it comes from.
    pub turn: TurnId,
    /// Where the untrusted text came from that the turn had in view: no model can say otherwise.
    pub taint: Taint,
}

/// A memory, or a line of the transcript, that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recalled {
    /// Its name.
    pub id: MemoryId,
    /// What kind it is.
    pub kind: MemoryKind,
    /// The text.
    pub text: String,
    /// When it was remembered, in milliseconds since 1970.
    pub at_ms: i64,
    /// The user of the turn that it comes from, where that is still known.
    pub by: Option<UserId>,
    /// Where the untrusted text came from that was in view when it was written.
    pub taint: Taint,
    /// What a fact is about.
    pub topic: Option<Topic>,
    /// Where a fact comes from; `None` of an episode.
    pub source: Option<Source>,
    /// How sure it is, in percent.
    pub confidence: u8,
    /// Since when it holds, if that was said.
    pub valid_from_ms: Option<i64>,
    /// Until when it holds, or held: another one may have taken its place.
    pub valid_until_ms: Option<i64>,
    /// Who said it, if it is a line of the transcript.
    pub speaker: Option<Speaker>,
}

/// Who said a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    /// The user, in their direct chat.
    User,
    /// Somebody in a group, who is named in the text.
    Member,
    /// The agent.
    Agent,
}

impl Recalled {
    /// Returns where the untrusted text in it came from, as seen by this user: what another one had
    /// remembered in a group is words of others.
    pub fn taint_for(&self, owner: Owner, user: UserId) -> Taint {
        let mut taint = self.taint.clone();
        if matches!(owner, Owner::Chat(_)) && self.by != Some(user) {
            taint.add_others();
        }
        taint
    }
}
