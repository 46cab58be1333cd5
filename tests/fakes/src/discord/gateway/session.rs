//! How a session begins and goes on: IDENTIFY, RESUME and heartbeats, by the rules of the real
//! gateway.

use std::sync::Arc;
use std::time::Instant;

use serde_json::{Value, json};

use super::{
    ALL_INTENTS, GUILD_MEMBERS, GUILD_PRESENCES, GUILDS, Identify, MESSAGE_CONTENT, Out, Session,
};
use crate::discord::people::{APPLICATION_ID, bot_user};
use crate::discord::server::TOKEN;
use crate::discord::state::State;

/// The connection is closed with this code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Closed(pub(super) u16);

const UNKNOWN_OPERATION: Closed = Closed(4001);
const NOT_READABLE: Closed = Closed(4002);
const NOT_AUTHENTICATED: Closed = Closed(4003);
const AUTHENTICATION_FAILED: Closed = Closed(4004);
const ALREADY_AUTHENTICATED: Closed = Closed(4005);
const INVALID_SEQUENCE: Closed = Closed(4007);
const INVALID_SHARD: Closed = Closed(4010);
const INVALID_INTENTS: Closed = Closed(4013);
const DISALLOWED_INTENTS: Closed = Closed(4014);

impl State {
    /// Acts on one frame of the bot.
    pub(super) fn take_frame(&mut self, line: u64, frame: &str) -> Result<(), Closed> {
        let frame: Value = serde_json::from_str(frame).map_err(|_| {
            self.gateway_violation("a frame is not JSON");
            NOT_READABLE
        })?;
        let data = &frame["d"];
        let is_identified = self.gateway.session_on(line).is_some();
        match frame["op"].as_u64() {
            Some(1) => {
                self.beat(line, data);
                Ok(())
            }
            Some(2 | 6) if is_identified => {
                self.gateway_violation("identified or resumed twice on one connection");
                Err(ALREADY_AUTHENTICATED)
            }
            Some(2) => self.identify(line, data),
            Some(6) => self.resume(line, data),
            Some(3 | 4 | 8) if is_identified => Ok(()),
            Some(3 | 4 | 8) => {
                self.gateway_violation("sent something before IDENTIFY");
                Err(NOT_AUTHENTICATED)
            }
            _ => {
                self.gateway_violation("sent an unknown operation");
                Err(UNKNOWN_OPERATION)
            }
        }
    }

    fn beat(&mut self, line: u64, sequence: &Value) {
        if !(sequence.is_null() || sequence.is_u64()) {
            self.gateway_violation("a heartbeat carries something else than a sequence");
        }
        let told = self
            .gateway
            .session_on(line)
            .map(|session| session.sequence);
        if let (Some(said), Some(told)) = (sequence.as_u64(), told)
            && said > told
        {
            self.gateway_violation("a heartbeat carries a sequence that was never told");
        }
        self.gateway.heartbeats += 1;
        self.gateway.changed.notify_waiters();
        if self.gateway.acknowledges {
            let frame = json!({ "op": 11 }).to_string();
            self.gateway.send(line, Out::Frame(frame.into()));
        }
    }

    fn identify(&mut self, line: u64, data: &Value) -> Result<(), Closed> {
        let properties = &data["properties"];
        if !["os", "browser", "device"].map(|name| properties[name].is_string())[..].contains(&true)
        {
            self.gateway_violation("IDENTIFY has no properties");
        }
        if data["token"] != TOKEN {
            return Err(AUTHENTICATION_FAILED);
        }
        let intents = self.check_intents(&data["intents"])?;
        let shard = self.check_shard(&data["shard"])?;
        self.note_identify(shard, intents);
        if let Some(resumable) = self.gateway.invalid_next.pop_front() {
            self.say_invalid(line, resumable);
            return Ok(());
        }
        let serial = self.ids.next();
        let id = format!("{serial:032x}");
        self.gateway.sessions.push(Session {
            id: id.clone(),
            shard,
            intents,
            sequence: 0,
            told: std::collections::VecDeque::new(),
            line: Some(line),
        });
        let ready = self.ready(&id, shard);
        self.tell_one(line, "READY", &ready);
        if intents & GUILDS != 0 {
            self.tell_guilds(line, shard);
        }
        self.gateway.changed.notify_waiters();
        Ok(())
    }

    fn check_intents(&mut self, intents: &Value) -> Result<u64, Closed> {
        let Some(intents) = intents.as_u64().filter(|bits| bits & !ALL_INTENTS == 0) else {
            self.gateway_violation("IDENTIFY names intents that do not exist");
            return Err(INVALID_INTENTS);
        };
        let privileged = intents & (GUILD_MEMBERS | GUILD_PRESENCES | MESSAGE_CONTENT);
        if privileged & !self.gateway.privileged != 0 {
            return Err(DISALLOWED_INTENTS);
        }
        Ok(intents)
    }

    fn check_shard(&mut self, shard: &Value) -> Result<(u64, u64), Closed> {
        if shard.is_null() {
            return Ok((0, 1));
        }
        match (shard[0].as_u64(), shard[1].as_u64()) {
            (Some(shard), Some(shards)) if shard < shards => Ok((shard, shards)),
            _ => {
                self.gateway_violation("IDENTIFY names a shard that cannot be");
                Err(INVALID_SHARD)
            }
        }
    }

    /// Puts an IDENTIFY on record; those of one bucket (`shard % max_concurrency`) keep their
    /// distance.
    fn note_identify(&mut self, shard: (u64, u64), intents: u64) {
        let gateway = &mut self.gateway;
        let bucket = |shard: u64| shard % gateway.max_concurrency.max(1);
        let mut before = gateway.identifies.iter().rev();
        let last = before.find(|identify| bucket(identify.shard.0) == bucket(shard.0));
        let is_rushed = last.is_some_and(|last| last.at.elapsed() < gateway.start_window);
        gateway.identifies.push(Identify {
            shard,
            intents,
            at: Instant::now(),
        });
        gateway.starts_left = gateway.starts_left.saturating_sub(1);
        gateway.changed.notify_waiters();
        if is_rushed {
            self.gateway_violation("identified again faster than max_concurrency allows");
        }
    }

    fn ready(&self, session: &str, shard: (u64, u64)) -> Value {
        let guilds = self.guilds_of(shard);
        let guilds: Vec<Value> = guilds
            .iter()
            .map(|id| json!({ "id": id.to_string(), "unavailable": true }))
            .collect();
        json!({
            "v": 10,
            "user": bot_user(),
            "guilds": guilds,
            "session_id": session,
            "session_type": "normal",
            "resume_gateway_url": format!("ws://{}/resume", self.address),
            "shard": [shard.0, shard.1],
            "application": { "id": APPLICATION_ID.to_string(), "flags": self.application_flags },
            "private_channels": [],
            "presences": [],
            "relationships": [],
            "user_settings": {},
            "_trace": ["[\"fake-gateway\"]"],
        })
    }

    fn guilds_of(&self, (shard, shards): (u64, u64)) -> Vec<i64> {
        let mine = |id: i64| (id.unsigned_abs() >> 22) % shards == shard;
        let there = self.guilds.values().filter(|guild| !guild.is_out);
        there.map(|guild| guild.id).filter(|id| mine(*id)).collect()
    }

    fn tell_guilds(&mut self, line: u64, shard: (u64, u64)) {
        for id in self.guilds_of(shard) {
            let guild = self.whole_guild(id);
            self.tell_one(line, "GUILD_CREATE", &guild);
        }
    }

    /// The server as the bot receives it, with the channels that it may see.
    pub(crate) fn whole_guild(&self, id: i64) -> Value {
        let rooms = self.rooms.values().filter(|room| {
            room.guild() == Some(id)
                && !room.is_gone
                && room.allows(crate::discord::rights::Right::View)
        });
        self.guilds[&id].whole(rooms)
    }

    fn tell_one(&mut self, line: u64, event: &str, data: &Value) {
        let Some(session) = self.gateway.session_on(line) else {
            return;
        };
        let frame = session.number(event, data);
        self.gateway.send(line, Out::Frame(frame));
    }

    fn resume(&mut self, line: u64, data: &Value) -> Result<(), Closed> {
        if data["token"] != TOKEN {
            return Err(AUTHENTICATION_FAILED);
        }
        self.gateway.resumes += 1;
        self.gateway.changed.notify_waiters();
        if let Some(resumable) = self.gateway.invalid_next.pop_front() {
            self.say_invalid(line, resumable);
            return Ok(());
        }
        let named = data["session_id"].as_str().unwrap_or_default();
        let sessions = &mut self.gateway.sessions;
        let Some(session) = sessions.iter_mut().find(|session| session.id == named) else {
            self.say_invalid(line, false);
            return Ok(());
        };
        let Some(seen) = data["seq"].as_u64().filter(|it| *it <= session.sequence) else {
            return Err(INVALID_SEQUENCE);
        };
        let previous = session.line.replace(line);
        let missed: Vec<Arc<str>> = session
            .told
            .iter()
            .filter(|(sequence, _)| *sequence > seen)
            .map(|(_, frame)| Arc::clone(frame))
            .collect();
        if let Some(previous) = previous {
            self.gateway.send(previous, Out::Close(4000));
        }
        for frame in missed {
            self.gateway.send(line, Out::Frame(frame));
        }
        self.tell_one(
            line,
            "RESUMED",
            &json!({ "_trace": ["[\"fake-gateway\"]"] }),
        );
        self.gateway.changed.notify_waiters();
        Ok(())
    }

    fn say_invalid(&self, line: u64, resumable: bool) {
        let frame = json!({ "op": 9, "d": resumable }).to_string();
        self.gateway.send(line, Out::Frame(frame.into()));
    }

    pub(super) fn gateway_violation(&mut self, what: &str) {
        self.violations.push(format!("gateway: {what}"));
    }
}
