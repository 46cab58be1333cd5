//! The gateway's insides: its sessions, what each has been told, and how it misbehaves when a test
//! says so. `socket` speaks on one connection, `session` begins and resumes sessions.

mod session;
mod socket;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::sync::{Notify, mpsc};

use super::state::State;

pub(crate) use socket::{connect, connect_to_resume};

pub(crate) const GUILDS: u64 = 1 << 0;
pub(crate) const GUILD_MESSAGES: u64 = 1 << 9;
pub(crate) const DIRECT_MESSAGES: u64 = 1 << 12;
pub(crate) const MESSAGE_CONTENT: u64 = 1 << 15;
const GUILD_MEMBERS: u64 = 1 << 1;
const GUILD_PRESENCES: u64 = 1 << 8;
/// Every intent that Discord knows: bits 0-16, 20, 21, 24 and 25.
const ALL_INTENTS: u64 = 0x1_FFFF | (1 << 20) | (1 << 21) | (1 << 24) | (1 << 25);

/// How many dispatches a session keeps for a resume.
const KEPT: usize = 20_000;

/// What the gateway does with a new connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Door {
    /// Welcomes it.
    Open,
    /// Breaks it before a word is said.
    Refusing,
    /// Answers 503 in place of the upgrade.
    Unavailable,
    /// Welcomes it and closes it at once with this code.
    Closing(u16),
    /// Welcomes it and says nothing at all, not even HELLO.
    Mute,
}

/// A session that the bot began with IDENTIFY.
#[derive(Clone, Debug)]
pub struct Identify {
    /// The shard, as in `(0, 1)`.
    pub shard: (u64, u64),
    /// The intents.
    pub intents: u64,
    /// When it came.
    pub at: Instant,
}

/// The sessions that receive an event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Audience {
    /// The server it happened in; `None` goes to shard 0.
    guild: Option<i64>,
    /// The intent it takes, 0 for none.
    intent: u64,
}

impl Audience {
    pub(crate) const fn of_guild(guild: i64, intent: u64) -> Self {
        Self {
            guild: Some(guild),
            intent,
        }
    }

    pub(crate) const fn direct(intent: u64) -> Self {
        Self {
            guild: None,
            intent,
        }
    }

    /// The same people, whatever their intents.
    pub(crate) const fn all(self) -> Self {
        Self { intent: 0, ..self }
    }

    fn includes(self, session: &Session) -> bool {
        let (shard, shards) = session.shard;
        let home = self
            .guild
            .map_or(0, |guild| (guild.unsigned_abs() >> 22) % shards);
        home == shard && (self.intent == 0 || session.intents & self.intent != 0)
    }
}

/// What goes out on a connection.
#[derive(Clone, Debug)]
enum Out {
    Frame(Arc<str>),
    Close(u16),
    Cut,
}

/// One open connection.
#[derive(Debug)]
struct Line {
    id: u64,
    out: mpsc::UnboundedSender<Out>,
}

/// One session, connected or not.
#[derive(Debug)]
struct Session {
    id: String,
    shard: (u64, u64),
    intents: u64,
    sequence: u64,
    /// What was dispatched, by sequence, oldest first.
    told: VecDeque<(u64, Arc<str>)>,
    line: Option<u64>,
}

/// The whole gateway.
#[derive(Debug)]
pub(crate) struct Gateway {
    sessions: Vec<Session>,
    lines: Vec<Line>,
    pub(crate) heartbeat: Duration,
    pub(crate) door: Door,
    pub(crate) acknowledges: bool,
    pub(crate) shards: u64,
    pub(crate) max_concurrency: u64,
    pub(crate) starts_left: u64,
    pub(crate) start_window: Duration,
    /// Privileged intents that are switched on in the portal.
    pub(crate) privileged: u64,
    pub(crate) repeats: usize,
    /// Answers to the next IDENTIFY or RESUME: invalid session, resumable or not.
    pub(crate) invalid_next: VecDeque<bool>,
    pub(crate) identifies: Vec<Identify>,
    pub(crate) resumes: usize,
    pub(crate) connections: usize,
    pub(crate) heartbeats: usize,
    pub(crate) changed: Arc<Notify>,
}

impl Default for Gateway {
    fn default() -> Self {
        Self {
            sessions: Vec::new(),
            lines: Vec::new(),
            heartbeat: Duration::from_millis(41_250),
            door: Door::Open,
            acknowledges: true,
            shards: 1,
            max_concurrency: 1,
            starts_left: 1000,
            start_window: Duration::from_secs(5),
            privileged: MESSAGE_CONTENT,
            repeats: 0,
            invalid_next: VecDeque::new(),
            identifies: Vec::new(),
            resumes: 0,
            connections: 0,
            heartbeats: 0,
            changed: Arc::default(),
        }
    }
}

impl Gateway {
    fn send(&self, line: u64, out: Out) {
        if let Some(line) = self.lines.iter().find(|open| open.id == line) {
            // A connection that is going down takes nothing more; a resume brings what it missed.
            let _ = line.out.send(out);
        }
    }

    /// Sends the same to every connection.
    fn broadcast(&self, out: &Out) {
        for line in &self.lines {
            // As above.
            let _ = line.out.send(out.clone());
        }
    }

    /// Sends any frame to every connection.
    pub(crate) fn sends(&self, frame: &Value) {
        self.broadcast(&Out::Frame(frame.to_string().into()));
    }

    /// Closes every connection with a code.
    pub(crate) fn closes(&self, code: u16) {
        self.broadcast(&Out::Close(code));
    }

    /// Breaks every connection without a close frame.
    pub(crate) fn cuts(&self) {
        self.broadcast(&Out::Cut);
    }

    /// Forgets every session: none can be resumed.
    pub(crate) fn forgets(&mut self) {
        self.sessions.retain(|session| session.line.is_some());
        for session in &mut self.sessions {
            session.id.push_str("-forgotten");
        }
    }

    /// Returns how many sessions are connected.
    pub(crate) fn connected(&self) -> usize {
        self.sessions
            .iter()
            .filter(|session| session.line.is_some())
            .count()
    }

    fn session_on(&mut self, line: u64) -> Option<&mut Session> {
        self.sessions
            .iter_mut()
            .find(|session| session.line == Some(line))
    }
}

impl Session {
    /// Numbers and keeps a dispatch; returns the frame.
    fn number(&mut self, event: &str, data: &Value) -> Arc<str> {
        self.sequence += 1;
        let frame = json!({ "op": 0, "s": self.sequence, "t": event, "d": data });
        let frame: Arc<str> = frame.to_string().into();
        self.told.push_back((self.sequence, Arc::clone(&frame)));
        if self.told.len() > KEPT {
            self.told.pop_front();
        }
        frame
    }
}

impl State {
    /// Sends an event to every session of the audience; returns whether one of them was connected.
    /// The payload may depend on the session's intents.
    pub(crate) fn dispatch(
        &mut self,
        event: &str,
        audience: Audience,
        data: impl Fn(u64) -> Value,
    ) -> bool {
        let guild = audience.guild.and_then(|guild| self.guilds.get(&guild));
        if guild.is_some_and(|guild| guild.is_out) {
            return false;
        }
        let gateway = &mut self.gateway;
        let mut was_heard = false;
        let times = 1 + std::mem::take(&mut gateway.repeats);
        let mut frames = Vec::new();
        for session in &mut gateway.sessions {
            if !audience.includes(session) {
                continue;
            }
            let frame = session.number(event, &data(session.intents));
            if let Some(line) = session.line {
                was_heard = true;
                frames.push((line, frame));
            }
        }
        for (line, frame) in frames {
            for _ in 0..times {
                self.gateway.send(line, Out::Frame(Arc::clone(&frame)));
            }
        }
        was_heard
    }
}
