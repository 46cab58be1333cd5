//! The database: one file, one writer that shares its commits, readers beside it, and one file of queries per table.
//!
//! The store does not know why a row is written, and names no room but `transcript`.

mod check;
mod copy;
mod error;
mod ids;
mod open;
#[cfg(test)]
mod plans;
mod quiet;
mod writer;

pub mod audit;
pub mod cards;
pub mod changed_settings;
pub mod chats;
pub mod compactions;
pub mod counts;
pub mod episodes;
pub mod erase;
mod erased_words;
pub mod facts;
pub mod forgettings;
pub mod inbox;
pub mod lessons;
pub mod line_words;
pub mod lines;
pub mod links;
pub mod memories;
pub mod memory_words;
pub mod outbox;
pub mod pairing;
pub mod people;
pub mod pollers;
pub mod profiles;
pub mod questions;
pub mod reindexing;
pub mod routines;
pub mod skill_pins;
pub mod skill_reviews;
pub mod skills_off;
pub mod tombstones;
pub mod traces;
pub mod turns;
pub mod unindexed;
pub mod usage;
pub mod vectors;
pub mod word_index;
pub mod workspaces;

use std::path::Path;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use sqlx::SqlitePool;

pub use check::{FileCheck, check_file};
pub use copy::{copy, examine};
pub use error::StoreError;
use ids::first_id_of;
pub use ids::{new_id, now_ms};
pub use open::{LOCK, RESTORING, is_in_use, lock_directory, lock_to_restore, open_to_read};
pub use writer::{Committed, Tx, Urgency};

/// Connections that see what is committed and can change nothing.
pub type Readers = SqlitePool;

/// The database of one instance. Clones share it.
#[derive(Debug, Clone)]
pub struct Store {
    writer: writer::Writer,
    readers: Readers,
    path: Arc<Path>,
}

impl Store {
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

    /// Puts `work` in line and returns at once; what came of it is heard from [`Committed::wait`].
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
    /// For what precedes no outside effect: a power cut within a few milliseconds may take it.
    pub async fn write_later<T, W>(&self, work: W) -> Committed<T>
    where
        T: Send + 'static,
        W: for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Result<T, StoreError>> + Send + 'static,
    {
        self.enqueue(Urgency::Rides, work).await
    }

    /// Returns the readers. They see what is committed and can change nothing.
    pub fn reader(&self) -> &Readers {
        &self.readers
    }

    /// Rewrites the file without what was deleted from it, empties the write-ahead log, and removes the
    /// copies that were made before migrations. Everything in line waits for it.
    ///
    /// # Errors
    /// Fails when a reader does not end in time, or a file cannot be removed; it may be tried again.
    pub async fn scrub(&self) -> Result<(), StoreError> {
        self.writer.scrub().await?;
        open::remove_copies(&self.path)
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
