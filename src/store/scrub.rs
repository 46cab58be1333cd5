//! Taking what was deleted out of the file itself, in pieces between which others write.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use sqlx::Executor as _;

use super::slack::{Pages, failed};
use super::writer::{Tx, Writer};
use super::{StoreError, log};

/// How many pages one piece overwrites: concurrent writes wait for it.
const PIECE: u64 = 1024;
/// How often all pages are gone through: what is written between two pieces may move a page to a
/// place that the first pass has behind it.
const PASSES: u32 = 2;
/// How long it leaves the writer to others between two of these.
const PAUSE: Duration = Duration::from_millis(20);
/// How long a piece waits for a reader that holds the log.
const READER_WAIT: Duration = Duration::from_millis(100);
/// How often it does.
const TRIES: u32 = 50;

/// Overwrites the unused places of every page, and empties the log. What was freed is empty
/// already: that is how the file is opened (`secure_delete`). One that was made before it was
/// opened so is rewritten whole, once, and everything in line waits for it.
pub(super) async fn scrub(writer: &Writer, path: &Path) -> Result<(), StoreError> {
    if !writer.aside(|tx| Box::pin(was_always_clean(tx))).await? {
        return writer.aside(|tx| Box::pin(rewrite(tx))).await;
    }
    let pages = writer.pages(path)?;
    for _ in 0..PASSES {
        let mut from = 0;
        while from < pages.count().map_err(|error| failed(&error))? {
            blank(writer, &pages, from).await?;
            from += PIECE;
            tokio::time::sleep(PAUSE).await;
        }
    }
    Ok(())
}

/// Returns whether nothing that was deleted can be anywhere else: files that give back their free
/// pages were made, or rewritten, by a Sayso that overwrites what it frees.
pub(super) async fn was_always_clean(tx: &mut Tx) -> Result<bool, StoreError> {
    let kind: i64 = sqlx::query_scalar("PRAGMA auto_vacuum")
        .fetch_one(tx.connection())
        .await?;
    Ok(kind != 0)
}

async fn rewrite(tx: &mut Tx) -> Result<(), StoreError> {
    tx.connection()
        .execute("PRAGMA auto_vacuum = INCREMENTAL")
        .await?;
    tx.connection().execute("VACUUM").await?;
    empty_log(tx).await
}

async fn blank(writer: &Writer, pages: &Arc<Pages>, from: u64) -> Result<(), StoreError> {
    let mut tries = 0;
    loop {
        let pages = Arc::clone(pages);
        let blanked = writer.aside(move |tx| Box::pin(blank_one(tx, pages, from)));
        match blanked.await {
            Err(StoreError::Locked(_)) if tries < TRIES => tries += 1,
            other => return other,
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Overwrites one piece. The log is empty, there are no concurrent writes, and the writer's page
/// cache of these pages is released, so that no old content is written back.
async fn blank_one(tx: &mut Tx, pages: Arc<Pages>, from: u64) -> Result<(), StoreError> {
    empty_log(tx).await?;
    tx.connection().execute("PRAGMA shrink_memory").await?;
    tx.connection().execute("BEGIN IMMEDIATE").await?;
    let log = tx.log_bytes();
    let blanked = match log {
        0 => tokio::task::spawn_blocking(move || pages.blank(from..from + PIECE)).await,
        _ => Ok(Err(std::io::ErrorKind::WouldBlock.into())),
    };
    tx.connection().execute("ROLLBACK").await?;
    match blanked {
        Ok(Err(error)) if error.kind() == std::io::ErrorKind::WouldBlock => {
            Err(StoreError::Locked("another program writes".to_owned()))
        }
        Ok(blanked) => blanked.map_err(|error| failed(&error)),
        Err(error) => Err(StoreError::Broken(error.to_string())),
    }
}

async fn empty_log(tx: &mut Tx) -> Result<(), StoreError> {
    if log::empty(tx.connection(), READER_WAIT).await? {
        Ok(())
    } else {
        Err(StoreError::Locked("a reader holds the log".to_owned()))
    }
}
