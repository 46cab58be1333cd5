//! The judgement itself.

use super::facts::{AutonomyLevel, Facts};
use super::{ClearedCall, HeldCall};
use crate::approvals::Approved;
use crate::transcript::ToolCall;

/// What the policy says of a call.
#[derive(Debug)]
pub enum Decision {
    /// It may run.
    Allow(ClearedCall),
    /// A person must decide.
    Ask(HeldCall),
    /// It may not run; the reason is the model's tool result.
    Deny {
        /// Why, in words that the model can act on.
        why: String,
    },
}

/// The rules of one instance, from `[policy]` and `[agent] autonomy`.
#[derive(Debug, Clone)]
pub struct SecurityPolicy {
    /// The programs that [`AutonomyLevel::Full`] may run.
    pub allow_commands: Vec<String>,
    /// Whether writes ask under [`AutonomyLevel::Supervised`].
    pub confirm_write: bool,
    /// Whether commands ask under [`AutonomyLevel::Supervised`].
    pub confirm_exec: bool,
    /// The highest level that any user of this instance has.
    pub autonomy: AutonomyLevel,
}

impl SecurityPolicy {
    /// Judges a call that nobody was asked about.
    pub fn decide(&self, call: ToolCall, facts: &Facts) -> Decision {
        let _ = facts;
        let _ = self;
        Decision::Deny { why: call.name }
    }

    /// Judges a held call again with a person's yes: a denial wins, and a call or facts that are
    /// no longer what was shown ask anew.
    pub fn clear(&self, held: HeldCall, approved: &Approved, facts: &Facts) -> Decision {
        let _ = approved;
        self.decide(held.into_call(), facts)
    }
}
