//! Following a workspace over a call: whether anything from outside can have come into it, and so
//! whether what a call shows of it is the user's own.
//!
//! A workspace is a user's own as long as all that is in it was put there by confined calls of
//! turns that had nothing from outside in view. Before such a call it must lie as the last one left
//! it; after it, its new state is kept with the result. What is not certain counts as from outside:
//! a call that was cut off by a crash, an unobserved change, a mount. One race is accepted: what
//! somebody puts there by hand while a call runs is taken for the call's.

use std::path::Path;

use sayso_core::transcript::{OutsideReason, Treated, WorkspaceProvenance};
use sayso_policy::{CallFacts, ClearedCall, WorkspaceEffect};
use sayso_tools::{Inventory, ToolRun};

use super::CallRun;
use super::ports::JournalError;
use super::tracked_workspace::{Own, WorkspaceTracking};

impl CallRun<'_> {
    /// Looks at the workspace before a call. What is noted is on disk before the call runs.
    pub(super) async fn enter(
        &mut self,
        cleared: &ClearedCall,
        facts: &CallFacts,
    ) -> Result<WorkspaceTracking, JournalError> {
        let scope = &self.context.scope;
        let (tools, stop) = (&self.executor.tools, self.stop);
        let alone = tokio::select! {
            alone = tools.alone_in(&scope.workspace) => alone,
            () = stop.cancelled() => return Ok(WorkspaceTracking::Foreign),
        };
        let touch = self.executor.policy.touch(facts, cleared.access());
        let known = self.journal.provenance().await?;
        if touch == WorkspaceEffect::ReachesOut {
            self.journal
                .note_provenance(&foreign(OutsideReason::ReachedOut))
                .await?;
            return Ok(WorkspaceTracking::Foreign);
        }
        if stays_foreign(&known, &scope.workspace) {
            return Ok(WorkspaceTracking::Foreign);
        }
        let before = Inventory::take(&scope.workspace).await;
        let now = compared(&known, before.as_ref());
        if now != known {
            self.journal.note_provenance(&now).await?;
        }
        Ok(match (now, before) {
            (WorkspaceProvenance::Own { .. }, Some(before)) => {
                WorkspaceTracking::Own(Box::new(Own {
                    touch: self.with_taint(touch),
                    before,
                    _alone: alone,
                }))
            }
            (
                WorkspaceProvenance::Own { .. }
                | WorkspaceProvenance::Unknown
                | WorkspaceProvenance::Foreign { .. },
                _,
            ) => WorkspaceTracking::Foreign,
        })
    }

    /// What a turn does that has text from outside in view may be what that text wants written.
    fn with_taint(&self, touch: WorkspaceEffect) -> WorkspaceEffect {
        if self.state.taint.is_empty() {
            touch
        } else {
            WorkspaceEffect::Brings
        }
    }

    /// Looks at the workspace after a call, and says of the result whether it is the user's own.
    pub(super) async fn leave(
        &mut self,
        tracking: WorkspaceTracking,
        ran: &mut ToolRun,
    ) -> Result<(), JournalError> {
        let WorkspaceTracking::Own(tracking) = tracking else {
            return Ok(());
        };
        let after = Inventory::take(&self.context.scope.workspace).await;
        let now = match (&after, tracking.touch) {
            (None, _) => foreign(OutsideReason::Unreadable),
            (Some(after), _) if *after == tracking.before => own(after),
            (Some(_), WorkspaceEffect::Brings | WorkspaceEffect::ReachesOut) => {
                foreign(OutsideReason::BroughtIn)
            }
            // A long result is kept there by the executor.
            (Some(after), WorkspaceEffect::Reads) if after.has_same_files(&tracking.before) => {
                own(after)
            }
            (Some(_), WorkspaceEffect::Reads) => foreign(OutsideReason::ChangedElsewhere),
            (Some(after), WorkspaceEffect::Changes) => own(after),
        };
        let is_own = matches!(now, WorkspaceProvenance::Own { .. });
        if after.as_ref() != Some(&tracking.before) {
            self.journal.note_provenance(&now).await?;
        }
        ran.own = is_own
            && matches!(
                tracking.touch,
                WorkspaceEffect::Reads | WorkspaceEffect::Changes
            )
            && !is_odd(ran);
        Ok(())
    }
}

/// Returns whether the injection check reported more than a hint. Such text is not to be followed
/// unasked, whatever its source.
fn is_odd(ran: &ToolRun) -> bool {
    ran.screened.as_ref().is_some_and(|it| match it.treatment {
        Treated::Suspected | Treated::Withheld => true,
        Treated::Noted => false,
    })
}

/// Returns whether a workspace is known to be foreign and cannot have become a user's own again, as
/// one does that was emptied.
fn stays_foreign(known: &WorkspaceProvenance, workspace: &Path) -> bool {
    match known {
        WorkspaceProvenance::Foreign { why } => !why.goes_with_its_files() || !is_empty(workspace),
        WorkspaceProvenance::Own { .. } | WorkspaceProvenance::Unknown => false,
    }
}

fn is_empty(workspace: &Path) -> bool {
    std::fs::read_dir(workspace).is_ok_and(|mut entries| entries.next().is_none())
}

/// Returns whose a workspace is, by what was known of it and what is found there.
fn compared(known: &WorkspaceProvenance, found: Option<&Inventory>) -> WorkspaceProvenance {
    match (known, found) {
        (WorkspaceProvenance::Foreign { .. } | WorkspaceProvenance::Unknown, Some(found))
            if found.is_empty() =>
        {
            own(found)
        }
        (WorkspaceProvenance::Foreign { why }, _) => foreign(*why),
        (WorkspaceProvenance::Unknown, Some(_)) => foreign(OutsideReason::FoundThere),
        (WorkspaceProvenance::Own { inventory }, Some(found)) if found.to_text() == *inventory => {
            own(found)
        }
        (WorkspaceProvenance::Own { .. }, Some(_)) => foreign(OutsideReason::ChangedElsewhere),
        (WorkspaceProvenance::Own { .. } | WorkspaceProvenance::Unknown, None) => {
            foreign(OutsideReason::Unreadable)
        }
    }
}

fn own(found: &Inventory) -> WorkspaceProvenance {
    WorkspaceProvenance::Own {
        inventory: found.to_text(),
    }
}

fn foreign(why: OutsideReason) -> WorkspaceProvenance {
    WorkspaceProvenance::Foreign { why }
}
