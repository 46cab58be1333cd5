//! The facts about a call that are passed to the policy, in addition to those its tool determined.

use sayso_core::transcript::{ToolCall, TurnState};
use sayso_policy::{CallFacts, GrantPattern, ToolFacts};

use super::ExecutionContext;

/// Puts together everything that a call is judged by.
pub fn gather(
    tool: ToolFacts,
    call: &ToolCall,
    context: &ExecutionContext,
    state: &TurnState,
    grants: Vec<GrantPattern>,
) -> CallFacts {
    let repeats_unknown = state.unknown_calls.iter().any(|unknown| {
        unknown.name == call.name && unknown.canonical_arguments() == call.canonical_arguments()
    });
    CallFacts {
        tool,
        autonomy: context.terms.autonomy,
        role: context.scope.role,
        grants,
        taint: state.taint.clone(),
        said: state.said.clone(),
        person: context.person.clone(),
        repeats_unknown,
    }
}
