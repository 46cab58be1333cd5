//! When it is worth while to look through the database for work: after something was written there, and
//! now and then for what is due by its time.

use std::time::{Duration, Instant};

use crate::store::Store;

/// How often it is looked, whatever was written.
const ANYWAY: Duration = Duration::from_secs(5);

/// The last look.
#[derive(Debug, Default)]
pub(super) struct Looks {
    last: Option<(u64, Instant)>,
}

impl Looks {
    /// Returns whether it is worth while to look now, and takes it that it is done.
    pub(super) fn is_due(&mut self, store: &Store) -> bool {
        let commits = store.commits();
        let was_just = |(seen, at): (u64, Instant)| seen == commits && at.elapsed() < ANYWAY;
        if self.last.is_some_and(was_just) {
            return false;
        }
        self.last = Some((commits, Instant::now()));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::Looks;
    use crate::store::Store;

    #[tokio::test]
    async fn it_is_looked_again_after_something_was_written() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(&directory.path().join("sayso.db"))
            .await
            .unwrap();
        let mut looks = Looks::default();
        assert!(looks.is_due(&store), "nobody has looked yet");
        assert!(!looks.is_due(&store));
        let nothing = store.write(|_| Box::pin(async { Ok(()) }));
        nothing.await.unwrap();
        assert!(looks.is_due(&store));
        assert!(!looks.is_due(&store));
    }
}
