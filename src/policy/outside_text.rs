//! What untrusted text in view holds back.

use sayso_core::transcript::ToolCall;

use super::call_facts::{Action, CallFacts};
use super::project_edit;

/// Returns whether untrusted text in view may be what asks for this call, so that neither a grant
/// nor a list nor a setting lets it run unasked, at no level. What reads inside the workspace runs:
/// its result cannot leave. What equal calls gave holds none of them back. What was remembered
/// before the conversation began holds back no tool of a server: it runs unasked only where the
/// operator allowed that very tool, and `/new` ends what was in view. A memory in the person's own words
/// of this turn is not held back either, and neither is a patch that its person allowed in the project
/// whose texts are all that is in view.
pub(super) fn is_held_back(call: &ToolCall, facts: &CallFacts) -> bool {
    let is_risky = match &facts.tool.action {
        Action::Internal | Action::Read { .. } => false,
        Action::Remember { .. }
        | Action::Configure
        | Action::Schedule(_)
        | Action::Write { .. }
        | Action::Exec { .. }
        | Action::Fetch { .. }
        | Action::Mcp { .. } => true,
    };
    let is_of_server = matches!(facts.tool.action, Action::Mcp { .. });
    let is_past = is_of_server && facts.taint.is_only_remembered();
    if project_edit::is_granted(facts) {
        return false;
    }
    is_risky && !is_past && !facts.taint.is_only_of(call) && !facts.is_in_own_words()
}
