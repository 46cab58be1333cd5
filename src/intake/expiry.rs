//! Intake cards that expired without an answer: they are rewritten to say so and lose their
//! buttons, even when they are never pressed again.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::{Door, erasing, forgetting, linking, pairing, raising, reviewing};
use crate::store::{Store, StoreError, expiries, now_ms};

/// How often expired cards are looked for.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// Closes what expires until `shutdown`.
pub async fn run(store: &Store, door: &Arc<Door>, shutdown: &CancellationToken) {
    let mut look = tokio::time::interval(LOOK_EVERY);
    loop {
        tokio::select! {
            () = shutdown.cancelled() => return,
            _ = look.tick() => {}
        }
        if let Err(error) = expire(store, door).await {
            tracing::error!(%error, "expired cards cannot be closed");
        }
    }
}

async fn expire(store: &Store, door: &Arc<Door>) -> Result<(), StoreError> {
    let now = now_ms();
    // Read beside the writer: almost always there is nothing to write.
    let next = expiries::next(store.reader()).await?;
    if next.is_none_or(|at| at > now) {
        return Ok(());
    }
    let shared = Arc::clone(door);
    let said = store
        .write(move |tx| {
            Box::pin(async move {
                let mut said = pairing::expire(tx, &shared, now).await?;
                said.extend(linking::expire(tx, &shared, now).await?);
                said.extend(raising::expire(tx, &shared, now).await?);
                said.extend(erasing::expire(tx, &shared, now).await?);
                said.extend(forgetting::expire(tx, &shared, now).await?);
                said.extend(reviewing::expire(tx, &shared, now).await?);
                Ok(said)
            })
        })
        .await?;
    door.voice.offer(said);
    Ok(())
}
