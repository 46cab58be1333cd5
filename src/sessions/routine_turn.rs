//! The turns of work that no message asks for, and above all of routines: how they begin, in a session
//! of their own, and what is said at their end.

use sayso_core::transcript::{
    Entry, Heard, HeardText, InboxId, Origin, SessionId, TurnId, TurnOutcome,
};
use sayso_policy::AutonomyLevel;
use sayso_store::chats::SessionRow;
use sayso_store::jobs::{self, JobRow, JobWork, NewJob};
use sayso_store::turns::{TurnRow, TurnStatus};
use sayso_store::{StoreError, Tx, chats, new_id, now_ms, turns};

use super::autonomy::{effective_autonomy, level_here};
use super::turn_ending::TurnEnding;
use super::{SessionContext, messages};
use crate::routines::{self, AfterRun, RunEnd, RunRequest};

/// Returns the run of a routine that a turn with these entries is.
pub(super) fn run_of(entries: &[Entry]) -> Option<RunRequest> {
    match entries.first() {
        Some(Entry::Started(started)) if started.origin == Origin::Routine => {
            RunRequest::of_payload(started.payload.as_ref())
        }
        _ => None,
    }
}

/// How much of a request names it to people, in characters.
pub(super) const REQUEST_CHARS: usize = 80;

/// Begins the turn of a routine: returns its first entries, `None` where its run is no more. It sees
/// nothing of the turns before it, so the hundredth run reads as little as the first. It may do what its
/// person may do now, and no more than they might when it was started.
pub(super) async fn begin(
    tx: &mut Tx,
    ctx: &SessionContext,
    session: &SessionRow,
    turn: &mut TurnRow,
    job: &JobRow,
) -> Result<Option<Vec<Entry>>, StoreError> {
    let payload = job.work()?.payload;
    let begun = routines::begin_turn(tx, &ctx.routines, &payload, turn.id).await?;
    let Some(begun) = begun else {
        return Ok(None);
    };
    turn.role = turn.role.min(begun.role);
    chats::begin_anew(tx, session.id).await?;
    let words = HeardText {
        inbox: InboxId(job.id),
        text: begun.words,
        untrusted: !begun.taint.is_empty(),
        files: Vec::new(),
    };
    let heard = Heard {
        messages: vec![words],
    };
    Ok(Some(vec![Entry::Heard(heard)]))
}

/// Returns how far work may go: what was lowered in a chat is lowered for what runs beside it.
pub(super) async fn level_of_work(
    tx: &mut Tx,
    ctx: &SessionContext,
    session: &SessionRow,
    job: &JobRow,
    work: &JobWork,
) -> Result<AutonomyLevel, StoreError> {
    let level = level_here(tx, &ctx.agent.executor.policy, session, job.user_id).await?;
    let Some(home) = routines::home_session(tx, &work.payload).await? else {
        return Ok(level);
    };
    let home = chats::session(tx, home).await?;
    Ok(effective_autonomy(level, home.autonomy.as_deref()))
}

/// Returns the turn that work begins.
pub(super) fn turn_of_work(
    session: &SessionRow,
    job: &JobRow,
    work: &JobWork,
    autonomy: AutonomyLevel,
) -> Result<TurnRow, StoreError> {
    Ok(TurnRow {
        id: TurnId(new_id()),
        session_id: session.id,
        user_id: job.user_id,
        address: serde_json::to_string(&work.address)?,
        reply_to: None,
        request: work.request.chars().take(REQUEST_CHARS).collect(),
        role: work.role,
        autonomy: autonomy.as_str().to_owned(),
        state: TurnStatus::Running,
        resumes: 0,
        handed_over: false,
        stop_by: None,
        started_ms: now_ms(),
        worked_ms: 0,
        project: None,
    })
}

/// Tells a turn which routines have reported into its chat since the last one, and not what: that may
/// hold text from outside, which comes into view when the person answers to it.
pub(super) async fn reported(tx: &mut Tx, session: SessionId) -> Result<Option<Entry>, StoreError> {
    let names = routines::take_reports(tx, session).await?;
    let text = messages::routines_reported(&names);
    Ok((!names.is_empty()).then_some(Entry::Noted { text }))
}

/// What is said at the end of a run.
pub(super) enum RunSays {
    /// This.
    Text(String),
    /// Nothing.
    Nothing,
    /// What any other turn would say.
    AsEver,
}

/// Ends the run of a turn.
pub(super) async fn end(
    tx: &mut Tx,
    ctx: &SessionContext,
    ending: &TurnEnding,
    outcome: &TurnOutcome,
) -> Result<RunSays, StoreError> {
    let Some(request) = &ending.run else {
        return Ok(RunSays::AsEver);
    };
    let text;
    let end = match outcome {
        TurnOutcome::Replied { text: said }
        | TurnOutcome::StepLimit { text: said }
        | TurnOutcome::TimeLimit { text: said }
        | TurnOutcome::NotReceived { text: said } => {
            text = ending.with_file_notices(said);
            RunEnd::Said(&text)
        }
        TurnOutcome::Stopped { .. }
        | TurnOutcome::Expired
        | TurnOutcome::Asked { .. }
        | TurnOutcome::Inquired { .. }
        | TurnOutcome::Proposed { .. } => RunEnd::GivenUp,
        TurnOutcome::Failed { why, retry } => {
            let entries = turns::entries(tx, ending.turn).await?;
            let is_called = |entry: &Entry| matches!(entry, Entry::Called { .. });
            RunEnd::Failed {
                why,
                may_be_retried: *retry && !entries.iter().any(is_called),
            }
        }
    };
    let after = routines::end_turn(tx, &ctx.routines, request, end, now_ms()).await?;
    Ok(match after {
        AfterRun::Say(text) => RunSays::Text(text),
        AfterRun::Nothing => RunSays::Nothing,
        AfterRun::AsEver => RunSays::AsEver,
        AfterRun::Retry(at_ms) => {
            retry(tx, ending, at_ms).await?;
            RunSays::Nothing
        }
    })
}

/// Puts the run back in line.
async fn retry(tx: &mut Tx, ending: &TurnEnding, due_ms: i64) -> Result<(), StoreError> {
    let Some(request) = &ending.run else {
        return Ok(());
    };
    let turn = turns::turn(tx, ending.turn).await?;
    let job = NewJob {
        session: ending.session,
        user: ending.user,
        origin: Origin::Routine,
        due_ms,
        work: JobWork {
            address: ending.address.clone(),
            request: turn.request,
            role: turn.role,
            payload: serde_json::to_value(request)?,
        },
    };
    jobs::add(tx, &job).await?;
    Ok(())
}
