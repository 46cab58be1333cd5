//! What a row needs on its way out, and its end when there is no way.

use std::sync::Arc;

use sayso_channel::{Address, Channel, ChatKind};
use sayso_store::chats;
use sayso_store::detours;
use sayso_store::outbox::Purpose;
use sayso_store::outbox::{self, OutboxRow};
use sayso_store::{Store, StoreError, Tx};
use tokio_util::task::TaskTracker;

use super::live_state::Shown;
use super::pace::Budgets;
use super::refusal::Refused;

/// Where a row goes.
#[derive(Debug, Clone)]
pub(super) struct Destination {
    /// The chat, and the thread in it.
    pub address: Address,
    /// Whether the chat is direct or a group.
    pub kind: ChatKind,
}

/// What a row needs on its way out.
#[derive(Clone)]
pub struct Route {
    /// The database.
    pub store: Store,
    /// The channel that says it.
    pub channel: Arc<dyn Channel>,
    /// What may still be said.
    pub budgets: Arc<Budgets>,
    /// Writes down what was sent, behind the queue.
    pub notes: TaskTracker,
    /// What the live messages show.
    pub shown: Arc<Shown>,
}

impl Route {
    /// Notes that a row cannot be delivered, and why.
    pub(super) async fn fail(&self, row: &OutboxRow, why: &str) -> Result<(), StoreError> {
        let (failing, reason) = (row.clone(), why.to_owned());
        self.store
            .write(move |tx| Box::pin(async move { set_failed(tx, &failing, &reason).await }))
            .await
    }

    /// Does the same unless the chat was opened again since the attempt began (`begun_ms`, Unix
    /// milliseconds): then the refusal came too late, the row is put back, and the messages that
    /// were said again when the chat opened did not have it among them. Returns whether it failed.
    pub(super) async fn fail_unless_opened(
        &self,
        row: &OutboxRow,
        at: &Destination,
        refused: &Refused,
        begun_ms: i64,
    ) -> Result<bool, StoreError> {
        let (failing, why, chat) = (row.clone(), refused.why.clone(), at.address.clone());
        self.store
            .write(move |tx| {
                Box::pin(async move {
                    let (channel, chat) = (chat.channel.as_str(), chat.chat.as_str());
                    if chats::opened_since(tx, channel, chat, begun_ms).await? {
                        outbox::put_back(tx, failing.id).await?;
                        return Ok(false);
                    }
                    set_failed(tx, &failing, &why).await?;
                    Ok(true)
                })
            })
            .await
    }
}

/// Notes that a row has failed; who finds it so finds it in the log as well.
async fn set_failed(tx: &mut Tx, row: &OutboxRow, why: &str) -> Result<(), StoreError> {
    tracing::warn!(row = %row.id, purpose = %row.purpose.as_str(), why, "message cannot be delivered");
    metrics::counter!("sayso_outbox_done_total", "state" => "failed").increment(1);
    outbox::set_failed(tx, row.id, why).await?;
    match row.subject.filter(|_| row.purpose == Purpose::Card) {
        Some(card) => detours::note_unshown(tx, card, why).await,
        None => Ok(()),
    }
}
