//! The plan that is made before the first step of a turn, as its journal has it.

use serde::{Deserialize, Serialize};

use super::plan::{PlanApproval, PlannedStep};
use super::{ModelRequest, Taint, Usage};

/// A plan that was made before the first step, or that there is none.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Planned {
    /// The steps; empty where none are needed, or what the model answered was no plan.
    pub steps: Vec<PlannedStep>,
    /// Whether its person is asked before it is followed.
    #[serde(default)]
    pub approval: PlanApproval,
    /// What the model call cost; nothing where a person accepted the plan of an earlier turn.
    #[serde(default)]
    pub usage: Usage,
    /// How the model was asked, when it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asking: Option<ModelRequest>,
    /// The untrusted text that the model was shown beside what this turn itself had heard.
    #[serde(default, skip_serializing_if = "Taint::is_empty")]
    pub taint: Taint,
}

/// The plan with which the steps of a turn began.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstPlan {
    /// How many messages of the turn stood before it.
    pub behind: usize,
    /// Its steps.
    pub steps: Vec<PlannedStep>,
}
