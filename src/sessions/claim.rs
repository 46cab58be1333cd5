//! What a session should do now, claimed in one transaction: an interrupted turn goes on first,
//! then a parked one whose card was answered, then what people said.

use sayso_channel::{Address, Language};
use sayso_core::transcript::{
    Answering, CallId, Decided, Entry, Heard, HeardText, Origin, Role, SessionId, SessionKind,
    Started, TurnId, TurnState, UserId, Verdict, result_id,
};
use sayso_policy::AutonomyLevel;
use sayso_store::chats::{self, SessionRow};
use sayso_store::inbox::{self, InboxRow};
use sayso_store::jobs::JobRow;
use sayso_store::outbox::{self, OutboxRow};
use sayso_store::session_work::{self, AskerRow, SessionWork};
use sayso_store::turns::TurnStatus;
use sayso_store::turns::{self, TurnRow};
use sayso_store::{StoreError, Tx, cards, languages, now_ms, people, processes};

use super::autonomy::{effective_autonomy, level_here};
use super::line::{Next, next_in_line};
use super::message_turn::new_turn;
use super::projects::TurnProject;
use super::questions::Answered;
use super::routine_turn;
use super::waiting::{Waiting, waiting_for};
use super::{SessionContext, messages, questions, queue};
use crate::audit::{self, Auditor, By, CallsSeen, Decision, Place};
use crate::routines;

/// How long a lease lasts unless it is prolonged, in milliseconds.
pub const LEASE_MS: i64 = 30_000;
/// How many messages said around us go into a turn.
const OVERHEARD: usize = 20;

/// What a worker came for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimScope {
    /// Whatever is to be done.
    Anything,
    /// To end a turn that somebody stopped; that takes no room of the pool.
    Stopped,
}

/// What a session should do now.
#[derive(Debug)]
pub enum ClaimResult {
    /// Drive this turn.
    Turn(Box<Claim>),
    /// Nothing before this time.
    Later(i64),
    /// Nothing.
    Nothing,
    /// Another worker has the session.
    Held,
}

/// A turn to drive.
#[derive(Debug)]
pub struct Claim {
    /// Guards every effect of this worker.
    pub fence: i64,
    /// The session.
    pub session: SessionRow,
    /// The turn.
    pub turn: TurnRow,
    /// Where its answer goes.
    pub address: Address,
    /// Where it works.
    pub project: TurnProject,
    /// The display name of its user; empty where it is not known.
    pub person: String,
    /// Its journal so far.
    pub entries: Vec<Entry>,
    /// The version of the database from which that is.
    pub version: u64,
    /// How often it was started after a crash.
    pub crashes: i64,
    /// Whether a live message of the turn stands in its chat.
    pub has_live_message: bool,
    /// Whether a summary stands for earlier turns of the session.
    pub has_compaction: bool,
    /// What other turns of the session wait for.
    pub waiting_for: Waiting,
    /// How far it may go: never further than when it began, than its user may now, or than its
    /// session was lowered to.
    pub autonomy: AutonomyLevel,
    /// Rows that were written with the claim.
    pub said: Vec<OutboxRow>,
}

/// Takes the lease of a session and whatever is to be done in it.
pub async fn claim(
    tx: &mut Tx,
    ctx: &SessionContext,
    id: SessionId,
    wanted: ClaimScope,
) -> Result<ClaimResult, StoreError> {
    let now = now_ms();
    let work = session_work::of(tx, id).await?;
    let owner = work.session.lease_owner.as_deref();
    let left_by_us = owner == Some(&*ctx.worker);
    if owner.is_some() && !left_by_us && work.lease_until_ms >= now {
        return Ok(ClaimResult::Held);
    }
    let open = if work.has_open_turns {
        turns::open_turns(tx, id).await?
    } else {
        Vec::new()
    };
    if let Some(turn) = first_ready(tx, &open, wanted).await? {
        let lease = take_lease(tx, ctx, work).await?;
        let waiting_for = waiting_for(tx, &open, &turn).await?;
        // A lease that is still ours was not given back because a write failed: that is no crash.
        let crashes = match turn.state.as_str() {
            "running" if !left_by_us => turns::count_resume(tx, turn.id).await?,
            "running" => turn.resumes,
            _ => 0,
        };
        return go_on(tx, ctx, lease, turn, waiting_for, crashes).await;
    }
    let next = match wanted {
        ClaimScope::Anything => next_in_line(tx, &work, now).await?,
        ClaimScope::Stopped => Next::Nothing,
    };
    match next {
        Next::Messages(jobs) => {
            let lease = take_lease(tx, ctx, work).await?;
            begin(tx, ctx, lease, jobs, &open).await
        }
        Next::Work(job) => {
            let lease = take_lease(tx, ctx, work).await?;
            begin_work(tx, ctx, lease, &job, &open).await
        }
        Next::NotBefore(_) | Next::Nothing => {
            if left_by_us {
                let lease = take_lease(tx, ctx, work).await?;
                chats::release_lease(tx, id, lease.fence).await?;
            }
            Ok(match next {
                Next::NotBefore(at) => ClaimResult::Later(at),
                _ => ClaimResult::Nothing,
            })
        }
    }
}

/// A session whose lease was taken, with what was found in it.
struct Lease {
    fence: i64,
    work: SessionWork,
}

impl Lease {
    /// Returns what is known of the user of a turn that begins; from here on the session has their
    /// language.
    async fn asker(&mut self, tx: &mut Tx, user: UserId) -> Result<AskerRow, StoreError> {
        let asker = match self.work.asker(user) {
            Some(asker) => asker,
            None => session_work::asker(tx, self.work.session.id, user).await?,
        };
        if let Some(language) = &asker.user_language {
            self.work.session.language.clone_from(language);
        }
        Ok(asker)
    }
}

async fn take_lease(
    tx: &mut Tx,
    ctx: &SessionContext,
    work: SessionWork,
) -> Result<Lease, StoreError> {
    let (id, now) = (work.session.id, now_ms());
    let fence = chats::take_lease(tx, id, &ctx.worker, now, now + LEASE_MS).await?;
    let fence = fence.ok_or_else(|| StoreError::Broken("a free lease was not taken".to_owned()))?;
    Ok(Lease { fence, work })
}

/// Returns the first turn that can go on: one that was stopped before all others, then one that was
/// interrupted, or whose wait is over.
async fn first_ready(
    tx: &mut Tx,
    open: &[TurnRow],
    wanted: ClaimScope,
) -> Result<Option<TurnRow>, StoreError> {
    let stopped = open.iter().find(|turn| turn.stop_by.is_some());
    if stopped.is_some() || wanted == ClaimScope::Stopped {
        return Ok(stopped.cloned());
    }
    for turn in open {
        let ready = turn.state == TurnStatus::Running
            || cards::open_cards_of(tx, turn.id).await?.is_empty();
        if ready {
            return Ok(Some(turn.clone()));
        }
    }
    Ok(None)
}

async fn go_on(
    tx: &mut Tx,
    ctx: &SessionContext,
    lease: Lease,
    turn: TurnRow,
    waiting_for: Waiting,
    crashes: i64,
) -> Result<ClaimResult, StoreError> {
    let Lease { fence, work } = lease;
    let mut session = work.session;
    let mut entries = turns::entries(tx, turn.id).await?;
    if turn.state != TurnStatus::Running {
        let verdicts = new_verdicts(tx, turn.id, &entries).await?;
        turns::append(tx, turn.id, entries.len() as i64, &verdicts).await?;
        audit_verdicts(tx, &ctx.auditor, &session, &turn, &entries, &verdicts).await?;
        entries.extend(verdicts);
        turns::set_state(tx, turn.id, TurnStatus::Running).await?;
        routines::note_parked(tx, turn.id, false).await?;
    }
    speak_to(tx, &mut session, turn.user_id).await?;
    let address = serde_json::from_str(&turn.address)?;
    let now = level_here(tx, &ctx.agent.executor.policy, &session, turn.user_id).await?;
    let autonomy = effective_autonomy(now, Some(&turn.autonomy));
    let has_live_message = outbox::live_message(tx, turn.id).await?.is_some();
    let name = turn.project.as_deref();
    let projects = &ctx.limits.projects;
    let claim = Claim {
        fence,
        session,
        project: projects.of_turn(tx, turn.user_id, turn.role, name).await?,
        person: people::name_of(tx, turn.user_id).await?,
        turn,
        address,
        entries,
        version: tx.version(),
        crashes,
        has_live_message,
        has_compaction: work.has_compaction,
        waiting_for,
        autonomy,
        said: Vec::new(),
    };
    Ok(ClaimResult::Turn(Box::new(claim)))
}

/// Gives a claimed session the language of the person whom its turn answers, also in a group.
async fn speak_to(tx: &mut Tx, session: &mut SessionRow, user: UserId) -> Result<(), StoreError> {
    let known = languages::of_user(tx, user).await?;
    if let Some(language) = known.language() {
        language.clone_into(&mut session.language);
    }
    Ok(())
}

/// Writes down answers that a turn was given while it was parked.
async fn audit_verdicts(
    tx: &mut Tx,
    auditor: &Auditor,
    session: &SessionRow,
    turn: &TurnRow,
    entries: &[Entry],
    verdicts: &[Entry],
) -> Result<(), StoreError> {
    let place = place_of(session, turn);
    let calls = CallsSeen::of(entries);
    for verdict in verdicts {
        let Some(mut record) = audit::record_of(verdict, &calls, place) else {
            continue;
        };
        // The wait was ended by the user who stopped the turn, not by expiry.
        if let (Some(by), Some(Decision::Expired)) = (turn.stop_by, record.decision) {
            record.decision = Some(Decision::Stopped);
            record.by = Some(By::User(by));
        }
        auditor.note(tx, record).await?;
    }
    Ok(())
}

/// Returns where a turn happens, for the audit.
pub fn place_of(session: &SessionRow, turn: &TurnRow) -> Place {
    Place {
        turn: Some(turn.id),
        session: Some(session.id),
        chat: Some(session.chat_id),
        user: Some(turn.user_id),
    }
}

/// Returns the answers that the journal does not know yet.
async fn new_verdicts(
    tx: &mut Tx,
    turn: TurnId,
    entries: &[Entry],
) -> Result<Vec<Entry>, StoreError> {
    use sayso_core::transcript::CallProgress::Held;
    let state = TurnState::fold(entries);
    let verdicts = cards::verdicts_of(tx, turn).await?;
    Ok(verdicts
        .into_iter()
        .filter_map(|answered| {
            let call = CallId(answered.call_id);
            let by = answered.verdict_by.unwrap_or(UserId(0));
            let verdict = match answered.verdict.as_str() {
                "approved" => Verdict::Approved { by },
                "denied" => Verdict::Denied {
                    by,
                    why: answered.verdict_why,
                },
                _ => Verdict::Expired,
            };
            let is_held = state
                .call(&call)
                .is_some_and(|state| state.progress == Held);
            is_held.then_some(Entry::Decided(Decided { call, verdict }))
        })
        .collect())
}

/// A turn that has its row, and has yet to get its first entries.
struct NewTurn {
    lease: Lease,
    asker: AskerRow,
    turn: TurnRow,
    address: Address,
    entries: Vec<Entry>,
    waiting_for: Waiting,
    autonomy: AutonomyLevel,
    project: TurnProject,
    said: Vec<OutboxRow>,
}

impl NewTurn {
    /// Writes its first entries, and claims it.
    async fn claim(self, tx: &mut Tx) -> Result<ClaimResult, StoreError> {
        let Self {
            lease: Lease { fence, work },
            asker,
            turn,
            address,
            entries,
            waiting_for,
            autonomy,
            project,
            said,
        } = self;
        turns::append(tx, turn.id, 0, &entries).await?;
        metrics::counter!("sayso_turns_started_total").increment(1);
        Ok(ClaimResult::Turn(Box::new(Claim {
            fence,
            session: work.session,
            project,
            person: asker.name,
            turn,
            address,
            entries,
            version: tx.version(),
            crashes: 0,
            has_live_message: false,
            has_compaction: work.has_compaction,
            waiting_for,
            autonomy,
            said,
        })))
    }
}

/// Begins a turn for the oldest job, with the pieces that belong to it.
async fn begin(
    tx: &mut Tx,
    ctx: &SessionContext,
    mut lease: Lease,
    jobs: Vec<InboxRow>,
    open: &[TurnRow],
) -> Result<ClaimResult, StoreError> {
    let mut pieces = together(jobs);
    let Some(first) = pieces.first_mut() else {
        return Ok(ClaimResult::Nothing);
    };
    let user = first.user_id.unwrap_or(UserId(0));
    let asker = lease.asker(tx, user).await?;
    let session = &lease.work.session;
    let language = ctx.limits.language_in(&session.language);
    let answered = if asker.has_question || first.answers.is_some() {
        questions::answer(tx, &ctx.outbox, session, first).await?
    } else {
        Answered::default()
    };
    if let Some(inquiry) = answered.inquiry {
        first.said = inquiry.text;
        first.untrusted |= inquiry.untrusted;
    }
    let address: Address = serde_json::from_str(&first.address)?;
    let autonomy = level_here(tx, &ctx.agent.executor.policy, session, user).await?;
    let project = ctx.limits.projects.of_new_turn(tx, session, first).await?;
    let turn = new_turn(session, first, autonomy, &project);
    let waiting_for = waiting_for(tx, open, &turn).await?;
    turns::insert(tx, &turn).await?;
    ctx.reservations.note_new_turn(tx, turn.id);
    let was_queued = pieces.iter().any(InboxRow::is_queued);
    let heard = hear(tx, session, &turn, pieces, language).await?;
    let mut said = answered.said;
    if was_queued {
        let settled = queue::settle(tx, &ctx.outbox, session.id, user, language);
        said.extend(settled.await?);
    }
    let mut entries = vec![started_by_message(session, answered.answering)];
    // Before the words of the person, which are what the turn answers.
    entries.extend(happened_since(tx, &asker, session.id, user).await?);
    entries.push(Entry::Heard(Heard { messages: heard }));
    entries.extend(answered.goes_on);
    let new = NewTurn {
        lease,
        asker,
        turn,
        address,
        entries,
        waiting_for,
        autonomy,
        project,
        said,
    };
    new.claim(tx).await
}

/// Returns what a turn is to know of what has happened beside the conversation since the last one.
async fn happened_since(
    tx: &mut Tx,
    asker: &AskerRow,
    session: SessionId,
    user: UserId,
) -> Result<Vec<Entry>, StoreError> {
    let mut notes = Vec::new();
    if asker.has_ended_processes {
        notes.extend(ended_processes(tx, session, user).await?);
    }
    if asker.has_reports {
        notes.extend(routine_turn::reported(tx, session).await?);
    }
    Ok(notes)
}

fn started_by_message(session: &SessionRow, answering: Option<Answering>) -> Entry {
    Entry::Started(Started {
        origin: Origin::Message,
        payload: None,
        history_cursor: session.ended_seq,
        answering,
    })
}

/// Begins a turn for work that no message asks for.
async fn begin_work(
    tx: &mut Tx,
    ctx: &SessionContext,
    mut lease: Lease,
    job: &JobRow,
    open: &[TurnRow],
) -> Result<ClaimResult, StoreError> {
    let work = job.work()?;
    let asker = lease.asker(tx, job.user_id).await?;
    let session = &lease.work.session;
    let autonomy = routine_turn::level_of_work(tx, ctx, session, job, &work).await?;
    let mut turn = routine_turn::turn_of_work(session, job, &work, autonomy)?;
    let waiting_for = waiting_for(tx, open, &turn).await?;
    let begins = match job.origin {
        Origin::Routine => routine_turn::begin(tx, ctx, session, &mut turn, job).await?,
        Origin::Message | Origin::Goal | Origin::Chain | Origin::Check | Origin::Console => {
            Some(Vec::new())
        }
    };
    let project = project_of_work(tx, ctx, session, job, work.role).await?;
    turn.project = session.project.clone().filter(|_| project.is_some());
    let Some(begins) = begins else {
        // Its routine was deleted meanwhile, or its person lost access.
        chats::release_lease(tx, session.id, lease.fence).await?;
        return Ok(ClaimResult::Later(now_ms()));
    };
    turns::insert(tx, &turn).await?;
    ctx.reservations.note_new_turn(tx, turn.id);
    let mut entries = vec![Entry::Started(Started {
        origin: job.origin,
        payload: Some(work.payload),
        history_cursor: session.ended_seq,
        answering: None,
    })];
    entries.extend(begins);
    if job.origin == Origin::Routine {
        // Its history begins here.
        lease.work.session.since_seq = lease.work.session.ended_seq;
        lease.work.has_compaction = false;
    }
    let new = NewTurn {
        lease,
        asker,
        turn,
        address: work.address,
        entries,
        waiting_for,
        autonomy,
        project,
        said: Vec::new(),
    };
    new.claim(tx).await
}

/// Returns where the turn of a job works: a check in the project that the conversation is bound to,
/// others in the workspace of their owner.
async fn project_of_work(
    tx: &mut Tx,
    ctx: &SessionContext,
    session: &SessionRow,
    job: &JobRow,
    role: Role,
) -> Result<TurnProject, StoreError> {
    match job.origin {
        Origin::Check => {
            let (projects, bound) = (&ctx.limits.projects, session.project.as_deref());
            projects.of_turn(tx, job.user_id, role, bound).await
        }
        Origin::Message | Origin::Routine | Origin::Goal | Origin::Chain | Origin::Console => {
            Ok(TurnProject::None)
        }
    }
}

/// Tells a turn which processes of its user have ended in the background since the last one.
async fn ended_processes(
    tx: &mut Tx,
    session: SessionId,
    user: UserId,
) -> Result<Option<Entry>, StoreError> {
    let ended = processes::take_untold(tx, session, user).await?;
    let ids: Vec<String> = ended
        .into_iter()
        .map(|(turn, call, _)| result_id(turn, &CallId(call)))
        .collect();
    let text = messages::processes_ended(&ids);
    Ok((!ids.is_empty()).then_some(Entry::Noted { text }))
}

/// Returns the oldest job with the pieces of its album or split text.
fn together(jobs: Vec<InboxRow>) -> Vec<InboxRow> {
    let mut jobs = jobs.into_iter();
    let Some(first) = jobs.next() else {
        return Vec::new();
    };
    let pieces: Vec<InboxRow> = jobs
        .filter(|job| first.album.is_some() && job.album == first.album)
        .collect();
    [vec![first], pieces].concat()
}

/// Consumes jobs, and in a group what was said around them.
async fn hear(
    tx: &mut Tx,
    session: &SessionRow,
    turn: &TurnRow,
    jobs: Vec<InboxRow>,
    language: Language,
) -> Result<Vec<HeardText>, StoreError> {
    let mut heard = Vec::with_capacity(jobs.len());
    for job in &jobs {
        inbox::hear(tx, job.id, turn.id).await?;
        let text = HeardText {
            inbox: job.id,
            text: job.said.clone(),
            untrusted: job.untrusted,
            files: job.files()?,
        };
        heard.push(text);
    }
    if session.kind() != SessionKind::Group {
        return Ok(heard);
    }
    let ctx = inbox::take_overheard(tx, session.id, OVERHEARD).await?;
    if let Some(first) = heard.first_mut()
        && !ctx.is_empty()
    {
        let lines: Vec<&str> = ctx.iter().map(|row| row.said.as_str()).collect();
        first.text = messages::said_around(&lines, &first.text, language);
        first.untrusted = true;
    }
    Ok(heard)
}
