//! The room that the database takes: how large its files are, and giving back what nothing is on.

use std::path::Path;
use std::time::Duration;

use super::connection::Connection;
use super::log;
use super::readers::Readers;
use crate::sql;
use crate::sql::query;
use crate::{Store, StoreError};

/// The largest file that is rewritten at a start so that it can give back free pages, in bytes: it
/// takes a few seconds.
const REWRITTEN_BYTES: u64 = 256 * 1024 * 1024;
/// How many free pages are kept for what is written next, and of how many pages one is kept.
const KEPT_FREE: (i64, i64) = (256, 10);
/// How many pages one transaction gives back: concurrent writes wait for it.
const GIVEN_AT_ONCE: i64 = 256;
/// How long it leaves the writer to others between two of these.
const PAUSE: Duration = Duration::from_millis(50);

/// How large the files of the database are, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    /// The file.
    pub file: u64,
    /// Of it, what nothing is on.
    pub free: u64,
    /// The write-ahead log.
    pub log: u64,
}

/// Reads how large everything is.
pub(crate) async fn sizes(readers: &Readers, path: &Path) -> Result<Sizes, StoreError> {
    let (free, size): (i64, i64) = query(
        sql!(sqlite: "SELECT freelist_count, page_size FROM pragma_freelist_count, pragma_page_size"
        ),
    )
    .fetch_one(readers)
    .await?;
    Ok(Sizes {
        file: log::length(path),
        free: free.unsigned_abs() * size.unsigned_abs(),
        log: log::length(&log::path_of(path)),
    })
}

/// Makes a file of an older Sayso release free pages to the file system from now on, where that is
/// quick and there is enough disk space. A file that is not converted works as well: its free pages
/// are reused.
pub(super) fn prepare(path: &Path, connection: &Connection) {
    let bytes = log::length(path) + log::length(&log::path_of(path));
    match rewrite(path, bytes, connection) {
        Ok(true) => tracing::info!(
            bytes,
            "database rewritten once to enable incremental vacuum"
        ),
        Ok(false) => {}
        Err(error) => tracing::warn!(%error, "cannot shrink the database file"),
    }
}

fn rewrite(path: &Path, bytes: u64, connection: &Connection) -> Result<bool, StoreError> {
    let kind: Vec<i64> = connection.fetch("PRAGMA auto_vacuum", &[], 1)?;
    if kind != [0] {
        return Ok(false);
    }
    // The new form goes to a file of its own first, and by the log into the old one.
    if bytes > REWRITTEN_BYTES || room_beside(path) < 3 * bytes {
        tracing::info!(
            bytes,
            "database file too large to rewrite at startup, so it cannot shrink; use `sayso backup` and `sayso restore`"
        );
        return Ok(false);
    }
    connection.batch("PRAGMA auto_vacuum = INCREMENTAL; VACUUM")?;
    log::empty(connection, Duration::ZERO)?;
    Ok(true)
}

/// Returns how much may be written to the disk of a file, in bytes.
fn room_beside(path: &Path) -> u64 {
    let directory = path.parent().unwrap_or(Path::new("."));
    nix::sys::statvfs::statvfs(directory)
        .map_or(0, |disk| disk.blocks_available() * disk.fragment_size())
}

/// Gives free pages back, piece by piece.
pub(crate) async fn give_back(store: &Store, goes_on: impl Fn() -> bool) -> Result<(), StoreError> {
    while goes_on() {
        let piece = store.write(|tx| {
            Box::pin(async move {
                let (free, pages, kind): (i64, i64, i64) =
                    query(sql!(sqlite: "SELECT freelist_count, page_count, auto_vacuum
                         FROM pragma_freelist_count, pragma_page_count, pragma_auto_vacuum"
                    ))
                    .fetch_one(tx.connection())
                    .await?;
                let kept = KEPT_FREE.0.max(pages / KEPT_FREE.1);
                let surplus = if kind == 0 {
                    0
                } else {
                    (free - kept).clamp(0, GIVEN_AT_ONCE)
                };
                if surplus > 0 {
                    let pragma = format!("PRAGMA incremental_vacuum({surplus})");
                    // Each of its rows gives one page back.
                    tx.connection().sqlite().execute(&pragma, &[])?;
                }
                Ok(surplus)
            })
        });
        if piece.await? == 0 {
            break;
        }
        tokio::time::sleep(PAUSE).await;
    }
    Ok(())
}
