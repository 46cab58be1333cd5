//! The condition that prevents writes to the database, for monitoring.

use std::sync::Arc;

use tokio::sync::watch;

use super::StoreError;

/// The last failure that is no fault of the work itself; clones see the same.
#[derive(Debug, Clone)]
pub(super) struct Trouble(Arc<watch::Sender<Option<StoreError>>>);

impl Trouble {
    /// Begins with none.
    pub(super) fn none() -> Self {
        Self(Arc::new(watch::Sender::new(None)))
    }

    /// Notes a failure, if it is one of the file or its disk: other work would fail as well.
    pub(super) fn note(&self, error: &StoreError) {
        if !is_of_the_file(error) {
            return;
        }
        let is_news = self.0.send_replace(Some(error.clone())).is_none();
        if is_news {
            tracing::error!(%error, "database write failed; retrying until it succeeds");
        }
    }

    /// Notes that the database can be written.
    pub(super) fn is_over(&self) {
        if self.0.send_replace(None).is_some() {
            tracing::info!("database writable again");
        }
    }

    /// Returns what it is, if there is any.
    pub(super) fn get(&self) -> Option<StoreError> {
        self.0.borrow().clone()
    }
}

fn is_of_the_file(error: &StoreError) -> bool {
    match error {
        StoreError::Corrupt(_)
        | StoreError::Full(_)
        | StoreError::ReadOnly(_)
        | StoreError::Locked(_) => true,
        StoreError::InUse { .. }
        | StoreError::HalfRestored(_)
        | StoreError::FromTheFuture { .. }
        | StoreError::FromThePast { .. }
        | StoreError::Unreleased { .. }
        | StoreError::Fenced
        | StoreError::Unaudited(_)
        | StoreError::Closed
        | StoreError::Broken(_) => false,
    }
}
