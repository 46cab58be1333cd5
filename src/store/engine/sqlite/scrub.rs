//! Taking what was deleted out of the file itself.
//!
//! What is freed is overwritten at once: that is how the file is opened (`secure_delete`). What
//! stays is where a row lay before SQLite moved it within its page, or from one page to another.
//! Writing the file anew leaves all of it behind, and a kill in the middle leaves the file either
//! unchanged or written anew (<https://www.sqlite.org/lang_vacuum.html>).

use std::time::Duration;

use super::log;
use super::tx::Tx;
use super::writer::Writer;
use crate::StoreError;

/// How long it leaves the writer to others before it tries again.
const PAUSE: Duration = Duration::from_millis(20);
/// How long emptying the log waits for a reader that holds it.
const READER_WAIT: Duration = Duration::from_millis(100);
/// How often it does.
const TRIES: u32 = 50;

/// Writes the file anew and empties the log. Everything in line waits for the first, which takes
/// about a second for each 100 MB.
///
/// # Errors
/// Fails when the disk has no room for the file twice more, and when a reader does not end in time;
/// it may be tried again.
pub(crate) async fn scrub(writer: &Writer) -> Result<(), StoreError> {
    writer.aside(rewrite).await?;
    let mut tries = 0;
    loop {
        match writer.aside(empty_log).await {
            Err(StoreError::Locked(_)) if tries < TRIES => tries += 1,
            other => return other,
        }
        tokio::time::sleep(PAUSE).await;
    }
}

fn rewrite(tx: &mut Tx) -> Result<(), StoreError> {
    // A file of an older Sayso gives free pages back from now on.
    let statements = "PRAGMA auto_vacuum = INCREMENTAL; VACUUM";
    tx.connection().sqlite().batch(statements)
}

fn empty_log(tx: &mut Tx) -> Result<(), StoreError> {
    if log::empty(tx.connection().sqlite(), READER_WAIT)? {
        Ok(())
    } else {
        Err(StoreError::Locked("a reader holds the log".to_owned()))
    }
}
