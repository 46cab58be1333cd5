//! Finishing erasures: each step can be repeated, so a kill in the middle costs nothing but time.

use std::fs::{self, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use sayso_channel::{Address, Outbound};
use sayso_core::transcript::{Owner, outgoing_beside};
use sayso_store::erase::{self, ErasureRow, ErasureState};
use sayso_store::word_index::rewrite_some;
use sayso_store::{Store, StoreError, skill_reviews};
use tokio_util::sync::CancellationToken;

use super::messages;
use crate::commands::context::CommandContext;
use crate::delivery::{Purpose, Saying};

/// How often a turn that ends, or the trace, is looked for while an erasure waits for it.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// Stands in the lines of the log that show what a model was asked and answered.
const EXCHANGE: &[u8] = b" sayso::exchange: ";
/// How long the writer is left to others between two pieces of an index.
const BETWEEN_PIECES: Duration = Duration::from_millis(20);
/// How long to wait after a step failed.
const PAUSE: Duration = Duration::from_secs(5);

/// Finishes what earlier runs left, then what is asked for, until `shutdown`.
pub async fn run(store: &Store, ctx: &Arc<CommandContext>, shutdown: &CancellationToken) {
    loop {
        let stepped = step(store, ctx).await;
        let wait = async {
            match stepped {
                Ok(true) => tokio::time::sleep(LOOK_EVERY).await,
                Ok(false) => ctx.background.erasing.notified().await,
                Err(error) => {
                    tracing::error!(error = %format!("{error:#}"), "erasure failed; retrying");
                    tokio::time::sleep(PAUSE).await;
                }
            }
        };
        tokio::select! {
            () = shutdown.cancelled() => return,
            () = wait => {}
        }
    }
}

/// Takes every erasure as far as it can go now; says whether one is left. One that fails keeps no
/// other waiting: the first error comes back at the end.
async fn step(store: &Store, ctx: &Arc<CommandContext>) -> anyhow::Result<bool> {
    let unfinished = erase::unfinished(store.reader()).await?;
    let is_left = !unfinished.is_empty();
    let mut stepped = Ok(is_left);
    for erasure in unfinished {
        let one = take_further(store, ctx, erasure).await;
        stepped = stepped.and_then(|is_left| one.map(|()| is_left));
    }
    stepped
}

async fn take_further(
    store: &Store,
    ctx: &Arc<CommandContext>,
    erasure: ErasureRow,
) -> anyhow::Result<()> {
    match erasure.state {
        ErasureState::Wanted => clear(store, ctx, erasure).await?,
        ErasureState::Cleared if erasure.traces()?.is_none() => {
            clear_files(store, ctx, erasure).await?;
        }
        // The writer of the trace rewrites it.
        ErasureState::Cleared => ctx.auditor.wake(),
        ErasureState::Open | ErasureState::Refused | ErasureState::Expired | ErasureState::Done => {
        }
    }
    Ok(())
}

async fn clear(store: &Store, ctx: &CommandContext, erasure: ErasureRow) -> Result<(), StoreError> {
    let cleared = store.write(move |tx| {
        Box::pin(async move {
            let is_ready = erase::is_ready(tx, &erasure).await?;
            if is_ready {
                erase::clear(tx, &erasure).await?;
            }
            Ok(is_ready)
        })
    });
    if cleared.await? {
        ctx.auditor.wake();
    }
    Ok(())
}

/// Removes the workspaces and what was on its way out of them, and skills that were asked for,
/// quiets the logs, takes what was deleted out of the file of the database, and says that it is
/// done.
async fn clear_files(
    store: &Store,
    ctx: &Arc<CommandContext>,
    erasure: ErasureRow,
) -> anyhow::Result<()> {
    for user in erasure.users()? {
        let workspace = ctx.limits.workspace(Owner::User(user));
        let removed = tokio::task::spawn_blocking(move || {
            remove(&outgoing_beside(&workspace))?;
            remove(&workspace)
        });
        removed.await??;
    }
    let wanted = skill_reviews::living(store.reader()).await?;
    let places = ctx.library.places().clone();
    tokio::task::spawn_blocking(move || places.tidy(&wanted)).await??;
    let logs = ctx.background.logs.clone();
    tokio::task::spawn_blocking(move || quiet_logs(&logs)).await??;
    while store.write(|tx| Box::pin(rewrite_some(tx))).await? {
        tokio::time::sleep(BETWEEN_PIECES).await;
    }
    store.scrub().await?;
    let here = Arc::clone(ctx);
    let said = store.write(move |tx| {
        Box::pin(async move {
            erase::finish(tx, erasure.id).await?;
            let address: Address = serde_json::from_str(&erasure.address)?;
            let language = here.language(&erasure.language);
            let outbound = Outbound::markdown(messages::done(language));
            let saying = Saying {
                to: &address,
                purpose: Purpose::Notice,
                turn: None,
                subject: None,
                outbound: &outbound,
            };
            here.outbox.say(tx, saying).await
        })
    });
    ctx.outbox.offer(said.await?);
    tracing::info!("person erased");
    Ok(())
}

/// Removes model requests and answers from the log files, because they cannot be attributed to
/// users. A file is rewritten in place, because its writer keeps appending to it.
fn quiet_logs(directory: &Path) -> io::Result<()> {
    let files = match fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        other => other?,
    };
    for file in files {
        let entry = file?;
        // Whatever else somebody put there is none of our logs.
        if !entry.file_type()?.is_file() {
            continue;
        }
        let path = entry.path();
        let mut file = OpenOptions::new().read(true).append(true).open(path)?;
        let mut log = Vec::new();
        file.read_to_end(&mut log)?;
        let is_quiet = |line: &&[u8]| !line.windows(EXCHANGE.len()).any(|part| part == EXCHANGE);
        let lines = log.split_inclusive(|byte| *byte == b'\n');
        let kept: Vec<u8> = lines.filter(is_quiet).flatten().copied().collect();
        if kept.len() < log.len() {
            file.set_len(0)?;
            file.write_all(&kept)?;
            file.sync_all()?;
        }
    }
    Ok(())
}

/// Removes a directory with everything in it, also what a command made unreadable. Symlinks are not
/// followed.
fn remove(directory: &Path) -> io::Result<()> {
    match fs::remove_dir_all(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            open_up(directory)?;
            fs::remove_dir_all(directory)
        }
        other => other,
    }
}

fn open_up(directory: &Path) -> io::Result<()> {
    fs::set_permissions(directory, fs::Permissions::from_mode(0o700))?;
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            open_up(&entry.path())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_command_closed_is_removed_and_what_a_link_leads_to_stays() {
        let home = tempfile::tempdir().unwrap();
        let (outside, workspace) = (home.path().join("outside"), home.path().join("user-1"));
        let closed = workspace.join("closed");
        fs::create_dir_all(&closed).unwrap();
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("stays"), "").unwrap();
        fs::write(closed.join("goes"), "").unwrap();
        std::os::unix::fs::symlink(&outside, workspace.join("link")).unwrap();
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
        remove(&workspace).unwrap();
        assert!(!workspace.exists());
        assert!(outside.join("stays").exists());
        remove(&workspace).unwrap();
    }
}
