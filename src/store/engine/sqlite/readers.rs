//! Connections beside the writer: they see what is committed and can change nothing.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sayso_core::transcript::Owner;
use tokio::sync::{Mutex, OwnedMappedMutexGuard, OwnedMutexGuard, OwnedSemaphorePermit, Semaphore};

use super::connection::{Access, Connection as SqliteConnection};
use crate::owners::Owners;
use crate::persons::Persons;
use crate::sql::Runs;
use crate::{Connection, StoreError};

/// A place for a connection, which is opened when it is wanted first.
type Place = Arc<Mutex<Option<Connection>>>;

/// The readers of a database. Clones share them.
#[derive(Clone)]
pub struct Readers {
    path: Arc<Path>,
    places: Arc<[Place]>,
    /// One for each place that is free.
    permits: Arc<Semaphore>,
    /// The version of the last commit of the one writer; `None` where another process may write.
    version: Option<Arc<AtomicU64>>,
    persons: Persons,
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
    pub(crate) fn open(path: &Path, count: usize) -> Result<Self, StoreError> {
        let mut first = Some(connect(path)?);
        Ok(Self {
            path: path.into(),
            places: (0..count)
                .map(|_| Arc::new(Mutex::new(first.take())))
                .collect(),
            permits: Arc::new(Semaphore::new(count)),
            version: None,
            persons: Persons::default(),
        })
    }

    /// Has what seldom changes cached for as long as the commits of the one writer have this
    /// version.
    pub(crate) fn following(self, version: Arc<AtomicU64>) -> Self {
        Self {
            version: Some(version),
            ..self
        }
    }

    /// Returns whose rows an owner may read. In a transaction this comes before everything else,
    /// which is what makes it see the database: so what is cached is no older than its version.
    ///
    /// # Errors
    /// Fails when the database cannot be read.
    pub(crate) async fn owners(
        &self,
        reading: &mut Connection,
        owner: Owner,
    ) -> Result<Owners, StoreError> {
        let (Owner::User(user), Some(version)) = (owner, &self.version) else {
            return Owners::of(reading, owner).await;
        };
        let version = version.load(Ordering::Acquire);
        if let Some(known) = self.persons.of(version, user) {
            return Ok(known);
        }
        let owners = Owners::of(reading, owner).await?;
        self.persons.note(version, user, owners.clone());
        Ok(owners)
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

    /// Returns a reader that sees one state of the database until it is dropped, for reads that may
    /// take long: nothing else waits for them.
    ///
    /// # Errors
    /// Fails when the store is closed.
    pub async fn begin(&self) -> Result<Reader, StoreError> {
        let mut reader = self.acquire().await?;
        reader.sqlite().run_each(&["BEGIN"])?;
        reader.sqlite().reads_long(true);
        reader.is_in_transaction = true;
        Ok(reader)
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
        if !self.is_in_transaction {
            return;
        }
        self.sqlite().reads_long(false);
        if let Err(error) = self.sqlite().run_each(&["ROLLBACK"]) {
            tracing::warn!(%error, "a read transaction did not end cleanly");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{LazyLock, Mutex, mpsc};
    use std::time::Duration;

    use serde::{Deserialize, Deserializer};

    use crate::sql;
    use crate::{Store, query};

    /// Tells that another task ran while a row was read.
    static OTHER: LazyLock<(mpsc::Sender<()>, Mutex<mpsc::Receiver<()>>)> = LazyLock::new(|| {
        let (sender, receiver) = mpsc::channel();
        (sender, Mutex::new(receiver))
    });

    /// A row that takes until another task has run.
    struct Slow;

    impl<'de> Deserialize<'de> for Slow {
        fn deserialize<D: Deserializer<'de>>(row: D) -> Result<Self, D::Error> {
            i64::deserialize(row)?;
            let others = OTHER.1.lock().unwrap();
            others.recv_timeout(Duration::from_secs(20)).unwrap();
            Ok(Self)
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn while_a_long_read_goes_on_other_work_of_its_thread_does_too() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("sayso.db");
        let store = Store::open(&path).await.unwrap();
        let reading = tokio::spawn(async move {
            let mut reader = store.reader().begin().await.unwrap();
            tokio::spawn(async { OTHER.0.send(()).unwrap() });
            let read: Vec<Slow> = query(sql!("SELECT 1"))
                .fetch_all(&mut reader)
                .await
                .unwrap();
            read.len()
        });
        assert_eq!(reading.await.unwrap(), 1);
    }
}
