//! What stops a piece of work: a shutdown, or somebody who wants its turn stopped.

use std::sync::{Arc, OnceLock};

use sayso_channel::{Button, ButtonLook, Language};
use sayso_core::transcript::TurnId;
use tokio_util::sync::CancellationToken;

use super::messages;
use crate::prompts::{PressedButton, PromptKind};

/// The one choice of a stop button. Its reference is the number of the turn, which is no secret: who
/// may stop a turn is checked at each press.
const CHOICE: &str = "stop";

/// Returns the button below the live message of a turn.
pub fn button(turn: TurnId, language: Language) -> Button {
    Button {
        label: messages::stop(language).to_owned(),
        token: PromptKind::Stop.button(CHOICE, turn),
        key: None,
        look: ButtonLook::Stop,
    }
}

/// Returns the turn that a press would stop; `None` when it was forged.
pub fn stops(button: &PressedButton<'_>) -> Option<TurnId> {
    let number = button.number().filter(|_| button.choice == CHOICE);
    number.map(TurnId)
}

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
    use sayso_channel::Language;
    use sayso_core::transcript::TurnId;

    use super::{Stop, button, stops};
    use crate::prompts::PressedButton;

    #[test]
    fn a_stop_button_names_its_turn() {
        let button = button(TurnId(17), Language::English);
        let pressed = |data: &str| stops(&PressedButton::parse(data).unwrap());
        assert_eq!(pressed(&button.token), Some(TurnId(17)));
        for forged in ["st.stop:", "st.stop:x", "st.go:17"] {
            assert_eq!(pressed(forged), None, "{forged}");
        }
    }

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
