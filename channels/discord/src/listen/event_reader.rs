//! What one shard knows while it hears, and how one message gets from it to the inbox.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sayso_channel::{Addressed, Event, Inbound};
use serde::Deserialize as _;
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep};
use tracing::{debug, warn};

use super::Listener;
use super::backoff::Backoff;
use super::messages;
use super::recent::Recent;
use crate::from_discord::{
    EventMapper, Form, Id, Place, Places, RawChannel, RawMember, RawMessage, heard, opens_with,
    quote,
};
use crate::gateway::Shard;
use crate::rest::Request;

/// How many threads and chats are remembered.
const REMEMBERED: usize = 10_000;
/// How many pages are read back at the same time.
const READERS: usize = 4;
/// How long the roles of a member count; messages that are read back do not carry them.
const MEMBER_LASTS: Duration = Duration::from_mins(1);

/// The state of one shard while it listens. The tasks of all chats share it; no lock is held across
/// an await.
pub(super) struct EventReader<'a> {
    pub(super) listener: Listener<'a>,
    pub(super) mapper: &'a EventMapper,
    pub(super) shard: Shard,
    places: Mutex<Places>,
    /// Threads whose beginning was shown. A restart may show it again.
    introduced: Recent<Id, ()>,
    /// Messages that were read back: what the gateway says of them later is no news.
    pub(super) read_back: Recent<Id, ()>,
    /// The newest message of each chat that was stored by this process.
    pub(super) newest: Recent<Id, Id>,
    /// Who reads a page back: a start with many chats must not ask for all of them at once.
    pub(super) readers: Semaphore,
    members: Recent<(Id, Id), (Instant, RawMember)>,
}

impl<'a> EventReader<'a> {
    pub(super) fn new(listener: Listener<'a>, mapper: &'a EventMapper, shard: Shard) -> Self {
        Self {
            listener,
            mapper,
            shard,
            places: Mutex::default(),
            introduced: Recent::new(REMEMBERED),
            read_back: Recent::new(REMEMBERED),
            newest: Recent::new(REMEMBERED),
            readers: Semaphore::new(READERS),
            members: Recent::new(REMEMBERED),
        }
    }

    pub(super) fn places(&self) -> MutexGuard<'_, Places> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hears a message that the gateway told of, and returns when it is stored or is nothing.
    pub(super) async fn hear(&self, raw: RawMessage, form: Form) {
        let (Some(id), Some(chat)) = (raw.id, raw.channel_id) else {
            return;
        };
        if form == Form::Said && self.read_back.find(id).is_some() {
            return;
        }
        let place = match raw.guild_id {
            None => Some(Place::direct(chat)),
            Some(server) => self.place(chat, Some(server)).await,
        };
        if let Some(mut place) = place {
            place.server = raw.guild_id;
            self.hear_at(raw, form, &place).await;
        }
    }

    /// Hears a message of a known place.
    pub(super) async fn hear_at(&self, mut raw: RawMessage, form: Form, place: &Place) {
        let (Some(id), Some(mut inbound)) = (raw.id, self.read(&raw, form, place)) else {
            return;
        };
        if raw.member.is_none() && is_for_us(&inbound) {
            raw.member = self.member(&raw, place).await;
            inbound = self.read(&raw, form, place).unwrap_or(inbound);
        }
        self.introduce(&mut inbound, id, place).await;
        self.store(inbound).await;
        let newest = self.newest.find(place.id);
        self.newest
            .keep(place.id, newest.map_or(id, |newest| newest.max(id)));
        if form == Form::ReadBack {
            self.read_back.keep(id, ());
        }
    }

    fn read(&self, raw: &RawMessage, form: Form, place: &Place) -> Option<Inbound> {
        heard(raw, form, place, &self.places(), self.mapper)
    }

    /// Offers an event until it is stored.
    pub(super) async fn store(&self, inbound: Inbound) {
        let mut backoff = Backoff::new(&self.listener.config.timeouts);
        while self.listener.inbox.put(inbound.clone()).await.is_err() {
            let channel = &self.mapper.channel;
            warn!(%channel, "what was heard cannot be stored");
            let health = self.listener.inbox.health();
            health.waiting(messages::store_is_closed());
            sleep(backoff.pause()).await;
        }
    }

    /// Returns where a chat or thread is; one that was never met is asked for. `None` when Discord
    /// does not show it to us.
    pub(super) async fn place(&self, chat: Id, server: Option<Id>) -> Option<Place> {
        if let Some(place) = self.places().chat(chat) {
            return Some(place.clone());
        }
        let question = || Request::get(format!("/channels/{}", chat.0));
        let place = match self.listener.ask::<Value>(question).await {
            Ok(object) => Place::read(&RawChannel::deserialize(object).ok()?, server),
            Err(refusal) => {
                debug!(
                    chat = chat.0,
                    status = refusal.status,
                    "a chat is not shown to us"
                );
                // A chat of a server that we may hear but not look at is no thread.
                server.map(|server| Place::of_server(chat, server))
            }
        }?;
        self.places().learn(place.clone());
        Some(place)
    }

    /// Returns the member who said a message that was read back.
    async fn member(&self, raw: &RawMessage, place: &Place) -> Option<RawMember> {
        let key = (place.server?, raw.author.as_ref()?.id?);
        if let Some((asked, member)) = self.members.find(key)
            && asked.elapsed() < MEMBER_LASTS
        {
            return Some(member);
        }
        let (server, user) = (key.0.0, key.1.0);
        let question = || Request::get(format!("/guilds/{server}/members/{user}"));
        let object: Value = self.listener.ask(question).await.ok()?;
        let member = RawMember::deserialize(object).ok()?;
        self.members.keep(key, (Instant::now(), member.clone()));
        Some(member)
    }

    /// Shows the beginning of a thread with the first message there that is for us.
    async fn introduce(&self, inbound: &mut Inbound, id: Id, place: &Place) {
        let Some(parent) = place.parent.filter(|_| opens_with(inbound)) else {
            return;
        };
        let is_known = self.introduced.keep(place.id, ()).is_some();
        if is_known || id == place.id {
            return;
        }
        let Some(starter) = self.starter(place.id, parent).await else {
            return;
        };
        let quoted = quote(&starter, place, &self.places(), self.mapper);
        if let Event::Message(message) = &mut inbound.event {
            message.quoted = quoted;
        }
    }

    /// Returns what a thread began with: the message of the parent that it was started from, or
    /// the first message of a forum's post. Both have the thread's id
    /// (<https://docs.discord.com/developers/topics/threads>).
    async fn starter(&self, thread: Id, parent: Id) -> Option<RawMessage> {
        for chat in [parent, thread] {
            let (chat, message) = (chat.0, thread.0);
            let question = || Request::get(format!("/channels/{chat}/messages/{message}"));
            if let Ok(object) = self.listener.ask::<Value>(question).await {
                return RawMessage::deserialize(object).ok();
            }
        }
        None
    }
}

fn is_for_us(inbound: &Inbound) -> bool {
    let Event::Message(message) = &inbound.event else {
        return false;
    };
    !matches!(message.addressed, Addressed::No | Addressed::Direct)
}
