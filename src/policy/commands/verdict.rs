//! What is said of a command: decision, reason, traits, and which segment it is about.

use serde::{Deserialize, Serialize};

use sayso_channel::Language;

use super::gravity::{Gravity, Reason, Reasons};
use crate::policy::access::Access;

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

/// What a command may do besides reading inside the workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trait {
    /// It talks to other machines.
    Network,
    /// It destroys what cannot be made again.
    Destructive,
    /// It reaches paths outside the workspace.
    OutsideWorkspace,
    /// It acts as somebody else, or leaves its confinement.
    Escalation,
    /// It writes.
    Writes,
    /// What it runs cannot be read from its text.
    Opaque,
    /// Its text itself cannot be read for certain.
    Uncertain,
    /// It reads what keeps secrets, as its name says.
    Secrets,
}

impl Trait {
    const ALL: [Self; 8] = [
        Self::Network,
        Self::Destructive,
        Self::OutsideWorkspace,
        Self::Escalation,
        Self::Writes,
        Self::Opaque,
        Self::Uncertain,
        Self::Secrets,
    ];

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// A set of traits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Traits(u8);

impl Traits {
    /// No trait at all.
    pub const NONE: Self = Self(0);

    /// Returns whether a trait is among them.
    pub const fn has(self, one: Trait) -> bool {
        self.0 & one.bit() != 0
    }

    /// Returns them with one more.
    pub const fn with(self, one: Trait) -> Self {
        Self(self.0 | one.bit())
    }

    /// Returns those of both.
    pub const fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Returns them one by one.
    pub fn iter(self) -> impl Iterator<Item = Trait> {
        Trait::ALL.into_iter().filter(move |one| self.has(*one))
    }
}

impl FromIterator<Trait> for Traits {
    fn from_iter<I: IntoIterator<Item = Trait>>(traits: I) -> Self {
        traits.into_iter().fold(Self::NONE, Self::with)
    }
}

/// Why, in both languages: shown in denials and on cards. It may be written as one text for both.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(from = "WrittenJustification")]
pub struct Justification {
    /// In English.
    pub en: String,
    /// In 简体中文.
    pub zh: String,
}

#[derive(Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum WrittenJustification {
    Same(String),
    Both { en: String, zh: String },
}

impl From<WrittenJustification> for Justification {
    fn from(written: WrittenJustification) -> Self {
        match written {
            WrittenJustification::Same(text) => Self {
                en: text.clone(),
                zh: text,
            },
            WrittenJustification::Both { en, zh } => Self { en, zh },
        }
    }
}

impl Justification {
    /// Returns it in one language.
    pub fn in_language(&self, language: Language) -> &str {
        match language {
            Language::English => &self.en,
            Language::Chinese => &self.zh,
        }
    }
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
