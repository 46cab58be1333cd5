//! What a command may do besides reading inside the workspace.

use serde::{Deserialize, Serialize};

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
