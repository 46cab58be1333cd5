//! One wish to have an undo reversed: done once, and only while the files are as the undo left
//! them.

use std::path::Path;

use sayso_core::transcript::{Entry, FileBefore, FileNow, Undone, WorkspaceProvenance};
use sayso_store::file_changes::{self, UndoRow};
use sayso_store::{StoreError, Tx, turns, undone_files, workspaces};

use super::messages::{self, Fate};
use super::redo_offer::{self, with_line};
use super::workspace_files::{folder_of, is_own, place_of, put_back, shown};
use crate::audit::{By, Event, Record};
use crate::sessions::SessionContext;

/// What became of a wish.
enum Outcome {
    /// It is not kept any more.
    NotKept,
    /// These files are not as the undo left them, so nothing was done.
    Changed(Vec<String>),
    /// It was done, as far as the disk took it.
    Done(Redone),
}

struct Redone {
    /// The files that are as they were before the undo.
    files: Vec<String>,
    /// Those that the disk did not take.
    failed: Vec<String>,
    /// The inventory of a workspace that stays its person's own.
    inventory: Option<String>,
}

/// Does what is wanted, unless a call is at work in the workspace: then it is left for later.
pub async fn redo(ctx: &SessionContext, undo: UndoRow) -> Result<(), StoreError> {
    let Some(workspace) = folder_of(ctx, &undo).await? else {
        return finish(ctx, undo, Outcome::NotKept).await;
    };
    let Some(_alone) = ctx.agent.executor.tools.try_alone_in(&workspace) else {
        return Ok(());
    };
    let outcome = bring_back(ctx, &undo, &workspace).await?;
    finish(ctx, undo, outcome).await
}

async fn bring_back(
    ctx: &SessionContext,
    undo: &UndoRow,
    workspace: &Path,
) -> Result<Outcome, StoreError> {
    let readers = ctx.store.reader();
    let kept = undone_files::of(readers, undo.id).await?;
    let settled = file_changes::set_aside_by(readers, undo.id).await?;
    let settled = FileBefore::merged(settled);
    let left_of = |file: &FileBefore| settled.iter().find(|left| left.path == file.path).cloned();
    let all_left: Option<Vec<FileBefore>> = kept.iter().map(left_of).collect();
    let Some(left) = all_left.filter(|left| !left.is_empty()) else {
        return Ok(Outcome::NotKept);
    };
    let tools = &ctx.agent.executor.tools;
    let as_left = tools.compare(workspace, &left).await;
    let as_wanted = tools.compare(workspace, &kept).await;
    // A redo before a kill brought some of them back.
    let now = kept.iter().zip(as_left.iter().zip(&as_wanted));
    let changed = now.filter(|(_, now)| *now.0 != FileNow::AsBefore && *now.1 != FileNow::AsBefore);
    let changed: Vec<String> = changed.map(|(file, _)| file.path.clone()).collect();
    if !changed.is_empty() {
        return Ok(Outcome::Changed(changed));
    }
    let is_own = is_own(ctx, undo, workspace).await?;
    let (mut files, mut failed) = (Vec::new(), Vec::new());
    for (file, now) in kept.iter().zip(as_wanted) {
        let is_back = now == FileNow::AsBefore
            || match put_back(ctx, workspace, file).await {
                Fate::PutBack | Fate::Removed | Fate::WasSo => true,
                Fate::Left | Fate::Failed => false,
            };
        let list = if is_back { &mut files } else { &mut failed };
        list.push(file.path.clone());
    }
    let stays_own = is_own && kept.iter().all(|file| file.own);
    let inventory = if stays_own {
        tools.inventory(workspace).await
    } else {
        None
    };
    Ok(Outcome::Done(Redone {
        files,
        failed,
        inventory,
    }))
}

/// Writes down what was done and says so, in one transaction.
async fn finish(ctx: &SessionContext, undo: UndoRow, outcome: Outcome) -> Result<(), StoreError> {
    let language = ctx.limits.language_in(&undo.language);
    let (outbox, auditor) = (ctx.outbox.clone(), ctx.auditor.clone());
    let said = ctx.store.write(move |tx| {
        Box::pin(async move {
            if !file_changes::end_redo(tx, undo.id).await? {
                return Ok(Vec::new());
            }
            let notice = undo.notice.clone().unwrap_or_default();
            let (text, again) = match outcome {
                Outcome::NotKept => {
                    let_go(tx, &undo).await?;
                    (with_line(&notice, messages::not_kept(language)), None)
                }
                Outcome::Changed(paths) => {
                    let_go(tx, &undo).await?;
                    let line = messages::not_redone(&all_shown(&paths), language);
                    (with_line(&notice, &line), None)
                }
                Outcome::Done(redone) => {
                    if !redone.files.is_empty() {
                        auditor.note(tx, record_of(&undo, &redone.files)).await?;
                    }
                    write_down(tx, &undo, &redone).await?;
                    let mut text = notice;
                    if !redone.files.is_empty() {
                        let line = messages::redone(&all_shown(&redone.files), language);
                        text = with_line(&text, &line);
                    }
                    if redone.failed.is_empty() {
                        (text, None)
                    } else {
                        let line = messages::redo_failed(&all_shown(&redone.failed), language);
                        (with_line(&text, &line), Some(text))
                    }
                }
            };
            redo_offer::answer(tx, &outbox, &undo, text, again, language).await
        })
    });
    ctx.outbox.offer(said.await?);
    ctx.auditor.wake();
    Ok(())
}

/// Has the changes in force again that were brought back, so that they can be undone again.
async fn write_down(tx: &mut Tx, undo: &UndoRow, redone: &Redone) -> Result<(), StoreError> {
    let failed: Vec<&str> = redone.failed.iter().map(String::as_str).collect();
    file_changes::bring_back(tx, undo.id, &failed).await?;
    undone_files::drop_but(tx, undo.id, &failed).await?;
    if let Some(inventory) = redone.inventory.clone() {
        let own = WorkspaceProvenance::Own { inventory };
        workspaces::note(tx, undo.turn_user, &own).await?;
    }
    if redone.files.is_empty() {
        return Ok(());
    }
    let entry = Entry::Redone(Undone {
        by: undo.redo_by.unwrap_or(undo.user_id),
        files: redone.files.clone(),
    });
    turns::append_behind(tx, undo.turn_id, &[entry]).await
}

/// The undo cannot be reversed any more.
async fn let_go(tx: &mut Tx, undo: &UndoRow) -> Result<(), StoreError> {
    file_changes::forget_set_aside(tx, undo.id).await?;
    undone_files::drop_but(tx, undo.id, &[]).await
}

fn record_of(undo: &UndoRow, files: &[String]) -> Record {
    Record {
        by: Some(By::User(undo.redo_by.unwrap_or(undo.user_id))),
        payload: Some(serde_json::json!({ "files": files })),
        ..Record::of(Event::Redone, place_of(undo))
    }
}

fn all_shown(paths: &[String]) -> Vec<String> {
    paths.iter().map(|path| shown(path)).collect()
}
