//! The operator's texts: `knowledge/*.md` in the data directory, recalled for all users.
//!
//! They belong to no user and are not stored in the database: the index is built from the files
//! alone. So no tool can write them, a changed file takes effect with the next recall, and a
//! deleted one is gone. The operator's files are trusted, like AGENT.md; a passage that looks like
//! a prompt injection is still left out, because such texts may be pasted from elsewhere.
//!
//! # Invariants
//!
//! - The texts of `knowledge/` have no owner and no rows: what is searched is made of the files and
//!   kept in memory, so nothing but a change of the files changes it. Each recall looks at their
//!   metadata, and reads what changed. They taint nothing, for they are the operator's as
//!   `AGENT.md` is. A passage that the injection check would block is left out: texts are pasted
//!   from elsewhere, and orders belong into `AGENT.md`.
//! - A passage is named by its file and a digest of what it says, so a changed one is another.

mod index;
mod index_set;
mod messages;
mod passages;
mod section;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use sayso_core::transcript::PassageId;

use index::Index;
use index_set::IndexSet;
pub use index_set::{LeftOut, Why};
pub(super) use passages::passages as passages_of;
pub use section::{KNOWLEDGE_CHARS, fitting_passages, knowledge_section};

/// What the operator wrote down for everybody.
#[derive(Debug, Clone)]
pub struct Knowledge {
    // Turns of all sessions read it; it is held while files are looked at, by a thread that may
    // block.
    index_set: Arc<Mutex<IndexSet>>,
}

/// A piece of one of the texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// Its name.
    pub id: PassageId,
    /// The file, as `knowledge/wifi.md`.
    pub source: String,
    /// The headings that it stands below; may be empty.
    pub heading: String,
    /// What it says.
    pub text: String,
}

/// How much there is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Inventory {
    /// The files of which something is recalled.
    pub files: usize,
    /// The passages in them.
    pub passages: usize,
    /// What is not recalled, and why.
    pub left_out: Vec<LeftOut>,
}

impl Knowledge {
    /// Returns the texts in a directory, which need not exist.
    pub fn open(directory: &Path) -> Self {
        Self {
            index_set: Arc::new(Mutex::new(IndexSet::new(directory.to_owned()))),
        }
    }

    /// Looks at the files and returns how much there is.
    pub async fn inventory(&self) -> Inventory {
        self.with(IndexSet::inventory).await.unwrap_or_default()
    }

    /// Returns the passages that match a query best, best first, at most `limit`.
    pub async fn recall(&self, query: &str, limit: usize) -> Vec<Passage> {
        self.index().await.search(query, limit)
    }

    /// Returns those of these passages that are still there, in this order.
    pub async fn named(&self, passages: &[PassageId]) -> Vec<Passage> {
        if passages.is_empty() {
            return Vec::new();
        }
        self.index().await.named(passages)
    }

    async fn index(&self) -> Arc<Index> {
        if self.is_missing() {
            return Arc::default();
        }
        self.with(IndexSet::index).await.unwrap_or_default()
    }

    /// Returns whether there is no directory, and nothing known of one. Most instances have none, and a
    /// look at one name is not worth another thread.
    fn is_missing(&self) -> bool {
        let index_set = self.index_set.try_lock();
        index_set.is_ok_and(|index_set| index_set.is_missing())
    }

    /// Does something with the files as they are now, where it may block.
    async fn with<T: Send + 'static>(&self, work: fn(&IndexSet) -> T) -> Option<T> {
        let index_set = Arc::clone(&self.index_set);
        let looked = tokio::task::spawn_blocking(move || {
            let mut index_set = index_set.lock().unwrap_or_else(PoisonError::into_inner);
            index_set.look();
            work(&index_set)
        });
        looked
            .await
            .inspect_err(|error| tracing::error!(%error, "cannot read the knowledge directory"))
            .ok()
    }
}

#[cfg(test)]
mod tests;
