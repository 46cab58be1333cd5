//! How a connection is: reported by the channel, read by `/status`, `doctor` and `/health`.

use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

/// The health of one connection. Clones share it: the channel writes, others read.
#[derive(Debug, Clone)]
pub struct Health(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    state: Mutex<HealthState>,
    changed: Notify,
}

/// The bot account of a connection, as the platform names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BotAccount {
    /// The name by which people find it.
    pub name: String,
    /// How people reach it.
    pub link: BotLink,
}

/// A link for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BotLink {
    /// Opens the direct chat. Behind `?start=` it takes a word that is sent with the first message.
    Chat(String),
    /// Adds the bot to a server.
    Invite(String),
    /// There is none.
    None,
}

/// What is known of a connection.
#[derive(Debug, Clone)]
pub struct HealthState {
    /// What the connection is doing.
    pub status: HealthStatus,
    /// Whether it waits because another program listens with its token.
    pub contested: bool,
    /// The account that speaks, once the platform has named it.
    pub account: Option<BotAccount>,
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
        let state = HealthState {
            status: HealthStatus::Starting,
            contested: false,
            account: None,
            last_contact: None,
            interruptions: 0,
            last_fault: None,
        };
        Self(Arc::new(Shared {
            state: Mutex::new(state),
            changed: Notify::new(),
        }))
    }

    /// Reports which account speaks.
    pub fn speaks_as(&self, account: BotAccount) {
        self.change(|state| state.account = Some(account));
    }

    /// Reports that the platform answered.
    pub fn connected(&self) {
        self.change(|state| {
            state.status = HealthStatus::Connected;
            state.contested = false;
            state.last_contact = Some(Instant::now());
        });
    }

    /// Reports that the connection is down for now, and why.
    pub fn waiting(&self, why: impl Into<String>) {
        self.wait_for(why.into(), false);
    }

    /// Reports that another program listens with the token of this connection.
    pub fn contested(&self, why: impl Into<String>) {
        self.wait_for(why.into(), true);
    }

    fn wait_for(&self, why: String, contested: bool) {
        self.change(|state| {
            state.contested = contested;
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
            state.contested = false;
            state.status = HealthStatus::Stopped(why);
        });
    }

    /// Waits until this holds, and returns what is known then.
    pub async fn until(&self, holds: impl Fn(&HealthState) -> bool + Send) -> HealthState {
        loop {
            let mut changed = pin!(self.0.changed.notified());
            // A change between the look and the wait is not missed.
            changed.as_mut().enable();
            let state = self.read();
            if holds(&state) {
                return state;
            }
            changed.await;
        }
    }

    /// Returns what is known now.
    pub fn read(&self) -> HealthState {
        self.0
            .state
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Returns how long ago the platform last answered.
    pub fn silence(&self) -> Option<Duration> {
        self.read().last_contact.map(|contact| contact.elapsed())
    }

    fn change(&self, change: impl FnOnce(&mut HealthState)) {
        change(&mut self.0.state.lock().unwrap_or_else(PoisonError::into_inner));
        self.0.changed.notify_waiters();
    }
}

impl Default for Health {
    fn default() -> Self {
        Self::new()
    }
}
