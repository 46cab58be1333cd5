//! What to do about the calls of a turn's newest step: a pure function of its state.

use sayso_core::transcript::{CallId, CallProgress, TurnState, Verdict};

/// How many calls of a turn are kept from running as repetitions until it ends.
const MOST_BLOCKS: u32 = 5;

/// The next thing to do about the calls of the newest step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallAction {
    /// Judge and run a call: [`super::CallRun::judge`].
    Run(CallId),
    /// Give a call that was not approved its result: [`super::CallRun::refuse`].
    Refuse(CallId),
    /// Record that the outcome of a call is unknown, or run it again when it is idempotent:
    /// [`super::CallRun::recover`].
    Recover(CallId),
    /// Wait for a person: the turn is parked.
    Suspend,
    /// End the turn: an approval was not answered in time.
    Expire,
    /// End the turn: it does the same again and again.
    GiveUp,
}

/// Returns what to do next; `None` when every call has its result. Calls run in the order in which
/// they were made, up to the first that waits for a person.
pub fn next_call(state: &TurnState) -> Option<CallAction> {
    if state.repeats.blocks() >= MOST_BLOCKS {
        return Some(CallAction::GiveUp);
    }
    let expired = CallProgress::Decided(Verdict::Expired);
    if state.calls.iter().any(|call| call.progress == expired) {
        return Some(CallAction::Expire);
    }
    state.calls.iter().find_map(|call| {
        let id = call.call.id.clone();
        match &call.progress {
            CallProgress::Returned => None,
            CallProgress::Waiting | CallProgress::Decided(Verdict::Approved { .. }) => {
                Some(CallAction::Run(id))
            }
            CallProgress::Decided(Verdict::Denied { .. } | Verdict::Expired) => {
                Some(CallAction::Refuse(id))
            }
            CallProgress::Held => Some(CallAction::Suspend),
            CallProgress::Called => Some(CallAction::Recover(id)),
        }
    })
}
