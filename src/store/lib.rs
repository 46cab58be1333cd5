//! The database: one file, one writer that shares its commits, readers beside it, and one file of
//! queries per table.
//!
//! The store does not know why a row is written, and names no room but `transcript`.

mod directory;
mod engine;
mod error;
mod ids;
mod of_person;
mod owners;
mod persons;
#[cfg(test)]
mod query_plans;
mod quiet;
mod search;
mod sql;
mod tables;
mod trouble;

pub mod erase;
mod erased_words;

use std::path::Path;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use tokio::sync::watch;

pub use directory::{LOCK, RESTORING, is_in_use, lock_directory, lock_to_restore};
pub use engine::Connection;
use engine::sqlite::{self, Writer};
pub use engine::sqlite::{
    Committed, FileCheck, Readers, Sizes, Tx, Urgency, check_file, copy, examine, open_to_read,
};
pub use error::StoreError;
use ids::first_id_of;
pub use ids::{new_id, new_token, now_ms};
pub use search::{line_words, memory_words, reindex, unindexed, word_index};
pub use sql::{IntoValue, Kind, Query, Runs, Statement, Value, query};
#[doc(hidden)]
pub use sql::{as_text, join, length};
pub use tables::{
    audit, cards, changed_settings, chat_names, chats, compactions, counts, detours, episodes,
    file_changes, inbox, jobs, languages, learned_facts, lessons, lines, links, memories, outbox,
    pairing, people, pollers, processes, profiles, prompts, questions, queued, retention, routines,
    session_work, skill_pins, skill_reviews, skills_off, skipped, stops, tombstones, traces,
    turn_ends, turns, undone_files, usage, vectors, workspaces,
};
use tables::{grants, joining};

/// The target of the log lines about statements that were slow.
pub const SLOW_STATEMENTS: &str = "sayso::store::slow";
/// The target of the log lines, at the level `trace`, about every statement that runs.
pub const STATEMENTS: &str = "sayso::store::statements";

/// The database of one instance. Clones share it.
#[derive(Debug, Clone)]
pub struct Store {
    writer: Writer,
    readers: Readers,
    path: Arc<Path>,
}

impl Store {
    /// Opens the database, bringing its schema up to date.
    ///
    /// Creates the directory (mode 0700) and the file (0600) when missing. Before an existing
    /// file is migrated, a copy is put beside it as `<name>.before-<version>`.
    ///
    /// # Errors
    /// Fails when the file cannot be opened or migrated, and when a newer Sayso wrote it.
    pub async fn open(path: &Path) -> Result<Self, StoreError> {
        std::future::ready(sqlite::open(path)).await
    }

    /// Runs `work` in a transaction and returns when it is on disk.
    ///
    /// Work that waits at the same time shares one commit; each piece is undone alone when it
    /// fails. The pieces run in the order of the calls.
    pub async fn write<T, W>(&self, work: W) -> Result<T, StoreError>
    where
        T: Send + 'static,
        W: for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Result<T, StoreError>> + Send + 'static,
    {
        self.enqueue(Urgency::Now, work).await.wait().await
    }

    /// Runs `work` in a transaction and returns when it is committed: a kill does not undo it. It
    /// is on disk with the next [`Store::write`], or some 20 ms later.
    ///
    /// For what precedes no outside effect, or only one that is written down first.
    pub async fn write_soon<T, W>(&self, work: W) -> Result<T, StoreError>
    where
        T: Send + 'static,
        W: for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Result<T, StoreError>> + Send + 'static,
    {
        self.enqueue(Urgency::Soon, work).await.wait().await
    }

    /// Queues `work` and returns at once; [`Committed::wait`] returns its result.
    ///
    /// Calls made one after the other are committed in that order. Waits only while the line is
    /// full.
    pub async fn enqueue<T, W>(&self, urgency: Urgency, work: W) -> Committed<T>
    where
        T: Send + 'static,
        W: for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Result<T, StoreError>> + Send + 'static,
    {
        self.writer.enqueue(urgency, work).await
    }

    /// Puts `work` in line and returns at once; it rides with the next commit.
    ///
    /// For work that precedes no external effect and is not awaited: a kill or a power failure
    /// within a few milliseconds may lose it.
    pub async fn write_later<T, W>(&self, work: W) -> Committed<T>
    where
        T: Send + 'static,
        W: for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Result<T, StoreError>> + Send + 'static,
    {
        self.enqueue(Urgency::Rides, work).await
    }

    /// Waits until everything that was put in line before is on disk.
    ///
    /// # Errors
    /// Fails when the store is closed.
    pub async fn flushed(&self) -> Result<(), StoreError> {
        self.writer.aside(|_| Ok(())).await
    }

    /// Returns the readers. They see what is committed and can change nothing.
    pub fn reader(&self) -> &Readers {
        &self.readers
    }

    /// Takes what was deleted out of the file itself, empties the write-ahead log, and removes the
    /// copies that were made before migrations. Writes wait for it, about a second for each 100 MB.
    ///
    /// # Errors
    /// Fails when the disk has no room for the file twice more, when a reader does not end in time,
    /// or a file cannot be removed; it may be tried again.
    pub async fn scrub(&self) -> Result<(), StoreError> {
        sqlite::scrub(&self.writer).await?;
        sqlite::remove_copies(&self.path)
    }

    /// Returns the number of commits so far, as a watch channel. Code that polls the database for
    /// work can skip a poll if there was no commit since the last one.
    pub fn commits(&self) -> watch::Receiver<u64> {
        self.writer.commits()
    }

    /// Returns a number that changes with the commit of what outdates the caches of this process
    /// ([`Tx::outdates_caches`]). Code that caches what it reads takes it before it reads.
    pub fn version(&self) -> u64 {
        self.writer.version()
    }

    /// Returns what keeps the database from being written, as it was last seen; `None` while it can
    /// be.
    pub fn trouble(&self) -> Option<StoreError> {
        self.writer.trouble()
    }

    /// Returns how large the files of the database are now.
    pub async fn sizes(&self) -> Result<Sizes, StoreError> {
        sqlite::sizes(&self.readers, &self.path).await
    }

    /// Returns free pages to the file system, except for a share that will soon be reused. It works
    /// in batches, so that no write waits long for it, and stops when `goes_on` returns false.
    ///
    /// # Errors
    /// Fails when the database cannot be written; what was given back stays so.
    pub async fn give_back(&self, goes_on: impl Fn() -> bool) -> Result<(), StoreError> {
        sqlite::give_back(self, goes_on).await
    }

    /// Commits what is in line, folds the write-ahead log into the file and closes it.
    pub async fn close(self) {
        // The last connection to close folds the log, and must be able to write.
        self.readers.close().await;
        self.writer.close().await;
    }
}

#[cfg(test)]
mod store_tests;
