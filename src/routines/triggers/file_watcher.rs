//! The task that looks for files that changed, for the routines that such a change starts.
//!
//! A look takes the files whose time of change lies between the look before and shortly before now, by
//! the clock that files have. So a file that is written to a thousand times is one event when it has
//! come to rest, nothing is lost over a restart, and where a look stands is one number in the row of the
//! routine, committed with its events.
//!
//! Accepted: a file that never rests is never reported, and what changes while a run of the very routine
//! works is taken for the run's own, also where a person changed it.

use std::time::{Duration, Instant};

use sayso_core::transcript::Owner;
use sayso_store::routine_events::{self, NewEvent};
use sayso_store::routine_runs::{self, RunRow, RunState};
use sayso_store::routines::{self, RoutineRow};
use sayso_store::{Store, StoreError, chats, now_ms};
use tokio_util::sync::CancellationToken;

use super::keeping::machine_ms;
use super::trigger::Trigger;
use super::workspace_files::{self, SeenFile, named};
use crate::routines::context::RoutineContext;

/// How often is looked, at least.
const LOOK_EVERY: Duration = Duration::from_secs(3);
/// How many times as long as the last look is waited, so that large workspaces cost little.
const RESTS: u32 = 50;
/// How long a file must not have changed, in milliseconds.
const RESTED_MS: i64 = 1500;
/// How many runs are known whose changes are their own.
const RUNS: i64 = 20;
/// How many events wait for one routine at most. The last of them stands for all further files of its
/// look, and what changes after that, while all of these wait, is not kept.
const MOST_WAITING: usize = 50;

/// Looks for files that changed. One per process.
pub struct FileWatcher {
    store: Store,
    ctx: RoutineContext,
}

impl FileWatcher {
    /// Returns one that has not looked yet.
    pub fn new(store: Store, ctx: RoutineContext) -> Self {
        Self { store, ctx }
    }

    /// Works until `shutdown`.
    pub async fn run(self, shutdown: CancellationToken) {
        if !self.ctx.limits.enabled {
            return;
        }
        let mut wait = LOOK_EVERY;
        loop {
            tokio::select! {
                () = shutdown.cancelled() => return,
                () = tokio::time::sleep(wait) => {}
            }
            let began = Instant::now();
            if let Err(error) = self.look().await {
                tracing::error!(%error, "cannot look for changed files for routines; retrying");
            }
            wait = LOOK_EVERY.max(began.elapsed() * RESTS);
        }
    }

    async fn look(&self) -> Result<(), StoreError> {
        for row in routines::of_events(self.store.reader()).await? {
            if let Some(Trigger::File { glob }) = Trigger::of(&row) {
                self.look_for(&row, &glob).await?;
            }
        }
        Ok(())
    }

    async fn look_for(&self, row: &RoutineRow, glob: &str) -> Result<(), StoreError> {
        let now = machine_ms();
        let until = now - RESTED_MS;
        let since = routine_events::looked(self.store.reader(), row.id).await?;
        // Never looked, or a clock that was set back: what is there now is where it begins.
        let Some(since) = since.filter(|since| *since <= now) else {
            return self.note(row, now, Vec::new()).await;
        };
        let kind = chats::kind_of_id(self.store.reader(), row.chat_id).await?;
        let place = Owner::of(kind, row.user_id, row.chat_id);
        let workspace = self.ctx.workspaces.join(place.folder_name());
        let glob = glob.to_owned();
        let changed = tokio::task::spawn_blocking(move || {
            let files = workspace_files::files(&workspace);
            let is_new = |file: &&SeenFile| since < file.changed_ms && file.changed_ms <= until;
            named(&files, &glob)
                .filter(is_new)
                .cloned()
                .collect::<Vec<_>>()
        });
        let changed = changed.await.unwrap_or_default();
        if changed.is_empty() {
            return Ok(());
        }
        let runs = routine_runs::newest_of(self.store.reader(), row.id, RUNS).await?;
        // Rows have the clock of the program, which tests set apart from that of files.
        let apart = now_ms() - machine_ms();
        let is_own = |file: &SeenFile| {
            let at = file.changed_ms + apart;
            runs.iter().any(|run| is_work_of(run, at))
        };
        let foreign = changed.into_iter().filter(|file| !is_own(file)).collect();
        self.note(row, until, foreign).await
    }

    /// Notes up to when was looked, and the files that changed.
    async fn note(
        &self,
        row: &RoutineRow,
        until: i64,
        changed: Vec<SeenFile>,
    ) -> Result<(), StoreError> {
        let id = row.id;
        let at_ms = now_ms();
        let row = row.clone();
        let is_new = self.store.write(move |tx| {
            Box::pin(async move {
                let waiting = routine_events::waiting(tx, id).await?.count;
                let waiting = usize::try_from(waiting).unwrap_or(MOST_WAITING);
                let room = MOST_WAITING.saturating_sub(waiting);
                if room == 0 && !changed.is_empty() {
                    tracing::warn!(routine = %id, files = changed.len(), "too many files wait for a routine; these were left out");
                }
                let mut is_new = false;
                for event in &events(&row, &changed, at_ms, room) {
                    is_new |= routine_events::add(tx, event).await?;
                }
                if is_new {
                    routine_events::start_at(tx, id, at_ms).await?;
                }
                routine_events::set_looked(tx, id, until).await?;
                Ok(is_new)
            })
        });
        if is_new.await? {
            self.ctx.changed.notify_one();
        }
        Ok(())
    }
}

/// Whether something changed while a run worked. One that waits for a person does not.
fn is_work_of(run: &RunRow, at_ms: i64) -> bool {
    let until = match (run.ended_ms, run.state) {
        (Some(ended), _) => ended,
        (None, RunState::Parked) => return false,
        (None, _) => i64::MAX,
    };
    (run.created_ms..=until).contains(&at_ms)
}

/// Returns the events of files that changed, at most `room`: the newest files, and their number instead
/// of the others.
fn events(row: &RoutineRow, changed: &[SeenFile], at_ms: i64, room: usize) -> Vec<NewEvent> {
    let event = |key: String, text: String| NewEvent {
        routine: row.id,
        key,
        at_ms,
        text,
    };
    let of_file = |file: &SeenFile| {
        let SeenFile {
            changed_ms,
            path,
            bytes,
        } = file;
        let shown: String = path
            .chars()
            .map(|letter| if letter.is_control() { '?' } else { letter })
            .collect();
        event(
            format!("file:{path}@{changed_ms}"),
            format!("`{shown}` ({bytes} bytes)"),
        )
    };
    let named = if changed.len() > room {
        room.saturating_sub(1)
    } else {
        changed.len()
    };
    let mut events: Vec<NewEvent> = changed.iter().rev().take(named).map(of_file).collect();
    let left = changed.len() - named;
    if let (Some(oldest), true) = (changed.first(), left > 0 && room > 0) {
        let key = format!("files:{left}@{}", oldest.changed_ms);
        events.push(event(key, format!("{left} more files")));
    }
    events
}
