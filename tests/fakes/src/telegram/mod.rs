//! A Bot API server on loopback, and the people who use it.
//!
//! The server checks every call against the published description and acts by the rules that the
//! real one documents; the tests play the people through [`Chat`].

mod acting;
mod calls;
mod conform;
mod draft;
mod faults;
mod inbound;
mod limits;
mod links;
mod message;
mod methods;
mod params;
mod people;
mod press;
mod refusal;
mod room;
mod sending;
mod server;
#[cfg(test)]
mod shape_tests;
mod spec;
mod state;
mod text;
mod updates;
mod webhook;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

pub use crate::message::{Attachment, Author, Button, Message};
pub use crate::people::{BOT_ID, BOT_NAME, BOT_USERNAME, Person};
pub use crate::press::{Press, PressOutcome};
pub use acting::Chat;
pub use calls::Call;
pub use faults::Fault;
pub use server::TOKEN;

use self::limits::Limits;
use self::room::{RoomKind, Standing};
use self::state::World;
use crate::waiting::patiently;
use crate::wire::{self, Served};

/// The fake Bot API. Dropping it cuts every connection.
#[derive(Debug)]
pub struct FakeTelegram {
    world: Arc<World>,
    served: Served,
}

impl FakeTelegram {
    /// Starts a server on a free loopback port.
    pub async fn start() -> Self {
        Self::of_bot(TOKEN).await
    }

    /// Starts a server that knows a bot of this token, for a second one beside [`Self::start`].
    pub async fn of_bot(token: &'static str) -> Self {
        let (listener, served) = wire::bind().await;
        let world = Arc::new(World::new(served.stop.clone(), token));
        wire::serve(
            listener,
            server::router(Arc::clone(&world)),
            served.stop.clone(),
        );
        Self { world, served }
    }

    /// Returns the base URL, as in `http://127.0.0.1:1234`, to use in place of
    /// `https://api.telegram.org`.
    pub fn url(&self) -> String {
        format!("http://{}", self.served.address)
    }

    /// Returns the one token that the server knows.
    pub fn token(&self) -> &'static str {
        self.world.token
    }

    /// Makes a person; their username is the name in lower case.
    pub fn person(&self, id: i64, name: &str) -> Person {
        Person::new(id, name)
    }

    /// Opens the direct chat of a person with the bot, spoken in by that person.
    pub fn direct(&self, person: &Person) -> Chat {
        let mut state = self.world.state();
        let room = state.open_room(person.id, RoomKind::Private, &person.name);
        room.person = Some(person.clone());
        drop(state);
        self.chat(person.id).with(person)
    }

    /// Makes a group; ids that begin with -100 are supergroups. See [`Chat::forum`] for topics.
    pub fn group(&self, id: i64, title: &str) -> Chat {
        assert!(id < 0, "the id of a group is negative");
        let is_super = id.to_string().starts_with("-100");
        let kind = if is_super {
            RoomKind::Supergroup
        } else {
            RoomKind::Group
        };
        self.world.state().open_room(id, kind, title);
        self.chat(id)
    }

    /// Makes a channel that the bot is an administrator of; what is said there are channel posts.
    pub fn channel(&self, id: i64, title: &str) -> Chat {
        let mut state = self.world.state();
        state.open_room(id, RoomKind::Channel, title).bot = Standing::Administrator;
        drop(state);
        self.chat(id)
    }

    fn chat(&self, id: i64) -> Chat {
        Chat::new(Arc::clone(&self.world), id)
    }

    /// Queues an update verbatim; only `update_id` is filled in, and returned.
    pub fn raw_update(&self, update: Value) -> i64 {
        self.world.state().updates.push_raw(update)
    }

    /// Returns how many updates the bot has not confirmed yet.
    pub fn unconfirmed(&self) -> usize {
        self.world.state().updates.pending_count()
    }

    /// Has the next call of the method go wrong; several are used up in order.
    pub fn fail_next(&self, method: &str, fault: Fault) {
        self.world.state().faults.queue(method, fault);
    }

    /// Has every call go wrong for which the rule gives a fault. The rule must not touch the fake
    /// itself.
    pub fn fail_when(&self, rule: impl Fn(&Call) -> Option<Fault> + Send + 'static) {
        self.world.state().faults.add_rule(Box::new(rule));
    }

    /// Lets another instance poll once: a poll that waits is ended with 409, as Telegram ends it.
    pub fn is_polled_elsewhere(&self) {
        self.world.state().updates.take_over();
    }

    /// Takes back every fault that has not come yet.
    pub fn heal(&self) {
        self.world.state().faults.clear();
    }

    /// Enforces the published rates from now on, or no longer: 429 beyond 30 messages a second in
    /// all, 20 a minute in a group, 1 a second in a direct chat, short bursts aside.
    pub fn enforce_limits(&self, enforced: bool) {
        self.world.state().limits = enforced.then(Limits::default);
    }

    /// Returns how often something was refused for these rates since they are enforced.
    pub fn refused_for_limits(&self) -> usize {
        let state = self.world.state();
        state.limits.as_ref().map_or(0, |limits| limits.refused)
    }

    /// Sets how long after a press its answer is still taken (15 s unless told otherwise).
    pub fn take_answers_for(&self, lifetime: Duration) {
        self.world.state().press_lifetime = Some(lifetime);
    }

    /// Returns all calls so far, also those that were made to fail.
    pub fn calls(&self) -> Vec<Arc<Call>> {
        self.world.state().calls.all().to_vec()
    }

    /// Returns the calls of one method.
    pub fn calls_of(&self, method: &str) -> Vec<Arc<Call>> {
        let state = self.world.state();
        state
            .calls
            .all()
            .iter()
            .filter(|call| call.method == method)
            .cloned()
            .collect()
    }

    /// Returns how often a method was called.
    pub fn count(&self, method: &str) -> usize {
        self.world.state().calls.count(method)
    }

    /// Waits until a method was called `count` times in total.
    pub async fn waits_for_calls(&self, method: &str, count: usize) {
        let enough = || (self.count(method) >= count).then_some(());
        let came = patiently(&self.world.called, enough).await;
        assert!(
            came.is_some(),
            "{method} was called {} of {count} times",
            self.count(method)
        );
    }

    /// Forgets the calls so far; a long measurement would otherwise keep them all.
    pub fn forget_calls(&self) {
        self.world.state().calls.forget();
    }

    /// Returns the command menus that the bot has set, by scope and language as in `default/zh`.
    pub fn menus(&self) -> HashMap<String, Vec<Value>> {
        self.world.state().commands.clone()
    }

    /// Returns what the bot says of itself, by field and language as in `short_description/zh`.
    pub fn descriptions(&self) -> HashMap<String, String> {
        self.world.state().descriptions.clone()
    }

    /// Has the operator write a description at BotFather, by the same key.
    pub fn describes(&self, key: &str, text: &str) {
        let mut state = self.world.state();
        state.descriptions.insert(key.to_owned(), text.to_owned());
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
        let messages = state.rooms.values().flat_map(|room| room.messages.values());
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
            "the bot broke the Bot API:\n{}",
            violations.join("\n")
        );
    }

    /// Tells whether calls are checked against the published description, and not the built-in
    /// rules.
    pub fn checks_widely() -> bool {
        spec::Spec::get().is_published
    }
}
