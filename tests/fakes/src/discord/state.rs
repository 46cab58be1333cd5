//! Everything the fake Discord knows, behind one lock: requests of the bot, its gateway and acts of people
//! all change it.

use std::collections::{BTreeMap, HashMap};
use std::net::SocketAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::calls::Call;
use super::faults::Fault;
use super::gateway::Gateway;
use super::guild::Guild;
use super::interactions::Interaction;
use super::limits::Limits;
use super::refusal::Refusal;
use super::rights::Right;
use super::room::{Room, RoomKind};
use super::snowflake::Snowflakes;
use crate::calls::Calls;
use crate::faults::Faults;
use crate::people::{BOT_ID, BOT_USERNAME, Person};

/// Where a channel id leads: a channel, and in it perhaps a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) room: i64,
    pub(crate) thread: Option<i64>,
}

/// The fake's insides, shared by its requests, its gateway and every handle of a test.
#[derive(Debug)]
pub(crate) struct World {
    // Requests, sockets and the test's own thread change it in turn; held for no longer than one change.
    state: Mutex<State>,
    /// Signals every call.
    pub(crate) called: tokio::sync::Notify,
    pub(crate) stop: CancellationToken,
}

impl World {
    pub(crate) fn new(address: SocketAddr, stop: CancellationToken) -> Self {
        Self {
            state: Mutex::new(State::new(address)),
            called: tokio::sync::Notify::new(),
            stop,
        }
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        // A test that panicked with the lock held has failed already; others may still look.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is behind the lock.
pub(crate) struct State {
    pub(crate) address: SocketAddr,
    pub(crate) rooms: BTreeMap<i64, Room>,
    pub(crate) guilds: BTreeMap<i64, Guild>,
    pub(crate) ids: Snowflakes,
    /// Files by the path of their address.
    pub(crate) files: HashMap<String, Bytes>,
    pub(crate) interactions: HashMap<i64, Interaction>,
    /// How long an interaction may wait for its first answer, and how long its token is good for.
    pub(crate) answer_within: Duration,
    pub(crate) token_lifetime: Duration,
    /// The application's commands as they were set.
    pub(crate) commands: Vec<Value>,
    /// `flags` of the application.
    pub(crate) application_flags: i64,
    pub(crate) gateway: Gateway,
    pub(crate) calls: Calls<Call>,
    pub(crate) violations: Vec<String>,
    pub(crate) faults: Faults<Call, Fault>,
    pub(crate) limits: Option<Limits>,
    /// Nonces of late, by channel, with the message each has made.
    pub(crate) nonces: HashMap<(i64, String), (i64, Instant)>,
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("State")
            .field("rooms", &self.rooms.len())
            .finish_non_exhaustive()
    }
}

/// `flags` of an application that may read what is said: GATEWAY_MESSAGE_CONTENT.
pub(crate) const CONTENT_ALLOWED: i64 = 1 << 18;
/// The same for an application in few servers: GATEWAY_MESSAGE_CONTENT_LIMITED.
pub(crate) const CONTENT_ALLOWED_LIMITED: i64 = 1 << 19;

impl State {
    fn new(address: SocketAddr) -> Self {
        Self {
            address,
            rooms: BTreeMap::new(),
            guilds: BTreeMap::new(),
            ids: Snowflakes::default(),
            files: HashMap::new(),
            interactions: HashMap::new(),
            answer_within: Duration::from_secs(3),
            token_lifetime: Duration::from_mins(15),
            commands: Vec::new(),
            application_flags: CONTENT_ALLOWED_LIMITED,
            gateway: Gateway::default(),
            calls: Calls::default(),
            violations: Vec::new(),
            faults: Faults::default(),
            limits: None,
            nonces: HashMap::new(),
        }
    }

    pub(crate) fn room(&self, id: i64) -> &Room {
        self.rooms
            .get(&id)
            .unwrap_or_else(|| panic!("no channel {id}"))
    }

    pub(crate) fn room_mut(&mut self, id: i64) -> &mut Room {
        self.rooms
            .get_mut(&id)
            .unwrap_or_else(|| panic!("no channel {id}"))
    }

    /// Returns the server that the channel is in.
    pub(crate) fn guild_of(&self, room: i64) -> Option<&Guild> {
        self.guilds.get(&self.rooms.get(&room)?.guild()?)
    }

    pub(crate) fn guild_of_mut(&mut self, room: i64) -> Option<&mut Guild> {
        let guild = self.rooms.get(&room)?.guild()?;
        self.guilds.get_mut(&guild)
    }

    /// Finds the direct chat with a person.
    pub(crate) fn direct_with(&self, person: i64) -> Option<&Room> {
        self.rooms
            .values()
            .find(|room| matches!(&room.kind, RoomKind::Direct(with) if with.id == person))
    }

    /// Finds the channel or thread that a request names, if the bot can see it.
    pub(crate) fn reach(&self, channel: i64) -> Result<Place, Refusal> {
        let place = self
            .place(channel)
            .filter(|place| !self.room(place.room).is_gone)
            .ok_or_else(Refusal::unknown_channel)?;
        let is_out = self.guild_of(place.room).is_some_and(|guild| guild.is_out);
        if is_out || !self.room(place.room).allows(Right::View) {
            return Err(Refusal::missing_access());
        }
        Ok(place)
    }

    fn place(&self, channel: i64) -> Option<Place> {
        if self.rooms.contains_key(&channel) {
            return Some(Place {
                room: channel,
                thread: None,
            });
        }
        let mut rooms = self.rooms.values();
        let parent = rooms.find(|room| room.threads.contains_key(&channel))?;
        Some(Place {
            room: parent.id,
            thread: Some(channel),
        })
    }

    /// Finds a person by user id, wherever they are.
    pub(crate) fn find_person(&self, id: i64) -> Option<&Person> {
        let member = self
            .guilds
            .values()
            .find_map(|guild| guild.members.get(&id));
        let member = member.map(|member| &member.person);
        member.or_else(|| match &self.direct_with(id)?.kind {
            RoomKind::Direct(person) => Some(person),
            RoomKind::Text { .. } | RoomKind::Forum { .. } => None,
        })
    }

    /// Whether the bot gets to read what is said to others.
    pub(crate) fn is_content_allowed(&self) -> bool {
        self.application_flags & (CONTENT_ALLOWED | CONTENT_ALLOWED_LIMITED) != 0
    }

    /// The name behind a mention, as people see it.
    pub(crate) fn mention(&self, sigil: &str, id: i64) -> Option<String> {
        match sigil {
            "@&" => {
                let mut guilds = self.guilds.values();
                let name = guilds.find_map(|guild| guild.roles.get(&id))?;
                Some(format!("@{name}"))
            }
            "#" => {
                let place = self.place(id)?;
                let room = self.room(place.room);
                let thread = place.thread.and_then(|thread| room.threads.get(&thread));
                let name = thread.map_or(&room.title, |thread| &thread.name);
                Some(format!("#{name}"))
            }
            _ if id == BOT_ID => Some(format!("@{BOT_USERNAME}")),
            _ => {
                let person = self.find_person(id)?;
                let name = person.username.as_ref().unwrap_or(&person.name);
                Some(format!("@{name}"))
            }
        }
    }
}
