//! The row of a turn that a message begins.

use sayso_core::transcript::{SessionKind, TurnId, UserId};
use sayso_policy::AutonomyLevel;
use sayso_store::chats::SessionRow;
use sayso_store::inbox::InboxRow;
use sayso_store::turns::{TurnRow, TurnStatus};
use sayso_store::{new_id, now_ms};

use super::projects::TurnProject;
use super::routine_turn::REQUEST_CHARS;

/// Returns the turn that a job begins.
pub(super) fn new_turn(
    session: &SessionRow,
    first: &InboxRow,
    autonomy: AutonomyLevel,
    project: &TurnProject,
) -> TurnRow {
    TurnRow {
        id: TurnId(new_id()),
        session_id: session.id,
        user_id: first.user_id.unwrap_or(UserId(0)),
        address: first.address.clone(),
        // In a direct chat an answer stands right below its question.
        reply_to: first
            .message
            .clone()
            .filter(|_| first.is_awaited() || session.kind() != SessionKind::Direct),
        request: first.said.chars().take(REQUEST_CHARS).collect(),
        role: first.role,
        autonomy: autonomy.as_str().to_owned(),
        state: TurnStatus::Running,
        resumes: 0,
        handed_over: false,
        stop_by: None,
        started_ms: now_ms(),
        worked_ms: 0,
        project: session.project.clone().filter(|_| project.is_some()),
    }
}
