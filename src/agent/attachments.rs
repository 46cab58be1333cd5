//! Attachments of messages: fetched through a port, stored in the workspace, and named to the
//! model.

use sayso_channel::{AttachmentKind, AttachmentRef};
use sayso_core::transcript::{Arriving, Entry, Fetched, FetchedFile};
use sayso_tools::{Incoming, MAX_INCOMING_BYTES, NotSaved, SavedFile};
use tokio::fs::File;

use super::file_messages::{self, Missed};
use super::ports::FetchError;
use super::turn_setup::{TurnRecord, TurnSetup};
use super::{Journal, JournalError};

/// How many files of one message are fetched.
const MAX_FILES: usize = 20;

/// Brings in the files of a message, and notes what became of each. A stop leaves them where they
/// are.
pub(super) async fn fetch(
    setup: &TurnSetup<'_>,
    record: &mut TurnRecord<'_>,
) -> Result<(), JournalError> {
    let Some(arriving) = record.state.arriving.first().cloned() else {
        return Ok(());
    };
    let files = tokio::select! {
        files = bring_in_all(setup, record.journal, &arriving) => files,
        () = setup.stop.cancelled() => return Ok(()),
    };
    let inbox = arriving.inbox;
    record
        .record(Entry::Fetched(Fetched { inbox, files }))
        .await
}

async fn bring_in_all(
    setup: &TurnSetup<'_>,
    journal: &mut dyn Journal,
    arriving: &Arriving,
) -> Vec<FetchedFile> {
    let language = setup.language();
    let mut files = Vec::with_capacity(arriving.files.len());
    for (number, announced) in arriving.files.iter().enumerate() {
        let file = &announced.file;
        let name = file.name.as_deref();
        let key = format!("{}-{number}", arriving.inbox);
        let came = if number < MAX_FILES {
            bring_in(setup, journal, file, &key).await
        } else {
            Err(Missed::TooMany)
        };
        files.push(match came {
            Ok(kept) => FetchedFile {
                text: file_messages::arrived(file.kind, &kept, language),
                why: file_messages::cannot_see(&kept, setup.sight(), language),
                missed: false,
                image: kept.image,
            },
            Err(missed) => FetchedFile {
                text: file_messages::not_arrived(file.kind, name, missed, language),
                why: Some(file_messages::could_not_fetch(
                    file.kind, name, missed, language,
                )),
                missed: true,
                image: None,
            },
        });
    }
    files
}

async fn bring_in(
    setup: &TurnSetup<'_>,
    journal: &mut dyn Journal,
    file: &AttachmentRef,
    key: &str,
) -> Result<SavedFile, Missed> {
    if file.bytes.is_some_and(|bytes| bytes > MAX_INCOMING_BYTES) {
        return Err(Missed::TooLarge);
    }
    let (workspace, key) = (setup.scope().home.clone(), key.to_owned());
    let limits = setup.agent.limits.inbox;
    let incoming = blocking(move || Incoming::open(&workspace, &key, limits)).await?;
    let mut into = incoming
        .file()
        .map(File::from_std)
        .map_err(|error| missed(&error.into()))?;
    let fetched = journal.fetch(file, &mut into).await;
    fetched.map_err(|error| match error {
        FetchError::Gone => Missed::Gone,
        FetchError::Unreachable => Missed::Unreachable,
    })?;
    // What comes while a call works in the workspace is not the call's.
    let tools = &setup.agent.executor.tools;
    let _alone = tools.alone_in(&setup.scope().home).await;
    let (name, usual) = (file.name.clone(), usual_name(file.kind));
    blocking(move || incoming.keep(name.as_deref(), usual)).await
}

/// Does file work where it may block.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, NotSaved> + Send + 'static,
) -> Result<T, Missed> {
    match tokio::task::spawn_blocking(work).await {
        Ok(Ok(done)) => Ok(done),
        Ok(Err(error)) => Err(missed(&error)),
        Err(error) => {
            tracing::error!(%error, "file task panicked or was cancelled");
            Err(Missed::Unwritable)
        }
    }
}

fn missed(error: &NotSaved) -> Missed {
    match error {
        NotSaved::TooLarge => Missed::TooLarge,
        NotSaved::NoRoom => Missed::NoRoom,
        NotSaved::Io(error) => {
            tracing::warn!(%error, "received file cannot be stored");
            Missed::Unwritable
        }
    }
}

/// What a file without a name is called.
fn usual_name(kind: AttachmentKind) -> &'static str {
    match kind {
        AttachmentKind::Photo => "photo",
        AttachmentKind::Document => "file",
        AttachmentKind::Voice => "voice",
        AttachmentKind::Audio => "audio",
        AttachmentKind::Video => "video",
    }
}
