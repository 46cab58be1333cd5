//! What a storm may find wrong.

/// The promise that was broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wrong {
    /// A message has no outcome.
    Unanswered,
    /// An outcome was said more than once without the mark of a repeated send.
    Doubled,
    /// A command ran twice, or without a yes, or is reported otherwise than it was.
    Effect,
    /// A process outlived its Sayso.
    Orphan,
    /// The database is not as it must be, or an end in good order was none.
    Store,
    /// A platform or a model was called against its rules.
    Wire,
    /// No kill has met an entry or a state that it should have met.
    Coverage,
}

impl Wrong {
    /// Every promise.
    pub const ALL: [Self; 7] = [
        Self::Unanswered,
        Self::Doubled,
        Self::Effect,
        Self::Orphan,
        Self::Store,
        Self::Wire,
        Self::Coverage,
    ];
}

/// A broken promise.
#[derive(Debug, Clone)]
pub struct Complaint {
    /// Which one.
    pub wrong: Wrong,
    /// How.
    pub how: String,
}

impl Complaint {
    /// Returns a complaint.
    pub fn new(wrong: Wrong, how: String) -> Self {
        Self { wrong, how }
    }
}
