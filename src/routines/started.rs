//! An occurrence that is started now, as `due.rs` passes it on.

use sayso_core::transcript::RunId;

/// An occurrence that is started now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Started {
    /// Its row.
    pub id: RunId,
    /// When it was due.
    pub due_ms: i64,
    /// Whether it says that it is late.
    pub is_late: bool,
    /// How many occurrences were missed right before it.
    pub missed: i64,
}
