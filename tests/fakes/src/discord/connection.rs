//! The gateway as a test plays it: how it welcomes, what it withholds, and how it breaks.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use super::FakeDiscord;
use super::gateway::{Audience, Door, GUILDS, Gateway, Identify, MESSAGE_CONTENT};
use super::state::{CONTENT_ALLOWED, CONTENT_ALLOWED_LIMITED};
use crate::waiting::patiently;

/// How things are from now on.
impl FakeDiscord {
    /// Sets the interval of heartbeats that the next HELLO tells.
    pub fn beats_every(&self, interval: Duration) {
        self.world.state().gateway.heartbeat = interval;
    }

    /// Sets how many shards `GET /gateway/bot` recommends, and how many may begin at once.
    pub fn recommends_shards(&self, shards: u64, max_concurrency: u64) {
        let gateway = &mut self.world.state().gateway;
        gateway.shards = shards;
        gateway.max_concurrency = max_concurrency;
    }

    /// Sets how many sessions may still begin today, as `session_start_limit` tells.
    pub fn leaves_starts(&self, remaining: u64) {
        self.world.state().gateway.starts_left = remaining;
    }

    /// Sets the time between two IDENTIFYs of one bucket (5 s unless told otherwise). Faster ones
    /// are violations.
    pub fn spaces_identifies_by(&self, window: Duration) {
        self.world.state().gateway.start_window = window;
    }

    /// Switches the intent for message content on or off, as in the portal.
    pub fn allows_content(&self, allowed: bool) {
        let state = &mut self.world.state();
        state.application_flags &= !(CONTENT_ALLOWED | CONTENT_ALLOWED_LIMITED);
        state.gateway.privileged &= !MESSAGE_CONTENT;
        if allowed {
            state.application_flags |= CONTENT_ALLOWED_LIMITED;
            state.gateway.privileged |= MESSAGE_CONTENT;
        }
    }

    /// Sets what `GET /applications/@me` tells as flags, whatever the gateway allows.
    pub fn application_flags(&self, flags: i64) {
        self.world.state().application_flags = flags;
    }

    /// Sets what becomes of new connections.
    pub fn door(&self, door: Door) {
        self.world.state().gateway.door = door;
    }

    /// The gateway is gone: open connections break, new ones too until [`FakeDiscord::comes_back`].
    pub fn goes_away(&self) {
        let mut state = self.world.state();
        state.gateway.door = Door::Refusing;
        state.gateway.cuts();
    }

    /// New connections are welcome again.
    pub fn comes_back(&self) {
        self.door(Door::Open);
    }

    /// Withholds the answers to heartbeats, so that connections look alive and are dead.
    pub fn withholds_acknowledgements(&self, withheld: bool) {
        self.world.state().gateway.acknowledges = !withheld;
    }
}

/// What happens once.
impl FakeDiscord {
    /// Asks every connection to reconnect (op 7).
    pub fn asks_to_reconnect(&self) {
        self.sends_to_gateway(&json!({ "op": 7, "d": null }));
    }

    /// Declares every session invalid (op 9), resumable or not.
    pub fn invalidates(&self, resumable: bool) {
        let mut state = self.world.state();
        state.gateway.sends(&json!({ "op": 9, "d": resumable }));
        if !resumable {
            state.gateway.forgets();
        }
    }

    /// Answers the next IDENTIFY or RESUME with op 9; several are used up in order.
    pub fn invalidates_next(&self, resumable: bool) {
        self.world.state().gateway.invalid_next.push_back(resumable);
    }

    /// Forgets the sessions: a resume gets an invalid-session event.
    pub fn forgets_sessions(&self) {
        self.world.state().gateway.forgets();
    }

    /// Closes every connection with a code.
    pub fn closes(&self, code: u16) {
        self.world.state().gateway.closes(code);
    }

    /// Breaks every connection without a close.
    pub fn cuts(&self) {
        self.world.state().gateway.cuts();
    }

    /// Delivers the next dispatch this many times more than once.
    pub fn repeats_next(&self, times: usize) {
        self.world.state().gateway.repeats = times;
    }

    /// Asks every connection for a heartbeat at once (op 1).
    pub fn asks_for_heartbeat(&self) {
        self.sends_to_gateway(&json!({ "op": 1, "d": null }));
    }

    /// Sends any frame to every connection: unknown opcodes, unsolicited acknowledgements,
    /// nonsense.
    pub fn sends_to_gateway(&self, frame: &Value) {
        self.world.state().gateway.sends(frame);
    }

    /// Dispatches any event to the sessions of a server, or of direct chats where it is `None`.
    pub fn dispatches(&self, server: Option<i64>, event: &str, data: &Value) {
        let audience = match server {
            Some(server) => Audience::of_guild(server, 0),
            None => Audience::direct(0),
        };
        self.world
            .state()
            .dispatch(event, audience, |_| data.clone());
    }

    /// A server cannot be reached for a while, and is back.
    pub fn server_is_unavailable(&self, server: i64) {
        let gone = json!({ "id": server.to_string(), "unavailable": true });
        let audience = Audience::of_guild(server, GUILDS);
        self.world
            .state()
            .dispatch("GUILD_DELETE", audience, |_| gone.clone());
    }
}

/// What the bot has done.
impl FakeDiscord {
    /// Waits until `count` sessions are connected at once.
    pub async fn waits_for_sessions(&self, count: usize) {
        self.waits_for_gateway("connected sessions", count, Gateway::connected)
            .await;
    }

    /// Waits until the bot has connected `count` times in total, accepted or not.
    pub async fn waits_for_connections(&self, count: usize) {
        self.waits_for_gateway("connections", count, |gateway| gateway.connections)
            .await;
    }

    /// Waits until `count` sessions were identified in total.
    pub async fn waits_for_identifies(&self, count: usize) {
        self.waits_for_gateway("identifies", count, |gateway| gateway.identifies.len())
            .await;
    }

    /// Waits until `count` sessions were resumed, successfully or not, in total.
    pub async fn waits_for_resumes(&self, count: usize) {
        self.waits_for_gateway("resumes", count, |gateway| gateway.resumes)
            .await;
    }

    /// Waits until `count` heartbeats have come in total.
    pub async fn waits_for_heartbeats(&self, count: usize) {
        self.waits_for_gateway("heartbeats", count, |gateway| gateway.heartbeats)
            .await;
    }

    /// Waits until no connection has a session.
    pub async fn waits_until_disconnected(&self) {
        self.waits_for_gateway("end of all sessions", 1, |gateway| {
            usize::from(gateway.connected() == 0)
        })
        .await;
    }

    /// Returns how many sessions are connected.
    pub fn sessions(&self) -> usize {
        self.world.state().gateway.connected()
    }

    /// Returns how often the bot has connected, welcome or not.
    pub fn connections(&self) -> usize {
        self.world.state().gateway.connections
    }

    /// Returns the sessions that were begun.
    pub fn identifies(&self) -> Vec<Identify> {
        self.world.state().gateway.identifies.clone()
    }

    /// Returns how often a session was resumed, or tried to be.
    pub fn resumes(&self) -> usize {
        self.world.state().gateway.resumes
    }

    async fn waits_for_gateway(
        &self,
        what: &str,
        count: usize,
        measure: impl Fn(&Gateway) -> usize,
    ) {
        let changed = Arc::clone(&self.world.state().gateway.changed);
        let measured = || measure(&self.world.state().gateway);
        let came = patiently(&changed, || (measured() >= count).then_some(())).await;
        assert!(came.is_some(), "{} of {count} {what}", measured());
    }
}
