//! The runs of routines from the beginning of their turn to its end: what `sessions` asks when it begins,
//! parks and ends such a turn.

use chrono_tz::Tz;
use sayso_core::transcript::{Role, SessionId, Taint, TurnId};
use sayso_store::routine_runs::{self, RunRow, RunState};
use sayso_store::routines::{self, OffReason, RoutineRow};
use sayso_store::{StoreError, Tx};
use serde_json::Value;

use super::context::RoutineContext;
use super::messages;
use super::run_request::{RunRequest, shown_name};
use super::timetable::by_clock;
use super::triggers;

/// The number of failed occurrences in a row after which a routine is switched off.
const FAILURES: i64 = 5;
/// How long a further attempt waits for, in milliseconds, by the number of those before it.
const RETRY_AFTER_MS: [i64; 3] = [60_000, 5 * 60_000, 15 * 60_000];

/// A run whose turn begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BegunRun {
    /// What its person may do now.
    pub role: Role,
    /// What the turn is asked to do.
    pub words: String,
    /// The untrusted text that was in view when that was written.
    pub taint: Taint,
}

/// Begins the turn of a run; `None` where the run is no more, was begun before, or may not begin any
/// more: its person has lost access since it was started, or has switched the routine off before a
/// further attempt.
pub async fn begin_turn(
    tx: &mut Tx,
    ctx: &RoutineContext,
    payload: &Value,
    turn: TurnId,
) -> Result<Option<BegunRun>, StoreError> {
    let request: RunRequest = serde_json::from_value(payload.clone())?;
    let run = routine_runs::run(tx, request.run).await?;
    let Some(run) = run.filter(|run| run.state == RunState::Queued) else {
        return Ok(None);
    };
    let Some(row) = routines::routine(tx, request.routine).await? else {
        return Ok(None);
    };
    let role = ctx.permissions.role(tx, row.user_id, row.role).await?;
    let Some(role) = role.filter(|_| row.enabled || run.attempt == 1) else {
        tracing::info!(routine = %row.id, "a run that may not begin any more is left out");
        routine_runs::end(tx, run.id, RunState::Missed, None).await?;
        routine_runs::note_told(tx, run.id).await?;
        return Ok(None);
    };
    routine_runs::begin(tx, request.run, turn).await?;
    let language = ctx.language_of(tx, row.user_id).await?;
    let late = by_clock(request.due_ms, ctx.zone_named(&request.zone));
    let late = late.filter(|_| request.is_late);
    let mut words = messages::request(&request.prompt, late, request.only_news, language);
    let mut taint = request.taint;
    if let Some(happened) = triggers::happened(tx, ctx, &row, &run).await? {
        words = format!("{words}\n\n{}", happened.words);
        taint.merge(&happened.taint);
    }
    Ok(Some(BegunRun { role, words, taint }))
}

/// Returns the conversation in which the routine of a run was made; `None` where it is no run's payload.
pub async fn home_session(tx: &mut Tx, payload: &Value) -> Result<Option<SessionId>, StoreError> {
    let Some(request) = RunRequest::of_payload(Some(payload)) else {
        return Ok(None);
    };
    let row = routines::routine(tx, request.routine).await?;
    Ok(row.map(|row| row.session_id))
}

/// Notes whether the turn of a run waits for a person.
pub async fn note_parked(tx: &mut Tx, turn: TurnId, is_parked: bool) -> Result<(), StoreError> {
    routine_runs::set_parked(tx, turn, is_parked).await
}

/// How many reports the next turn of a chat is informed of.
const REPORTS: i64 = 10;

/// Returns the routines that have reported into the chat of a session since its last turn, each by its
/// name and when its run was due; the next turn is not informed of them again.
pub async fn take_reports(tx: &mut Tx, session: SessionId) -> Result<Vec<String>, StoreError> {
    let reports = routine_runs::take_untold(tx, session, REPORTS).await?;
    let named = reports.into_iter().map(|report| {
        let name = shown_name(&report.name, &report.prompt);
        let zone = report.zone.parse().unwrap_or(Tz::UTC);
        match by_clock(report.due_ms, zone) {
            Some(due) => format!("\"{name}\" ({})", due.format("%Y-%m-%d %H:%M")),
            None => format!("\"{name}\""),
        }
    });
    Ok(named.collect())
}

/// How the turn of a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunEnd<'a> {
    /// With these words.
    Said(&'a str),
    /// A person stopped it, or did not answer.
    GivenUp,
    /// It failed.
    Failed {
        /// Why, in words for its person.
        why: &'a str,
        /// Whether the same may work later, and nothing was done yet.
        may_be_retried: bool,
    },
}

/// What follows from the end of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AfterRun {
    /// This is said.
    Say(String),
    /// Nothing is said now.
    Nothing,
    /// It is tried again at this time, in milliseconds since 1970.
    Retry(i64),
    /// What the turn itself would say is said.
    AsEver,
}

/// Notes how the turn of a run ended.
pub async fn end_turn(
    tx: &mut Tx,
    ctx: &RoutineContext,
    request: &RunRequest,
    end: RunEnd<'_>,
    now_ms: i64,
) -> Result<AfterRun, StoreError> {
    let run = routine_runs::run(tx, request.run).await?;
    let row = routines::routine(tx, request.routine).await?;
    let (Some(run), Some(row)) = (run, row) else {
        // It was deleted meanwhile: nothing is to be said any more.
        return Ok(AfterRun::Nothing);
    };
    match end {
        RunEnd::Said(text) => end_with_report(tx, ctx, request, &Ended { run, row }, text).await,
        RunEnd::GivenUp => {
            routine_runs::end(tx, run.id, RunState::Failed, None).await?;
            routine_runs::note_told(tx, run.id).await?;
            Ok(AfterRun::AsEver)
        }
        RunEnd::Failed {
            why,
            may_be_retried,
        } => {
            let place = usize::try_from(run.attempt - 1).unwrap_or(usize::MAX);
            if let Some(wait) = RETRY_AFTER_MS.get(place).filter(|_| may_be_retried) {
                routine_runs::retry(tx, run.id).await?;
                return Ok(AfterRun::Retry(now_ms + wait));
            }
            end_with_failure(tx, &Ended { run, row }, why).await
        }
    }
}

/// A run that ends, and its routine.
struct Ended {
    run: RunRow,
    row: RoutineRow,
}

/// A routine that speaks only of news has said by then what it had to say.
async fn end_with_report(
    tx: &mut Tx,
    ctx: &RoutineContext,
    request: &RunRequest,
    ended: &Ended,
    text: &str,
) -> Result<AfterRun, StoreError> {
    let Ended { run, row } = ended;
    routines::set_failures(tx, row.id, 0).await?;
    let state = if request.only_news && !run.reported {
        RunState::Quiet
    } else {
        RunState::Done
    };
    routine_runs::end(tx, run.id, state, None).await?;
    if request.only_news {
        return Ok(AfterRun::Nothing);
    }
    let language = ctx.language_of(tx, row.user_id).await?;
    let due = by_clock(request.due_ms, ctx.zone_named(&request.zone));
    let works_again = row.failures > 0;
    let name = request.shown_name();
    let report = messages::report(text, &name, due, works_again, language);
    Ok(AfterRun::Say(report))
}

async fn end_with_failure(tx: &mut Tx, ended: &Ended, why: &str) -> Result<AfterRun, StoreError> {
    let Ended { run, row } = ended;
    if run.state == RunState::OverBudget {
        routine_runs::end(tx, run.id, RunState::OverBudget, Some(why)).await?;
        told_before(tx, run).await?;
        return Ok(AfterRun::Nothing);
    }
    routine_runs::end(tx, run.id, RunState::Failed, Some(why)).await?;
    fail(tx, row, run.id).await?;
    Ok(AfterRun::Nothing)
}

/// Notes that the turn of a run ends because there is no budget for it.
pub async fn note_over_budget(tx: &mut Tx, turn: TurnId) -> Result<(), StoreError> {
    routine_runs::set_over_budget(tx, turn).await
}

/// Of several runs in a row for which there was no budget, one is said.
async fn told_before(tx: &mut Tx, run: &RunRow) -> Result<(), StoreError> {
    let newest = routine_runs::newest_in(tx, run.routine_id, 2).await?;
    let is_known = newest
        .iter()
        .any(|other| other.id != run.id && other.state == RunState::OverBudget);
    if is_known {
        routine_runs::note_told(tx, run.id).await?;
    }
    Ok(())
}

/// Counts a failure. Its person is informed of the first, and of the one that switches the routine off.
async fn fail(
    tx: &mut Tx,
    row: &RoutineRow,
    run: sayso_core::transcript::RunId,
) -> Result<(), StoreError> {
    let failures = row.failures + 1;
    routines::set_failures(tx, row.id, failures).await?;
    if failures >= FAILURES {
        routines::switch_off(tx, row.id, OffReason::Failures).await
    } else if failures > 1 {
        routine_runs::note_told(tx, run).await
    } else {
        Ok(())
    }
}
