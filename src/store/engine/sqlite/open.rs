//! Opening the file: its schema is brought up to date, and then it has one writer.

use std::path::Path;

use super::connection::{Access, Connection as SqliteConnection};
use super::migrate::{MIGRATIONS, known_schema, migrate, refuse_unreadable, schema_version};
use super::readers::Readers;
use super::room;
use super::writer::Writer;
use crate::{Connection, Store, StoreError, ids};

/// Readers beside the writer. Reads are short; more would only wait for the same two cores.
const READERS: usize = 4;

/// Opens the database at `path` as [`Store::open`] says.
pub(crate) fn open(path: &Path) -> Result<Store, StoreError> {
    let connection = SqliteConnection::open(path, Access::Write)?;
    migrate(path, &connection, MIGRATIONS)?;
    room::prepare(path, &connection);
    ids::go_on_behind(newest_id(&connection)?);
    let readers = Readers::open(path, READERS)?;
    let writer = Writer::start(Connection::Sqlite(connection), path)?;
    Ok(Store {
        readers: readers.following(writer.versions()),
        writer,
        path: path.into(),
    })
}

/// Returns the newest id of the rows whose order counts.
fn newest_id(connection: &SqliteConnection) -> Result<i64, StoreError> {
    let newest = "SELECT max(coalesce((SELECT max(id) FROM inbox), 0),
                             coalesce((SELECT max(id) FROM turns), 0),
                             coalesce((SELECT max(id) FROM outbox), 0))";
    let newest: Vec<i64> = connection.fetch(newest, &[], 1)?;
    Ok(newest.first().copied().unwrap_or_default())
}

/// Opens the database of an instance to read it, also beside a running Sayso. Nothing is migrated.
///
/// # Errors
/// Fails when there is none, and when another version of Sayso wrote it.
pub async fn open_to_read(path: &Path) -> Result<Readers, StoreError> {
    let readers = Readers::open(path, 1)?;
    let found = schema_version(readers.acquire().await?.sqlite())?;
    refuse_unreadable(path, found)?;
    if found < known_schema() {
        return Err(StoreError::FromThePast {
            path: path.to_owned(),
        });
    }
    Ok(readers)
}
