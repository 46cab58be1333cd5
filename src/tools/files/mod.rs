//! The tools for files of the workspace: `file_read`, `file_write`, `list_dir` and `send_file`; and
//! the folder for files that people send.
//!
//! They share how a path becomes facts, and how an error is reported. Confinement is `workspace`'s.

mod attachments;
mod file_names;
mod list_dir;
mod read;
mod send;
mod undo;
mod write;

use std::io;
use std::path::{Path, PathBuf};

pub use attachments::{InboxLimits, Incoming, MAX_INCOMING_BYTES, NotSaved, SavedFile};
pub use file_names::is_unseen_picture;
pub use list_dir::ListDir;
pub use read::FileRead;
pub use send::SendFile;
pub(super) use undo::{as_found, before, compare, put_back};
pub use write::FileWrite;

use sayso_core::transcript::{Scope, ToolOutcome};
use sayso_core::visible::visible_line;
use sayso_policy::{Action, Reach, ToolFacts};

use super::spool::OUTPUT_DIRECTORY;
use super::workspace::Workspace;

/// Looks up where a path leads that is to be written.
pub(super) async fn write_facts(path: String, scope: &Scope) -> Result<ToolFacts, ToolOutcome> {
    let root = scope.workspace.clone();
    path_facts(move || (root, path), |path| Action::Write { path }).await
}

/// Looks up where a path leads that is to be read.
pub(super) async fn read_facts(path: String, scope: &Scope) -> Result<ToolFacts, ToolOutcome> {
    let scope = scope.clone();
    let place = move || (reading_root(&scope, &path), path);
    path_facts(place, |path| Action::Read { path }).await
}

/// Returns the directory that a path to be read starts at. Beside a project, what Sayso keeps for
/// its owner stays readable: long results, and received files unless the project has a folder of
/// that name. It blocks.
pub(super) fn reading_root(scope: &Scope, path: &str) -> PathBuf {
    let is_in = |folder| Path::new(path).starts_with(folder);
    let is_kept = is_in(OUTPUT_DIRECTORY)
        || is_in(attachments::INBOX)
            && std::fs::symlink_metadata(scope.workspace.join(attachments::INBOX)).is_err();
    if is_kept {
        scope.home.clone()
    } else {
        scope.workspace.clone()
    }
}

/// Looks up where a path leads from a directory.
async fn path_facts(
    place: impl FnOnce() -> (PathBuf, String) + Send + 'static,
    action: fn(Reach) -> Action,
) -> Result<ToolFacts, ToolOutcome> {
    let looked_up = blocking(move || {
        let (root, path) = place();
        let workspace = Workspace::open(&root).map_err(|error| told("the workspace", &error))?;
        let reach = workspace
            .reach(&path)
            .map_err(|error| told(&path, &error))?;
        let summary = match &reach {
            Reach::Inside(resolved) => workspace.relative(resolved),
            Reach::Outside(resolved) => resolved,
        };
        Ok((visible_line(&summary.to_string_lossy()), reach))
    });
    let (summary, reach) = looked_up.await?;
    Ok(ToolFacts {
        summary: summary.into(),
        detail: None,
        action: action(reach),
        scripts: Vec::new(),
        secrets: Vec::new(),
    })
}

/// Does file work where it may block.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ToolOutcome> + Send + 'static,
) -> Result<T, ToolOutcome> {
    let joined = tokio::task::spawn_blocking(work).await;
    joined.unwrap_or_else(|error| {
        tracing::error!(%error, "file task panicked or was cancelled");
        Err(ToolOutcome::not_run(
            "the file system could not be asked; this is a fault of Sayso",
        ))
    })
}

/// Tells the model what went wrong with a path.
pub(super) fn told(path: &str, error: &io::Error) -> ToolOutcome {
    let why = match error.kind() {
        io::ErrorKind::NotFound => "it does not exist".to_owned(),
        io::ErrorKind::PermissionDenied => "the permission is missing".to_owned(),
        io::ErrorKind::IsADirectory => "it is a directory".to_owned(),
        io::ErrorKind::NotADirectory => {
            "a part of the path is no directory, or became a symbolic link".to_owned()
        }
        _ => error.to_string(),
    };
    ToolOutcome::Failed {
        error: format!("{}: {why}", visible_line(path)),
        partial: None,
    }
}

#[cfg(test)]
mod tests;
