//! What is remembered of a user: [`Memory`], recall, and the tools over it.
//!
//! No call exists here without an [`Owner`]: memories of two owners never meet.
//!
//! # Files
//!
//! `memory` is kept by owner: a person in a direct chat, the group in a group.
//!
//! A row belongs to the user whose account said it, so parting accounts parts their memories
//! exactly.
//!
//! `memory/knowledge` is the operator's texts, `knowledge/*.md`, for all users.
//!
//! `memory/vectors` makes vectors of what is remembered, behind the writing of it, and fuses the
//! order by meaning with the order by words.
//!
//! The vault (`memory/notes.rs`) is memories too: an entry is cut at its headings, and each passage
//! names it, so there is no second place that forgetting, export or erasure could miss.
//!
//! # Invariants
//!
//! - A row says what untrusted text was in view when it was written, which no argument can change;
//!   a text that gives orders is not written.
//! - A fact that changes is superseded: the old row stays with the time until when it held, and
//!   comes up only for who asks for the past (`Span::Ever`). Where a fact comes from (told,
//!   learned) is said by the code that writes it, never by an argument.
//! - What was forgotten or taken back leaves a tombstone (`memory/tombstones.rs`): its words,
//!   hashed under a key of the owner. What is learned is compared with it, and so are lines and
//!   summaries, whenever they are written (`memory/suppression.rs`); what the user tells anew lifts
//!   it. A turn of which something was forgotten is marked: it leaves no lines, no summary and
//!   nothing to learn.
//! - `/forget` with words is one prompt and one transaction per press (`commands/forget`): rows,
//!   words, vectors, tombstones, the payload and the text of the card go together, or stay.
//!   `commands` names `memory` for that and for nothing else.
//! - Memories whose retention has ended are deleted by one sweep an hour (`memory/sweep.rs`), 200
//!   rows a transaction, and leave no tombstone. Apart from the embedder's queue, only the sweep
//!   reads the rows of all users.
//! - The summary of a turn that forgot something is not kept: it would say it again.
//! - No call of `memory` exists without an `Owner`; a group's turn cannot reach a person's memory.
//! - `store::memories` reads and deletes by `Owners`, which is made from an `Owner` and from
//!   nothing else: the one group, or every user of the one person. It is known with each query,
//!   so a link or an unlink counts at once.
//! - An index of words that is damaged is emptied by the first query that meets the damage and
//!   filled again by `memory/index_repair.rs`, from every memory, or line, that is not in it; so no
//!   turn fails by it, and a kill in between costs nothing.
//! - The transcript is found by its lines: what a user said to Sayso, and the outcome of the turn.
//!   `memory/lines.rs` indexes them in the transaction that ends the turn; `lines` has no text, it
//!   names the row of the inbox or the turn whose journal has it. A direct chat's lines are the
//!   person's, a group's are the group's, and a person also finds their own words of groups, unless
//!   they quote others. A group finds nothing else. Lines go with their turn (a foreign key) and
//!   with their text (a trigger), and their words with them (a trigger); an earlier form of an
//!   edited message, and what was forgotten, is in none.
//! - `memory/transcript_search.rs` ranks lines and memories as one. Lines bring their neighbours,
//!   lines and summaries of turns in view are left out, and of a summary and its lines one stays:
//!   the summary where it shows all of the line.
//! - `core/when` tells the span of time that a question speaks of, in English and Chinese, from
//!   text and clock alone; `rank` prefers what is of that time (half as much again) and leaves
//!   nothing out for it. A question that names nothing but a time reads the lines of that time.
//! - `memory/maintenance.rs` works in the background, in small transactions that record their
//!   progress: it indexes turns from before lines were kept, makes words again when the making of
//!   words changes (`SPELLING`), and merges. An hour after the last line of a stretch of talk the
//!   summaries of its turns become one for up to 24 of them, at most 2000 characters: each keeps
//!   its beginning, and what short ones leave goes to the long. Only summaries of one user are
//!   merged, and never one with text from outside and one without. `turns.episode_id` says where a
//!   turn's summary went, so that an erased turn takes the merged one along.
//! - `store/search/word_index.rs` is how words stand in the indexes: each begins with the mark of
//!   its owner, so a search walks through one owner's rows only and costs the same whatever others
//!   remember. Of each word of a question it looks at the newest 1,000 rows, and reads the 64 that
//!   hold the rarest words. Rows from before words had marks are found by the owner beside their
//!   words until they are indexed again.
//! - `memory/rank` scores in memory what `store::memories::candidates` and
//!   `store::lines::candidates` read. Its statistics are those of the one owner (a trigger counts
//!   the memories of each), so what others remember moves no result; FTS5 finds rows and never
//!   ranks them.
//! - `memory/letter_folding.rs` makes spellings one (accents, full-width, traditional characters),
//!   for the index and for what is asked.
//! - `memory/languages` tells which languages a text may be in and stems its words. That is done
//!   when something is asked, never when it is written: the index holds words as they were said and
//!   finds other forms by their beginnings (`кошк*`), and `rank` then judges whether they are
//!   forms. So a better stemmer needs no new index.
//! - `memory/questions.rs` parts a message that asks several things; each question is ranked for
//!   itself.
//! - Nothing but memory follows the person: roles, grants, cards, turns, limits, workspaces and
//!   what `/skills` switched off are bound to the user.

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
pub use lines::{SaidInTurn, keep_lines};
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
