//! What the service manager is told: that Sayso is ready, alive, or ending, by the protocol of sd_notify(3).
//! Without one, or with one that does not want to know, nothing is told.

use std::time::Duration;

use sd_notify::NotifyState;
use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

/// How often a sign of life is given in the time in which one is wanted: systemd asks for twice at least.
const SIGNS: u32 = 3;

/// Tells that everything is started.
pub(super) fn ready() {
    tell(&NotifyState::Ready);
}

/// Tells that the end has begun.
pub(super) fn stopping() {
    tell(&NotifyState::Stopping);
}

/// Gives signs of life until `shutdown`, as often as they are wanted, and only while work is looked for:
/// `looked` is when that was last done. A Sayso that gives none is killed and started again, and loses nothing.
pub(super) async fn keep_alive(looked: watch::Receiver<Instant>, shutdown: CancellationToken) {
    let Some(wanted_within) = sd_notify::watchdog_enabled() else {
        return;
    };
    let mut beat = interval((wanted_within / SIGNS).max(Duration::from_millis(1)));
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = beat.tick() => {}
            () = shutdown.cancelled() => return,
        }
        let idle = looked.borrow().elapsed();
        if idle < wanted_within {
            tell(&NotifyState::Watchdog);
        } else {
            tracing::error!(?idle, "nobody looks for work: no sign of life is given");
        }
    }
}

fn tell(state: &NotifyState<'_>) {
    if let Err(error) = sd_notify::notify(std::slice::from_ref(state)) {
        tracing::warn!(%error, %state, "the service manager cannot be told");
    }
}
