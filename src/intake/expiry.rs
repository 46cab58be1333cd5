//! Intake cards that expired without an answer: they are rewritten to say so and lose their
//! buttons, even when they are never pressed again.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::{IntakeContext, budget_prompts, erasure, forget, linking, pairing, skill_review};
use crate::store::{Store, StoreError, expiries, now_ms};

/// How often expired cards are looked for.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// Closes what expires until `shutdown`.
pub async fn run(store: &Store, ctx: &Arc<IntakeContext>, shutdown: &CancellationToken) {
    let mut look = tokio::time::interval(LOOK_EVERY);
    loop {
        tokio::select! {
            () = shutdown.cancelled() => return,
            _ = look.tick() => {}
        }
        if let Err(error) = expire(store, ctx).await {
            tracing::error!(%error, "cannot close expired prompts");
        }
    }
}

async fn expire(store: &Store, ctx: &Arc<IntakeContext>) -> Result<(), StoreError> {
    let now = now_ms();
    // Read beside the writer: almost always there is nothing to write.
    let next = expiries::next(store.reader()).await?;
    if next.is_none_or(|at| at > now) {
        return Ok(());
    }
    let shared = Arc::clone(ctx);
    let said = store
        .write(move |tx| {
            Box::pin(async move {
                let mut said = pairing::expire(tx, &shared, now).await?;
                said.extend(linking::expire(tx, &shared, now).await?);
                said.extend(budget_prompts::expire(tx, &shared, now).await?);
                said.extend(erasure::expire(tx, &shared, now).await?);
                said.extend(forget::expire(tx, &shared, now).await?);
                said.extend(skill_review::expire(tx, &shared, now).await?);
                Ok(said)
            })
        })
        .await?;
    ctx.outbox.offer(said);
    Ok(())
}
