//! A run that events start: it takes those that wait, and its turn reads them.

use sayso_core::transcript::{Taint, first_chars};
use sayso_injection::{Treatment, check_tool_result};
use sayso_store::routine_events::{self, EventRow, OCCURRENCE};
use sayso_store::routine_runs::{self, NewRun, RunRow, RunState};
use sayso_store::routines::RoutineRow;
use sayso_store::{StoreError, Tx};

use super::messages;
use crate::routines::context::RoutineContext;
use crate::routines::started::Started;

/// How many of its events a run reads; of the others it reads their number.
const READ: i64 = 50;
/// How much of one event its run reads, in characters.
const EVENT_CHARS: usize = 6000;
/// How much of all its events a run reads, in characters.
const RUN_CHARS: usize = 12_000;
/// When is looked again while a run of the routine is not over, in milliseconds.
const AGAIN_MS: i64 = 5_000;
const HOUR_MS: i64 = 60 * 60 * 1000;

/// Begins a run with all events of a routine that wait; `None` where none begins now. Then the routine
/// says when it is looked at next.
pub(in crate::routines) async fn take(
    tx: &mut Tx,
    ctx: &RoutineContext,
    row: &RoutineRow,
    now_ms: i64,
) -> Result<Option<Started>, StoreError> {
    let waiting = routine_events::waiting(tx, row.id).await?;
    let (Some(first), Some(since_ms)) = (waiting.first, waiting.since_ms) else {
        routine_events::advance(tx, row.id, None, None).await?;
        return Ok(None);
    };
    if let Some(again_ms) = put_off_until(tx, ctx, row, now_ms).await? {
        routine_events::advance(tx, row.id, Some(again_ms), None).await?;
        return Ok(None);
    }
    let new = NewRun {
        routine: row.id,
        occurrence: format!("{OCCURRENCE}{first}"),
        due_ms: since_ms,
        state: RunState::Queued,
        occurrences: waiting.count,
        until_ms: waiting.until_ms.filter(|_| waiting.count > 1),
        told: false,
    };
    let id = routine_runs::insert(tx, &new).await?;
    if let Some(id) = id {
        routine_events::take(tx, row.id, id).await?;
    }
    routine_events::advance(tx, row.id, None, Some(now_ms)).await?;
    Ok(id.map(|id| Started {
        id,
        due_ms: since_ms,
        is_late: false,
        missed: 0,
    }))
}

/// Returns until when the events of a routine wait: until its run is over, and until it had no more than
/// its number of runs in an hour.
async fn put_off_until(
    tx: &mut Tx,
    ctx: &RoutineContext,
    row: &RoutineRow,
    now_ms: i64,
) -> Result<Option<i64>, StoreError> {
    if routine_runs::open_of(tx, row.id).await?.is_some() {
        return Ok(Some(now_ms + AGAIN_MS));
    }
    let began = routine_events::began_since(tx, row.id, now_ms - HOUR_MS).await?;
    let Some(over) = began.len().checked_sub(ctx.limits.triggered_per_hour) else {
        return Ok(None);
    };
    // When that one is an hour old, there is room for one more.
    let oldest = began.get(over).copied().unwrap_or(now_ms);
    Ok(Some((oldest + HOUR_MS).max(now_ms + 1)))
}

/// What a run reads of what started it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::routines) struct Happened {
    /// The events in words.
    pub(in crate::routines) words: String,
    /// That they are text from outside.
    pub(in crate::routines) taint: Taint,
}

/// Returns what the run reads of what started it; `None` where the clock or a person did.
pub(in crate::routines) async fn happened(
    tx: &mut Tx,
    ctx: &RoutineContext,
    row: &RoutineRow,
    run: &RunRow,
) -> Result<Option<Happened>, StoreError> {
    if row.source.is_none() {
        return Ok(None);
    }
    let events = routine_events::of_run(tx, run.id, READ).await?;
    if events.is_empty() {
        return Ok(None);
    }
    let language = ctx.language_of(tx, row.user_id).await?;
    let mut taint = Taint::default();
    taint.add_others();
    let mut shown = Vec::new();
    let mut left = RUN_CHARS;
    for event in &events {
        let text = readable(event, left.min(EVENT_CHARS), language);
        left = left.saturating_sub(text.chars().count());
        shown.push(text);
    }
    let unread = run.occurrences.saturating_sub(READ).max(0);
    Ok(Some(Happened {
        words: messages::happened(&shown, unread, language),
        taint,
    }))
}

/// Returns an event as its run reads it: cut with a note, and without what gives orders to a model.
fn readable(event: &EventRow, most: usize, language: sayso_channel::Language) -> String {
    match check_tool_result(&event.text).treatment {
        Treatment::Clean | Treatment::Warn | Treatment::Review => {}
        Treatment::Block => return messages::withheld(language).to_owned(),
    }
    match first_chars(&event.text, most) {
        None => event.text.clone(),
        Some(beginning) => {
            let all = event.text.chars().count();
            messages::cut(beginning, most, all, language)
        }
    }
}
