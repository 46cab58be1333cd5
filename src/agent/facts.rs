//! The facts about a call that are passed to the policy, in addition to those its tool determined.

use super::Errand;
use crate::policy::{Facts, GrantPattern, ToolFacts};
use crate::transcript::{ToolCall, TurnState};

/// Puts together everything that a call is judged by.
pub fn gather(
    tool: ToolFacts,
    call: &ToolCall,
    errand: &Errand,
    state: &TurnState,
    grants: Vec<GrantPattern>,
) -> Facts {
    let repeats_unknown = state.unknown_calls.iter().any(|unknown| {
        unknown.name == call.name && unknown.canonical_arguments() == call.canonical_arguments()
    });
    Facts {
        tool,
        autonomy: errand.autonomy,
        role: errand.scope.role,
        grants,
        taint: state.taint.clone(),
        repeats_unknown,
    }
}
