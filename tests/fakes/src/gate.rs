//! A gate at which an answer waits until the test opens it: time held still without a clock.

use std::sync::Arc;

use tokio::sync::watch;

use crate::waiting::PATIENCE;

/// Holds whatever passes through it until [`Gate::open`]; clones are the same gate.
#[derive(Clone, Debug)]
pub struct Gate {
    open: Arc<watch::Sender<bool>>,
    arrivals: Arc<watch::Sender<usize>>,
}

impl Default for Gate {
    fn default() -> Self {
        Self::new()
    }
}

impl Gate {
    /// Returns a closed gate.
    pub fn new() -> Self {
        Self {
            open: Arc::new(watch::Sender::new(false)),
            arrivals: Arc::new(watch::Sender::new(0)),
        }
    }

    /// Opens the gate for all who wait and all who come later.
    pub fn open(&self) {
        self.open.send_replace(true);
    }

    /// Waits until `count` in all have come to the gate, open or not.
    pub async fn reached_by(&self, count: usize) {
        let mut arrivals = self.arrivals.subscribe();
        let enough = arrivals.wait_for(|came| *came >= count);
        let reached = tokio::time::timeout(PATIENCE, enough).await.is_ok();
        assert!(
            reached,
            "{} of {count} came to the gate",
            *self.arrivals.borrow()
        );
    }

    /// Waits until the gate is open; it stays open, so there is no bound here but the caller's.
    pub(crate) async fn pass(&self) {
        self.arrivals.send_modify(|came| *came += 1);
        let mut open = self.open.subscribe();
        // The sender lives in `self`, so this ends only by opening.
        let _ = open.wait_for(|is_open| *is_open).await;
    }
}
