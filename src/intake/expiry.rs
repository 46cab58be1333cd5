//! Cards of the door that nobody answered in time: they say so and lose their buttons, also when nobody
//! presses any more.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::{Door, erasing, forgetting, linking, pairing, raising, reviewing};
use crate::store::{
    self, Store, StoreError, erase, forgettings, links, now_ms, skill_reviews, usage,
};

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
    let strangers = store::pairing::next_expiry(store.reader()).await?;
    let requests = links::next_expiry(store.reader()).await?;
    let raises = usage::next_expiry(store.reader()).await?;
    let erasures = erase::next_expiry(store.reader()).await?;
    let forgets = forgettings::next_expiry(store.reader()).await?;
    let reviews = skill_reviews::next_expiry(store.reader()).await?;
    let mut all = [strangers, requests, raises, erasures, forgets, reviews]
        .into_iter()
        .flatten();
    if all.all(|at| at > now) {
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
