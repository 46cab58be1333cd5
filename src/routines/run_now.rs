//! A run that its person asks for now: the same path as one that is due.

use sayso_core::transcript::RoutineId;
use sayso_store::routine_runs::{self, NewRun, RunRow};
use sayso_store::routines::RoutineRow;
use sayso_store::{Store, StoreError, Tx, new_id, now_ms};

use super::context::RoutineContext;
use super::due::{self, Begun};
use super::started::Started;

/// How many of the last occurrences are shown.
const SHOWN: i64 = 10;

/// What became of the wish to run a routine now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunNow {
    /// It runs.
    Begun,
    /// A run of it is not over yet.
    Open,
    /// Its user has no access any more.
    NoAccess,
}

/// Begins a run of a routine, in a transaction of its own.
pub(super) async fn run_now(
    store: &Store,
    ctx: &RoutineContext,
    row: RoutineRow,
) -> Result<RunNow, StoreError> {
    let there = ctx.clone();
    let (begun, outcome) = store
        .write(move |tx| {
            Box::pin(async move {
                let mut begun = Begun::default();
                let outcome = begin_now(tx, &there, &row, &mut begun).await?;
                Ok((begun, outcome))
            })
        })
        .await?;
    ctx.outbox.offer(begun.said);
    for signal in begun.signals {
        ctx.bus.send(signal);
    }
    Ok(outcome)
}

/// Begins a run of a routine, whether or not it is due.
pub async fn begin_now(
    tx: &mut Tx,
    ctx: &RoutineContext,
    row: &RoutineRow,
    begun: &mut Begun,
) -> Result<RunNow, StoreError> {
    if routine_runs::open_of(tx, row.id).await?.is_some() {
        return Ok(RunNow::Open);
    }
    let Some(role) = ctx.permissions.role(tx, row.user_id, row.role).await? else {
        return Ok(RunNow::NoAccess);
    };
    let due_ms = now_ms();
    let new = NewRun {
        routine: row.id,
        occurrence: format!("now:{}", new_id()),
        due_ms,
        state: due::first_state(row.kind),
        occurrences: 1,
        until_ms: None,
        told: false,
    };
    let Some(id) = routine_runs::insert(tx, &new).await? else {
        return Ok(RunNow::Open);
    };
    let started = Started {
        id,
        due_ms,
        is_late: false,
        missed: 0,
    };
    due::begin(tx, ctx, row, started, role, begun).await?;
    Ok(RunNow::Begun)
}

/// Returns what became of the last occurrences of a routine, the newest first.
pub(super) async fn history(store: &Store, id: RoutineId) -> Result<Vec<RunRow>, StoreError> {
    routine_runs::newest_of(store.reader(), id, SHOWN).await
}
