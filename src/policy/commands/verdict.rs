//! What is said of a command: decision, reason, traits, and which segment it is about.

use serde::{Deserialize, Serialize};

use sayso_channel::Language;

/// What may become of a command. The order is by strictness.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommandDecision {
    /// It provably only reads, inside the workspace.
    Allow,
    /// A person must decide.
    Ask,
    /// It may not run, whoever says so.
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
}

impl Trait {
    const ALL: [Self; 6] = [
        Self::Network,
        Self::Destructive,
        Self::OutsideWorkspace,
        Self::Escalation,
        Self::Writes,
        Self::Opaque,
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

/// Why, in both languages: shown in denials and on cards.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Justification {
    /// In English.
    pub en: String,
    /// In 简体中文.
    pub zh: String,
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
    /// The segment that the reason is about, as it is written.
    pub segment: String,
    /// What all of its segments may do.
    pub traits: Traits,
}

impl Verdict {
    pub(super) fn new(decision: CommandDecision, why: Justification, traits: Traits) -> Self {
        Self {
            decision,
            why,
            segment: String::new(),
            traits,
        }
    }

    /// Takes the stricter of two; the earlier one gives the reason where they are equal.
    pub(super) fn strictest(self, other: Self) -> Self {
        let traits = self.traits.and(other.traits);
        let stricter = if other.decision > self.decision {
            other
        } else {
            self
        };
        Self { traits, ..stricter }
    }

    pub(super) fn about(mut self, segment: &str) -> Self {
        segment.clone_into(&mut self.segment);
        self
    }

    pub(super) fn and_traits(mut self, traits: Traits) -> Self {
        self.traits = self.traits.and(traits);
        self
    }
}
