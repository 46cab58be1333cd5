//! What stops a piece of work: a shutdown, or somebody who wants its turn stopped.

use std::sync::{Arc, OnceLock};

use tokio_util::sync::CancellationToken;

use crate::transcript::TurnId;

/// Stops one piece of work. Clones stop the same.
#[derive(Debug, Clone, Default)]
pub struct Stop {
    token: CancellationToken,
    turn: Arc<OnceLock<TurnId>>,
}

impl Stop {
    /// Notes which turn the work came to drive.
    pub fn drives(&self, turn: TurnId) {
        // A piece of work drives at most one turn.
        let _ = self.turn.set(turn);
    }

    /// Stops the work if it drives this turn, or may come to: a wrong guess only lets a turn
    /// begin again that has done nothing yet. Returns whether it did.
    pub fn turn(&self, turn: TurnId) -> bool {
        let drives_it = self.turn.get().is_none_or(|driven| *driven == turn);
        if drives_it {
            self.token.cancel();
        }
        drives_it
    }

    /// Stops the work, whatever it is.
    pub fn all(&self) {
        self.token.cancel();
    }

    /// Returns what a turn looks at.
    pub fn token(&self) -> &CancellationToken {
        &self.token
    }
}

#[cfg(test)]
mod tests {
    use super::Stop;
    use crate::transcript::TurnId;

    #[test]
    fn another_turn_is_left_alone() {
        let stop = Stop::default();
        stop.drives(TurnId(1));
        assert!(!stop.turn(TurnId(2)));
        assert!(!stop.token().is_cancelled());
        assert!(stop.turn(TurnId(1)));
        assert!(stop.token().is_cancelled());
    }
}
