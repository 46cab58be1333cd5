//! The pool: one task that knows which sessions have work, and limits how many of them run at once.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap, HashSet};
use std::time::Duration;

use sayso_core::transcript::{SessionId, TurnId, UserId};
use sayso_store::outbox::OutboxRow;
use sayso_store::{StoreError, cards, chats, jobs, now_ms, turns};
use tokio::sync::{mpsc, watch};
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::cards::CardWriter;
use super::claim::ClaimScope;
use super::fair::FairQueue;
use super::stop::Stop;
use super::work::{NextPoll, work};
use super::{SessionContext, claim, skipped};
use crate::approvals;
use crate::bus::Signal;

/// How often the database is looked through for work that no signal announced.
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// The first pause of a session after the store failed; doubles up to [`LONGEST_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_secs(1);
/// The longest pause: a try may ask the model again.
const LONGEST_PAUSE: Duration = Duration::from_mins(5);

/// Shares turns among sessions. One per process.
pub struct Pool {
    ctx: SessionContext,
    signals: mpsc::Receiver<Signal>,
    ready: FairQueue,
    /// The same of sessions in the background, which no person waits for.
    ready_background: FairQueue,
    /// The sessions that are known to be in the background.
    background: HashSet<SessionId>,
    running: HashMap<SessionId, Running>,
    tasks: JoinSet<NextPoll>,
    /// Which session a task works on.
    sessions: HashMap<Id, SessionId>,
    /// Sessions with work that is not ready yet.
    later: BinaryHeap<Reverse<(Instant, SessionId, UserId)>>,
    /// The next pause of sessions whose last try failed.
    pauses: HashMap<SessionId, Duration>,
    /// Whether anything runs or is in line, for monitoring.
    activity: watch::Sender<bool>,
    /// When it last looked for work that no signal announced, for monitoring.
    looked: watch::Sender<Instant>,
}

/// A session that is being worked on.
struct Running {
    user: UserId,
    stop: Stop,
    /// For whom there may be more to do: each is put in a line of their own.
    again: BTreeSet<UserId>,
    /// Whether another turn than the one that runs was stopped meanwhile.
    ends: bool,
}

impl Pool {
    /// Returns a pool with nothing in it.
    pub fn new(ctx: SessionContext, signals: mpsc::Receiver<Signal>) -> Self {
        Self {
            ctx,
            signals,
            ready: FairQueue::default(),
            ready_background: FairQueue::default(),
            background: HashSet::new(),
            running: HashMap::new(),
            tasks: JoinSet::new(),
            sessions: HashMap::new(),
            later: BinaryHeap::new(),
            pauses: HashMap::new(),
            activity: watch::Sender::new(false),
            looked: watch::Sender::new(Instant::now()),
        }
    }

    /// Returns whether anything runs or is in line, as it changes.
    pub fn activity(&self) -> watch::Receiver<bool> {
        self.activity.subscribe()
    }

    /// Returns when it last looked for work, as it changes: every five seconds, whatever the
    /// result.
    pub fn looked(&self) -> watch::Receiver<Instant> {
        self.looked.subscribe()
    }

    /// Works until `shutdown`, then lets what runs end for at most `drain`, and suspends the rest.
    pub async fn run(mut self, shutdown: CancellationToken, drain: Duration) {
        let mut look = tokio::time::interval(LOOK_EVERY);
        loop {
            let next_later = self.next_later();
            tokio::select! {
                biased;
                () = shutdown.cancelled() => break,
                Some(signal) = self.signals.recv() => self.take_signal(signal),
                Some(left) = self.tasks.join_next_with_id() => self.note_left(left).await,
                () = sleep_until(next_later), if next_later.is_some() => self.wake_later(),
                _ = look.tick() => self.look().await,
            }
            self.start_ready();
            let works = !(self.running.is_empty() && self.later.is_empty());
            self.activity
                .send_if_modified(|known| std::mem::replace(known, works) != works);
        }
        self.drain(drain).await;
    }

    fn take_signal(&mut self, signal: Signal) {
        match signal {
            Signal::Work(session, user) => self.wake(session, user),
            Signal::Background(session, user) => {
                self.background.insert(session);
                self.wake(session, user);
            }
            Signal::Stop(session, user, turn) => self.stop(session, user, turn),
        }
    }

    /// Stops a turn. One that does not run is ended at once, whatever is in line and however many
    /// run: that asks no model and runs no tool.
    fn stop(&mut self, session: SessionId, user: UserId, turn: TurnId) {
        match self.running.get_mut(&session) {
            Some(running) => running.ends |= !running.stop.turn(turn),
            None => self.start(session, user, ClaimScope::Stopped),
        }
    }

    fn wake(&mut self, session: SessionId, user: UserId) {
        match self.running.get_mut(&session) {
            Some(running) => {
                running.again.insert(user);
            }
            None => self.put_in_line(user, session),
        }
    }

    fn put_in_line(&mut self, user: UserId, session: SessionId) {
        if self.background.contains(&session) {
            self.ready_background.push(user, session);
        } else {
            self.ready.push(user, session);
        }
    }

    /// Returns the session that is next: people go first, and what is in the background has a share
    /// of its own that it does not exceed.
    fn next_ready(&mut self) -> Option<(UserId, SessionId)> {
        if let Some(next) = self.ready.pop() {
            return Some(next);
        }
        let running = self.running.keys();
        let share = running.filter(|it| self.background.contains(it)).count();
        if share >= self.ctx.limits.concurrent_background {
            return None;
        }
        self.ready_background.pop()
    }

    fn start_ready(&mut self) {
        while self.running.len() < self.ctx.limits.concurrent_turns {
            let Some((user, session)) = self.next_ready() else {
                return;
            };
            match self.running.get_mut(&session) {
                Some(running) => {
                    running.again.insert(user);
                }
                None => self.start(session, user, ClaimScope::Anything),
            }
        }
    }

    /// Starts work in a session in which nothing runs.
    fn start(&mut self, session: SessionId, user: UserId, wanted: ClaimScope) {
        let stop = Stop::default();
        let work = work(self.ctx.clone(), session, wanted, stop.clone());
        let task = self.tasks.spawn(work);
        self.sessions.insert(task.id(), session);
        // What else there is to do is not looked for where something is to be stopped.
        let again = (wanted == ClaimScope::Stopped).then_some(user);
        let running = Running {
            user,
            stop,
            again: again.into_iter().collect(),
            ends: false,
        };
        self.running.insert(session, running);
    }

    async fn note_left(&mut self, left: Result<(Id, NextPoll), JoinError>) {
        let (id, left) = match left {
            Ok((id, left)) => (id, Ok(left)),
            Err(error) => (error.id(), Err(error)),
        };
        let Some(session) = self.sessions.remove(&id) else {
            return;
        };
        let Some(running) = self.running.remove(&session) else {
            return;
        };
        let left = match left {
            Ok(left) => left,
            Err(error) => self.note_panic(session, &error).await,
        };
        if left == NextPoll::Faulted {
            return self.pause(session, running);
        }
        self.pauses.remove(&session);
        if running.ends {
            self.start(session, running.user, ClaimScope::Stopped);
            for user in running.again {
                self.wake(session, user);
            }
            return;
        }
        match left {
            NextPoll::More => self.put_in_line(running.user, session),
            NextPoll::NotBefore(at_ms) => {
                // From here on it is a time to wait: the clock may be set meanwhile.
                let wait = u64::try_from(at_ms - now_ms()).unwrap_or_default();
                let at = Instant::now() + Duration::from_millis(wait);
                self.later.push(Reverse((at, session, running.user)));
            }
            NextPoll::Nothing | NextPoll::Faulted => {}
        }
        for user in running.again {
            self.put_in_line(user, session);
        }
    }

    /// Leaves a session alone for a while after the store failed; its waiting users are in line
    /// again afterwards.
    fn pause(&mut self, session: SessionId, mut running: Running) {
        let pause = self.pauses.entry(session).or_insert(FIRST_PAUSE);
        let at = Instant::now() + *pause;
        *pause = (*pause * 2).min(LONGEST_PAUSE);
        running.again.insert(running.user);
        let waiting = running.again.into_iter();
        self.later
            .extend(waiting.map(|user| Reverse((at, session, user))));
    }

    /// A panic counts as a crash of its turn, although the lease is still ours.
    async fn note_panic(&self, session: SessionId, error: &JoinError) -> NextPoll {
        tracing::error!(%session, %error, "turn panicked; resuming");
        // The next claim is in line behind it.
        self.ctx
            .store
            .write_later(move |tx| Box::pin(turns::count_panic(tx, session)))
            .await;
        NextPoll::Faulted
    }

    fn next_later(&self) -> Option<Instant> {
        self.later.peek().map(|Reverse((at, _, _))| *at)
    }

    fn wake_later(&mut self) {
        let now = Instant::now();
        while let Some(Reverse((at, session, user))) = self.later.peek().copied() {
            if at > now {
                return;
            }
            self.later.pop();
            self.wake(session, user);
        }
    }

    /// Expires cards, prolongs leases, and finds work that no signal announced.
    async fn look(&mut self) {
        if let Err(error) = self.try_look().await {
            tracing::error!(%error, "cannot poll the database for work");
        }
        self.looked.send_replace(Instant::now());
    }

    async fn try_look(&mut self) -> Result<(), StoreError> {
        self.expire_cards().await?;
        skipped::tell_due(&self.ctx).await?;
        if !self.running.is_empty() {
            let worker = self.ctx.worker.clone();
            let until = now_ms() + claim::LEASE_MS;
            self.ctx
                .store
                .write_later(move |tx| {
                    Box::pin(async move { chats::prolong_leases(tx, &worker, until).await })
                })
                .await;
        }
        // Signals get lost when too many wait.
        for (session, user, turn) in turns::to_stop(self.ctx.store.reader()).await? {
            if !self.waits(session) {
                self.stop(session, user, turn);
            }
        }
        let reader = self.ctx.store.reader();
        for waiting in jobs::sessions_with_work(reader, now_ms()).await? {
            let (session, user) = (waiting.session_id, waiting.user_id);
            if waiting.background {
                self.background.insert(session);
            }
            if !self.waits(session) && !self.running.contains_key(&session) {
                self.put_in_line(user, session);
            }
        }
        Ok(())
    }

    /// Returns whether a session is to be tried again later.
    fn waits(&self, session: SessionId) -> bool {
        let mut later = self.later.iter();
        later.any(|Reverse((_, later, _))| *later == session)
    }

    async fn expire_cards(&mut self) -> Result<(), StoreError> {
        let next = cards::next_expiry(self.ctx.store.reader()).await?;
        if next.is_none_or(|expiry| expiry > now_ms()) {
            return Ok(());
        }
        let ctx = self.ctx.clone();
        let (said, woken) = self
            .ctx
            .store
            .write(move |tx| Box::pin(async move { expire_cards(tx, &ctx).await }))
            .await?;
        self.ctx.outbox.offer(said);
        for (session, user) in woken {
            self.wake(session, user);
        }
        Ok(())
    }

    async fn drain(mut self, drain: Duration) {
        let ended = tokio::time::timeout(drain, async {
            while self.tasks.join_next().await.is_some() {}
        });
        if ended.await.is_ok() {
            return;
        }
        tracing::info!(
            turns = self.running.len(),
            "running turns suspended for the next start"
        );
        for running in self.running.values() {
            running.stop.all();
        }
        while self.tasks.join_next().await.is_some() {}
    }
}

/// What expired, as rows to offer and sessions to wake.
type Expired = (Vec<OutboxRow>, Vec<(SessionId, UserId)>);

async fn expire_cards(
    tx: &mut sayso_store::Tx,
    ctx: &SessionContext,
) -> Result<Expired, StoreError> {
    let mut said = Vec::new();
    let mut woken = Vec::new();
    for view in approvals::expire(tx, now_ms()).await? {
        let writer = CardWriter::of(ctx);
        said.extend(writer.amend(tx, &view, None).await?);
        woken.push((view.card.session_id, view.card.user_id));
    }
    Ok((said, woken))
}

async fn sleep_until(at: Option<Instant>) {
    tokio::time::sleep_until(at.unwrap_or_else(Instant::now)).await;
}
