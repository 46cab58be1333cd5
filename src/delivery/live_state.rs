//! What the live messages of turns show now.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use sayso_channel::Part;

use crate::transcript::TurnId;

/// What the live messages of turns show now: none is edited to what it shows already.
///
/// Shared by the dispatcher's tasks; each turn's message is brought up to date by one at a time.
#[derive(Debug, Default)]
pub struct Shown(Mutex<HashMap<TurnId, Part>>);

impl Shown {
    /// How many turns are remembered; beyond that an edit may change nothing.
    const MOST: usize = 1024;

    /// Returns whether the live message of a turn shows exactly this.
    pub(super) fn is(&self, turn: TurnId, part: &Part) -> bool {
        let shown = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shown.get(&turn) == Some(part)
    }

    /// Notes what it shows.
    pub(super) fn note(&self, turn: TurnId, part: Part) {
        let mut shown = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if shown.len() >= Self::MOST {
            shown.clear();
        }
        shown.insert(turn, part);
    }

    /// Forgets what it showed.
    pub(super) fn forget(&self, turn: TurnId) {
        let mut shown = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shown.remove(&turn);
    }
}
