//! API keys that their service rejects: the owners are notified, because turns continue without
//! them.

use sayso_channel::Outbound;
use sayso_core::transcript::KeyRefused;
use sayso_store::outbox::OutboxRow;
use sayso_store::{StoreError, Tx, languages};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::{SessionContext, messages};
use crate::delivery::{Purpose, Saying};

/// Hears of refused keys and tells the owners, in each of their direct chats.
pub struct KeyWatch {
    ctx: SessionContext,
    refused: mpsc::Receiver<KeyRefused>,
}

impl KeyWatch {
    /// Starts listening; notifications are sent only by [`KeyWatch::run`].
    pub fn new(ctx: SessionContext, refused: mpsc::Receiver<KeyRefused>) -> Self {
        Self { ctx, refused }
    }

    /// Tells of each key, until `shutdown`.
    pub async fn run(mut self, shutdown: CancellationToken) {
        loop {
            let key = tokio::select! {
                () = shutdown.cancelled() => return,
                key = self.refused.recv() => key,
            };
            let Some(key) = key else {
                return;
            };
            if let Err(error) = self.tell(&key).await {
                tracing::error!(%error, server = key.server, "cannot notify owners of a rejected API key");
            }
        }
    }

    async fn tell(&self, key: &KeyRefused) -> Result<(), StoreError> {
        let (ctx, key) = (self.ctx.clone(), key.clone());
        let said = self
            .ctx
            .store
            .write(move |tx| Box::pin(async move { say(tx, &ctx, &key).await }))
            .await?;
        self.ctx.outbox.offer(said);
        Ok(())
    }
}

async fn say(
    tx: &mut Tx,
    ctx: &SessionContext,
    key: &KeyRefused,
) -> Result<Vec<OutboxRow>, StoreError> {
    let mut said = Vec::new();
    for to in &ctx.owners.direct_chats(tx).await? {
        let reads = languages::of_chat(tx, to.channel.as_str(), to.chat.as_str()).await?;
        let language = ctx.limits.language_in(&reads);
        let outbound = Outbound::markdown(messages::key_refused(key, language));
        let saying = Saying {
            to,
            purpose: Purpose::Notice,
            turn: None,
            subject: None,
            outbound: &outbound,
        };
        said.extend(ctx.outbox.say(tx, saying).await?);
    }
    Ok(said)
}
