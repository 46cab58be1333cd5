//! One shard: one connection after the other, and the events that are still being processed
//! meanwhile.
//!
//! The reader of the socket puts events into two bounded queues and never waits: interactions into
//! one, everything else into that of `chat_queue`. When one is full the connection ends, and once it
//! has room again a new session begins, after which everything since is read back.

use std::time::Duration;

use sayso_channel::ChannelError;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, sleep_until};
use tracing::{info, warn};
use url::Url;

use super::Listener;
use super::backoff::{self, Backoff};
use super::chat_queue::ChatQueue;
use super::connections::Connections;
use super::event_reader::EventReader;
use super::interactions::Desk;
use super::messages;
use crate::config::Timeouts;
use crate::from_discord::EventMapper;
use crate::gateway::{Connection, Dispatch, Ending, Identifies, QueueFull, Session, Shard};

/// How many events may wait in memory.
pub(super) const QUEUE: usize = 10_000;
/// How many first pauses a connection must live to count as steady: half a minute in earnest.
const STEADY: u32 = 30;
/// How many first pauses there are at most before a session is resumed that was alive a moment ago:
/// unlike beginning one, that is not counted by Discord.
const SOON: u32 = 5;
/// How often in a row a session is tried to be resumed before it is given up.
const RESUMES: u32 = 6;

/// What all shards of an account share.
pub(super) struct Account<'a> {
    pub(super) listener: Listener<'a>,
    pub(super) mapper: EventMapper,
    pub(super) gateway: Url,
    pub(super) intents: u64,
    pub(super) identifies: Identifies,
    pub(super) connections: Connections,
}

impl Account<'_> {
    /// Hears with one shard until the end; an error means that the channel cannot go on.
    pub(super) async fn hear(&self, shard: Shard) -> Result<(), ChannelError> {
        let (events, to_hear) = mpsc::channel(QUEUE);
        let (interactions, to_answer) = mpsc::channel(QUEUE);
        let hearing = EventReader::new(self.listener, &self.mapper, shard);
        let mut lane = ChatQueue::new(&hearing);
        let mut desk = Desk::new(self.listener, &self.mapper);
        let wire = Wire {
            account: self,
            shard,
            events,
            interactions,
        };
        let outcome = tokio::select! {
            outcome = wire.keep_connected() => outcome,
            () = lane.run(to_hear) => Ok(()),
            () = desk.run(to_answer) => Ok(()),
        };
        // What was heard and is not stored is read back at the next start; presses cannot be.
        desk.finish().await;
        outcome
    }
}

/// The wire of one shard.
struct Wire<'a> {
    account: &'a Account<'a>,
    shard: Shard,
    events: mpsc::Sender<Dispatch>,
    interactions: mpsc::Sender<Dispatch>,
}

/// What is kept from one connection to the next.
struct Course {
    session: Option<Session>,
    faults: Backoff,
    resumes_failed: u32,
}

impl Wire<'_> {
    /// Connects until the end.
    async fn keep_connected(&self) -> Result<(), ChannelError> {
        let listener = self.account.listener;
        let mut course = Course {
            session: None,
            faults: Backoff::new(&listener.config.timeouts),
            resumes_failed: 0,
        };
        loop {
            let (ending, was_steady) = self.connect(&mut course).await;
            let pause = self.go_on_after(ending, was_steady, &mut course);
            // The connection itself ends in good order; only pauses are cut short.
            match listener.shutdown.run_until_cancelled(pause).await {
                None | Some(Ok(Next::End)) => return Ok(()),
                Some(Ok(Next::Connect)) => {}
                Some(Err(error)) => return Err(error),
            }
        }
    }

    /// Lives through one connection. Returns how it ended, and whether it had been steady.
    async fn connect(&self, course: &mut Course) -> (Ending, bool) {
        let listener = self.account.listener;
        if course.session.is_none() {
            let now = Instant::now();
            let begin = self.account.identifies.take(self.shard, now);
            let wait = begin.saturating_duration_since(now);
            if wait > listener.config.timeouts.longest_pause {
                self.report(messages::no_session_left(wait.as_secs()));
            }
            let waited = listener.shutdown.run_until_cancelled(sleep_until(begin));
            if waited.await.is_none() {
                return (Ending::Shutdown, false);
            }
        }
        let began = Instant::now();
        let connection = Connection {
            gateway: &self.account.gateway,
            token: &listener.config.token,
            intents: self.account.intents,
            shard: self.shard,
            take: &|event| self.take(event),
            alive: &|| self.account.connections.alive(self.shard.index),
        };
        let (ending, has_begun) = connection.run(&mut course.session, listener.shutdown).await;
        let steady = listener.config.timeouts.first_pause * STEADY;
        let was_steady = has_begun && began.elapsed() >= steady;
        course.count(has_begun, was_steady);
        (ending, was_steady)
    }

    /// Takes an event off the socket.
    fn take(&self, event: Dispatch) -> Result<(), QueueFull> {
        let queue = if event.name == "INTERACTION_CREATE" {
            &self.interactions
        } else {
            &self.events
        };
        queue.try_send(event).map_err(|_| QueueFull)
    }

    /// Reports how a connection ended and waits as long as that asks for.
    async fn go_on_after(
        &self,
        ending: Ending,
        was_steady: bool,
        course: &mut Course,
    ) -> Result<Next, ChannelError> {
        let timeouts = &self.account.listener.config.timeouts;
        match ending {
            Ending::Shutdown => return Ok(Next::End),
            Ending::TokenRefused => {
                return Err(ChannelError::Unauthorized(crate::messages::token_refused()));
            }
            Ending::Hopeless(why) => return Err(ChannelError::Rejected(why)),
            Ending::Moved if was_steady => {
                info!(shard = self.shard.index, "Discord moves the session");
            }
            Ending::Moved => sleep(course.pause(timeouts)).await,
            Ending::Broken(why) => {
                self.report(why);
                sleep(course.pause(timeouts)).await;
            }
            Ending::SessionOver(why) => {
                self.report(why);
                course.session = None;
                sleep(backoff::after_session(timeouts)).await;
            }
            Ending::Overrun => {
                self.report(messages::overrun());
                course.session = None;
                self.until_there_is_room(course.faults.pause()).await;
            }
        }
        Ok(Next::Connect)
    }

    fn report(&self, why: String) {
        let channel = &self.account.listener.config.name;
        warn!(%channel, shard = self.shard.index, %why, "the connection ended");
        self.account.connections.waiting(self.shard.index, why);
    }

    async fn until_there_is_room(&self, pause: Duration) {
        let is_full = |queue: &mpsc::Sender<_>| queue.capacity() < QUEUE / 2;
        while is_full(&self.events) || is_full(&self.interactions) {
            sleep(pause).await;
        }
    }
}

/// What to do after a connection.
enum Next {
    Connect,
    End,
}

impl Course {
    /// Returns how long to wait after a connection that broke.
    fn pause(&mut self, timeouts: &Timeouts) -> Duration {
        let pause = self.faults.pause();
        let goes_on = self.session.is_some() && self.resumes_failed == 0;
        if goes_on {
            pause.min(timeouts.first_pause * SOON)
        } else {
            pause
        }
    }

    /// Counts a connection. A session that cannot be resumed again and again is given up; what it
    /// would have told is read back.
    fn count(&mut self, has_begun: bool, was_steady: bool) {
        if was_steady {
            self.faults.reset();
        }
        if has_begun || self.session.is_none() {
            self.resumes_failed = 0;
            return;
        }
        self.resumes_failed += 1;
        if self.resumes_failed >= RESUMES {
            self.session = None;
            self.resumes_failed = 0;
        }
    }
}
