//! The content of `/health`, for monitoring and for `doctor`.

use std::time::{Duration, Instant};

use sayso_channel::{Health, HealthStatus};
use serde::{Deserialize, Serialize};

use super::Watched;

/// How this Sayso is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HealthReport {
    /// `ok`, or `degraded` while a channel or the database does not work.
    pub status: String,
    /// The version of the program.
    pub version: String,
    /// How long it has been up, in seconds.
    pub uptime_s: u64,
    /// How each channel is.
    pub channels: Vec<ChannelReport>,
    /// The state of the embedder, if there is one; without it memory is searched by words, and
    /// everything else works.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedder: Option<ChannelReport>,
    /// How the database is.
    pub database: DatabaseReport,
}

/// How one channel is. Times are ages in milliseconds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChannelReport {
    /// Its name in the configuration.
    pub name: String,
    /// `starting`, `connected`, `waiting` or `stopped`.
    pub status: String,
    /// Why it waits or has stopped.
    pub reason: Option<String>,
    /// How long ago the platform last answered.
    pub last_contact_ms: Option<u64>,
    /// The last fault; it stays known after the connection is back.
    pub last_fault: Option<String>,
    /// How long ago that was.
    pub last_fault_ms: Option<u64>,
    /// How often the connection was lost since the start.
    pub interruptions: u64,
}

/// How the database is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatabaseReport {
    /// Whether it answers, and can be written.
    pub ok: bool,
    /// Why it cannot be written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl HealthReport {
    /// Reads how everything is now.
    pub(super) fn new(watched: &Watched, answers: bool, uptime: Duration) -> Self {
        let trouble = watched.store.trouble();
        let database = DatabaseReport {
            ok: answers && trouble.is_none(),
            reason: trouble.map(|trouble| trouble.to_string()),
        };
        let embedder = watched.embedder.as_ref();
        let channels: Vec<_> = watched
            .channels
            .iter()
            .map(|(name, health)| ChannelReport::new(name, health))
            .collect();
        let is_well = database.ok && channels.iter().all(ChannelReport::is_well);
        Self {
            status: if is_well { "ok" } else { "degraded" }.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            uptime_s: uptime.as_secs(),
            channels,
            embedder: embedder.map(|health| ChannelReport::new("embedder", health)),
            database,
        }
    }

    /// Returns whether everything works.
    pub fn is_well(&self) -> bool {
        self.status == "ok"
    }
}

impl ChannelReport {
    fn new(name: &str, health: &Health) -> Self {
        let state = health.read();
        let (status, reason) = match state.status {
            HealthStatus::Starting => ("starting", None),
            HealthStatus::Connected => ("connected", None),
            HealthStatus::Waiting(why) => ("waiting", Some(why)),
            HealthStatus::Stopped(why) => ("stopped", Some(why)),
        };
        let (last_fault, fault_at) = state.last_fault.unzip();
        Self {
            name: name.to_owned(),
            status: status.to_owned(),
            reason,
            last_contact_ms: state.last_contact.map(age_ms),
            last_fault,
            last_fault_ms: fault_at.map(age_ms),
            interruptions: state.interruptions,
        }
    }

    /// Returns whether the channel hears, or is about to.
    pub fn is_well(&self) -> bool {
        matches!(self.status.as_str(), "starting" | "connected")
    }
}

fn age_ms(at: Instant) -> u64 {
    at.elapsed().as_millis() as u64
}
