//! How a connection is: reported by the channel, read by `/status`, `doctor` and `/health`.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The health of one connection. Clones share it: the channel writes, others read.
#[derive(Debug, Clone)]
pub struct Health(Arc<Mutex<HealthState>>);

/// What is known of a connection.
#[derive(Debug, Clone)]
pub struct HealthState {
    /// What the connection is doing.
    pub status: HealthStatus,
    /// When the platform last answered.
    pub last_contact: Option<Instant>,
    /// How often the connection was lost since the start.
    pub interruptions: u64,
    /// The last fault and when it was reported; it stays known after the connection is back.
    pub last_fault: Option<(String, Instant)>,
}

/// What a connection is doing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HealthStatus {
    /// It was not yet made.
    Starting,
    /// The platform answers.
    Connected,
    /// It is down and tried again; the reason is for people.
    Waiting(String),
    /// It ended for good; the reason is for people.
    Stopped(String),
}

impl Health {
    /// Returns the health of a connection that was not yet made.
    pub fn new() -> Self {
        Self(Arc::new(Mutex::new(HealthState {
            status: HealthStatus::Starting,
            last_contact: None,
            interruptions: 0,
            last_fault: None,
        })))
    }

    /// Reports that the platform answered.
    pub fn connected(&self) {
        self.change(|state| {
            state.status = HealthStatus::Connected;
            state.last_contact = Some(Instant::now());
        });
    }

    /// Reports that the connection is down for now, and why.
    pub fn waiting(&self, why: impl Into<String>) {
        let why = why.into();
        self.change(|state| {
            if !matches!(state.status, HealthStatus::Waiting(_)) {
                state.interruptions += 1;
            }
            state.last_fault = Some((why.clone(), Instant::now()));
            state.status = HealthStatus::Waiting(why);
        });
    }

    /// Reports that the connection ended for good, and why.
    pub fn stopped(&self, why: impl Into<String>) {
        let why = why.into();
        self.change(|state| {
            state.last_fault = Some((why.clone(), Instant::now()));
            state.status = HealthStatus::Stopped(why);
        });
    }

    /// Returns what is known now.
    pub fn read(&self) -> HealthState {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Returns how long ago the platform last answered.
    pub fn silence(&self) -> Option<Duration> {
        self.read().last_contact.map(|contact| contact.elapsed())
    }

    fn change(&self, change: impl FnOnce(&mut HealthState)) {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Default for Health {
    fn default() -> Self {
        Self::new()
    }
}
