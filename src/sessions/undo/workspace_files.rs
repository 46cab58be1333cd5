//! The files of a workspace, as an undo and a redo put them back.

use std::io;
use std::path::{Path, PathBuf};

use nix::errno::Errno;
use sayso_channel::ChatKind;
use sayso_core::transcript::{FileBefore, Owner, WorkspaceProvenance};
use sayso_store::file_changes::UndoRow;
use sayso_store::{StoreError, turns, workspaces};

use super::messages::Fate;
use crate::audit::Place;
use crate::sessions::SessionContext;
use crate::sessions::projects::TurnProject;

/// Returns the folder that the files of an undo are in; `None` where it was a project in which
/// nothing may be changed now, or that is not there.
pub async fn folder_of(
    ctx: &SessionContext,
    undo: &UndoRow,
) -> Result<Option<PathBuf>, StoreError> {
    let Some(name) = undo.project.clone() else {
        let owner = Owner::of(undo.chat_kind, undo.turn_user, undo.chat_id);
        return Ok(Some(ctx.limits.workspace(owner)));
    };
    let turn = undo.turn_id;
    let projects = ctx.limits.projects.clone();
    let found = ctx.store.write(move |tx| {
        Box::pin(async move {
            let turn = turns::turn(tx, turn).await?;
            projects
                .of_turn(tx, turn.user_id, turn.role, Some(&name))
                .await
        })
    });
    let found = found.await?;
    if found.is_gone().await {
        return Ok(None);
    }
    Ok(match found {
        TurnProject::In(project) if project.may_write => Some(project.path.clone()),
        TurnProject::In(_) | TurnProject::None | TurnProject::Gone => None,
    })
}

/// Returns the turn whose files an undo puts back, for the audit.
pub fn place_of(undo: &UndoRow) -> Place {
    Place {
        turn: Some(undo.turn_id),
        session: Some(undo.session_id),
        chat: Some(undo.chat_id),
        user: Some(undo.turn_user),
    }
}

/// Returns a text on one line, with nothing that ends a quotation of it.
pub fn shown(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").replace('`', "'")
}

/// Returns whether the workspace is known to be its person's own, without anything from outside.
pub async fn is_own(
    ctx: &SessionContext,
    undo: &UndoRow,
    workspace: &Path,
) -> Result<bool, StoreError> {
    // A project is as its folder was found: what is in it came from anywhere.
    if undo.chat_kind == ChatKind::Group || undo.project.is_some() {
        return Ok(false);
    }
    let user = undo.turn_user;
    let known = ctx
        .store
        .write(move |tx| Box::pin(workspaces::ground(tx, user)))
        .await?;
    let found = ctx.agent.executor.tools.inventory(workspace).await;
    Ok(
        matches!(&known, WorkspaceProvenance::Own { inventory } if found.as_ref() == Some(inventory)),
    )
}

/// Puts a file back to what it was, and returns what became of it.
pub async fn put_back(ctx: &SessionContext, workspace: &Path, file: &FileBefore) -> Fate {
    match ctx.agent.executor.tools.put_back(workspace, file).await {
        Ok(()) => Fate::of_restored(file),
        Err(error) => {
            tracing::info!(%error, "file not restored");
            if is_passing(&error) {
                Fate::Failed
            } else {
                Fate::Left
            }
        }
    }
}

/// Returns whether a file may be written at another time that was not now.
fn is_passing(error: &io::Error) -> bool {
    use io::ErrorKind::{
        OutOfMemory, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, ResourceBusy, StorageFull,
    };
    let of_the_disk = [
        OutOfMemory,
        PermissionDenied,
        QuotaExceeded,
        ReadOnlyFilesystem,
        ResourceBusy,
        StorageFull,
    ];
    let without_kind = [Errno::EIO, Errno::EMFILE, Errno::ENFILE];
    of_the_disk.contains(&error.kind())
        || error
            .raw_os_error()
            .is_some_and(|number| without_kind.contains(&Errno::from_raw(number)))
}

#[cfg(test)]
mod tests {
    use std::io;

    use nix::errno::Errno;

    use super::is_passing;

    #[test]
    fn what_the_disk_refuses_may_be_tried_again() {
        for number in [
            Errno::ENOSPC,
            Errno::EDQUOT,
            Errno::EROFS,
            Errno::EIO,
            Errno::EACCES,
        ] {
            assert!(is_passing(&number.into()), "{number}");
        }
        for number in [Errno::EISDIR, Errno::ENOTDIR, Errno::ELOOP] {
            assert!(!is_passing(&number.into()), "{number}");
        }
        assert!(!is_passing(&io::Error::other("its content was not kept")));
    }
}
