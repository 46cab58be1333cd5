//! When it is worth while to look through the database for work: after something was written there,
//! and now and then for what is due by its time.

use std::time::Duration;

use sayso_store::Store;
use tokio::sync::watch;

/// How long after a look the next one is, at least.
const APART: Duration = Duration::from_secs(1);
/// How much later it is at most, whatever was written.
const ANYWAY: Duration = Duration::from_secs(4);

/// Tells when to look.
#[derive(Debug)]
pub(super) struct PollTimer {
    commits: watch::Receiver<u64>,
}

impl PollTimer {
    /// Returns what tells when to look through this store.
    pub(super) fn through(store: &Store) -> Self {
        Self {
            commits: store.commits(),
        }
    }

    /// Waits until it is worth while to look again.
    pub(super) async fn wait(&mut self) {
        tokio::time::sleep(APART).await;
        // Written or not, it is time then.
        let _ = tokio::time::timeout(ANYWAY, self.written()).await;
    }

    /// Waits until something was written since this was last waited for; for ever in a store that
    /// is closed.
    async fn written(&mut self) {
        if self.commits.changed().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use sayso_store::Store;

    use super::PollTimer;

    #[tokio::test]
    async fn it_is_looked_again_after_something_was_written() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(&directory.path().join("sayso.db"))
            .await
            .unwrap();
        let mut looks = PollTimer::through(&store);
        // Opening it may have written.
        let _ = looks.written().now_or_never();
        assert_eq!(looks.written().now_or_never(), None);
        let nothing = store.write(|_| Box::pin(async { Ok(()) }));
        nothing.await.unwrap();
        assert_eq!(looks.written().now_or_never(), Some(()));
        assert_eq!(looks.written().now_or_never(), None);
    }
}
