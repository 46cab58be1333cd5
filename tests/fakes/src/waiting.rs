//! Bounded waiting on a signal: woken by every change, never by a clock that polls.

use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

/// How long a test waits for anything before it fails: far above any honest delay, far below a hung CI.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// Runs `check` now and after every signal until it gives something; `None` when the deadline passes first.
pub(crate) async fn until<T>(
    signal: &Notify,
    deadline: Instant,
    mut check: impl FnMut() -> Option<T>,
) -> Option<T> {
    loop {
        let mut signalled = std::pin::pin!(signal.notified());
        // Enrolled before the look, so a change between the look and the wait is not missed.
        signalled.as_mut().enable();
        if let Some(found) = check() {
            return Some(found);
        }
        tokio::select! {
            () = signalled => {}
            () = tokio::time::sleep_until(deadline) => return check(),
        }
    }
}

/// Waits as [`until`] does, for at most [`PATIENCE`].
pub(crate) async fn patiently<T>(signal: &Notify, check: impl FnMut() -> Option<T>) -> Option<T> {
    until(signal, Instant::now() + PATIENCE, check).await
}
