//! Connections beside the writer: they see what is committed and can change nothing.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::path::Path;
use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use tokio::sync::{Mutex, OwnedMappedMutexGuard, OwnedMutexGuard, OwnedSemaphorePermit, Semaphore};

use super::connection::{Access, Connection as SqliteConnection};
use crate::store::sql::Runs;
use crate::store::{Connection, StoreError};

/// A place for a connection, which is opened when it is wanted first.
type Place = Arc<Mutex<Option<Connection>>>;

/// The readers of a database. Clones share them.
#[derive(Clone)]
pub struct Readers {
    path: Arc<Path>,
    places: Arc<[Place]>,
    /// One for each place that is free.
    permits: Arc<Semaphore>,
}

impl fmt::Debug for Readers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Readers").finish_non_exhaustive()
    }
}

impl Readers {
    /// Opens the first of `count` readers of a database.
    ///
    /// # Errors
    /// Fails when there is no such file, or it cannot be read.
    pub(in crate::store) fn open(path: &Path, count: usize) -> Result<Self, StoreError> {
        let mut first = Some(connect(path)?);
        Ok(Self {
            path: path.into(),
            places: (0..count)
                .map(|_| Arc::new(Mutex::new(first.take())))
                .collect(),
            permits: Arc::new(Semaphore::new(count)),
        })
    }

    /// Returns a reader for several statements, waiting until one is free.
    ///
    /// # Errors
    /// Fails when the store is closed.
    pub async fn acquire(&self) -> Result<Reader, StoreError> {
        let permit = Arc::clone(&self.permits).acquire_owned().await;
        let permit = permit.map_err(|_| StoreError::Closed)?;
        let free = |place: &Place| Arc::clone(place).try_lock_owned().ok();
        let mut place = self
            .places
            .iter()
            .find_map(free)
            .ok_or(StoreError::Closed)?;
        if place.is_none() {
            *place = Some(connect(&self.path)?);
        }
        let connection = OwnedMutexGuard::try_map(place, Option::as_mut);
        Ok(Reader {
            connection: connection.map_err(|_| StoreError::Closed)?,
            is_in_transaction: false,
            _permit: permit,
        })
    }

    /// Returns a reader that sees one state of the database until it is dropped.
    ///
    /// # Errors
    /// Fails when the store is closed.
    pub async fn begin(&self) -> Result<Reader, StoreError> {
        let mut reader = self.acquire().await?;
        reader.sqlite().batch("BEGIN")?;
        reader.is_in_transaction = true;
        Ok(reader)
    }

    /// Runs `work` on one state of the database, on a thread where it may take long: nothing else
    /// waits for it.
    ///
    /// # Errors
    /// Fails when the store is closed, and when `work` does.
    pub async fn apart<T, W>(&self, work: W) -> Result<T, StoreError>
    where
        T: Send + 'static,
        W: for<'r> FnOnce(&'r mut Reader) -> BoxFuture<'r, Result<T, StoreError>> + Send + 'static,
    {
        let mut reader = self.begin().await?;
        let reading = tokio::task::spawn_blocking(move || {
            // Every statement of SQLite is ready at once.
            let read = work(&mut reader).now_or_never();
            read.unwrap_or_else(|| Err(StoreError::Broken("a read waited".to_owned())))
        });
        let failed = |error: tokio::task::JoinError| Err(StoreError::Broken(error.to_string()));
        reading.await.unwrap_or_else(failed)
    }

    /// Waits until every reader is free, and closes it. Later requests fail with [`StoreError::Closed`].
    pub async fn close(&self) {
        self.permits.close();
        for place in self.places.iter() {
            *place.lock().await = None;
        }
    }
}

fn connect(path: &Path) -> Result<Connection, StoreError> {
    let connection = SqliteConnection::open(path, Access::Read)?;
    Ok(Connection::Sqlite(connection))
}

impl Runs for &Readers {
    type Held = Reader;

    fn hold(self) -> impl Future<Output = Result<Reader, StoreError>> + Send {
        self.acquire()
    }
}

/// A reader that was taken; it is free again when it is dropped.
#[derive(Debug)]
pub struct Reader {
    connection: OwnedMappedMutexGuard<Option<Connection>, Connection>,
    is_in_transaction: bool,
    /// Given back behind the connection.
    _permit: OwnedSemaphorePermit,
}

impl Deref for Reader {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.connection
    }
}

impl DerefMut for Reader {
    fn deref_mut(&mut self) -> &mut Connection {
        &mut self.connection
    }
}

impl<'r> Runs for &'r mut Reader {
    type Held = &'r mut Connection;

    async fn hold(self) -> Result<Self::Held, StoreError> {
        Ok(&mut *self)
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        if self.is_in_transaction
            && let Err(error) = self.sqlite().batch("ROLLBACK")
        {
            tracing::warn!(%error, "a read transaction did not end cleanly");
        }
    }
}
