//! A stored name that names nothing.

/// A text that is the name of nothing of its kind, as a row of a newer version may have it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no {kind}: {name}")]
pub struct UnknownName {
    kind: &'static str,
    name: String,
}

impl UnknownName {
    /// Says which kind of thing was looked for.
    pub(crate) fn of(kind: &'static str, name: String) -> Self {
        Self { kind, name }
    }
}
