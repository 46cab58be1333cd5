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

use super::workspace::Workspace;

/// Looks up where a path leads.
pub(super) async fn path_facts(
    path: String,
    scope: &Scope,
    action: fn(Reach) -> Action,
) -> Result<ToolFacts, ToolOutcome> {
    let root = scope.workspace.clone();
    let looked_up = blocking(move || {
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
