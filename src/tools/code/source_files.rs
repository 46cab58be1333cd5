//! The files of a project that are indexed.

use std::io;
use std::path::Path;
use std::time::Instant;

use sayso_policy::is_secret_like;
use tokio_util::sync::CancellationToken;

use super::SEARCH_TIME;
use super::walk::{Until, Visit, walk};
use crate::workspace::Workspace;

/// How often a walk over all files may take as long as a search does.
const LONGER: u32 = 6;

/// The files below a root.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourceFiles {
    /// Their paths from the root, folder by folder.
    pub paths: Vec<String>,
    /// Whether there are more: too many, too deep, or not seen in time.
    pub is_cut: bool,
}

/// Returns the files below a root that no `.gitignore` and no `.ignore` leaves out, but those that keep
/// secrets by their names or have none that is UTF-8. It blocks, for a minute at most.
///
/// # Errors
/// When the root cannot be read.
pub fn source_files(root: &Path, stop: &CancellationToken) -> io::Result<SourceFiles> {
    let workspace = Workspace::open(root)?;
    let until = Until {
        deadline: Instant::now() + SEARCH_TIME * LONGER,
        stop: stop.clone(),
    };
    let mut paths = Vec::new();
    let unseen = walk(&workspace, ".", &until, &mut |file| {
        if let Some(path) = file.path.to_str().filter(|_| !is_secret_like(file.path)) {
            paths.push(path.to_owned());
        }
        Visit::GoOn
    })?;
    Ok(SourceFiles {
        paths,
        is_cut: unseen.is_some(),
    })
}
