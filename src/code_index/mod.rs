//! What is known of the code of each project: it is read in the background, followed, searched and
//! mapped.
//!
//! - `mod.rs`: the indexes of all projects, and the search of `search_semantic` over them.
//! - `project_index.rs`: one project: its looks, what is kept of it between two runs.
//! - `reader.rs`: the thread that looks at one project after the other.
//! - `watch.rs`: what says that files have changed.
//!
//! Invariants:
//!
//! - One thread of low priority reads files. A turn does not wait for it: it searches what is known,
//!   and the answer says when more is to come.
//! - An index is a copy that may be deleted at any time. It is outside of the database, in
//!   `code-index/NAME.index` of the data directory, replaced as a whole; one that is damaged or of another
//!   version is made anew.
//! - It is asked by the project of a turn, so that a person finds no code of a project that is not
//!   theirs. Files that keep secrets by their names are not in it.

mod project_index;
mod reader;
mod watch;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use sayso_core::redact::Redactor;
use sayso_tools::{CodeMap, CodeMapRequest, CodePlaces, CodeSearch};
use tokio_util::sync::CancellationToken;

pub use project_index::IndexState;
use project_index::ProjectIndex;

/// The directory of the indexes, in the data directory.
const DIRECTORY: &str = "code-index";

/// The indexes of all projects. Clones are the same.
#[derive(Debug, Clone)]
pub struct CodeIndexes {
    projects: Arc<BTreeMap<String, Arc<ProjectIndex>>>,
    redactor: Redactor,
}

impl CodeIndexes {
    /// Makes the indexes of projects, each a name and a folder. Nothing is read yet.
    /// What the redactor knows is hidden in maps.
    pub fn new(
        projects: impl IntoIterator<Item = (String, PathBuf)>,
        data_dir: &Path,
        redactor: &Redactor,
    ) -> Self {
        let directory = data_dir.join(DIRECTORY);
        let projects = projects.into_iter().map(|(name, root)| {
            let file = directory.join(format!("{name}.index"));
            let index = ProjectIndex::new(name.clone(), root, file);
            (name, Arc::new(index))
        });
        Self {
            projects: Arc::new(projects.collect()),
            redactor: redactor.clone(),
        }
    }

    /// Reads all projects and follows their changes until `shutdown`.
    pub async fn keep_up(self, shutdown: CancellationToken) {
        if self.projects.is_empty() {
            return;
        }
        let projects: Vec<_> = self.projects.values().cloned().collect();
        let reading = tokio::task::spawn_blocking(move || reader::run(&projects, &shutdown));
        if let Err(error) = reading.await {
            tracing::error!(%error, "the reader of projects has ended; their indexes stay as they are");
        }
    }

    /// Returns how far the index of a project is.
    pub fn state(&self, project: &str) -> Option<IndexState> {
        self.projects.get(project).map(|index| index.state())
    }
}

#[async_trait]
impl CodeSearch for CodeIndexes {
    async fn search(&self, project: &str, text: &str, limit: usize) -> CodePlaces {
        let Some(index) = self.projects.get(project).cloned() else {
            return CodePlaces::default();
        };
        let text = text.to_owned();
        let found = tokio::task::spawn_blocking(move || index.search(&text, limit));
        found.await.unwrap_or_else(|error| {
            tracing::error!(%error, "a search in the code of a project failed");
            CodePlaces::default()
        })
    }

    async fn map(&self, project: &str, request: CodeMapRequest) -> Option<CodeMap> {
        let index = self.projects.get(project).cloned()?;
        let redactor = self.redactor.clone();
        let made = tokio::task::spawn_blocking(move || {
            let text = index.map(&request);
            CodeMap::checked(redactor.redact(&text).into_owned())
        });
        made.await.unwrap_or_else(|error| {
            tracing::error!(%error, "the map of a project failed");
            None
        })
    }
}

#[cfg(test)]
mod tests;
