//! The engines that can hold the tables, one folder for each, and the connection that is either.

pub(super) mod sqlite;

use serde::de::DeserializeOwned;

use super::StoreError;
use super::sql::{Text, Value};

/// A connection to the database.
#[derive(Debug)]
pub enum Connection {
    /// To SQLite: statements run where they are awaited, and never wait for another thread.
    Sqlite(sqlite::Connection),
}

impl Connection {
    /// Runs a statement and returns how many rows it inserted, changed or deleted.
    pub(super) async fn execute(
        &mut self,
        text: &Text,
        values: &[Value<'_>],
    ) -> Result<u64, StoreError> {
        std::future::ready(match self {
            Self::Sqlite(sqlite) => sqlite.execute(text.as_str(), values),
        })
        .await
    }

    /// Runs statements without values, one after the other.
    ///
    /// # Errors
    /// Fails with the first that fails; those before it stay done.
    pub async fn batch(&mut self, statements: &str) -> Result<(), StoreError> {
        std::future::ready(match self {
            Self::Sqlite(sqlite) => sqlite.batch(statements),
        })
        .await
    }

    /// Runs a statement and returns its first rows, at most `limit`.
    pub(super) async fn fetch<T: DeserializeOwned + Send>(
        &mut self,
        text: &Text,
        values: &[Value<'_>],
        limit: usize,
    ) -> Result<Vec<T>, StoreError> {
        std::future::ready(match self {
            Self::Sqlite(sqlite) => sqlite.fetch(text.as_str(), values, limit),
        })
        .await
    }

    /// Returns what SQLite alone can do.
    fn sqlite(&self) -> &sqlite::Connection {
        match self {
            Self::Sqlite(sqlite) => sqlite,
        }
    }

    /// Closes it.
    fn close(self) -> Result<(), StoreError> {
        match self {
            Self::Sqlite(sqlite) => sqlite.close(),
        }
    }
}
