//! What is known of servers, chats, threads and roles: only what is needed to say where something
//! was said and to make mentions readable.
//!
//! It is filled from what the gateway tells and asked for each message. It is a memory, not the
//! truth: what is missing is asked of Discord, and forgetting the oldest only costs a question.

use std::collections::{HashMap, HashSet, VecDeque};

use sayso_channel::{Address, ChannelName, ChatKey, ChatKind, ThreadKey};

use super::raw::{Id, RawChannel, RawGuild, RawRole};

/// How many chats and threads are remembered at most.
const REMEMBERED: usize = 20_000;

/// What is known of the servers of one connection.
#[derive(Debug, Default)]
pub(crate) struct Places {
    servers: HashMap<Id, Server>,
    chats: HashMap<Id, Place>,
    /// The chats and threads in the order in which they were first met.
    order: VecDeque<Id>,
}

/// A chat or a thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    /// The chat or thread itself: where it is read and written.
    pub(crate) id: Id,
    /// The server that it belongs to; none for direct chats.
    pub(crate) server: Option<Id>,
    /// The chat that a thread belongs to; none outside threads.
    pub(crate) parent: Option<Id>,
    name: Option<String>,
}

#[derive(Debug, Default)]
struct Server {
    roles: HashMap<Id, String>,
    ours: HashSet<Id>,
}

impl Place {
    /// Returns a direct chat.
    pub(crate) fn direct(id: Id) -> Self {
        Self {
            id,
            server: None,
            parent: None,
            name: None,
        }
    }

    /// Returns a chat of a server of which nothing else is known.
    pub(crate) fn of_server(id: Id, server: Id) -> Self {
        Self {
            server: Some(server),
            ..Self::direct(id)
        }
    }

    /// Reads a chat or thread; `server` where the object does not say it.
    pub(crate) fn read(raw: &RawChannel, server: Option<Id>) -> Option<Self> {
        let is_thread = raw.kind.is_some_and(is_thread);
        Some(Self {
            id: raw.id?,
            server: raw.guild_id.or(server),
            parent: raw.parent_id.filter(|_| is_thread),
            name: raw.name.clone(),
        })
    }

    /// Returns where something that is said here is heard and answered.
    pub(crate) fn address(&self, channel: &ChannelName) -> Address {
        let key = |id: Id| id.0.to_string();
        Address {
            channel: channel.clone(),
            chat: ChatKey::new(key(self.parent.unwrap_or(self.id))),
            thread: self.parent.map(|_| ThreadKey::new(key(self.id))),
        }
    }

    /// Returns who may read here. A group of friends cannot have a bot, so without a server there
    /// is one person.
    pub(crate) fn kind(&self) -> ChatKind {
        match self.server {
            Some(_) => ChatKind::Group,
            None => ChatKind::Direct,
        }
    }
}

/// Returns whether a kind of chat is a thread: in news, public, private
/// (<https://docs.discord.com/developers/resources/channel#channel-object-channel-types>).
fn is_thread(kind: u64) -> bool {
    matches!(kind, 10..=12)
}

/// Returns whether people can write in a chat of this kind. A kind that we do not know may be one.
pub(crate) fn can_be_written(kind: u64) -> bool {
    const CATEGORY: u64 = 4;
    const DIRECTORY: u64 = 14;
    const FORUM: u64 = 15;
    const MEDIA: u64 = 16;
    !matches!(kind, CATEGORY | DIRECTORY | FORUM | MEDIA)
}

impl Places {
    /// Learns a server with its chats, threads and roles.
    pub(crate) fn learn_server(&mut self, raw: &RawGuild, us: Id) {
        let Some(server) = raw.id else { return };
        self.servers.insert(server, Server::default());
        for role in &raw.roles {
            self.learn_role(server, role, us);
        }
        let member = raw
            .members
            .iter()
            .find(|member| member.user.as_ref().and_then(|user| user.id) == Some(us));
        if let (Some(known), Some(member)) = (self.servers.get_mut(&server), member) {
            known.ours.extend(&member.roles);
        }
        for chat in raw.channels.iter().chain(&raw.threads) {
            self.learn_chat(chat, Some(server));
        }
    }

    /// Forgets a server; its chats are gone with it.
    pub(crate) fn forget_server(&mut self, server: Id) {
        self.servers.remove(&server);
        self.chats.retain(|_, place| place.server != Some(server));
        let chats = &self.chats;
        self.order.retain(|id| chats.contains_key(id));
    }

    /// Learns a role; it is ours when it was made for us.
    pub(crate) fn learn_role(&mut self, server: Id, raw: &RawRole, us: Id) {
        let (Some(role), Some(known)) = (raw.id, self.servers.get_mut(&server)) else {
            return;
        };
        let name = raw.name.clone().unwrap_or_default();
        known.roles.insert(role, name);
        if raw.tags.as_ref().and_then(|tags| tags.bot_id) == Some(us) {
            known.ours.insert(role);
        }
    }

    /// Forgets a role.
    pub(crate) fn forget_role(&mut self, server: Id, role: Id) {
        if let Some(known) = self.servers.get_mut(&server) {
            known.roles.remove(&role);
            known.ours.remove(&role);
        }
    }

    /// Learns a chat or thread.
    pub(crate) fn learn_chat(&mut self, raw: &RawChannel, server: Option<Id>) {
        if let Some(place) = Place::read(raw, server) {
            self.learn(place);
        }
    }

    /// Learns a place; the oldest is forgotten when there are too many.
    pub(crate) fn learn(&mut self, place: Place) {
        let id = place.id;
        if self.chats.insert(id, place).is_none() {
            self.order.push_back(id);
        }
        if self.order.len() > REMEMBERED
            && let Some(oldest) = self.order.pop_front()
        {
            self.chats.remove(&oldest);
        }
    }

    /// Forgets a chat or thread.
    pub(crate) fn forget_chat(&mut self, chat: Id) {
        if self.chats.remove(&chat).is_some() {
            self.order.retain(|id| *id != chat);
        }
    }

    /// Returns a chat or thread.
    pub(crate) fn chat(&self, id: Id) -> Option<&Place> {
        self.chats.get(&id)
    }

    /// Returns the name of a chat or thread.
    pub(crate) fn chat_name(&self, id: Id) -> Option<&str> {
        self.chats.get(&id)?.name.as_deref()
    }

    /// Returns the name of a role.
    pub(crate) fn role_name(&self, server: Id, role: Id) -> Option<&str> {
        let name = self.servers.get(&server)?.roles.get(&role)?;
        Some(name)
    }

    /// Returns whether naming a role names us: the role that was made for us when we were added, or
    /// one that we hold.
    pub(crate) fn is_our_role(&self, server: Id, role: Id) -> bool {
        self.servers
            .get(&server)
            .is_some_and(|known| known.ours.contains(&role))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oldest_places_are_forgotten() {
        let mut places = Places::default();
        let places_to_learn = 1..=REMEMBERED as u64 + 1;
        for id in places_to_learn {
            places.learn(Place::direct(Id(id)));
        }
        assert_eq!(places.chat(Id(1)), None);
        assert_eq!(places.chat(Id(2)), Some(&Place::direct(Id(2))));
        assert_eq!(places.order.len(), REMEMBERED);
    }

    #[test]
    fn server_that_is_forgotten_takes_its_chats_with_it() {
        let mut places = Places::default();
        places.learn(Place::of_server(Id(1), Id(9)));
        places.learn(Place::direct(Id(2)));
        places.forget_server(Id(9));
        assert_eq!(places.chat(Id(1)), None);
        assert_eq!(places.order, [Id(2)]);
    }
}
