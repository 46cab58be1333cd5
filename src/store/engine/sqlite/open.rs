//! Opening the file: its schema is brought up to date, and then it has one writer.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
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
    keep_private(path);
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

/// Takes the file from the readers that an earlier version or a copy gave it, with its log and its
/// index. Where that fails it stays readable, and a warning says so.
fn keep_private(path: &Path) {
    for end in ["", "-wal", "-shm"] {
        let mut file = path.as_os_str().to_owned();
        file.push(end);
        let Ok(metadata) = fs::metadata(&file) else {
            continue;
        };
        let mode = metadata.permissions().mode();
        if mode & 0o777 == mode & 0o700 {
            continue;
        }
        let file = Path::new(&file);
        if let Err(error) = fs::set_permissions(file, Permissions::from_mode(mode & 0o700)) {
            let file = file.display();
            tracing::warn!(%file, %error, "others may read the database");
        }
    }
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
