//! A chat as the server keeps it: who may speak, which messages stand there and what they look like.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;

use serde_json::{Map, Value, json};
use tokio::sync::Notify;

use super::people::bot_user;
use crate::message::{Author, Message};
use crate::people::Person;

/// The sort of chat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RoomKind {
    Private,
    Group,
    Supergroup,
    Channel,
}

impl RoomKind {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Private => "private",
            Self::Group => "group",
            Self::Supergroup => "supergroup",
            Self::Channel => "channel",
        }
    }
}

/// What the bot is in the chat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    Member,
    Administrator,
    /// Blocked by the person of a private chat, or kicked from a group.
    Out,
}

/// One chat.
#[derive(Debug)]
pub(crate) struct Room {
    pub(crate) id: i64,
    pub(crate) kind: RoomKind,
    pub(crate) title: String,
    /// The person of a private chat.
    pub(crate) person: Option<Person>,
    pub(crate) is_forum: bool,
    pub(crate) topics: HashMap<i64, String>,
    pub(crate) messages: BTreeMap<i64, Message>,
    /// Messages of the bot that no test has heard yet.
    pub(crate) unheard: VecDeque<i64>,
    pub(crate) administrators: HashMap<i64, Person>,
    pub(crate) members: HashMap<i64, Person>,
    pub(crate) bot: Standing,
    pub(crate) migrated_to: Option<i64>,
    pub(crate) actions: Vec<String>,
    pub(crate) drafts: Vec<String>,
    pub(crate) changed: Arc<Notify>,
    last_message: i64,
}

impl Room {
    pub(crate) fn new(id: i64, kind: RoomKind, title: &str) -> Self {
        Self {
            id,
            kind,
            title: title.to_owned(),
            person: None,
            is_forum: false,
            topics: HashMap::new(),
            messages: BTreeMap::new(),
            unheard: VecDeque::new(),
            administrators: HashMap::new(),
            members: HashMap::new(),
            bot: Standing::Member,
            migrated_to: None,
            actions: Vec::new(),
            drafts: Vec::new(),
            changed: Arc::default(),
            // Message 1 is the one that made the chat; in forums it stands for the topic General.
            last_message: 1,
        }
    }

    /// The chat as a `Chat` of the Bot API.
    pub(crate) fn chat(&self) -> Value {
        let mut chat = json!({ "id": self.id, "type": self.kind.name() });
        match &self.person {
            Some(person) => {
                chat["first_name"] = person.name.as_str().into();
                if let Some(username) = &person.username {
                    chat["username"] = username.as_str().into();
                }
            }
            None => chat["title"] = self.title.as_str().into(),
        }
        if self.is_forum {
            chat["is_forum"] = true.into();
        }
        chat
    }

    pub(crate) fn next_id(&mut self) -> i64 {
        self.last_message += 1;
        self.last_message
    }

    /// Puts a message into the chat and wakes who listens.
    pub(crate) fn post(&mut self, message: Message) {
        if message.author == Author::Bot {
            self.unheard.push_back(message.id);
        }
        self.messages.insert(message.id, message);
        self.changed.notify_waiters();
    }

    /// Returns the message, unless it is not there or no longer.
    pub(crate) fn standing(&self, id: i64) -> Option<&Message> {
        self.messages.get(&id).filter(|message| !message.deleted)
    }

    pub(crate) fn standing_mut(&mut self, id: i64) -> Option<&mut Message> {
        self.messages
            .get_mut(&id)
            .filter(|message| !message.deleted)
    }

    /// The message as a `Message` of the Bot API, with the one it replies to inside.
    pub(crate) fn wire(&self, message: &Message) -> Value {
        let mut wire = self.flat(message);
        if let Some(replied) = message.reply_to.and_then(|id| self.standing(id)) {
            wire.insert("reply_to_message".to_owned(), self.flat(replied).into());
        } else if message.in_topic
            && let Some(topic) = message.thread.filter(|topic| *topic != message.id)
            && let Some(created) = self.messages.get(&topic)
        {
            // In a topic, what replies to nothing replies to the message that made the topic.
            wire.insert("reply_to_message".to_owned(), self.flat(created).into());
        }
        wire.into()
    }

    fn flat(&self, message: &Message) -> Map<String, Value> {
        let mut wire = Map::new();
        let mut put = |name: &str, value: Value| drop(wire.insert(name.to_owned(), value));
        put("message_id", message.id.into());
        if let Some(thread) = message.thread {
            put("message_thread_id", thread.into());
        }
        if message.in_topic {
            put("is_topic_message", true.into());
        }
        match &message.author {
            Author::Bot => put("from", bot_user()),
            Author::Person(person) => put("from", person.user()),
            Author::AnonymousAdmin => {
                put("from", anonymous_bot());
                put("sender_chat", self.chat());
            }
            Author::Channel => put("sender_chat", self.chat()),
        }
        put("chat", self.chat());
        put("date", message.date.into());
        if message.edits > 0 {
            put("edit_date", message.date.into());
        }
        message.content(&mut wire);
        wire
    }
}

/// The account that stands in for an administrator who speaks as the group.
fn anonymous_bot() -> Value {
    json!({
        "id": 1_087_968_824_i64,
        "is_bot": true,
        "first_name": "Group",
        "username": "GroupAnonymousBot",
    })
}
