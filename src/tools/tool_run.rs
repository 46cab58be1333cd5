//! The result of a run of a tool.

use sayso_core::transcript::{Screened, ToolOutcome};

/// The result of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolRun {
    /// The result, bounded.
    pub outcome: ToolOutcome,
    /// Whether it holds, or held before it was withheld, text from outside.
    pub tainted: bool,
    /// Whether all of that is the user's own, as determined by the tracking of the workspace.
    pub own: bool,
    /// What the injection check said of it, unless it was clean.
    pub screened: Option<Screened>,
}

impl ToolRun {
    /// Returns a result that consists of our own text.
    pub fn ours(outcome: ToolOutcome) -> Self {
        Self {
            outcome,
            tainted: false,
            own: false,
            screened: None,
        }
    }
}
