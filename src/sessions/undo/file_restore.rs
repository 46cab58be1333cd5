//! One wish to have files put back: looked at, asked about where that may lose something, and done.

use std::io;
use std::path::Path;

use nix::errno::Errno;
use sayso_channel::{Address, ChatKind, Language, MessageKey, Outbound};

use super::messages::{self, Fate};
use super::{HOLDS_MS, card};
use crate::audit::{By, Event, Place, Record};
use crate::delivery::{OutboxWriter, Purpose, Saying};
use crate::prompts::{self, Asked, NewPrompt, PromptKind};
use crate::sessions::SessionContext;
use crate::store::file_changes::{self, UndoRow};
use crate::store::outbox::OutboxRow;
use crate::store::{StoreError, Tx, now_ms, turns, workspaces};
use crate::transcript::{Entry, FileBefore, FileNow, Owner, Undone, WorkspaceProvenance};

/// Files that something else changed, each in its current state.
pub type Changed = Vec<(String, FileNow)>;

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
    let workspace = ctx.limits.workspace(owner_of(&undo));
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
    let is_agreed = |file| undo.state != "wanted" && shown.is_none_or(|shown| shown.contains(file));
    if !changed.iter().all(is_agreed) {
        ask(ctx, undo, &changed).await?;
        return Ok(Some(changed));
    }
    let stays_own = stays_own(ctx, &undo, (&workspace, &files)).await?;
    let mut fates = Vec::with_capacity(files.len());
    for (file, now) in files.iter().zip(now) {
        fates.push((
            file.path.clone(),
            put_back(ctx, &workspace, file, now).await,
        ));
    }
    let ground = if stays_own {
        tools.inventory(&workspace).await
    } else {
        None
    };
    say_done(ctx, undo, fates, ground).await?;
    Ok(None)
}

fn owner_of(undo: &UndoRow) -> Owner {
    Owner::of(undo.chat_kind, undo.turn_user, undo.chat_id)
}

/// Returns whether the workspace is known to be its person's own, and stays so with what comes
/// back.
async fn stays_own(
    ctx: &SessionContext,
    undo: &UndoRow,
    (workspace, files): (&Path, &[FileBefore]),
) -> Result<bool, StoreError> {
    if undo.chat_kind == ChatKind::Group || files.iter().any(|file| !file.own) {
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

async fn put_back(ctx: &SessionContext, workspace: &Path, file: &FileBefore, now: FileNow) -> Fate {
    if now == FileNow::AsBefore {
        return Fate::WasSo;
    }
    match ctx.agent.executor.tools.put_back(workspace, file).await {
        Ok(()) if file.was.is_none() => Fate::Removed,
        Ok(()) => Fate::PutBack,
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

async fn ask(ctx: &SessionContext, undo: UndoRow, changed: &Changed) -> Result<(), StoreError> {
    let paths: Vec<String> = changed.iter().map(|(path, _)| shown(path)).collect();
    let language = ctx.limits.language_in(&undo.language);
    let outbox = ctx.outbox.clone();
    let said = ctx.store.write(move |tx| {
        Box::pin(async move {
            if !file_changes::advance(tx, &undo, "open").await? {
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
            say(tx, &outbox, &undo, (Purpose::Card, outbound)).await
        })
    });
    ctx.outbox.offer(said.await?);
    Ok(())
}

/// Writes down what was put back, says so, and lets go of what another wish would not change.
async fn say_done(
    ctx: &SessionContext,
    undo: UndoRow,
    fates: Vec<(String, Fate)>,
    ground: Option<String>,
) -> Result<(), StoreError> {
    let language = ctx.limits.language_in(&undo.language);
    let (outbox, auditor) = (ctx.outbox.clone(), ctx.auditor.clone());
    let said = ctx.store.write(move |tx| {
        Box::pin(async move {
            if !file_changes::advance(tx, &undo, "over").await? {
                return Ok(Vec::new());
            }
            let settled = fates.iter().filter(|(_, fate)| *fate != Fate::Failed);
            let settled: Vec<&str> = settled.map(|(path, _)| path.as_str()).collect();
            file_changes::forget(tx, undo.turn_id, &settled).await?;
            if let Some(inventory) = ground {
                let own = WorkspaceProvenance::Own { inventory };
                workspaces::note(tx, undo.turn_user, &own).await?;
            }
            let gone_back = fates.iter().filter(|(_, fate)| fate.is_as_before());
            let files: Vec<String> = gone_back.map(|(path, _)| path.clone()).collect();
            auditor.note(tx, record_of(&undo, &files)).await?;
            let by = undo.user_id;
            let entry = Entry::Undone(Undone { by, files });
            turns::append_behind(tx, undo.turn_id, &[entry]).await?;
            let outbound = answer(tx, &undo, &fates, language).await?;
            say(tx, &outbox, &undo, (Purpose::Notice, outbound)).await
        })
    });
    ctx.outbox.offer(said.await?);
    ctx.auditor.wake();
    Ok(())
}

async fn answer(
    tx: &mut Tx,
    undo: &UndoRow,
    fates: &[(String, Fate)],
    language: Language,
) -> Result<Outbound, StoreError> {
    let request = request_of(tx, undo).await?;
    let shown = fates.iter().map(|(path, fate)| (shown(path), *fate));
    let shown: Vec<_> = shown.collect();
    Ok(Outbound::markdown(messages::done(
        &request, &shown, language,
    )))
}

fn record_of(undo: &UndoRow, files: &[String]) -> Record {
    let place = Place {
        turn: Some(undo.turn_id),
        session: Some(undo.session_id),
        chat: Some(undo.chat_id),
        user: Some(undo.turn_user),
    };
    Record {
        by: Some(By::User(undo.user_id)),
        payload: Some(serde_json::json!({ "files": files })),
        ..Record::of(Event::Undone, place)
    }
}

async fn request_of(tx: &mut Tx, undo: &UndoRow) -> Result<String, StoreError> {
    Ok(shown(&turns::turn(tx, undo.turn_id).await?.request))
}

/// Returns a text on one line, with nothing that ends a quotation of it.
fn shown(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").replace('`', "'")
}

async fn say(
    tx: &mut Tx,
    outbox: &OutboxWriter,
    undo: &UndoRow,
    (purpose, outbound): (Purpose, Outbound),
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
        subject: (purpose == Purpose::Card).then_some(undo.id),
        outbound: &outbound,
    };
    outbox.say(tx, saying).await
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
