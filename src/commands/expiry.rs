//! Prompts that expired without an answer: they are rewritten to say so and lose their buttons, even
//! when they are never pressed again.

use std::sync::Arc;
use std::time::Duration;

use sayso_store::{Store, StoreError, now_ms};
use tokio_util::sync::CancellationToken;

use super::answers;
use super::context::CommandContext;
use crate::prompts;

/// How often expired prompts are looked for.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// Closes what expires until `shutdown`.
pub async fn run(store: &Store, ctx: &Arc<CommandContext>, shutdown: &CancellationToken) {
    let mut look = tokio::time::interval(LOOK_EVERY);
    loop {
        tokio::select! {
            () = shutdown.cancelled() => return,
            _ = look.tick() => {}
        }
        if let Err(error) = expire(store, ctx).await {
            tracing::error!(%error, "expired prompts cannot be closed");
        }
    }
}

async fn expire(store: &Store, ctx: &Arc<CommandContext>) -> Result<(), StoreError> {
    let now = now_ms();
    // Read beside the writer: almost always there is nothing to write.
    let next = prompts::next_expiry(store.reader()).await?;
    if next.is_none_or(|at| at > now) {
        return Ok(());
    }
    let shared = Arc::clone(ctx);
    let said = store
        .write(move |tx| {
            Box::pin(async move {
                let mut said = Vec::new();
                for prompt in prompts::expire(tx, now).await? {
                    said.extend(answers::expired(tx, &shared, &prompt, None).await?);
                }
                Ok(said)
            })
        })
        .await?;
    ctx.outbox.offer(said);
    Ok(())
}
