//! The `AGENTS.md` of projects, read before the transaction of an event that asks for them.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use futures_util::future::join_all;
use tokio::time::Instant;

use crate::sessions::{ProjectInstructions, Projects};

/// A disk that takes longer than this is left alone for a while: events wait behind the reading.
const SLOW: Duration = Duration::from_secs(1);
/// For how long.
const LEFT_ALONE: Duration = Duration::from_mins(1);

/// The `AGENTS.md` of the projects, by their names, as they stood when the newest event that asks for
/// them came. At most 18 of at most 32 KiB.
#[derive(Debug, Default)]
pub struct InstructionFiles(Mutex<HashMap<String, SeenFile>>);

/// What was read of a project.
#[derive(Debug)]
struct SeenFile {
    /// The file; `None` where there is none.
    found: Option<ProjectInstructions>,
    /// Until when it is not read again.
    left_alone_until: Instant,
}

impl InstructionFiles {
    /// Reads those of all projects, at the same time.
    pub(super) async fn read(&self, projects: &Projects) {
        let due = projects.iter().filter(|project| self.is_due(&project.name));
        let reading = due.map(|project| async {
            let begun = Instant::now();
            let found = ProjectInstructions::of(&project.path).await;
            let now = Instant::now();
            let is_slow = now - begun > SLOW;
            let seen = SeenFile {
                found,
                left_alone_until: if is_slow { now + LEFT_ALONE } else { now },
            };
            (project.name.clone(), seen)
        });
        let read = join_all(reading).await;
        let mut files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        files.extend(read);
    }

    fn is_due(&self, project: &str) -> bool {
        let files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let seen = files.get(project);
        seen.is_none_or(|seen| seen.left_alone_until <= Instant::now())
    }

    /// Returns that of a project; `None` where there is none.
    pub(super) fn of(&self, project: &str) -> Option<ProjectInstructions> {
        let files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        files.get(project)?.found.clone()
    }
}
