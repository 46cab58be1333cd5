//! One connection to the file.

use std::cell;
use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{CachedStatement, OpenFlags, Row, ToSql};
use serde::de::DeserializeOwned;
use tokio::runtime::{Handle, RuntimeFlavor};

use crate::sql::{Cell, Columns, Layout, Value, read_row};
use crate::{SLOW_STATEMENTS, STATEMENTS, StoreError};

/// How many prepared statements a connection keeps.
const KEPT_STATEMENTS: usize = 256;
/// How long a statement waits for a lock that another program holds on the file.
pub(super) const LOCK_WAIT: Duration = Duration::from_secs(5);
/// The size of the log file that SQLite keeps when it restarts the log, in bytes.
const KEPT_LOG_BYTES: u64 = 4 * 1024 * 1024;
/// From which time on a read makes other work of its thread wait too long.
const LONG_READ: Duration = Duration::from_millis(2);
/// After how many quick reads in a row the next ones are expected to be quick as well.
const QUICK_READS: u32 = 32;
/// From which time on a statement is said to be slow.
const SLOW: Duration = Duration::from_secs(1);

/// How a file is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// To be read; it must be there.
    Read,
    /// To be written; it is made when it is missing.
    Write,
}

/// Creates a file that only its owner may read. SQLite would give it the usual permissions, and
/// gives those of the file to its log and its index. What is wrong with the place SQLite says.
fn create(path: &Path) {
    let mut options = OpenOptions::new();
    let _ = options.write(true).create_new(true).mode(0o600).open(path);
}

/// A connection to the file.
#[derive(Debug)]
pub struct Connection {
    inner: rusqlite::Connection,
    /// Whether its reads may take long.
    reads_long: cell::Cell<bool>,
    /// How many of these in a row were quick.
    quick_reads: cell::Cell<u32>,
}

impl Connection {
    /// Opens a database of Sayso, with everything that its writers and readers have in common.
    pub(crate) fn open(path: &Path, access: Access) -> Result<Self, StoreError> {
        let is_new = access == Access::Write && !path.exists();
        if is_new {
            create(path);
        }
        let connection = Self::open_plain(path, access)?;
        connection.inner.busy_timeout(LOCK_WAIT)?;
        if is_new {
            // Only a new file takes this up at once; for others `room` sees to it.
            connection.batch("PRAGMA auto_vacuum = INCREMENTAL")?;
        }
        // What was deleted is gone from its page, and a page that is free is empty.
        connection.batch(&format!(
            "PRAGMA secure_delete = ON;
             PRAGMA journal_mode = WAL;
             PRAGMA synchronous = FULL;
             PRAGMA foreign_keys = ON;
             PRAGMA journal_size_limit = {KEPT_LOG_BYTES}"
        ))?;
        Ok(connection)
    }

    /// Opens any database.
    pub(crate) fn open_plain(path: &Path, access: Access) -> Result<Self, StoreError> {
        let may = match access {
            Access::Read => OpenFlags::SQLITE_OPEN_READ_ONLY,
            Access::Write => OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE,
        };
        let flags = may | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let inner = rusqlite::Connection::open_with_flags(path, flags)?;
        inner.set_prepared_statement_cache_capacity(KEPT_STATEMENTS);
        Ok(Self {
            inner,
            reads_long: cell::Cell::new(false),
            quick_reads: cell::Cell::new(0),
        })
    }

    /// Says whether reads may take long from now on: then what else this thread has to do goes on
    /// elsewhere meanwhile, as long as they do take long. Handing it over costs several switches of
    /// threads, which is more than a quick read takes.
    pub(super) fn reads_long(&self, may: bool) {
        self.reads_long.set(may);
    }

    /// Sets how long a statement waits for a lock that another program or a reader holds.
    pub(crate) fn wait_for_locks(&self, wait: Duration) -> Result<(), StoreError> {
        Ok(self.inner.busy_timeout(wait)?)
    }

    /// Runs statements without values, one after the other; one that gives rows up to its first.
    pub(crate) fn batch(&self, statements: &str) -> Result<(), StoreError> {
        Ok(self.inner.execute_batch(statements)?)
    }

    /// Runs statements as [`Self::batch`] does, each prepared once: what begins and ends transactions
    /// is run with each of them.
    pub(super) fn run_each(&self, statements: &[&str]) -> Result<(), StoreError> {
        for statement in statements {
            let mut prepared = self.inner.prepare_cached(statement)?;
            let mut rows = prepared.raw_query();
            while rows.next()?.is_some() {}
        }
        Ok(())
    }

    /// Runs a statement and returns how many rows it inserted, changed or deleted.
    pub(crate) fn execute(&self, text: &str, values: &[Value<'_>]) -> Result<u64, StoreError> {
        let _slow = Stopwatch::of(text);
        let mut statement = self.prepare(text, values)?;
        let mut rows = statement.raw_query();
        while rows.next()?.is_some() {}
        drop(rows);
        Ok(self.inner.changes())
    }

    /// Runs a statement and returns its first rows, at most `limit`.
    pub(crate) fn fetch<T: DeserializeOwned>(
        &self,
        text: &str,
        values: &[Value<'_>],
        limit: usize,
    ) -> Result<Vec<T>, StoreError> {
        if !self.reads_long.get() {
            return self.read(text, values, limit);
        }
        let begun = Instant::now();
        let read = if self.quick_reads.get() < QUICK_READS && has_other_threads() {
            tokio::task::block_in_place(|| self.read(text, values, limit))
        } else {
            self.read(text, values, limit)
        };
        let is_quick = begun.elapsed() < LONG_READ;
        let quick = self.quick_reads.get().saturating_add(1);
        self.quick_reads.set(if is_quick { quick } else { 0 });
        read
    }

    fn read<T: DeserializeOwned>(
        &self,
        text: &str,
        values: &[Value<'_>],
        limit: usize,
    ) -> Result<Vec<T>, StoreError> {
        let _slow = Stopwatch::of(text);
        let mut statement = self.prepare(text, values)?;
        let mut rows = statement.raw_query();
        let (mut read, layout) = (Vec::new(), Layout::default());
        while read.len() < limit
            && let Some(row) = rows.next()?
        {
            read.push(read_row(&SqliteRow(row), &layout)?);
        }
        Ok(read)
    }

    /// Returns a number that changes when another connection has changed the database
    /// (<https://www.sqlite.org/pragma.html#pragma_data_version>).
    pub(super) fn data_version(&self) -> Result<i64, StoreError> {
        let mut statement = self.inner.prepare_cached("PRAGMA data_version")?;
        Ok(statement.query_row([], |row| row.get(0))?)
    }

    /// Closes it; the last connection to a file folds the log into it.
    pub(crate) fn close(self) -> Result<(), StoreError> {
        self.inner.close().map_err(|(_, error)| error.into())
    }

    fn prepare(&self, text: &str, values: &[Value<'_>]) -> Result<CachedStatement<'_>, StoreError> {
        let mut statement = self.inner.prepare_cached(text)?;
        for parameter in 1..=statement.parameter_count() {
            let number = statement.parameter_name(parameter).and_then(number_of);
            let value = number.and_then(|number| values.get(number.checked_sub(1)?));
            let value = value.ok_or_else(|| {
                StoreError::Broken(format!("a parameter has no value in `{text}`"))
            })?;
            statement.raw_bind_parameter(parameter, value)?;
        }
        Ok(statement)
    }
}

/// Returns whether this thread is one of several that the runtime can give its work to.
fn has_other_threads() -> bool {
    let flavor = Handle::try_current().map(|runtime| runtime.runtime_flavor());
    flavor.is_ok_and(|flavor| flavor == RuntimeFlavor::MultiThread)
}

/// Reads the number of a parameter: SQLite takes `$1` for a name.
fn number_of(name: &str) -> Option<usize> {
    name.strip_prefix('$')?.parse().ok()
}

impl ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null(_) => ValueRef::Null,
            Self::Whole(number) => ValueRef::Integer(*number),
            Self::Real(number) => ValueRef::Real(*number),
            Self::Truth(is_true) => ValueRef::Integer(i64::from(*is_true)),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Bytes(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

/// A row of SQLite.
struct SqliteRow<'r, 's>(&'r Row<'s>);

impl Columns for SqliteRow<'_, '_> {
    fn count(&self) -> usize {
        self.0.as_ref().column_count()
    }

    fn name(&self, at: usize) -> &str {
        self.0.as_ref().column_name(at).unwrap_or_default()
    }

    fn cell(&self, at: usize) -> Result<Cell<'_>, StoreError> {
        Ok(match self.0.get_ref(at)? {
            ValueRef::Null => Cell::Null,
            ValueRef::Integer(number) => Cell::Whole(number),
            ValueRef::Real(number) => Cell::Real(number),
            ValueRef::Text(text) => Cell::Text(
                std::str::from_utf8(text).map_err(|error| StoreError::Broken(error.to_string()))?,
            ),
            ValueRef::Blob(bytes) => Cell::Bytes(bytes),
        })
    }
}

/// Says at the level `trace` which statement runs, and at `warn` when it took long; never its values.
struct Stopwatch<'t> {
    text: &'t str,
    begun: Instant,
}

impl<'t> Stopwatch<'t> {
    fn of(text: &'t str) -> Self {
        tracing::trace!(target: STATEMENTS, statement = text, "statement");
        Self {
            text,
            begun: Instant::now(),
        }
    }
}

impl Drop for Stopwatch<'_> {
    fn drop(&mut self) {
        let took = self.begun.elapsed();
        if took >= SLOW {
            tracing::warn!(target: SLOW_STATEMENTS, ?took, statement = self.text, "slow statement");
        }
    }
}
