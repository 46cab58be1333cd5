//! What the parked turns of a session wait for, as the turn that goes on is shown it.

use sayso_core::transcript::Taint;
use sayso_store::turns::{TurnRow, TurnStatus};
use sayso_store::{StoreError, Tx, inbox};

/// What the parked turns of a session wait for.
#[derive(Debug, Clone, Default)]
pub struct Waiting {
    /// What was asked for, one line each.
    pub lines: Vec<String>,
    /// The untrusted text in these lines.
    pub taint: Taint,
}

/// Returns what the parked turns wait for, as listed for the turn that continues. Requests by other
/// users and quoted text are not words of its user.
pub(super) async fn waiting_for(
    tx: &mut Tx,
    open: &[TurnRow],
    going_on: &TurnRow,
) -> Result<Waiting, StoreError> {
    let mut waiting = Waiting::default();
    for turn in open {
        if turn.state != TurnStatus::Parked || turn.id == going_on.id {
            continue;
        }
        waiting.lines.push(turn.request.clone());
        if turn.user_id != going_on.user_id || inbox::has_words_of_others(tx, turn.id).await? {
            waiting.taint.add_others();
        }
    }
    Ok(waiting)
}
