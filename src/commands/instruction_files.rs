//! The `AGENTS.md` of projects, read before the transaction of an event that asks for them.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use futures_util::future::join_all;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::sessions::{ProjectInstructions, Projects, UncheckedInstructions};

/// How long an event waits for the files: other events wait behind it. What takes longer is read on,
/// and there for a later event.
const GLANCE: Duration = Duration::from_millis(300);

/// The `AGENTS.md` of the projects, by their names, as they stood when the newest event that asks for
/// them came. At most 18 times 20 of at most 32 KiB each.
#[derive(Debug, Default)]
pub struct InstructionFiles(Mutex<HashMap<String, FileState>>);

/// What is known of the files of a project.
#[derive(Debug)]
enum FileState {
    /// They were read.
    Read(Vec<ProjectInstructions>),
    /// They are being read, by one thread at most: the disk is slow, or does not answer.
    Reading(JoinHandle<Vec<UncheckedInstructions>>),
}

/// What an event knows of the files of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum KnownFiles {
    /// They are still being read.
    Unread,
    /// These there are, the one at the root first.
    Read(Vec<ProjectInstructions>),
}

impl InstructionFiles {
    /// Reads those of all projects at the same time, as far as that is quick.
    pub(super) async fn read(&self, projects: &Projects) {
        let reading = projects.iter().map(|project| async {
            let mut reading = self
                .under_way(&project.name)
                .unwrap_or_else(|| ProjectInstructions::reading_all(&project.path));
            let state = match timeout(GLANCE, &mut reading).await {
                Ok(Ok(found)) => FileState::Read(checked(found).await),
                Ok(Err(error)) => {
                    tracing::error!(%error, "reading AGENTS.md panicked or was cancelled");
                    FileState::Read(Vec::new())
                }
                Err(_) => {
                    tracing::warn!(project = %project.name, "AGENTS.md is slow to read");
                    FileState::Reading(reading)
                }
            };
            (project.name.clone(), state)
        });
        let read = join_all(reading).await;
        let mut files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        files.extend(read);
    }

    /// Takes the reading of an earlier event, if it goes on.
    fn under_way(&self, project: &str) -> Option<JoinHandle<Vec<UncheckedInstructions>>> {
        let mut files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // What was read stays until it is read again: another event may ask for it meanwhile.
        if matches!(files.get(project)?, FileState::Read(_)) {
            return None;
        }
        match files.remove(project)? {
            FileState::Reading(reading) => Some(reading),
            FileState::Read(_) => None,
        }
    }

    /// Returns what is known of those of a project.
    pub(super) fn of(&self, project: &str) -> KnownFiles {
        let files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match files.get(project) {
            Some(FileState::Read(found)) => KnownFiles::Read(found.clone()),
            Some(FileState::Reading(_)) | None => KnownFiles::Unread,
        }
    }
}

/// Checks what was read. That takes the time of a processor, and does not wait for a disk.
async fn checked(found: Vec<UncheckedInstructions>) -> Vec<ProjectInstructions> {
    if found.is_empty() {
        return Vec::new();
    }
    let checked = tokio::task::spawn_blocking(move || UncheckedInstructions::checked(found));
    checked.await.unwrap_or_else(|error| {
        tracing::error!(%error, "checking AGENTS.md panicked or was cancelled");
        Vec::new()
    })
}

#[cfg(test)]
mod tests {
    use std::sync::PoisonError;

    use super::{FileState, InstructionFiles, KnownFiles};
    use crate::sessions::{Project, ProjectInstructions, Projects};

    fn projects(path: &std::path::Path) -> Projects {
        Projects::from_iter([Project {
            name: "site".to_owned(),
            path: path.to_owned(),
            people: Vec::new(),
            may_write: true,
            description: None,
        }])
    }

    #[tokio::test]
    async fn a_slow_disk_is_read_on_for_a_later_event() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("AGENTS.md"), "Run make test.").unwrap();
        let (files, projects) = (InstructionFiles::default(), projects(folder.path()));
        let (answers, disk) = std::sync::mpsc::channel::<()>();
        let path = folder.path().to_owned();
        let slow = tokio::spawn(async move {
            let waits = tokio::task::spawn_blocking(move || disk.recv());
            let _ = waits.await;
            ProjectInstructions::reading_all(&path).await.unwrap()
        });
        {
            let mut known = files.0.lock().unwrap_or_else(PoisonError::into_inner);
            known.insert("site".to_owned(), FileState::Reading(slow));
        }
        files.read(&projects).await;
        assert_eq!(files.of("site"), KnownFiles::Unread);
        answers.send(()).unwrap();
        let mut tries = 0;
        while files.of("site") == KnownFiles::Unread {
            files.read(&projects).await;
            tries += 1;
            assert!(tries < 200);
        }
        let KnownFiles::Read(found) = files.of("site") else {
            panic!("it is read");
        };
        assert_eq!(found[0].text, "Run make test.");
        assert_eq!(files.of("other"), KnownFiles::Unread);
    }
}
