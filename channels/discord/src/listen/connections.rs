//! The health of one account over all its shards: connected when every one of them is.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use sayso_channel::Health;

/// How the shards are. They share it.
#[derive(Debug)]
pub(super) struct Connections {
    health: Health,
    /// The shards that are down, and why.
    down: Mutex<BTreeMap<u16, String>>,
}

impl Connections {
    pub(super) fn new(health: Health) -> Self {
        Self {
            health,
            down: Mutex::default(),
        }
    }

    /// Reports that a shard is alive.
    pub(super) fn alive(&self, shard: u16) {
        let mut down = self.down.lock().unwrap_or_else(PoisonError::into_inner);
        down.remove(&shard);
        if down.is_empty() {
            self.health.connected();
        }
    }

    /// Reports that a shard is down, and why.
    pub(super) fn waiting(&self, shard: u16, why: String) {
        self.health.waiting(why.clone());
        let mut down = self.down.lock().unwrap_or_else(PoisonError::into_inner);
        down.insert(shard, why);
    }
}

#[cfg(test)]
mod tests {
    use sayso_channel::HealthStatus;

    use super::*;

    #[test]
    fn account_is_connected_when_all_its_shards_are() {
        let health = Health::new();
        let connections = Connections::new(health.clone());
        connections.alive(0);
        assert_eq!(health.read().status, HealthStatus::Connected);
        connections.waiting(1, "cut".to_owned());
        connections.alive(0);
        assert_eq!(
            health.read().status,
            HealthStatus::Waiting("cut".to_owned())
        );
        connections.alive(1);
        assert_eq!(health.read().status, HealthStatus::Connected);
    }
}
