//! One wish to have files put back: looked at, asked about where that may lose something, and done.

use std::collections::BTreeSet;
use std::path::Path;

use sayso_channel::{Address, Language, MessageKey, Outbound};
use sayso_core::transcript::{Entry, FileBefore, FileNow, Undone, WorkspaceProvenance};
use sayso_store::file_changes::UndoState;
use sayso_store::file_changes::{self, UndoRow};
use sayso_store::outbox::OutboxRow;
use sayso_store::{StoreError, Tx, now_ms, turns, undone_files, workspaces};

use super::messages::{self, Fate};
use super::workspace_files::{folder_of, is_own, place_of, put_back, shown};
use super::{HOLDS_MS, card, redo_offer};
use crate::audit::{By, Event, Record};
use crate::delivery::{OutboxWriter, Purpose, Saying};
use crate::prompts::{self, Asked, NewPrompt, PromptKind};
use crate::sessions::SessionContext;

/// Files that something else changed, each in its current state.
pub type Changed = Vec<(String, FileNow)>;

/// What an undo did.
struct Restored {
    /// Each file, and what became of it.
    fates: Vec<(String, Fate)>,
    /// The inventory of a workspace that stays its person's own.
    inventory: Option<String>,
    /// Whether what it took away is kept, so that it can be brought back.
    can_be_redone: bool,
}

impl Restored {
    /// Nothing was put back: the folder is not there, or must not be changed now.
    fn nothing(files: Vec<FileBefore>) -> Self {
        let fates = files.into_iter().map(|file| (file.path, Fate::Left));
        Self {
            fates: fates.collect(),
            inventory: None,
            can_be_redone: false,
        }
    }
}

/// Takes a wish as far as it goes; one about a workspace in which a call is at work is left for
/// later. `shown` is what its card says would be lost, where that is known. Returns what a new card
/// says of it.
pub async fn undo(
    ctx: &SessionContext,
    undo: UndoRow,
    shown: Option<&Changed>,
) -> Result<Option<Changed>, StoreError> {
    let files = file_changes::of_turn(ctx.store.reader(), undo.turn_id).await?;
    let files = FileBefore::merged(files);
    let Some(workspace) = folder_of(ctx, &undo).await? else {
        say_done(ctx, undo, Restored::nothing(files)).await?;
        return Ok(None);
    };
    let tools = &ctx.agent.executor.tools;
    // In a workspace that is its person's own, nothing else works meanwhile.
    let Some(_alone) = tools.try_alone_in(&workspace) else {
        return Ok(None);
    };
    let now = tools.compare(&workspace, &files).await;
    let changed: Changed = files
        .iter()
        .zip(&now)
        .filter(|(file, now)| matches!(now, FileNow::Changed(_)) && file.is_kept())
        .map(|(file, now)| (file.path.clone(), now.clone()))
        .collect();
    // The yes is to what the card says.
    let is_agreed =
        |file| undo.state != UndoState::Wanted && shown.is_none_or(|shown| shown.contains(file));
    if !changed.iter().all(is_agreed) {
        ask(ctx, undo, &changed).await?;
        return Ok(Some(changed));
    }
    let is_own = is_own(ctx, &undo, &workspace).await?;
    let found: Vec<(FileBefore, FileNow)> = files.into_iter().zip(now).collect();
    let Some(kept) = keep_found(ctx, &undo, &workspace, is_own, &found).await? else {
        return Ok(None);
    };
    let mut fates = Vec::with_capacity(found.len());
    for (file, now) in &found {
        let fate = match now {
            // An undo before a kill put it back.
            FileNow::AsBefore if kept.contains(&file.path) => Fate::of_restored(file),
            FileNow::AsBefore => Fate::WasSo,
            FileNow::AsWritten | FileNow::Changed(_) => put_back(ctx, &workspace, file).await,
        };
        fates.push((file.path.clone(), fate));
    }
    let stays_own = is_own && found.iter().all(|(file, _)| file.own);
    let put_back = fates.iter().filter(|(_, fate)| fate.is_restored());
    let put_back: Vec<&String> = put_back.map(|(path, _)| path).collect();
    let restored = Restored {
        inventory: if stays_own {
            tools.inventory(&workspace).await
        } else {
            None
        },
        can_be_redone: !put_back.is_empty() && put_back.into_iter().all(|it| kept.contains(it)),
        fates,
    };
    say_done(ctx, undo, restored).await?;
    Ok(None)
}

/// Keeps what the files are that will be put back, before any is. Returns of which files that can
/// be brought back again; `None` where the wish is over.
async fn keep_found(
    ctx: &SessionContext,
    undo: &UndoRow,
    workspace: &Path,
    is_own: bool,
    found: &[(FileBefore, FileNow)],
) -> Result<Option<BTreeSet<String>>, StoreError> {
    let mut files = Vec::new();
    for (file, now) in found {
        if *now == FileNow::AsBefore || !file.is_kept() {
            continue;
        }
        let tools = &ctx.agent.executor.tools;
        // What cannot be read is put back, and not offered to be brought back.
        if let Ok(file) = tools.as_found(workspace, &file.path).await {
            files.push(FileBefore {
                own: is_own,
                ..file
            });
        }
    }
    let id = undo.id;
    let undo = undo.clone();
    let is_due = ctx
        .store
        .write(move |tx| Box::pin(async move { undone_files::keep(tx, &undo, &files).await }))
        .await?;
    if !is_due {
        return Ok(None);
    }
    let kept = undone_files::of(ctx.store.reader(), id).await?;
    let kept = kept.into_iter().filter(FileBefore::is_kept);
    Ok(Some(kept.map(|file| file.path).collect()))
}

async fn ask(ctx: &SessionContext, undo: UndoRow, changed: &Changed) -> Result<(), StoreError> {
    let paths: Vec<String> = changed.iter().map(|(path, _)| shown(path)).collect();
    let language = ctx.limits.language_in(&undo.language);
    let outbox = ctx.outbox.clone();
    let said = ctx.store.write(move |tx| {
        Box::pin(async move {
            if !file_changes::advance(tx, &undo, UndoState::Open).await? {
                return Ok(Vec::new());
            }
            let request = request_of(tx, &undo).await?;
            let text = messages::changed_since(&request, &paths, language);
            let new = NewPrompt {
                kind: PromptKind::FileUndo,
                place: prompts::Place::Session(undo.session_id),
                asked: Asked::UserOrOwners(undo.turn_user),
                subject: Some(undo.id),
                payload: &(),
                expires_ms: Some(now_ms() + HOLDS_MS),
            };
            let prompt = prompts::open(tx, new).await?;
            let outbound = card::asking(&prompt, text, language);
            say(tx, &outbox, &undo, Purpose::Card, Some(undo.id), outbound).await
        })
    });
    ctx.outbox.offer(said.await?);
    Ok(())
}

/// Writes down what was put back, says so, and lets go of what another wish would not change.
async fn say_done(
    ctx: &SessionContext,
    undo: UndoRow,
    restored: Restored,
) -> Result<(), StoreError> {
    let language = ctx.limits.language_in(&undo.language);
    let (outbox, auditor) = (ctx.outbox.clone(), ctx.auditor.clone());
    let said = ctx.store.write(move |tx| {
        Box::pin(async move {
            if !file_changes::advance(tx, &undo, UndoState::Over).await? {
                return Ok(Vec::new());
            }
            settle(tx, &undo, &restored).await?;
            let fates = &restored.fates;
            if let Some(inventory) = restored.inventory {
                let own = WorkspaceProvenance::Own { inventory };
                workspaces::note(tx, undo.turn_user, &own).await?;
            }
            let gone_back = fates.iter().filter(|(_, fate)| fate.is_as_before());
            let files: Vec<String> = gone_back.map(|(path, _)| path.clone()).collect();
            auditor.note(tx, record_of(&undo, &files)).await?;
            let by = undo.user_id;
            let entry = Entry::Undone(Undone { by, files });
            turns::append_behind(tx, undo.turn_id, &[entry]).await?;
            let text = answer(tx, &undo, fates, language).await?;
            let (outbound, subject) = if restored.can_be_redone {
                let prompt = redo_offer::open(tx, &undo, &text).await?;
                let outbound = redo_offer::below(&prompt, text, language);
                (outbound, Some(prompt.id()))
            } else {
                (Outbound::markdown(text), None)
            };
            say(tx, &outbox, &undo, Purpose::Notice, subject, outbound).await
        })
    });
    ctx.outbox.offer(said.await?);
    ctx.auditor.wake();
    Ok(())
}

/// Sets aside, or lets go of, what another wish would not change.
async fn settle(tx: &mut Tx, undo: &UndoRow, restored: &Restored) -> Result<(), StoreError> {
    let paths = |counts: fn(Fate) -> bool| -> Vec<&str> {
        let files = restored.fates.iter().filter(|(_, fate)| counts(*fate));
        files.map(|(path, _)| path.as_str()).collect()
    };
    let settled = paths(|fate| fate != Fate::Failed);
    if restored.can_be_redone {
        file_changes::set_aside(tx, undo, &settled).await?;
        return undone_files::drop_but(tx, undo.id, &paths(Fate::is_restored)).await;
    }
    file_changes::forget(tx, undo.turn_id, &settled).await?;
    undone_files::drop_but(tx, undo.id, &[]).await
}

async fn answer(
    tx: &mut Tx,
    undo: &UndoRow,
    fates: &[(String, Fate)],
    language: Language,
) -> Result<String, StoreError> {
    let request = request_of(tx, undo).await?;
    let shown = fates.iter().map(|(path, fate)| (shown(path), *fate));
    let shown: Vec<_> = shown.collect();
    Ok(messages::done(&request, &shown, language))
}

fn record_of(undo: &UndoRow, files: &[String]) -> Record {
    Record {
        by: Some(By::User(undo.user_id)),
        payload: Some(serde_json::json!({ "files": files })),
        ..Record::of(Event::Undone, place_of(undo))
    }
}

async fn request_of(tx: &mut Tx, undo: &UndoRow) -> Result<String, StoreError> {
    Ok(shown(&turns::turn(tx, undo.turn_id).await?.request))
}

async fn say(
    tx: &mut Tx,
    outbox: &OutboxWriter,
    undo: &UndoRow,
    purpose: Purpose,
    subject: Option<i64>,
    outbound: Outbound,
) -> Result<Vec<OutboxRow>, StoreError> {
    let address: Address = serde_json::from_str(&undo.address)?;
    let outbound = Outbound {
        reply_to: undo.reply_to.clone().map(MessageKey::new),
        ..outbound
    };
    let saying = Saying {
        to: &address,
        purpose,
        turn: None,
        subject,
        outbound: &outbound,
    };
    outbox.say(tx, saying).await
}
