//! A Discord on loopback, REST and gateway on one port, and the people who use it.
//!
//! The server checks every request against the published description and acts by the rules that the
//! real one documents; the tests play the people through [`Chat`], as they do on the fake Telegram.

mod acting;
mod asking;
mod calls;
mod commands;
mod components;
mod connection;
mod content;
mod faults;
mod files;
mod form;
mod gateway;
mod guild;
mod inbound;
mod inline;
mod interactions;
mod limits;
mod markdown;
mod mentions;
mod people;
mod posting;
mod reading;
mod refusal;
mod rights;
mod room;
mod routes;
mod schema;
mod sending;
mod server;
mod snowflake;
mod spec;
mod standing;
mod state;
mod threads;
mod webhooks;
mod wire;

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

pub use crate::message::{Attachment, Author, Button, Message};
pub use crate::people::{BOT_ID, BOT_NAME, BOT_USERNAME, Person};
pub use crate::press::{Press, PressOutcome};
pub use acting::Chat;
pub use calls::Call;
pub use faults::{Fault, Scope};
pub use gateway::{Door, Identify};
pub use people::APPLICATION_ID;
pub use rights::Right;
pub use server::TOKEN;

use self::gateway::{Audience, GUILDS};
use self::guild::Guild;
use self::interactions::Interaction;
use self::limits::{Limits, Rate};
use self::room::{Post, Room, RoomKind};
use self::state::{State, World};
use crate::waiting::patiently;
use crate::wire::Served;

/// What is added to a person's id for the channel of the direct chat with them.
const DIRECT: i64 = 7_000_000_000_000;

/// The fake Discord. Dropping it cuts every connection.
#[derive(Debug)]
pub struct FakeDiscord {
    world: Arc<World>,
    served: Served,
}

impl State {
    /// Opens the direct chat with a person; returns its channel.
    pub(crate) fn open_direct(&mut self, person: &Person) -> i64 {
        let id = DIRECT + person.id;
        let fresh = || Room::new(id, RoomKind::Direct(person.clone()), &person.name);
        self.rooms.entry(id).or_insert_with(fresh);
        id
    }

    /// Tells a bot that is connected already of a channel, by its server where that is new too.
    fn tell_of_channel(&mut self, server: i64, id: i64, is_new: bool) {
        let (event, told) = if is_new {
            ("GUILD_CREATE", self.whole_guild(server))
        } else {
            ("CHANNEL_CREATE", self.room(id).channel())
        };
        self.dispatch(event, Audience::of_guild(server, GUILDS), |_| told.clone());
    }
}

/// The places and the people.
impl FakeDiscord {
    /// Starts a server on a free loopback port.
    pub async fn start() -> Self {
        let (listener, served) = crate::wire::bind().await;
        let world = Arc::new(World::new(served.address, served.stop.clone()));
        let router = server::router(Arc::clone(&world));
        crate::wire::serve(listener, router, served.stop.clone());
        Self { world, served }
    }

    /// Returns the address of REST, as in `http://127.0.0.1:1234/api/v10`, to use in place of
    /// `https://discord.com/api/v10`.
    pub fn url(&self) -> String {
        format!("http://{}{}", self.served.address, server::API)
    }

    /// Returns the one token that the server knows.
    pub fn token(&self) -> &'static str {
        TOKEN
    }

    /// Makes a person; their username is the name in lower case.
    pub fn person(&self, id: i64, name: &str) -> Person {
        Person::new(id, name)
    }

    /// Opens the direct chat of a person with the bot, spoken in by that person.
    pub fn direct(&self, person: &Person) -> Chat {
        let id = self.world.state().open_direct(person);
        self.chat(id).with(person)
    }

    /// Makes a text channel in a server of its own. A negative id, as groups have on Telegram,
    /// loses its sign. The server's id holds the channel's above its lowest 22 bits, so that `id %
    /// shards` is its shard.
    pub fn group(&self, id: i64, title: &str) -> Chat {
        let channel = id.abs();
        let server = if channel < 1 << 40 {
            channel << 22
        } else {
            channel + 1
        };
        self.group_in(server, channel, title)
    }

    /// Creates a text channel in this server, and the server with its first channel; a connected
    /// bot gets the event.
    pub fn group_in(&self, server: i64, id: i64, title: &str) -> Chat {
        self.open(server, id, RoomKind::Text { guild: server }, title)
    }

    /// Makes a forum in this server, see [`Chat::opens_post`].
    pub fn forum_in(&self, server: i64, id: i64, title: &str) -> Chat {
        self.open(server, id, RoomKind::Forum { guild: server }, title)
    }

    /// Makes a channel, unless it is there, and tells the bot.
    fn open(&self, server: i64, id: i64, kind: RoomKind, title: &str) -> Chat {
        let mut state = self.world.state();
        let is_new = !state.guilds.contains_key(&server);
        let guild = || Guild::new(server, title);
        state.guilds.entry(server).or_insert_with(guild);
        let is_there = state.rooms.contains_key(&id);
        let room = || Room::new(id, kind, title);
        state.rooms.entry(id).or_insert_with(room);
        if !is_there {
            state.tell_of_channel(server, id, is_new);
        }
        drop(state);
        self.chat(id)
    }

    fn chat(&self, id: i64) -> Chat {
        Chat::new(Arc::clone(&self.world), id)
    }
}

/// Faults, limits and what the bot has asked.
impl FakeDiscord {
    /// Has the next request of the operation go wrong; several are used up in order.
    pub fn fail_next(&self, method: &str, fault: Fault) {
        self.world.state().faults.queue(method, fault);
    }

    /// Has every request go wrong for which the rule gives a fault. The rule must not touch the
    /// fake itself.
    pub fn fail_when(&self, rule: impl Fn(&Call) -> Option<Fault> + Send + 'static) {
        self.world.state().faults.add_rule(Box::new(rule));
    }

    /// Takes back every fault that has not come yet.
    pub fn heal(&self) {
        self.world.state().faults.clear();
    }

    /// Enforces Discord's limits from now on, or no longer: 50 requests a second in all, and by
    /// bucket, for messages five in five seconds in one channel. All answers tell of them in their
    /// headers.
    pub fn enforce_limits(&self, enforced: bool) {
        self.world.state().limits = enforced.then(Limits::default);
    }

    /// Returns how often something was refused for its limits since they are enforced.
    pub fn refused_for_limits(&self) -> usize {
        let state = self.world.state();
        state.limits.as_ref().map_or(0, |limits| limits.refused)
    }

    /// Enforces the limits with a rate of its own for one operation.
    pub fn limits(&self, operation: &str, limit: u32, per: Duration) {
        let mut state = self.world.state();
        let limits = state.limits.get_or_insert_default();
        limits.set(operation, Rate { limit, per });
    }

    /// Sets how long after an interaction its first answer is still taken (3 s unless told
    /// otherwise).
    pub fn take_answers_for(&self, lifetime: Duration) {
        self.world.state().answer_within = lifetime;
    }

    /// Sets how long the token of an interaction is good for (15 minutes unless told otherwise).
    pub fn keep_tokens_for(&self, lifetime: Duration) {
        self.world.state().token_lifetime = lifetime;
    }

    /// Returns all requests so far, also those that were made to fail.
    pub fn calls(&self) -> Vec<Arc<Call>> {
        self.world.state().calls.all().to_vec()
    }

    /// Returns the requests of one operation, by its published id as in `create_message`.
    pub fn calls_of(&self, method: &str) -> Vec<Arc<Call>> {
        let state = self.world.state();
        let calls = state.calls.all().iter();
        calls
            .filter(|call| call.method == method)
            .cloned()
            .collect()
    }

    /// Returns how often an operation was requested.
    pub fn count(&self, method: &str) -> usize {
        self.world.state().calls.count(method)
    }

    /// Waits until an operation was requested `count` times in total.
    pub async fn waits_for_calls(&self, method: &str, count: usize) {
        let enough = || (self.count(method) >= count).then_some(());
        let came = patiently(&self.world.called, enough).await;
        assert!(
            came.is_some(),
            "{method} was requested {} of {count} times",
            self.count(method)
        );
    }

    /// Forgets the requests so far; a long measurement would otherwise keep them all.
    pub fn forget_calls(&self) {
        self.world.state().calls.forget();
    }

    /// Returns what people have said for the bot to hear: the ids of the messages, each with the
    /// time of its last change in milliseconds, 0 where it was not changed.
    pub fn said(&self) -> Vec<(i64, i64)> {
        let state = self.world.state();
        let posts = state.rooms.values().flat_map(|room| room.posts.values());
        let said = posts.filter(|post| post.is_listed() && post.is_of_person());
        said.map(|post| (post.seen.id, post.edited_at.unwrap_or_default()))
            .collect()
    }

    /// Returns how many interactions wait for their first answer and can still get it, or for the
    /// answer that was promised.
    pub fn unanswered(&self) -> usize {
        let state = self.world.state();
        let is_open = |it: &&Interaction| {
            let can_be_answered = it.was_heard && it.asked_at.elapsed() < state.answer_within;
            let original = it
                .original
                .and_then(|id| state.room(it.place.room).standing(id));
            original.map_or(!it.is_answered && can_be_answered, Post::is_loading)
        };
        state.interactions.values().filter(is_open).count()
    }

    /// Returns the application's commands as the bot has set them.
    pub fn commands(&self) -> Vec<Value> {
        self.world.state().commands.clone()
    }

    /// Returns what the bot has done that no right bot does.
    pub fn violations(&self) -> Vec<String> {
        self.world.state().violations.clone()
    }

    /// Returns the violations and forgets them, for a test that provokes them.
    pub fn take_violations(&self) -> Vec<String> {
        std::mem::take(&mut self.world.state().violations)
    }

    /// Returns what people said in all chats.
    pub fn said_by_people(&self) -> Vec<String> {
        let state = self.world.state();
        let messages = state
            .rooms
            .values()
            .flat_map(|room| room.posts.values().map(|post| &post.seen));
        messages
            .filter(|message| !message.is_from_bot())
            .map(|message| message.text.clone())
            .collect()
    }

    /// Panics with the list of violations if there is one.
    pub fn assert_clean(&self) {
        let violations = self.violations();
        assert!(
            violations.is_empty(),
            "the bot broke Discord's rules:\n{}",
            violations.join("\n")
        );
    }

    /// Tells whether requests are checked against the published description, and not the built-in
    /// rules.
    pub fn checks_widely() -> bool {
        spec::Spec::get().is_published
    }
}
