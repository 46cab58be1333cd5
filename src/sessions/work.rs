//! One turn of a session: claimed, driven, and left in a state from which anybody can go on.

use std::sync::Arc;
use std::time::Duration;

use sayso_channel::{Language, MessageKey};
use sayso_core::transcript::{
    Consulted, ConversationMessage, Entry, ModelName, Origin, Owner, Scope, SessionId, TurnOutcome,
    TurnState, Usage, answer_tokens,
};
use sayso_injection::{Treatment, check_tool_result};
use sayso_memory::{MemoryKind, NewMemory, forgets, turn_summary};
use sayso_store::{chats, turns, usage};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tracing::field::Empty;
use tracing::{Instrument as _, Span};

use super::claim::{Claim, ClaimResult, ClaimScope, claim};
use super::journal::StoredJournal;
use super::live::LiveMessage;
use super::projects::TurnProject;
use super::routine_turn::run_of;
use super::session_budget::StoredBudgetMeter;
use super::stop::Stop;
use super::{SessionContext, messages};
use crate::agent::{DriveResult, TurnContext, time_limit};
use crate::budget;
use crate::executor::{
    Attendance, BudgetSubject, EntryLog as _, ExecutionContext, Granted, JournalError, terms,
};

/// A turn that was started this often after a crash is given up at the next.
const CRASHES_ALLOWED: i64 = 2;
/// After this time without a sign, the chat sees that something is being written: soon enough that it
/// is there within a tenth of a second of the message, and late enough that what is answered at once
/// costs no request for it.
const TYPING_AFTER: Duration = Duration::from_millis(60);
/// Platforms show it for about five seconds.
const TYPING_EVERY: Duration = Duration::from_secs(4);

/// What is left in a session after one piece of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextPoll {
    /// There may be more to do at once.
    More,
    /// There is more to do, but not before this time (milliseconds since 1970).
    NotBefore(i64),
    /// The store failed: the session keeps its lease, and is tried again after a pause.
    Faulted,
    /// There is nothing to do.
    Nothing,
}

/// Does the next piece of work of a session: at most one turn.
pub async fn work(
    ctx: SessionContext,
    session: SessionId,
    wanted: ClaimScope,
    stop: Stop,
) -> NextPoll {
    let there = ctx.clone();
    let claimed = ctx
        .store
        .write_soon(move |tx| Box::pin(async move { claim(tx, &there, session, wanted).await }))
        .await;
    let claimed = match claimed {
        Ok(claimed) => claimed,
        Err(error) => {
            tracing::error!(%session, %error, "cannot claim work for a session; retrying");
            return NextPoll::Faulted;
        }
    };
    match claimed {
        ClaimResult::Turn(claim) => {
            stop.drives(claim.turn.id);
            let span = span_of(&claim);
            Box::pin(drive(&ctx, *claim, stop.token()))
                .instrument(span)
                .await
        }
        ClaimResult::Later(at) => NextPoll::NotBefore(at),
        ClaimResult::Nothing => NextPoll::Nothing,
        ClaimResult::Held => NextPoll::NotBefore(sayso_store::now_ms() + 1_000),
    }
}

/// Returns the span that a trace collector receives for one drive of a turn; a turn that waits for
/// a person is driven again later.
fn span_of(claim: &Claim) -> Span {
    tracing::info_span!(
        target: "sayso::spans",
        "turn",
        otel.name = "invoke_agent sayso",
        otel.status_code = Empty,
        gen_ai.operation.name = "invoke_agent",
        gen_ai.agent.name = "sayso",
        gen_ai.conversation.id = %claim.session.id,
        sayso.turn = %claim.turn.id,
        sayso.channel = %claim.address.channel,
        sayso.crashes = claim.crashes,
        sayso.outcome = Empty,
    )
}

/// Adds how far it came.
fn note_outcome(driven: &Result<DriveResult, JournalError>, outcome: Option<&TurnOutcome>) {
    let came_to = match (driven, outcome) {
        (Err(_), _) => "broken",
        (Ok(_), Some(outcome)) => outcome.name(),
        (Ok(DriveResult::Suspended), None) => "waits",
        (Ok(DriveResult::Ended | DriveResult::Interrupted), None) => "interrupted",
    };
    let span = Span::current();
    span.record("sayso.outcome", came_to);
    if matches!(came_to, "broken" | "failed") {
        span.record("otel.status_code", "ERROR");
    }
}

async fn drive(ctx: &SessionContext, claim: Claim, stop: &CancellationToken) -> NextPoll {
    let turn = claim.turn.id;
    tracing::info!(%turn, session = %claim.session.id, crashes = claim.crashes, "turn started");
    ctx.outbox.offer(claim.said.clone());
    let mut journal = StoredJournal::new(ctx.clone(), &claim);
    let mut state = TurnState::fold(&claim.entries);
    let driven = Box::pin(try_drive(ctx, &claim, &mut state, &mut journal, stop)).await;
    note_outcome(&driven, journal.outcome());
    if matches!(driven, Ok(DriveResult::Ended) | Err(JournalError::Lost)) {
        // What was booked behind its end, or under a lease that was lost, is in no limit of it.
        ctx.reservations.note_written(turn);
    }
    if let Err(JournalError::Broken(error)) = &driven {
        // The lease stays ours, which says that the next start of the turn is none after a crash.
        tracing::error!(%turn, %error, "turn interrupted by a store failure; it will be resumed");
        return NextPoll::Faulted;
    }
    // Neither needs the other, so they may share a commit.
    let ((), left) = tokio::join!(
        remember(ctx, &claim, &state, journal.outcome()),
        release(ctx, &claim, journal.session_has_work())
    );
    match driven {
        // An interrupted turn goes on at once, unless the pool is ending.
        Ok(_) => left,
        Err(JournalError::Lost) => {
            tracing::warn!(%turn, "lease taken over by another worker");
            NextPoll::Nothing
        }
        Err(error) => {
            tracing::error!(%turn, %error, "turn failed");
            left
        }
    }
}

/// Releases the lease and looks whether there is more to do, unless the end of the turn has done both.
/// What comes after that end wakes the session by a signal.
async fn release(ctx: &SessionContext, claim: &Claim, at_end: Option<bool>) -> NextPoll {
    let (session, fence) = (claim.session.id, claim.fence);
    let has_work = if let Some(has_work) = at_end {
        Ok(has_work)
    } else {
        let released = ctx.store.write_later(move |tx| {
            Box::pin(async move { chats::release_lease(tx, session, fence).await })
        });
        released.await.wait().await
    };
    match has_work {
        Ok(false) => NextPoll::Nothing,
        Ok(true) => NextPoll::More,
        Err(error) => {
            // The lease expires by itself, so the next attempt can continue.
            tracing::error!(%session, %error, "lease not released; it will expire");
            NextPoll::More
        }
    }
}

async fn try_drive(
    ctx: &SessionContext,
    claim: &Claim,
    state: &mut TurnState,
    journal: &mut StoredJournal,
    stop: &CancellationToken,
) -> Result<DriveResult, JournalError> {
    let language = journal.ending().language;
    if claim.crashes > 0 {
        note_lost_call(ctx, claim, journal).await?;
    }
    let is_project_gone = claim.project.is_gone().await;
    if let Some(outcome) = not_driven(claim, is_project_gone, state.origin, language) {
        journal.finish(&outcome).await?;
        return Ok(DriveResult::Ended);
    }
    let live = LiveMessage::new(
        ctx.outbox.clone(),
        claim.turn.id,
        claim.address.clone(),
        claim.turn.reply_to.clone().map(MessageKey::new),
        language,
    );
    let run = run_of(&claim.entries);
    // Its report is all that is seen of it.
    let live = if run.is_some() { live.unseen() } else { live };
    if claim.crashes > 0 && claim.has_live_message {
        live.starts_again();
    }
    let turn_context = turn_context(ctx, claim, state, language);
    prepare_workspace(&turn_context.execution.scope);
    let clock = Clock::of(ctx, claim);
    // Cancelled when the turn's time is up, or when a user stops it.
    let working = stop.child_token();
    // Its own limit counts only for a turn whose terms say so.
    let routine = match turn_context.execution.terms.budget {
        BudgetSubject::Routine => run.map(|run| run.routine.to_string()),
        BudgetSubject::Person => None,
    };
    let mut meter = StoredBudgetMeter::new(ctx.clone(), claim, routine, working.clone());
    let drive = ctx
        .agent
        .drive(&turn_context, state, journal, &mut meter, &live, &working);
    let driven = Box::pin(watched(drive, &live, &clock, &working)).await;
    meter.close().await;
    let driven = driven?;
    if driven != DriveResult::Ended {
        clock.note(ctx, claim).await;
    }
    match driven {
        DriveResult::Interrupted if working.is_cancelled() && !stop.is_cancelled() => {
            let text = time_limit(state, clock.limit, language);
            journal.finish(&TurnOutcome::TimeLimit { text }).await?;
            Ok(DriveResult::Ended)
        }
        DriveResult::Interrupted => interrupted(journal, &live).await,
        DriveResult::Ended | DriveResult::Suspended => Ok(driven),
    }
}

/// Returns the outcome of a turn that is not driven any further.
fn not_driven(
    claim: &Claim,
    is_project_gone: bool,
    origin: Origin,
    language: Language,
) -> Option<TurnOutcome> {
    if let Some(by) = claim.turn.stop_by {
        return Some(TurnOutcome::Stopped {
            by,
            done: None,
            said: None,
        });
    }
    let (why, retry) = if claim.crashes > CRASHES_ALLOWED {
        (messages::interrupted_too_often(language), true)
    } else if is_project_gone {
        (messages::project_gone(language), false)
    } else if !is_driven_by_agent(origin) {
        (messages::no_driver(language), false)
    } else {
        return None;
    };
    let why = why.to_owned();
    Some(TurnOutcome::Failed { why, retry })
}

/// Returns whether the agent drives turns of this origin: a model's, and checks of a project. The
/// others have drivers of their own, as they come.
fn is_driven_by_agent(origin: Origin) -> bool {
    match origin {
        Origin::Message | Origin::Routine | Origin::Check => true,
        Origin::Goal | Origin::Chain | Origin::Console => false,
    }
}

/// Lets a turn work, shows that it does, and ends its work when its time is over.
async fn watched(
    drive: impl Future<Output = Result<DriveResult, JournalError>>,
    live: &LiveMessage,
    clock: &Clock,
    working: &CancellationToken,
) -> Result<DriveResult, JournalError> {
    tokio::pin!(drive);
    let mut wait = TYPING_AFTER;
    loop {
        tokio::select! {
            driven = &mut drive => return driven,
            () = clock.runs_out(), if !working.is_cancelled() => working.cancel(),
            () = tokio::time::sleep(wait) => {
                live.tick();
                wait = TYPING_EVERY;
            }
        }
    }
}

/// For how long a turn works. The time in which it waits for a person, or for us to be there again,
/// is none of it. A kill forgets what was worked since the turn was last taken up, and a turn is
/// given up at its third.
struct Clock {
    limit: Duration,
    began: Instant,
    ends: Instant,
}

impl Clock {
    fn of(ctx: &SessionContext, claim: &Claim) -> Self {
        let limit = ctx.limits.turn_timeout;
        let worked = u64::try_from(claim.turn.worked_ms).unwrap_or_default();
        let began = Instant::now();
        Self {
            limit,
            began,
            ends: began + limit.saturating_sub(Duration::from_millis(worked)),
        }
    }

    async fn runs_out(&self) {
        tokio::time::sleep_until(self.ends).await;
    }

    /// Notes what was worked by now. It rides: what is lost with it is little.
    async fn note(&self, ctx: &SessionContext, claim: &Claim) {
        let turn = claim.turn.id;
        let worked = i64::try_from(self.began.elapsed().as_millis()).unwrap_or(i64::MAX);
        ctx.store
            .write_later(move |tx| Box::pin(turns::add_worked(tx, turn, worked)))
            .await;
    }
}

/// Writes down a model call that the crash cut off: what was set aside for it was never booked.
async fn note_lost_call(
    ctx: &SessionContext,
    claim: &Claim,
    journal: &mut StoredJournal,
) -> Result<(), JournalError> {
    let (user, session) = (claim.turn.user_id, claim.session.id);
    let open = usage::open_tokens(ctx.store.reader(), user, session).await;
    let prompt_tokens = match open.map(u64::try_from) {
        Ok(Ok(tokens)) => tokens,
        Ok(Err(_)) => 0,
        Err(error) => return Err(JournalError::Broken(error.to_string())),
    };
    restore_spending(ctx, claim, prompt_tokens).await;
    if prompt_tokens == 0 {
        return Ok(());
    }
    let lost = Consulted {
        purpose: None,
        asking: None,
        ago_ms: 0,
        usage: Usage {
            prompt_tokens,
            ..Usage::default()
        },
    };
    journal.append(&Entry::Consulted(lost)).await
}

/// Has a turn that a crash cut off have spent what its journal says, and what was set aside for the
/// model that it asked last.
async fn restore_spending(ctx: &SessionContext, claim: &Claim, set_aside: u64) {
    let mut calls: Vec<(String, Usage)> = claim.entries.iter().filter_map(used).collect();
    let model = calls.last().map(|(model, _)| model.clone());
    let set_aside = Usage {
        prompt_tokens: set_aside,
        ..Usage::default()
    };
    calls.push((model.unwrap_or_default(), set_aside));
    let (turn, rules, reservations) = (
        claim.turn.id,
        Arc::clone(&ctx.budget),
        ctx.reservations.clone(),
    );
    let restored = ctx.store.write_later(move |tx| {
        Box::pin(async move { budget::restore_turn(tx, &rules, &reservations, turn, &calls).await })
    });
    drop(restored.await);
}

/// Returns what an entry says of a model call: the model that was asked, and what it cost. What the
/// service did not count is estimated, as it was when it was booked.
pub(super) fn used(entry: &Entry) -> Option<(String, Usage)> {
    let (asking, usage, written) = match entry {
        Entry::Routed(routed) => (&routed.asking, routed.usage, 0),
        Entry::Planned(planned) => (&planned.asking, planned.usage, 0),
        Entry::Replied(replied) => {
            let written = answer_tokens(&replied.message);
            (&replied.asking, replied.usage, written as u64)
        }
        Entry::Consulted(consulted) => (&consulted.asking, consulted.usage, 0),
        _ => return None,
    };
    let Some(asking) = asking else {
        return Some((String::new(), usage));
    };
    let counted_or = |counted: u64, estimated: u64| match counted {
        0 if asking.finish.may_have_cost() => estimated,
        counted => counted,
    };
    let usage = Usage {
        prompt_tokens: counted_or(usage.prompt_tokens, asking.estimated_tokens as u64),
        completion_tokens: counted_or(usage.completion_tokens, written),
        ..usage
    };
    Some((asking.model.clone(), usage))
}

/// Somebody stopped the turn, or the process ends.
async fn interrupted(
    journal: &mut StoredJournal,
    live: &LiveMessage,
) -> Result<DriveResult, JournalError> {
    if let Some(by) = journal.stop_wanted().await? {
        let stopped = TurnOutcome::Stopped {
            by,
            done: None,
            said: live.said(),
        };
        journal.finish(&stopped).await?;
        return Ok(DriveResult::Ended);
    }
    journal.hand_over().await;
    Ok(DriveResult::Interrupted)
}

fn turn_context(
    ctx: &SessionContext,
    claim: &Claim,
    state: &TurnState,
    language: Language,
) -> TurnContext {
    let ended_since = claim.session.ended_seq - state.history_cursor;
    TurnContext {
        execution: execution_context(ctx, claim, state, language),
        model: claim.session.model.as_deref().and_then(ModelName::parse),
        now: super::clock::local_time(),
        waiting_for: claim.waiting_for.lines.clone(),
        taint: claim.waiting_for.taint.clone(),
        meanwhile: (ended_since > 0).then(|| messages::happened_meanwhile(ended_since, language)),
        routine: run_of(&claim.entries).map(|run| run.shown_name()),
        stream: true,
    }
}

/// Returns for whom, where and on which terms the calls of a claimed turn are made.
pub(super) fn execution_context(
    ctx: &SessionContext,
    claim: &Claim,
    state: &TurnState,
    language: Language,
) -> ExecutionContext {
    let owner = owner_of(claim);
    let home = ctx.limits.workspace(owner);
    let project = match &claim.project {
        TurnProject::In(project) => Some(project),
        // A turn whose project is gone is not driven.
        TurnProject::None | TurnProject::Gone => None,
    };
    let mut attendance = Attendance::of(state.origin, claim.session.kind());
    if claim.session.closed {
        attendance = attendance.without_chat();
    }
    let granted = Granted {
        autonomy: claim.autonomy,
        max_steps: ctx.agent.limits.max_steps,
    };
    ExecutionContext {
        scope: Scope {
            user: claim.turn.user_id,
            role: claim.turn.role,
            chat: claim.session.chat_id,
            session: claim.session.id,
            turn: claim.turn.id,
            owner,
            workspace: project.map_or_else(|| home.clone(), |project| project.path.clone()),
            home,
            project: project.map(|project| project.to_scope()),
        },
        person: claim.person.clone(),
        terms: terms(state.origin, attendance, granted),
        language,
        largest_file: ctx.outbox.largest_file(&claim.address.channel),
    }
}

/// Whose workspace and memory a turn works with.
fn owner_of(claim: &Claim) -> Owner {
    let session = &claim.session;
    Owner::of(session.chat_kind, claim.turn.user_id, session.chat_id)
}

fn prepare_workspace(scope: &Scope) {
    if let Err(error) = std::fs::create_dir_all(&scope.home) {
        // The tools say so to the model when they need it.
        tracing::error!(turn = %scope.turn, %error, "cannot create the workspace directory");
    }
}

/// Remembers a summary of the turn, unless it would give orders to later ones. Its loss is no loss
/// of a message, so it comes after the end.
async fn remember(
    ctx: &SessionContext,
    claim: &Claim,
    state: &TurnState,
    outcome: Option<&TurnOutcome>,
) {
    // What a routine reports would fill the memory with news.
    let outcome = outcome.filter(|_| state.origin != Origin::Routine);
    let Some(text) = outcome.and_then(|outcome| summary(state, outcome)) else {
        return;
    };
    let turn = claim.turn.id;
    let mut taint = state.taint.clone();
    match check_tool_result(&text).treatment {
        // Where nothing from outside was in view, the words are the user's and the model's own.
        Treatment::Review if !taint.is_empty() => taint.add_unnamed(),
        Treatment::Clean | Treatment::Warn | Treatment::Review => {}
        Treatment::Block => {
            tracing::warn!(%turn, "turn summary not stored: it contains instructions to the model");
            return;
        }
    }
    let new = NewMemory {
        kind: MemoryKind::Episode,
        text,
        turn,
        taint,
    };
    if let Err(error) = ctx.agent.memory.remember(owner_of(claim), new).await {
        tracing::error!(%turn, error = %format!("{error:#}"), "turn summary not stored");
    }
}

/// Only a turn with a reply is worth remembering.
fn summary(state: &TurnState, outcome: &TurnOutcome) -> Option<String> {
    let reply = match outcome {
        TurnOutcome::Replied { text }
        | TurnOutcome::StepLimit { text }
        | TurnOutcome::TimeLimit { text } => text,
        TurnOutcome::Asked { .. }
        | TurnOutcome::Inquired { .. }
        | TurnOutcome::Proposed { .. }
        | TurnOutcome::NotReceived { .. }
        | TurnOutcome::Stopped { .. }
        | TurnOutcome::Expired
        | TurnOutcome::Failed { .. } => return None,
    };
    // The summary would say again what was forgotten.
    if state.messages.iter().any(forgets) {
        return None;
    }
    let request = state.messages.iter().find_map(|message| match message {
        ConversationMessage::User { text, .. } => Some(text.as_str()),
        ConversationMessage::Assistant(_) | ConversationMessage::ToolResult { .. } => None,
    })?;
    Some(turn_summary(request, reply))
}
