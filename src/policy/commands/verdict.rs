//! What is said of a command: decision, reason, traits, and which segment it is about.

use serde::{Deserialize, Serialize};

use super::gravity::{Gravity, Reason, Reasons};
use super::justification::Justification;
use super::traits::{Trait, Traits};
use crate::access::Access;

/// What may become of a command. The order is by strictness.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommandDecision {
    /// It provably only reads, inside the workspace.
    Allow,
    /// A person must decide.
    Ask,
    /// It may not run, even with approval.
    Deny,
}

/// What is said of a whole command line: the strictest that is said of its segments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// What may become of it.
    pub decision: CommandDecision,
    /// Why.
    pub why: Justification,
    /// The segment that the reason is about, as written.
    pub segment: String,
    /// What all of its segments may do.
    pub traits: Traits,
    /// What the operator's rules had a part in.
    pub ruled: Ruled,
    /// Why a person is asked, for each part that asks; of a whole command, `why` is the gravest.
    pub reasons: Reasons,
}

/// What the operator's rules said of a command.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Ruled {
    /// A segment is allowed by a rule, and not proven to only read.
    pub allows: bool,
    /// A segment asks because a rule says so.
    pub asks: bool,
}

impl Verdict {
    pub(super) fn new(decision: CommandDecision, why: Justification, traits: Traits) -> Self {
        let reasons = match decision {
            CommandDecision::Ask => Reasons::one(Reason::new(Gravity::of(traits), why.clone())),
            CommandDecision::Allow | CommandDecision::Deny => Reasons::default(),
        };
        Self {
            decision,
            why,
            segment: String::new(),
            traits,
            ruled: Ruled::default(),
            reasons,
        }
    }

    /// Returns whether it provably only reads, inside the workspace.
    pub fn is_proven(&self) -> bool {
        self.decision == CommandDecision::Allow && !self.ruled.allows
    }

    /// Returns how far it must reach to do what its text says.
    pub fn access(&self) -> Access {
        if self.traits.has(Trait::OutsideWorkspace) || self.traits.has(Trait::Escalation) {
            Access::System
        } else if self.traits.has(Trait::Network) {
            Access::Network
        } else {
            Access::Workspace
        }
    }

    /// Takes the stricter of two; the earlier one gives the reason where they are equal.
    pub(super) fn strictest(mut self, mut other: Self) -> Self {
        let mut reasons = std::mem::take(&mut self.reasons);
        reasons.merge(std::mem::take(&mut other.reasons));
        let traits = self.traits.and(other.traits);
        let ruled = Ruled {
            allows: self.ruled.allows || other.ruled.allows,
            asks: self.ruled.asks || other.ruled.asks,
        };
        let stricter = if other.decision > self.decision {
            other
        } else {
            self
        };
        Self {
            traits,
            ruled,
            reasons,
            ..stricter
        }
    }

    pub(super) fn about(mut self, segment: &str) -> Self {
        segment.clone_into(&mut self.segment);
        self.reasons.about(segment);
        self
    }

    /// Adds a reason that changes nothing about what becomes of it.
    pub(super) fn and_reason(mut self, gravity: Gravity, why: Justification) -> Self {
        if self.decision == CommandDecision::Ask {
            self.reasons.add(Reason::new(gravity, why));
        }
        self
    }

    /// Gives the gravest reason as the one, where a person is asked.
    pub(super) fn for_the_gravest(mut self) -> Self {
        let gravest = self.reasons.list().first();
        if let Some(reason) = gravest.filter(|_| self.decision == CommandDecision::Ask) {
            self.why = reason.why.clone();
            self.segment = reason.parts.first().cloned().unwrap_or_default();
        }
        self
    }

    pub(super) fn and_traits(mut self, traits: Traits) -> Self {
        self.traits = self.traits.and(traits);
        self
    }
}
