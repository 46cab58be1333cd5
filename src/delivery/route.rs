//! What a row needs on its way out, and its end when there is no way.

use std::sync::Arc;

use sayso_channel::{Address, Channel, ChatKind};
use sayso_store::detours;
use sayso_store::outbox::Purpose;
use sayso_store::outbox::{self, OutboxRow};
use sayso_store::{Store, StoreError};
use tokio_util::task::TaskTracker;

use super::live_state::Shown;
use super::pace::Budgets;

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
        tracing::warn!(row = %row.id, purpose = %row.purpose.as_str(), why, "message cannot be delivered");
        let (id, why) = (row.id, why.to_owned());
        let card = row.subject.filter(|_| row.purpose == Purpose::Card);
        metrics::counter!("sayso_outbox_done_total", "state" => "failed").increment(1);
        self.store
            .write(move |tx| {
                Box::pin(async move {
                    outbox::set_failed(tx, id, &why).await?;
                    match card {
                        Some(card) => detours::note_unshown(tx, card, &why).await,
                        None => Ok(()),
                    }
                })
            })
            .await
    }
}
