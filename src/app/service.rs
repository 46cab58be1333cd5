//! Notifies the service manager that Sayso is ready, alive or ending, by the protocol of
//! sd_notify(3). Without a service manager, or with one that does not use the protocol, nothing is
//! sent.

use std::time::Duration;

use sd_notify::NotifyState;
use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

/// How many keep-alive notifications are sent per watchdog interval: systemd recommends at least
/// two.
const SIGNS: u32 = 3;

/// Tells that everything is started.
pub(super) fn ready() {
    tell(&NotifyState::Ready);
}

/// Tells that the end has begun.
pub(super) fn stopping() {
    tell(&NotifyState::Stopping);
}

/// Sends keep-alive notifications until `shutdown`, as often as the service manager expects them,
/// and only while the pool looks for work: `looked` is when it last did. A process that sends none
/// is killed and restarted, and loses nothing.
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
            tracing::error!(
                ?idle,
                "watchdog not notified: the session pool has stopped polling"
            );
        }
    }
}

fn tell(state: &NotifyState<'_>) {
    if let Err(error) = sd_notify::notify(std::slice::from_ref(state)) {
        tracing::warn!(%error, %state, "cannot notify the service manager");
    }
}
