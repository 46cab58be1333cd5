//! What calls changed in projects, for `undo_patch`.

use std::io;

use async_trait::async_trait;
use sayso_core::transcript::Scope;
use sayso_store::{Store, file_changes};
use sayso_tools::{PatchHistory, PatchStep};

/// How far back calls can be taken back.
const LIMITS: file_changes::ChangeLimits = file_changes::ChangeLimits {
    files: 1_000,
    bytes: 64 * 1024 * 1024,
};

/// The changes that the journal keeps.
pub struct StoredPatchHistory {
    store: Store,
}

impl StoredPatchHistory {
    /// Reads them from this database.
    pub fn new(store: Store) -> Self {
        Self { store }
    }
}

#[async_trait]
impl PatchHistory for StoredPatchHistory {
    async fn steps(&self, scope: &Scope) -> io::Result<Vec<PatchStep>> {
        let Some(project) = &scope.project else {
            return Ok(Vec::new());
        };
        let readers = self.store.reader();
        let changes = file_changes::in_project(readers, scope.session, &project.name, LIMITS)
            .await
            .map_err(io::Error::other)?;
        let mut steps: Vec<PatchStep> = Vec::new();
        for change in changes {
            match steps.last_mut() {
                Some(step) if step.turn == change.turn && step.call == change.call => {
                    step.files.push(change.before);
                }
                _ => steps.push(PatchStep {
                    turn: change.turn,
                    call: change.call,
                    files: vec![change.before],
                }),
            }
        }
        Ok(steps)
    }
}
