//! A workspace that is followed over a call.

use sayso_policy::WorkspaceEffect;
use sayso_tools::Inventory;
use tokio::sync::OwnedMutexGuard;

/// What is known of the workspace while a call is in it.
pub(super) enum WorkspaceTracking {
    /// What comes from there counts as from outside.
    Foreign,
    /// It is the user's own so far.
    Own(Box<Own>),
}

/// How the workspace lay before the call.
pub(super) struct Own {
    /// What the call may do to it.
    pub(super) touch: WorkspaceEffect,
    /// What was in it.
    pub(super) before: Inventory,
    /// Excludes other turns from the workspace meanwhile.
    pub(super) _alone: OwnedMutexGuard<()>,
}
