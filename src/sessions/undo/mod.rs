//! `/undo`: what the newest turn changed in files is put back.
//!
//! The wish is a row, and so is the yes to it where something else changed a file since. [`Undoer`]
//! does it beside the sessions, and goes on at the next start: each file is put back by one rename,
//! a file that is as it was is left alone, and the transaction that says so lets go of the changes.
//! So a kill only delays it, and a second `/undo` finds the turn before.
//!
//! What an undo takes away is kept before it does, and a button below its notice brings it back: a
//! wish of the same row, done once, and only while the files are as the undo left them.
//!
//! What the disk did not take stays for another `/undo`. A yes is to what the card says: what
//! changes between the two is asked about anew, unless another process showed the card. A workspace
//! in which a call is at work waits for the next look, and keeps no other waiting.

mod card;
mod file_restore;
pub mod messages;
mod redo;
mod redo_offer;
mod workspace_files;

use std::collections::BTreeMap;

use sayso_channel::Outbound;
use sayso_store::file_changes::UndoState;
use sayso_store::file_changes::{self, UndoRow};
use sayso_store::outbox::OutboxRow;
use sayso_store::{StoreError, Tx};
use tokio_util::sync::CancellationToken;

pub use card::Answer as UndoAnswer;
use file_restore::Changed;
pub use redo_offer::want_redo;

use super::SessionContext;
use super::poll_timer::PollTimer;
use crate::delivery::{MessageRef, OutboxWriter, Purpose};
use crate::prompts::{self, PromptKind};

/// How long a card may be answered, in milliseconds.
const HOLDS_MS: i64 = 30 * 60 * 1000;
/// Of how many cards it is remembered what they say.
const SHOWN: usize = 100;

/// Puts files back, one wish after the other. One per process.
pub struct Undoer {
    ctx: SessionContext,
    /// What would be lost as the cards of this process say, by the number of the wish.
    shown: BTreeMap<i64, Changed>,
}

impl Undoer {
    /// Returns what puts files back.
    pub fn new(ctx: SessionContext) -> Self {
        Self {
            ctx,
            shown: BTreeMap::new(),
        }
    }

    /// Does what is wanted until `shutdown`.
    pub async fn run(mut self, shutdown: CancellationToken) {
        let mut looks = PollTimer::through(&self.ctx.store);
        loop {
            tokio::select! {
                () = shutdown.cancelled() => return,
                () = looks.wait() => {}
            }
            if let Err(error) = self.look().await {
                tracing::error!(%error, "cannot poll the database for work");
            }
        }
    }

    async fn look(&mut self) -> Result<(), StoreError> {
        for undo in file_changes::due(self.ctx.store.reader()).await? {
            let id = undo.id;
            if undo.state == UndoState::Redo {
                if let Err(error) = redo::redo(&self.ctx, undo).await {
                    tracing::error!(wish = id, %error, "cannot redo an undo; retrying");
                }
                continue;
            }
            match file_restore::undo(&self.ctx, undo, self.shown.get(&id)).await {
                Ok(Some(changed)) => self.remember(id, changed),
                Ok(None) => {}
                Err(error) => {
                    tracing::error!(wish = id, %error, "cannot restore files; retrying");
                }
            }
        }
        Ok(())
    }

    fn remember(&mut self, wish: i64, changed: Changed) {
        self.shown.insert(wish, changed);
        while self.shown.len() > SHOWN {
            self.shown.pop_first();
        }
    }
}

/// Closes a wish with these words on its card, unless that was done; returns the rows that say so.
pub async fn close_undo(
    tx: &mut Tx,
    outbox: &OutboxWriter,
    undo: &UndoRow,
    state: UndoState,
    text: &str,
    this: Option<MessageRef<'_>>,
) -> Result<Option<Vec<OutboxRow>>, StoreError> {
    if !file_changes::advance(tx, undo, state).await? {
        return Ok(None);
    }
    prompts::withdraw_about(tx, PromptKind::FileUndo, undo.id).await?;
    let outbound = Outbound::markdown(text);
    let said = outbox.amend(tx, Purpose::Card, undo.id, this, &outbound);
    Ok(Some(said.await?))
}
