//! The queue of one shard: events in the gateway's order, handed over chat by chat.
//!
//! Invariants: the events of one chat are processed one at a time and in order, so no event
//! overtakes a message that the inbox refused, and messages that are read back precede new ones.
//! Chats do not wait for each other. At most [`MOST_HELD`] events wait here; more wait in the
//! shard's queue.

use std::collections::{HashMap, HashSet, VecDeque};

use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt as _, StreamExt as _};
use sayso_channel::{Event, Inbound, LastHeard};
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::mpsc;
use tokio::time::{sleep, sleep_until};
use tracing::{debug, warn};

use super::Listener;
use super::backoff::{self, Backoff};
use super::event_reader::EventReader;
use super::now_ms;
use super::round::Round;
use super::shard::QUEUE;
use crate::from_discord::{
    Form, Id, Place, RawChannel, RawGuild, RawMessage, RawRole, can_be_written, membership, time_ms,
};
use crate::gateway::Dispatch;

/// How many things may wait behind others of their chats.
const MOST_HELD: usize = QUEUE;

/// Something to be done in a chat.
enum Task {
    Hear(Box<RawMessage>, Form),
    ReadBack { after: Id },
    Store(Box<Inbound>),
}

/// The queue of one shard.
pub(super) struct ChatQueue<'a> {
    hearing: &'a EventReader<'a>,
    round: Round,
    /// What waits behind the task of its chat that is under way.
    waiting: HashMap<Id, VecDeque<Task>>,
    held: usize,
    working: FuturesUnordered<BoxFuture<'a, Id>>,
}

impl<'a> ChatQueue<'a> {
    pub(super) fn new(hearing: &'a EventReader<'a>) -> Self {
        let nothing = backoff::between_sessions(&hearing.listener.config.timeouts);
        Self {
            hearing,
            round: Round::begin(&[], HashSet::new(), nothing),
            waiting: HashMap::new(),
            held: 0,
            working: FuturesUnordered::new(),
        }
    }

    /// Hears until nothing can come any more.
    pub(super) async fn run(&mut self, mut events: mpsc::Receiver<Dispatch>) {
        loop {
            let ends = self.round.ends();
            let round_ends = async {
                match ends {
                    Some(at) => sleep_until(at).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                biased;
                Some(chat) = self.working.next(), if !self.working.is_empty() => self.go_on(chat),
                event = events.recv(), if self.held < MOST_HELD => match event {
                    Some(event) => self.take(event).await,
                    None => return,
                },
                () = round_ends => self.end_round(),
            }
        }
    }

    fn end_round(&mut self) {
        for (chat, after) in self.round.end() {
            self.give(chat, Task::ReadBack { after });
        }
    }

    async fn take(&mut self, event: Dispatch) {
        let Dispatch { name, data } = event;
        match name.as_str() {
            "READY" => self.begin_round(&data).await,
            "MESSAGE_CREATE" => self.take_message(data, Form::Said),
            "MESSAGE_UPDATE" => self.take_message(data, Form::Changed),
            "GUILD_CREATE" => self.take_server(data).await,
            "GUILD_DELETE" => self.lose_server(data).await,
            "CHANNEL_DELETE" => self.lose_chat(data),
            _ => self.learn(&name, data),
        }
    }

    /// Begins to read back what was said before this session.
    async fn begin_round(&mut self, ready: &Value) {
        let guilds = ready.get("guilds").and_then(Value::as_array);
        let servers = guilds
            .into_iter()
            .flatten()
            .filter_map(|guild| RawGuild::deserialize(guild).ok()?.id);
        let within = backoff::between_sessions(&self.hearing.listener.config.timeouts);
        let past = Self::past(self.hearing.listener).await;
        self.round = Round::begin(&past, servers.collect(), within);
    }

    async fn past(listener: Listener<'_>) -> Vec<LastHeard> {
        let mut backoff = Backoff::new(&listener.config.timeouts);
        loop {
            match listener.inbox.last_heard(&listener.config.name).await {
                Ok(past) => return past,
                Err(error) => warn!(%error, "what was heard before is not known"),
            }
            sleep(backoff.pause()).await;
        }
    }

    fn take_message(&mut self, data: Value, form: Form) {
        let Some(raw) = read::<RawMessage>(data) else {
            return;
        };
        let Some(chat) = raw.channel_id else { return };
        // Discord does not announce direct chats before their first message.
        if raw.guild_id.is_none()
            && let Some(after) = self.round.claim(chat, None)
        {
            self.give(chat, Task::ReadBack { after });
        }
        self.give(chat, Task::Hear(Box::new(raw), form));
    }

    async fn take_server(&mut self, data: Value) {
        let Some(raw) = read::<RawGuild>(data) else {
            return;
        };
        let Some(server) = raw.id.filter(|_| raw.unavailable != Some(true)) else {
            return;
        };
        let us = self.hearing.mapper.our_id();
        self.hearing.places().learn_server(&raw, us);
        let is_new = !self.round.server_came(server);
        let joined = raw.joined_at.as_deref().and_then(time_ms);
        let joined = joined.map(Id::first_at);
        for chat in raw.channels.iter().chain(&raw.threads) {
            self.read_back_if_missed(chat, joined);
        }
        if is_new {
            self.tell_chats_of(server, &Event::Opened).await;
        }
    }

    /// Reads a chat of a server back when something was said there since it was last heard.
    fn read_back_if_missed(&mut self, raw: &RawChannel, joined: Option<Id>) {
        let Some(chat) = raw.id.filter(|_| raw.kind.is_none_or(can_be_written)) else {
            return;
        };
        let Some(after) = self.round.claim(chat, joined) else {
            return;
        };
        if raw.last_message_id.is_some_and(|newest| newest > after) {
            self.give(chat, Task::ReadBack { after });
        }
    }

    /// Takes note that we were removed; a server that has an outage comes back by itself.
    async fn lose_server(&mut self, data: Value) {
        let Some(raw) = read::<RawGuild>(data) else {
            return;
        };
        let Some(server) = raw.id else { return };
        if raw.unavailable == Some(true) {
            self.round.server_left(server);
            return;
        }
        self.tell_chats_of(server, &Event::Closed).await;
        self.hearing.places().forget_server(server);
    }

    /// Tells the agent what became of the chats of a server, as far as they were ever heard.
    async fn tell_chats_of(&mut self, server: Id, event: &Event) {
        let past = Self::past(self.hearing.listener).await;
        let heard: HashSet<Id> = past.iter().filter_map(chat_of).collect();
        for chat in heard {
            let place = self.hearing.places().chat(chat).cloned();
            if let Some(place) = place.filter(|place| place.server == Some(server)) {
                self.tell(&place, event.clone());
            }
        }
    }

    fn lose_chat(&mut self, data: Value) {
        let Some(chat) = read::<RawChannel>(data) else {
            return;
        };
        if let Some(place) = Place::read(&chat, None) {
            self.hearing.places().forget_chat(place.id);
            self.tell(&place, Event::Closed);
        }
    }

    fn tell(&mut self, place: &Place, event: Event) {
        let inbound = membership(event, place, self.hearing.mapper, now_ms());
        self.give(place.id, Task::Store(Box::new(inbound)));
    }

    /// Learns what an event says of chats, threads and roles.
    fn learn(&self, name: &str, data: Value) {
        let us = self.hearing.mapper.our_id();
        let mut places = self.hearing.places();
        match name {
            "CHANNEL_CREATE" | "CHANNEL_UPDATE" | "THREAD_CREATE" | "THREAD_UPDATE" => {
                if let Some(chat) = read::<RawChannel>(data) {
                    places.learn_chat(&chat, None);
                }
            }
            "THREAD_LIST_SYNC" => {
                if let Some(server) = read::<RawGuild>(data) {
                    for thread in &server.threads {
                        places.learn_chat(thread, server.guild_id);
                    }
                }
            }
            "THREAD_DELETE" => {
                if let Some(thread) = read::<RawChannel>(data).and_then(|thread| thread.id) {
                    places.forget_chat(thread);
                }
            }
            "GUILD_ROLE_CREATE" | "GUILD_ROLE_UPDATE" => {
                if let Some(RoleChange {
                    guild_id,
                    role: Some(role),
                    ..
                }) = read(data)
                {
                    places.learn_role(guild_id, &role, us);
                }
            }
            "GUILD_ROLE_DELETE" => {
                if let Some(RoleChange {
                    guild_id,
                    role_id: Some(role),
                    ..
                }) = read(data)
                {
                    places.forget_role(guild_id, role);
                }
            }
            _ => debug!(name, "nothing is done about an event"),
        }
    }

    /// Does something in a chat when everything before it there is done.
    fn give(&mut self, chat: Id, task: Task) {
        if let Some(waiting) = self.waiting.get_mut(&chat) {
            waiting.push_back(task);
            self.held += 1;
            return;
        }
        self.waiting.insert(chat, VecDeque::new());
        self.begin(chat, task);
    }

    fn go_on(&mut self, chat: Id) {
        let next = self.waiting.get_mut(&chat).and_then(VecDeque::pop_front);
        match next {
            Some(task) => {
                self.held -= 1;
                self.begin(chat, task);
            }
            None => {
                self.waiting.remove(&chat);
            }
        }
    }

    fn begin(&self, chat: Id, task: Task) {
        let hearing = self.hearing;
        let doing = async move {
            match task {
                Task::Hear(raw, form) => hearing.hear(*raw, form).await,
                Task::ReadBack { after } => hearing.read_back(chat, after).await,
                Task::Store(inbound) => hearing.store(*inbound).await,
            }
            chat
        };
        self.working.push(doing.boxed());
    }
}

/// A change of a server's roles.
#[derive(Deserialize)]
struct RoleChange {
    guild_id: Id,
    role: Option<RawRole>,
    role_id: Option<Id>,
}

/// Reads an object; one that cannot be read is nothing.
fn read<T: for<'de> Deserialize<'de>>(data: Value) -> Option<T> {
    serde_json::from_value(data).ok()
}

fn chat_of(heard: &LastHeard) -> Option<Id> {
    heard.address.chat.as_str().parse().ok().map(Id)
}
