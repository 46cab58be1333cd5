//! The transactions of the writer, one after the other on its connection: how they begin and end, and what
//! this process knows as long as nothing else has changed the database.

use sayso_core::transcript::Owner;

use super::connection::Connection as SqliteConnection;
use crate::key_cache::{KeyCache, Keys};
use crate::sql::Runs;
use crate::{Connection, StoreError};

/// Forces an fsync of all earlier commits by writing an unused `user_version`.
pub(super) const FLUSH: &str = "PRAGMA user_version = 0";
/// Begins a transaction that writes.
pub(super) const BEGIN: &str = "BEGIN IMMEDIATE";
/// Keeps one failing piece of a transaction from undoing the others.
pub(super) const SAVEPOINT: &str = "SAVEPOINT piece";
/// Undoes that piece.
pub(super) const UNDO: &str = "ROLLBACK TO piece";

/// The transaction that a piece of work runs in.
#[derive(Debug)]
pub struct Tx {
    connection: Connection,
    /// See [`Tx::version`].
    version: u64,
    /// The database as this connection last found it, beside its own changes.
    data_version: i64,
    /// How commits treat the disk from now on, where that was said.
    synchronous: Option<Synchronous>,
    keys: KeyCache,
}

/// How a commit treats the disk (<https://www.sqlite.org/pragma.html#pragma_synchronous>). It can only be
/// said before its transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Synchronous {
    /// It is written, and not waited for.
    Normal,
    /// It waits until it is on the disk.
    Full,
}

impl Synchronous {
    fn statement(self) -> &'static str {
        match self {
            Self::Normal => "PRAGMA synchronous = NORMAL",
            Self::Full => "PRAGMA synchronous = FULL",
        }
    }
}

impl Tx {
    /// Returns the transactions of a connection.
    pub(super) fn on(connection: Connection) -> Self {
        Self {
            connection,
            version: 0,
            data_version: 0,
            synchronous: None,
            keys: KeyCache::default(),
        }
    }

    /// Returns what a query is executed on.
    pub fn connection(&mut self) -> &mut Connection {
        &mut self.connection
    }

    /// Returns a number that changes when something may have changed in another way than a cache of
    /// this process has seen: after a piece of work or a commit was undone, and where
    /// [`Tx::outdates_caches`] was called. A cache that is changed together with its rows holds as
    /// long as the number is the same.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Has what this process caches of the database read again.
    pub fn outdates_caches(&mut self) {
        self.version += 1;
    }

    /// Returns the keys of what an owner has forgotten, where they are known.
    pub(crate) fn known_keys(&self, owner: Owner) -> Option<Keys> {
        self.keys.of(self.version, owner)
    }

    /// Notes these keys, as they were read in this transaction.
    pub(crate) fn note_keys(&mut self, owner: Owner, keys: Keys) {
        self.keys.note(self.version, owner, keys);
    }

    /// Says how commits treat the disk from now on.
    pub(super) fn set_synchronous(&mut self, synchronous: Synchronous) -> Result<(), StoreError> {
        if self.synchronous != Some(synchronous) {
            self.synchronous = None;
            self.connection.sqlite().batch(synchronous.statement())?;
            self.synchronous = Some(synchronous);
        }
        Ok(())
    }

    /// Begins a transaction. What another program has changed since the last one is not cached.
    pub(super) fn begin(&mut self, statements: &[&str]) -> Result<(), StoreError> {
        self.run_each(statements)?;
        let found = self.connection.sqlite().data_version()?;
        if found != self.data_version {
            self.data_version = found;
            self.outdates_caches();
        }
        Ok(())
    }

    /// Runs statements without values, which are run with most transactions.
    pub(super) fn run_each(&mut self, statements: &[&str]) -> Result<(), StoreError> {
        self.connection.sqlite().run_each(statements)
    }

    /// Returns its connection for what no query does.
    pub(super) fn sqlite(&self) -> &SqliteConnection {
        self.connection.sqlite()
    }

    /// Closes its connection.
    pub(super) fn close(self) -> Result<(), StoreError> {
        self.connection.close()
    }

    /// Has everything on the disk that was committed.
    pub(super) fn flush(&mut self) -> Result<(), StoreError> {
        self.set_synchronous(Synchronous::Full)?;
        self.run_each(&[FLUSH])
    }
}

impl<'t> Runs for &'t mut Tx {
    type Held = &'t mut Connection;

    async fn hold(self) -> Result<Self::Held, StoreError> {
        Ok(&mut self.connection)
    }
}
