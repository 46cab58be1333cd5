//! Takes events in: each is stored with everything that follows from it, and then receipted.

use std::sync::Arc;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use sayso_channel::{Delivery, Past, Receipt};
use sayso_store::{Committed, Store, Urgency};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use super::context::IntakeContext;
use super::effects::Effects;
use super::event;
use super::platform_history::StoredPast;
use crate::bus::Bus;

/// How many events may wait at the door; more make their channels wait.
pub const WAITING_EVENTS: usize = 256;

/// The door of one instance.
pub struct Intake {
    store: Store,
    bus: Bus,
    ctx: Arc<IntakeContext>,
}

impl Intake {
    /// Returns the door of an instance.
    pub fn new(store: Store, bus: Bus, ctx: Arc<IntakeContext>) -> Self {
        Self { store, bus, ctx }
    }

    /// Returns what channels may know of their own past.
    pub fn past(&self) -> Arc<dyn Past> {
        Arc::new(StoredPast::new(self.store.clone()))
    }

    /// Takes events in until `shutdown`, and runs beside it what outlives them.
    pub async fn run(self, deliveries: mpsc::Receiver<Delivery>, shutdown: CancellationToken) {
        tokio::join!(
            self.take_in(deliveries, &shutdown),
            self.ctx.features.run(&self.store, &shutdown),
        );
    }

    /// Takes events in. Events of one channel are stored in their order; those that wait together
    /// share a commit.
    async fn take_in(
        &self,
        mut deliveries: mpsc::Receiver<Delivery>,
        shutdown: &CancellationToken,
    ) {
        let mut storing = FuturesUnordered::new();
        loop {
            tokio::select! {
                () = shutdown.cancelled() => break,
                Some(delivery) = deliveries.recv() => {
                    let (committed, receipt) = self.enqueue(delivery).await;
                    storing.push(self.settle(committed, receipt));
                }
                Some(()) = storing.next() => {}
            }
        }
        // What is in line is stored and receipted; what still waits at the door is delivered again.
        while storing.next().await.is_some() {}
    }

    async fn enqueue(&self, delivery: Delivery) -> (Committed<Effects>, oneshot::Sender<Receipt>) {
        let Delivery { inbound, receipt } = delivery;
        self.ctx.material.read_for(&inbound).await;
        let ctx = Arc::clone(&self.ctx);
        let committed = self
            .store
            .enqueue(Urgency::Now, move |tx| {
                Box::pin(async move { event::receive(tx, &ctx, inbound).await })
            })
            .await;
        (committed, receipt)
    }

    async fn settle(&self, committed: Committed<Effects>, receipt: oneshot::Sender<Receipt>) {
        match committed.wait().await {
            Ok(effects) => {
                // A channel that went away needs no receipt: the event is stored.
                let _ = receipt.send(effects.receipt);
                self.ctx.outbox.offer(effects.said);
                if let Some((address, message)) = effects.noticed {
                    self.ctx.outbox.react(address, message);
                }
                for signal in effects.signals {
                    self.bus.send(signal);
                }
                for work in effects.wakes {
                    work.notify_one();
                }
            }
            // Dropping the receipt says so: the platform delivers it again.
            Err(error) => tracing::error!(%error, "event not stored"),
        }
    }
}
