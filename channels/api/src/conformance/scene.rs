//! A running channel between its stage and the door: what the checks act on.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::Stage;
use crate::{
    Channel, ChannelError, ChannelName, Delivery, Event, EventKey, Health, HeardMessage, Inbound,
    Inbox, InboxClosed, LastHeard, Outbound, Past, Receipt, SendKey, SentMessage,
};

/// How long an event may take from the platform to the door.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long a channel may take to end.
const SHUTDOWN_LIMIT: Duration = Duration::from_secs(1);

/// A stage with its channel listening.
pub(super) struct Scene<'a> {
    pub(super) stage: &'a mut dyn Stage,
    pub(super) channel: Arc<dyn Channel>,
    deliveries: mpsc::Receiver<Delivery>,
    stored: HashSet<EventKey>,
    past: Arc<NewestMessage>,
    shutdown: CancellationToken,
    listening: JoinHandle<Result<(), ChannelError>>,
    attempts: u64,
}

impl<'a> Scene<'a> {
    /// Starts to listen.
    pub(super) fn open(stage: &'a mut dyn Stage) -> Self {
        Self::open_with(stage, Arc::default())
    }

    fn open_with(stage: &'a mut dyn Stage, past: Arc<NewestMessage>) -> Self {
        let channel = stage.channel();
        let (inbox, deliveries) = Inbox::new(Health::new(), 16);
        let inbox = inbox.with_past(Arc::clone(&past) as Arc<dyn Past>);
        let shutdown = CancellationToken::new();
        let listening = tokio::spawn({
            let (channel, shutdown) = (Arc::clone(&channel), shutdown.clone());
            async move { channel.listen(inbox, shutdown).await }
        });
        Self {
            stage,
            channel,
            deliveries,
            stored: HashSet::new(),
            past,
            shutdown,
            listening,
            attempts: 0,
        }
    }

    /// Ends listening, in time and without an error.
    pub(super) async fn close(self) -> &'a mut dyn Stage {
        self.shutdown.cancel();
        tokio::time::timeout(SHUTDOWN_LIMIT, self.listening)
            .await
            .expect("listening must end within a second of the shutdown")
            .expect("listening must not panic")
            .expect("a shutdown is no error");
        self.stage
    }

    /// Starts to listen again, knowing what was stored before.
    pub(super) async fn reopen(mut self) -> Self {
        let stored = std::mem::take(&mut self.stored);
        let past = Arc::clone(&self.past);
        let mut scene = Self::open_with(self.close().await, past);
        scene.stored = stored;
        scene
    }

    /// Takes the next delivery, whatever it is.
    pub(super) async fn next_delivery(&mut self) -> Delivery {
        tokio::time::timeout(PATIENCE, self.deliveries.recv())
            .await
            .expect("nothing arrived at the door")
            .expect("the channel gave its inbox up")
    }

    /// Stores the next event, as the door does: what is known already is only acknowledged.
    pub(super) async fn store_next(&mut self, receipt: Receipt) -> Inbound {
        loop {
            let delivery = self.next_delivery().await;
            let fresh = self.stored.insert(delivery.inbound.key.clone());
            self.past.keep(&delivery.inbound);
            // The channel may have been told to stop meanwhile; then it offers the event again.
            let _ = delivery.receipt.send(receipt.clone());
            if fresh {
                return delivery.inbound;
            }
        }
    }

    /// Stores the next event, which must be a message of the person.
    pub(super) async fn store_message(&mut self) -> HeardMessage {
        let inbound = self.store_next(Receipt::default()).await;
        assert_eq!(inbound.address, self.stage.address());
        assert_eq!(inbound.sender.key, self.stage.sender());
        match inbound.event {
            Event::Message(message) => *message,
            other => panic!("not a message: {other:?}"),
        }
    }

    /// Sends a message that fits into one part.
    pub(super) async fn send(&mut self, message: &Outbound) -> SentMessage {
        let parts = self.channel.render(message);
        assert_eq!(parts.len(), 1, "{parts:?}");
        let part = parts.first().expect("there is one part");
        let key = self.next_key();
        let sent = self.channel.send(&self.stage.address(), part, &key).await;
        sent.expect("the platform takes the message")
    }

    pub(super) fn next_key(&mut self) -> SendKey {
        self.attempts += 1;
        SendKey(format!("attempt-{}", self.attempts))
    }
}

/// The newest message that was stored, as the door knows it: the suite has one chat.
#[derive(Debug, Default)]
struct NewestMessage(Mutex<Option<LastHeard>>);

impl NewestMessage {
    fn keep(&self, inbound: &Inbound) {
        if let Event::Message(message) = &inbound.event {
            *self.0.lock().expect("no check panics with it") = Some(LastHeard {
                address: inbound.address.clone(),
                message: message.message.clone(),
            });
        }
    }
}

#[async_trait]
impl Past for NewestMessage {
    async fn last_heard(&self, _: &ChannelName) -> Result<Vec<LastHeard>, InboxClosed> {
        let newest = self.0.lock().expect("no check panics with it").clone();
        Ok(newest.into_iter().collect())
    }
}
