//! The plan of a turn: what the model means to do, written down where it is not forgotten.

use serde::{Deserialize, Serialize};

/// One step of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedStep {
    /// What is to be done, on one line.
    pub text: String,
    /// Whether it is.
    pub is_done: bool,
}

impl PlannedStep {
    /// Returns it as a line with a box before it.
    pub fn line(&self) -> String {
        let mark = if self.is_done { '☑' } else { '☐' };
        format!("{mark} {}", self.text)
    }
}
