//! What the live messages of turns show now.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use sayso_channel::Part;
use sayso_core::transcript::TurnId;

/// What stays of a live message when its turn has said its outcome in a message of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveEnd {
    /// What was done, in one line.
    pub line: String,
    /// Whether that line is worth a message; else the live message is deleted, and the line stands
    /// there only where the platform does not delete it.
    pub is_kept: bool,
}

/// What the live messages of turns show now: none is edited to what it shows already.
///
/// Shared by the dispatcher's tasks; each turn's message is brought up to date by one at a time.
#[derive(Debug, Default)]
pub struct Shown(Mutex<HashMap<TurnId, ShownLive>>);

/// What a live message shows, and what stays of it in the end.
#[derive(Debug)]
struct ShownLive {
    part: Part,
    end: LiveEnd,
}

impl Shown {
    /// How many turns are remembered; beyond that an edit may change nothing.
    const MOST: usize = 1024;

    /// Returns whether the live message of a turn shows exactly this.
    pub(super) fn is(&self, turn: TurnId, part: &Part) -> bool {
        let shown = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shown.get(&turn).is_some_and(|shown| shown.part == *part)
    }

    /// Notes what it shows, and what stays of it in the end.
    pub(super) fn note(&self, turn: TurnId, part: Part, end: LiveEnd) {
        let mut shown = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if shown.len() >= Self::MOST {
            shown.clear();
        }
        shown.insert(turn, ShownLive { part, end });
    }

    /// Takes what stays of the live message of a turn that has ended; `None` where that is not
    /// known any more.
    pub(super) fn take_end(&self, turn: TurnId) -> Option<LiveEnd> {
        let mut shown = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shown.remove(&turn).map(|shown| shown.end)
    }

    /// Forgets what it showed.
    pub(super) fn forget(&self, turn: TurnId) {
        let mut shown = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shown.remove(&turn);
    }
}
