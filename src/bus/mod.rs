//! Wake-ups between rooms, inside one process.
//!
//! The bus never holds the truth: a lost signal costs time, because every room also looks at the
//! database by itself, never a message.
//!
//! # Invariants
//!
//! - `bus` never holds the truth.

use sayso_core::transcript::{SessionId, TurnId, UserId};
use tokio::sync::mpsc;

/// How many signals may wait. More are dropped: the pool finds the work at its next look.
const SIGNALS: usize = 4096;

/// A signal to the pool of sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// There is something to do in a session, for this user.
    Work(SessionId, UserId),
    /// The same in a session in the background, which no person waits for.
    Background(SessionId, UserId),
    /// Somebody wants this turn of a session and user stopped, whether it runs or waits; who wants
    /// it stands in the database.
    Stop(SessionId, UserId, TurnId),
}

/// The near end of the bus. Clones lead to the same pool.
#[derive(Debug, Clone)]
pub struct Bus(mpsc::Sender<Signal>);

impl Bus {
    /// Returns both ends.
    pub fn new() -> (Self, mpsc::Receiver<Signal>) {
        let (sender, signals) = mpsc::channel(SIGNALS);
        (Self(sender), signals)
    }

    /// Sends a signal, or drops it when too many wait.
    pub fn send(&self, signal: Signal) {
        if self.0.try_send(signal).is_err() {
            tracing::debug!(?signal, "signal dropped; the next poll finds the work");
        }
    }
}
