//! Which model of which service, and which of its keys.

use std::fmt;

/// A model, as the configuration names it: written `main/gpt-4o-mini`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ModelName {
    /// The service, by its name in the configuration.
    pub server: String,
    /// The model's name there; it may have slashes of its own.
    pub model: String,
}

impl ModelName {
    /// Parses a name in its written form.
    pub fn parse(written: &str) -> Option<Self> {
        let (server, model) = written.split_once('/')?;
        Some(Self {
            server: server.to_owned(),
            model: model.to_owned(),
        })
    }
}

impl fmt::Display for ModelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.server, self.model)
    }
}

/// A key that its service takes no longer.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct KeyRefused {
    /// The service, by its name in the configuration.
    pub server: String,
    /// The how manieth of its keys, from 1.
    pub number: usize,
    /// How many keys it has.
    pub of: usize,
}
