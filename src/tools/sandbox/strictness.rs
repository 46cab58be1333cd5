//! What to do when the kernel cannot keep to a profile.

use serde::{Deserialize, Serialize};

/// What to do when the kernel cannot keep to a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Strictness {
    /// Run nothing.
    Whole,
    /// Run it, held to as much as the kernel can.
    BestEffort,
}
