//! The facts about a call that are passed to the policy, in addition to those its tool determined.

use sayso_core::transcript::{Scope, ToolCall, TurnState};
use sayso_policy::{CallFacts, GrantPattern, ToolFacts};

use super::ExecutionContext;

/// Returns the project that a turn may change.
fn changeable_project(scope: &Scope) -> Option<String> {
    let project = scope.project.as_ref();
    let project = project.filter(|project| project.may_write);
    project.map(|project| project.name.clone())
}

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
        project: changeable_project(&context.scope),
        grants,
        taint: state.taint.clone(),
        said: state.said.clone(),
        person: context.person.clone(),
        repeats_unknown,
    }
}
