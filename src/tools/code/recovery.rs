//! A change of files that a kill cut off, after its call was begun: finished where every file is
//! what it was before or what the call makes of it, else taken back.

use std::io;
use std::path::Path;

use nix::unistd::{UnlinkatFlags, unlinkat};
use sayso_core::transcript::{FileBefore, Scope, ToolCall, ToolOutcome};
use sayso_core::visible::visible_line;

use super::commit::{NEW_FILE_MODE, beside, commit};
use super::edit_tool::{APPLY_PATCH, UNDO_PATCH, WRITE_FILE, done, mark_of, note, wanted_again};
use super::file_edit::{FileEdit, FoundFile};
use super::plan_edits::{Planned, plan_from};
use super::seen_files::SeenFiles;
use crate::files::blocking;
use crate::workspace::{Missing, Workspace};

/// Finishes a call that was begun, by what its files were before it; `None` where it changes no
/// files this way. Done again, it does nothing more.
pub(crate) async fn finish(
    call: &ToolCall,
    scope: &Scope,
    before: Vec<FileBefore>,
    seen: &SeenFiles,
) -> Option<ToolOutcome> {
    let is_edit = [APPLY_PATCH, WRITE_FILE, UNDO_PATCH].contains(&call.name.as_str());
    if !is_edit || before.is_empty() || scope.is_read_only() {
        return None;
    }
    let (call, root) = (call.clone(), scope.workspace.clone());
    let mark = mark_of(scope.turn, &call.id);
    let (session, now_seen) = (scope.session, seen.clone());
    seen.load(session).await;
    let finished = blocking(move || {
        let finished = finish_at(&call, &root, &before, &mark);
        let (outcome, edits) = finished.map_err(|error| {
            ToolOutcome::not_run(format!(
                "it was interrupted, and its files cannot be looked at: {error}"
            ))
        })?;
        let root = root.canonicalize().unwrap_or(root);
        Ok((outcome, note(&now_seen, session, &root, &edits)))
    });
    Some(match finished.await {
        Ok((outcome, noted)) => {
            seen.save(scope, noted).await;
            outcome
        }
        Err(outcome) => outcome,
    })
}

/// Returns the result, and the edits that were finished.
fn finish_at(
    call: &ToolCall,
    root: &Path,
    before: &[FileBefore],
    mark: &str,
) -> io::Result<(ToolOutcome, Vec<FileEdit>)> {
    let workspace = Workspace::open(root)?;
    let root = workspace.root().to_path_buf();
    let edits = edits_again(call, &workspace, before);
    if let Some(edits) = edits {
        let mut pending = Vec::new();
        let mut is_clear = true;
        for edit in &edits {
            let now = FoundFile::read(&workspace, &edit.path)?;
            match &now {
                now if holds_same(now.as_ref(), edit.becomes.as_ref()) => {}
                now if holds_same(now.as_ref(), edit.was.as_ref()) => pending.push(edit.clone()),
                _ => is_clear = false,
            }
        }
        if is_clear && commit(&root, &pending, mark).is_ok() {
            remove_leftovers(&workspace, before, mark);
            let done = done(&edits);
            let outcome = ToolOutcome::Success {
                output: format!("{done} (finished after an interruption)"),
            };
            return Ok((outcome, edits));
        }
    }
    let left = taken_back(&workspace, &root, before, mark)?;
    remove_leftovers(&workspace, before, mark);
    let left = if left.is_empty() {
        String::new()
    } else {
        format!(
            ", but for {}, which something else changed",
            left.join(", ")
        )
    };
    let outcome = ToolOutcome::not_run(format!(
        "it was interrupted, and what it had changed was taken back{left}. Read the files, then \
         send the change again"
    ));
    Ok((outcome, Vec::new()))
}

/// Returns the edits of a call by what its files were; `None` where they are not those that it was
/// begun with.
fn edits_again(
    call: &ToolCall,
    workspace: &Workspace,
    before: &[FileBefore],
) -> Option<Vec<FileEdit>> {
    let Planned::Edits(edits) = plan_from(&wanted_again(call)?, workspace, before) else {
        return None;
    };
    let state = |file: Option<&FoundFile>| {
        let digest = file.map(FoundFile::digest);
        digest.unwrap_or_else(|| FileBefore::GONE.to_owned())
    };
    let is_known = |edit: &FileEdit| {
        let known = before.iter().find(|before| before.path == edit.path);
        known.is_some_and(|known| known.becomes == state(edit.becomes.as_ref()))
    };
    (edits.len() == before.len() && edits.iter().all(is_known)).then_some(edits)
}

fn holds_same(one: Option<&FoundFile>, other: Option<&FoundFile>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one.bytes == other.bytes,
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    }
}

/// Puts back what the call wrote, and returns the files that are neither as before nor as written.
fn taken_back(
    workspace: &Workspace,
    root: &Path,
    before: &[FileBefore],
    mark: &str,
) -> io::Result<Vec<String>> {
    let mut left = Vec::new();
    for file in before {
        let now = FoundFile::read(workspace, &file.path)?;
        let digest = now.as_ref().map(FoundFile::digest);
        if digest == file.was {
            continue;
        }
        let is_as_written = digest.as_deref().unwrap_or(FileBefore::GONE) == file.becomes;
        let mode = file.mode.unwrap_or(NEW_FILE_MODE);
        let content = file.content.clone().filter(|_| file.was.is_some());
        let back = FileEdit {
            path: file.path.clone(),
            was: now,
            becomes: content.map(|bytes| FoundFile { bytes, mode }),
        };
        if !is_as_written || !file.is_kept() || commit(root, &[back], mark).is_err() {
            left.push(format!("`{}`", visible_line(&file.path)));
        }
    }
    Ok(left)
}

/// Removes contents of the call that still wait beside their files.
fn remove_leftovers(workspace: &Workspace, before: &[FileBefore], mark: &str) {
    for file in before {
        let Ok((directory, _)) = workspace.open_parent(&file.path, Missing::IsAnError) else {
            continue;
        };
        for number in 0..before.len() {
            // Most of them are not there.
            let name = beside(mark, number);
            let _ = unlinkat(&directory, &name[..], UnlinkatFlags::NoRemoveDir);
        }
    }
}
