//! Following a workspace over a call: whether anything from outside can have come into it, and so
//! whether what a call shows of it is the user's own.
//!
//! A workspace is a user's own as long as all that is in it was put there by confined calls of
//! turns that had nothing from outside in view. Before such a call it must lie as the last one left
//! it; after it, its new state is kept with the result. What is not certain counts as from outside:
//! a call that was cut off by a crash, an unobserved change, a mount. One race is accepted: what
//! somebody puts there by hand while a call runs is taken for the call's.

use std::path::Path;

use tokio::sync::OwnedMutexGuard;

use super::ports::JournalError;
use super::turn::Turn;
use crate::policy::{ClearedCall, Facts, Touch};
use crate::tools::{Inventory, Ran};
use crate::transcript::{Ground, Intrusion, Treated};

/// What is known of the workspace while a call is in it.
pub(super) enum Visit {
    /// What comes from there counts as from outside.
    Foreign,
    /// It is the user's own so far.
    Own(Box<Own>),
}

pub(super) struct Own {
    touch: Touch,
    before: Inventory,
    /// Excludes other turns from the workspace meanwhile.
    _alone: OwnedMutexGuard<()>,
}

impl Turn<'_> {
    /// Looks at the workspace before a call. What is noted is on disk before the call runs.
    pub(super) async fn enter(
        &mut self,
        cleared: &ClearedCall,
        facts: &Facts,
    ) -> Result<Visit, JournalError> {
        let scope = &self.errand.scope;
        let (tools, stop) = (&self.agent.tools, self.stop);
        let alone = tokio::select! {
            alone = tools.alone_in(&scope.workspace) => alone,
            () = stop.cancelled() => return Ok(Visit::Foreign),
        };
        let touch = self.agent.policy.touch(facts, cleared.access());
        let known = self.journal.ground().await?;
        if touch == Touch::ReachesOut {
            self.journal
                .note_ground(&foreign(Intrusion::ReachedOut))
                .await?;
            return Ok(Visit::Foreign);
        }
        if stays_foreign(&known, &scope.workspace) {
            return Ok(Visit::Foreign);
        }
        let before = Inventory::take(&scope.workspace).await;
        let now = match (&known, &before) {
            (Ground::Foreign { .. } | Ground::Unknown, Some(found)) if found.is_empty() => {
                own(found)
            }
            (Ground::Foreign { why }, _) => foreign(*why),
            (Ground::Unknown, Some(_)) => foreign(Intrusion::FoundThere),
            (Ground::Own { inventory }, Some(found)) if found.to_text() == *inventory => own(found),
            (Ground::Own { .. }, Some(_)) => foreign(Intrusion::ChangedElsewhere),
            (Ground::Own { .. } | Ground::Unknown, None) => foreign(Intrusion::Unreadable),
        };
        if now != known {
            self.journal.note_ground(&now).await?;
        }
        Ok(match (now, before) {
            (Ground::Own { .. }, Some(before)) => Visit::Own(Box::new(Own {
                touch: self.with_taint(touch),
                before,
                _alone: alone,
            })),
            (Ground::Own { .. } | Ground::Unknown | Ground::Foreign { .. }, _) => Visit::Foreign,
        })
    }

    /// What a turn does that has text from outside in view may be what that text wants written.
    fn with_taint(&self, touch: Touch) -> Touch {
        if self.state.taint.is_empty() {
            touch
        } else {
            Touch::Brings
        }
    }

    /// Looks at the workspace after a call, and says of the result whether it is the user's own.
    pub(super) async fn leave(&mut self, visit: Visit, ran: &mut Ran) -> Result<(), JournalError> {
        let Visit::Own(visit) = visit else {
            return Ok(());
        };
        let after = Inventory::take(&self.errand.scope.workspace).await;
        let now = match (&after, visit.touch) {
            (None, _) => foreign(Intrusion::Unreadable),
            (Some(after), _) if *after == visit.before => own(after),
            (Some(_), Touch::Brings | Touch::ReachesOut) => foreign(Intrusion::BroughtIn),
            // A long result is kept there by the executor.
            (Some(after), Touch::Reads) if after.has_same_files(&visit.before) => own(after),
            (Some(_), Touch::Reads) => foreign(Intrusion::ChangedElsewhere),
            (Some(after), Touch::Changes) => own(after),
        };
        let is_own = matches!(now, Ground::Own { .. });
        if after.as_ref() != Some(&visit.before) {
            self.journal.note_ground(&now).await?;
        }
        ran.own = is_own && matches!(visit.touch, Touch::Reads | Touch::Changes) && !is_odd(ran);
        Ok(())
    }
}

/// Returns whether the injection check reported more than a hint. Such text is not to be followed
/// unasked, whatever its source.
fn is_odd(ran: &Ran) -> bool {
    ran.screened.as_ref().is_some_and(|it| match it.treatment {
        Treated::Suspected | Treated::Withheld => true,
        Treated::Noted => false,
    })
}

/// Returns whether a workspace is known to be foreign and cannot have become a user's own again, as
/// one does that was emptied.
fn stays_foreign(known: &Ground, workspace: &Path) -> bool {
    match known {
        Ground::Foreign { why } => !why.goes_with_its_files() || !is_empty(workspace),
        Ground::Own { .. } | Ground::Unknown => false,
    }
}

fn is_empty(workspace: &Path) -> bool {
    std::fs::read_dir(workspace).is_ok_and(|mut entries| entries.next().is_none())
}

fn own(found: &Inventory) -> Ground {
    Ground::Own {
        inventory: found.to_text(),
    }
}

fn foreign(why: Intrusion) -> Ground {
    Ground::Foreign { why }
}
