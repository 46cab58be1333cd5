//! What is due is started here, in one transaction: each occurrence is written down, what it leads to
//! (a message, or a job for a turn) is written too, and the routine goes on to its next occurrence. A
//! kill before the commit leaves the routine due, and after it nothing of it is.

use sayso_channel::Address;
use sayso_core::transcript::{Origin, Role, first_chars};
use sayso_store::jobs::{self, JobWork, NewJob};
use sayso_store::outbox::OutboxRow;
use sayso_store::routine_runs::{self, NewRun, RunState};
use sayso_store::routines::{self, OffReason, RoutineKind, RoutineRow};
use sayso_store::{StoreError, Tx, chats};

use super::context::RoutineContext;
use super::messages;
use super::plan::{DueRoutine, Fate, Late, Plan, PlannedRun, plan, spread_of};
use super::reminder;
use super::run_request::RunRequest;
use super::started::Started;
use super::timetable::Timetable;
use super::triggers::{self, Trigger};
use crate::bus::Signal;

/// How many routines are started in one transaction: what others write does not wait long.
pub const AT_ONCE: i64 = 64;
/// How much of a routine's words names its turn, in characters.
const REQUEST_CHARS: usize = 80;

/// What was started.
#[derive(Debug, Default)]
pub struct Begun {
    /// Rows to offer after the commit.
    pub said: Vec<OutboxRow>,
    /// Signals to send after the commit.
    pub signals: Vec<Signal>,
    /// How many routines were due.
    pub routines: usize,
}

/// Starts what is due, at most [`AT_ONCE`] routines.
pub async fn start(tx: &mut Tx, ctx: &RoutineContext, now_ms: i64) -> Result<Begun, StoreError> {
    let mut begun = Begun::default();
    for row in routines::due(tx, now_ms, AT_ONCE).await? {
        begun.routines += 1;
        start_one(tx, ctx, &row, now_ms, &mut begun).await?;
    }
    Ok(begun)
}

async fn start_one(
    tx: &mut Tx,
    ctx: &RoutineContext,
    row: &RoutineRow,
    now_ms: i64,
    begun: &mut Begun,
) -> Result<(), StoreError> {
    let is_readable = row.taint().is_ok() && serde_json::from_str::<Address>(&row.address).is_ok();
    if row.source.is_some() && is_readable {
        return start_by_events(tx, ctx, row, now_ms, begun).await;
    }
    let timetable = Timetable::of(row).filter(|_| is_readable);
    let (Some(timetable), Some(due_ms)) = (timetable, row.due_ms) else {
        // One that cannot be read must not keep the others from being started.
        return switch_off_unreadable(tx, ctx, row, now_ms).await;
    };
    let Some(role) = ctx.permissions.role(tx, row.user_id, row.role).await? else {
        tracing::info!(routine = %row.id, "user of a routine has no access; switched off");
        return routines::switch_off(tx, row.id, OffReason::Person).await;
    };
    let is_open =
        row.kind == RoutineKind::Turn && routine_runs::open_of(tx, row.id).await?.is_some();
    let due = DueRoutine {
        kind: row.kind,
        timetable: &timetable,
        due_ms,
        spread_ms: spread_of(row.id.0, row.kind, timetable.is_once(), ctx.limits.spread),
        late: Late::named(&row.late).unwrap_or(ctx.limits.late),
        is_open,
    };
    let Plan { runs, next } = plan(&due, now_ms);
    let mut missed = 0;
    for run in runs {
        let Some(id) = routine_runs::insert(tx, &new_run(row, &run)).await? else {
            continue;
        };
        match run.fate {
            Fate::Missed => missed += run.occurrences,
            Fate::Overlapped => {}
            Fate::Starts { is_late } => {
                let started = Started {
                    id,
                    due_ms: run.due_ms,
                    is_late,
                    missed,
                };
                begin(tx, ctx, row, started, role, begun).await?;
            }
        }
    }
    routines::advance(tx, row.id, next, Some(now_ms)).await
}

/// Switches a routine off that cannot be read, with a failed run by which its person hears of it.
async fn switch_off_unreadable(
    tx: &mut Tx,
    ctx: &RoutineContext,
    row: &RoutineRow,
    now_ms: i64,
) -> Result<(), StoreError> {
    tracing::error!(routine = %row.id, "routine cannot be read; switched off");
    let due_ms = row.due_ms.unwrap_or(now_ms);
    let failed = NewRun {
        routine: row.id,
        occurrence: format!("unreadable:{now_ms}"),
        due_ms,
        state: RunState::Queued,
        occurrences: 1,
        until_ms: None,
        told: false,
    };
    if let Some(run) = routine_runs::insert(tx, &failed).await? {
        let why = messages::unreadable(ctx.language_of(tx, row.user_id).await?);
        routine_runs::end(tx, run, RunState::Failed, Some(why)).await?;
    }
    routines::switch_off(tx, row.id, OffReason::Unreadable).await
}

/// Starts a routine for which events wait.
async fn start_by_events(
    tx: &mut Tx,
    ctx: &RoutineContext,
    row: &RoutineRow,
    now_ms: i64,
    begun: &mut Begun,
) -> Result<(), StoreError> {
    if Trigger::of(row).is_none() {
        return switch_off_unreadable(tx, ctx, row, now_ms).await;
    }
    let Some(role) = ctx.permissions.role(tx, row.user_id, row.role).await? else {
        tracing::info!(routine = %row.id, "user of a routine has no access; switched off");
        return routines::switch_off(tx, row.id, OffReason::Person).await;
    };
    match triggers::take(tx, ctx, row, now_ms).await? {
        Some(started) => begin(tx, ctx, row, started, role, begun).await,
        None => Ok(()),
    }
}

/// Writes what an occurrence leads to.
pub(super) async fn begin(
    tx: &mut Tx,
    ctx: &RoutineContext,
    row: &RoutineRow,
    run: Started,
    role: Role,
    begun: &mut Begun,
) -> Result<(), StoreError> {
    match row.kind {
        RoutineKind::Remind => {
            begun.said.extend(reminder::say(tx, ctx, row, run).await?);
            Ok(())
        }
        RoutineKind::Turn => {
            begun.signals.push(enqueue(tx, row, run, role).await?);
            Ok(())
        }
    }
}

/// Puts the turn of an occurrence in line, in the session of its routine.
async fn enqueue(
    tx: &mut Tx,
    row: &RoutineRow,
    run: Started,
    role: Role,
) -> Result<Signal, StoreError> {
    let thread = session_thread(row);
    let session = chats::background_session_at(tx, row.chat_id, &thread).await?;
    let request = match row.name.as_str() {
        "" => row.prompt.as_str(),
        name => name,
    };
    let request = first_chars(request, REQUEST_CHARS).unwrap_or(request);
    let job = NewJob {
        session,
        user: row.user_id,
        origin: Origin::Routine,
        due_ms: run.due_ms,
        work: JobWork {
            address: serde_json::from_str(&row.address)?,
            request: request.to_owned(),
            role,
            payload: serde_json::to_value(RunRequest::of(row, run)?)?,
        },
    };
    jobs::add(tx, &job).await?;
    Ok(Signal::Background(session, row.user_id))
}

/// Returns the thread of the session that a routine has of its own: no platform's thread is called so.
fn session_thread(row: &RoutineRow) -> String {
    format!("\u{1f}routine/{}", row.id)
}

/// Returns in which state an occurrence is once it is started.
pub(super) fn first_state(kind: RoutineKind) -> RunState {
    match kind {
        RoutineKind::Remind => RunState::Done,
        RoutineKind::Turn => RunState::Queued,
    }
}

fn new_run(row: &RoutineRow, run: &PlannedRun) -> NewRun {
    let state = match run.fate {
        Fate::Starts { .. } => first_state(row.kind),
        Fate::Missed => RunState::Missed,
        Fate::Overlapped => RunState::Overlapped,
    };
    NewRun {
        routine: row.id,
        occurrence: run.due_ms.to_string(),
        due_ms: run.due_ms,
        state,
        occurrences: run.occurrences,
        until_ms: run.until_ms,
        // The reminder itself says what was missed before it, and a run that goes on is no news.
        told: row.kind == RoutineKind::Remind || run.fate == Fate::Overlapped,
    }
}
