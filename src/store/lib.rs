//! The database: one file, one writer that shares its commits, readers beside it, and one file of
//! queries per table.
//!
//! The store does not know why a row is written, and names no room but `transcript`.
//!
//! # Invariants
//!
//! - `store/sql` is the seam between the tables and the engine:
//!   `query(sql!("…")).bind(…).fetch_all(on)`, one text for every engine; the parts of a text are
//!   literals and constants. 544 texts are for every engine, and 35 are marked `sqlite:`: the
//!   indexes of words, and JSON that is no list of numbers. A test reads them all from the sources
//!   and prepares each; what is put together at run time is in `usage` alone. A row is a struct
//!   whose fields are columns, a tuple, or its first column, read by serde; a field without a
//!   column is an error. `named!` declares an enum whose values a column holds by name.
//! - `store/engine/sqlite` runs a statement on the thread that awaits it: the pieces
//!   stay `async fn`, and their futures are ready at once. The writer has a thread of its own; a
//!   read of one statement runs where it is asked for, which takes less time than waking another
//!   thread. While a read that may take long runs (`Readers::begin`: recall), the runtime moves the
//!   other work of its thread to another one, unless the last 32 such reads of that connection took
//!   less than 2 ms each: moving it costs several context switches. Before, sqlx handed each
//!   statement to a second thread and back, some fifty times for each message, which was most of a
//!   turn's context switches and the reason to keep both threads on one processor. Both in one
//!   interleaved run of `benches/turns` (`against`, before that last exception): 53 voluntary
//!   context switches for each turn instead of 332, 5 others instead of 189, 0.79 of the added
//!   latency, 0.77 of the processor time.
//! - What is read together is one statement (`usage::standings`, `profiles::profile`,
//!   `session_work`), and a lost lease is noticed by the statement that writes. What a row that was
//!   just read already says is not asked again.
//! - What seldom changes is cached by this process: what was spent of the limits of a day
//!   (`budget/spending_cache.rs`), the users of a person (`persons.rs`), the ended turns of a session
//!   as later ones are shown them (`sessions/history_cache.rs`), who has chosen nothing
//!   about skills (`skills/choosers.rs`), the keys of what was forgotten (`key_cache.rs`). A cache holds for one version: `Tx::version` inside a
//!   transaction, `Store::version` outside. A rollback, an erasure, a write of another program, and
//!   each write that a cache does not see itself make a new one (`Tx::outdates_caches`), and no
//!   caller hears of a commit before it counts.
//! - A plain turn takes 22 statements until its answer is in the outbox, and 15 behind that;
//!   at first, 54 and 26. `tests/it/statements.rs` counts them, with `two_phase` routing; what begins
//!   and ends a transaction is not counted.
//! - The usage of all users on a day is one row for
//!   each worker that triggers maintain (`usage_totals`), so a model call costs the database the
//!   same with 10,000 people a day as with one.
//! - An id is 43 bits of milliseconds, 10 bits that name the worker (slot 0 on SQLite) and 10 bits
//!   that count: two processes never make the same one.
//! - A statement is planned once, whatever is bound to its `LIMIT`: SQLite is built with its query
//!   planner stability guarantee (`.cargo/config.toml`).
//! - The write-ahead log is bounded (`log.rs`): the writer empties it between two commits when it
//!   passes 16 MiB or no write is pending, and waits 50 ms for readers, no longer.
//! - The schema begins with one file (`migrations/sqlite/0100_baseline.sql`); databases with a
//!   version below it were made before the first release and are refused (`migrate.rs`). Later
//!   changes are migrations of their own; a file in use is copied before one runs.
//! - What is deleted is gone from the file: freed pages are overwritten (`secure_delete`), and for
//!   an erasure `scrub.rs` writes the whole file anew (`VACUUM`), which leaves behind the places
//!   within pages where SQLite moved a row from; writes wait for it, about a second for each 100
//!   MB. The file is not exchanged for another one: whatever program has it open would go on with
//!   the old one, and SQLite makes the rewrite safe against a kill by itself.
//! - A failure of the file or its disk is reported as the database's health (`trouble.rs`) until
//!   something can be written again.
//! - Ids of rows go on behind the newest one, also when the clock was set back; what waits in
//!   `sessions` waits a time, not until a time.
//! - `sessions/retention.rs` deletes what is old (`store/tables/retention.rs`) and gives its room
//!   back; it deletes nothing that is open, unsent or named by what stays.
//! - What waits for a turn is in `jobs`, as long as it waits. The jobs of messages are written by
//!   triggers of the schema as the state of their inbox rows changes, so no statement can leave the
//!   two out of step, and the table stands in place of an index of `inbox`. Other work has its own
//!   rows (`store/tables/jobs.rs`); `Started` keeps what they were for.
//! - `store` does not know why a row is written and names no room but `transcript`; no other room
//!   names the driver of SQLite (a rule of the layers test), and within it only `engine/sqlite` does.

mod clock;
mod directory;
mod engine;
mod error;
mod ids;
mod key_cache;
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

pub use clock::now_ms;
pub use directory::{LOCK, RESTORING, is_in_use, lock_directory, lock_to_restore};
pub use engine::Connection;
use engine::sqlite::{self, Writer};
pub use engine::sqlite::{
    Committed, FileCheck, Readers, Sizes, Tx, Urgency, check_file, copy, examine, open_to_read,
};
pub use error::StoreError;
use ids::first_id_of;
pub use ids::{new_id, new_token};
pub use search::{line_words, memory_words, reindex, unindexed, word_index};
pub use sql::{IntoValue, Kind, Query, Runs, Statement, Value, query};
#[doc(hidden)]
pub use sql::{as_text, join, length};
pub use tables::{
    accepted_instructions, audit, cards, changed_settings, chat_names, chats, compactions, counts,
    detours, episodes, file_changes, history, inbox, jobs, languages, learned_facts, lessons,
    lines, links, memories, outbox, pairing, people, personal_times, pollers, processes, profiles,
    prompts, questions, queued, retention, routine_events, routine_runs, routines, seen_files,
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
