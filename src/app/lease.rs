//! The right to listen with a token: a row of the database, so that one token has one listener.
//!
//! Two listeners with one token would take each other's messages, on Telegram with an error and on
//! Discord silently. A lease that is not renewed expires, and a waiting process takes over.

use std::time::{Duration, Instant};

use sayso_channel::Health;
use sayso_store::{Store, StoreError, now_ms, pollers};
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest as _, Sha256};
use tokio_util::sync::CancellationToken;

use super::messages;

/// How long a lease lasts unless it is prolonged.
const LEASE: Duration = Duration::from_secs(20);
/// How often it is prolonged.
const PROLONG_EVERY: Duration = Duration::from_secs(5);
/// How often somebody else's lease is looked at again.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// The right of one channel to listen with its token.
pub struct Lease {
    store: Store,
    token: String,
    owner: String,
}

impl Lease {
    /// Returns the lease of a token for `owner`; the database keeps the token's digest only.
    pub fn new(store: Store, token: &SecretString, owner: String) -> Self {
        let digest = Sha256::digest(token.expose_secret().as_bytes());
        Self {
            store,
            token: format!("{digest:x}"),
            owner,
        }
    }

    /// Waits until the lease is ours and says so; `false` at shutdown.
    pub async fn wait(&self, health: &Health, shutdown: &CancellationToken) -> bool {
        let mut is_logged = false;
        loop {
            match self.take().await {
                Ok(true) => return true,
                Ok(false) => health.waiting(messages::token_is_taken()),
                Err(error) => {
                    // People read how a channel is, and a fault of the database names its file.
                    if !is_logged {
                        tracing::warn!(owner = self.owner, %error, "lease not acquired");
                        is_logged = true;
                    }
                    health.waiting(messages::store_does_not_answer());
                }
            }
            let slept = shutdown.run_until_cancelled(tokio::time::sleep(LOOK_EVERY));
            if slept.await.is_none() {
                return false;
            }
        }
    }

    /// Renews the lease repeatedly; returns when it was lost, or when it can no longer be
    /// confirmed.
    pub async fn keep(&self) {
        let mut holds_until = Instant::now() + LEASE;
        loop {
            tokio::time::sleep(PROLONG_EVERY).await;
            match self.take().await {
                Ok(true) => holds_until = Instant::now() + LEASE,
                Ok(false) => return,
                Err(error) => {
                    tracing::warn!(owner = self.owner, %error, "lease not renewed");
                    if Instant::now() > holds_until {
                        return;
                    }
                }
            }
        }
    }

    /// Gives the lease back. One that cannot be given back ends by itself.
    pub async fn release(&self) {
        let (token, owner) = (self.token.clone(), self.owner.clone());
        let released = self
            .store
            .write(move |tx| Box::pin(async move { pollers::release(tx, &token, &owner).await }))
            .await;
        if let Err(error) = released {
            tracing::warn!(owner = self.owner, %error, "lease not released; it will expire");
        }
    }

    async fn take(&self) -> Result<bool, StoreError> {
        let (token, owner) = (self.token.clone(), self.owner.clone());
        let now = now_ms();
        let until = now + LEASE.as_millis() as i64;
        self.store
            .write(move |tx| {
                Box::pin(async move { pollers::take(tx, &token, &owner, now, until).await })
            })
            .await
    }
}
