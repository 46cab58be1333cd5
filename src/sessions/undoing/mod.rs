//! `/undo`: what the newest turn changed in files is put back.
//!
//! The wish is a row, and so is the yes to it where something else changed a file since. [`Undoer`]
//! does it beside the sessions, and goes on at the next start: each file is put back by one rename, a
//! file that is as it was is left alone, and the transaction that says so lets go of the changes. So a
//! kill only delays it, and a second `/undo` finds the turn before.

mod card;
mod doing;
pub mod messages;

use std::time::Duration;

use sayso_channel::{Address, MessageKey, Outbound};
use tokio_util::sync::CancellationToken;

pub use card::Answer as UndoAnswer;

use super::Surroundings;
use crate::delivery::{Purpose, Voice};
use crate::store::file_changes::{self, UndoRow};
use crate::store::outbox::OutboxRow;
use crate::store::{StoreError, Tx};

/// How often it is looked for wishes.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How long a card may be answered, in milliseconds.
const HOLDS_MS: i64 = 30 * 60 * 1000;

/// Puts files back, one wish after the other. One per process.
pub struct Undoer {
    around: Surroundings,
}

impl Undoer {
    /// Returns what puts files back.
    pub fn new(around: Surroundings) -> Self {
        Self { around }
    }

    /// Does what is wanted until `shutdown`.
    pub async fn run(self, shutdown: CancellationToken) {
        loop {
            tokio::select! {
                () = shutdown.cancelled() => return,
                () = tokio::time::sleep(LOOK_EVERY) => {}
            }
            if let Err(error) = self.look().await {
                tracing::error!(%error, "files cannot be put back; it is tried again");
            }
        }
    }

    async fn look(&self) -> Result<(), StoreError> {
        for undo in file_changes::due(self.around.store.reader()).await? {
            doing::undo(&self.around, undo).await?;
        }
        Ok(())
    }
}

/// Closes a wish with these words on its card, unless another press did; returns the rows that say so.
pub async fn close_undo(
    tx: &mut Tx,
    voice: &Voice,
    undo: &UndoRow,
    (state, text): (&str, &str),
    this: Option<(&Address, &MessageKey)>,
) -> Result<Option<Vec<OutboxRow>>, StoreError> {
    if !file_changes::advance(tx, undo, state, undo.expires_ms).await? {
        return Ok(None);
    }
    let outbound = Outbound::markdown(text);
    let said = voice.amend(tx, Purpose::Card, undo.id, this, &outbound);
    Ok(Some(said.await?))
}
