//! A channel or direct chat as the server keeps it: its messages, its threads and what the bot may do there.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::sync::Arc;

use serde_json::{Map, Value, json};
use tokio::sync::Notify;

use super::people::discord_user;
use super::refusal::Refusal;
use super::rights::Right;
use super::snowflake::{now, text, timestamp};
use crate::message::{Author, Message};
use crate::people::{BOT_ID, Person};

/// `flags`: only the person who asked sees it.
pub(crate) const EPHEMERAL: i64 = 1 << 6;
/// `flags`: an answer that is promised and not there yet.
pub(crate) const LOADING: i64 = 1 << 7;
/// `flags`: no sound.
pub(crate) const SILENT: i64 = 1 << 12;

/// Where the room is.
#[derive(Clone, Debug)]
pub(crate) enum RoomKind {
    /// The direct chat with this person.
    Direct(Person),
    /// A text channel of this server.
    Text { guild: i64 },
    /// A forum of this server: everything in it is said in its posts, which are threads.
    Forum { guild: i64 },
}

/// One channel.
#[derive(Debug)]
pub(crate) struct Room {
    pub(crate) id: i64,
    pub(crate) kind: RoomKind,
    pub(crate) title: String,
    pub(crate) posts: BTreeMap<i64, Post>,
    pub(crate) threads: BTreeMap<i64, Thread>,
    /// Messages of the bot that no test has heard yet.
    pub(crate) unheard: VecDeque<i64>,
    pub(crate) denied: HashSet<Right>,
    /// Whether the person of a direct chat takes no messages from the bot.
    pub(crate) is_closed: bool,
    /// Whether the channel was deleted.
    pub(crate) is_gone: bool,
    pub(crate) actions: Vec<String>,
    pub(crate) changed: Arc<Notify>,
}

/// A thread of a text channel.
#[derive(Clone, Debug)]
pub(crate) struct Thread {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) owner: i64,
    pub(crate) archived: bool,
    pub(crate) locked: bool,
}

/// A message as people see it, with what the wire has besides.
#[derive(Clone, Debug)]
pub(crate) struct Post {
    pub(crate) seen: Message,
    pub(crate) content: String,
    pub(crate) components: Vec<Value>,
    pub(crate) attachments: Vec<Value>,
    pub(crate) embeds: Vec<Value>,
    /// The users it mentions.
    pub(crate) mentions: Vec<i64>,
    pub(crate) flags: i64,
    pub(crate) nonce: Option<Value>,
    pub(crate) edited_at: Option<i64>,
    /// Discord's `type` of message.
    pub(crate) sort: i64,
    /// Stands only in the eyes of people, as the line of a slash command does.
    pub(crate) is_phantom: bool,
    /// Is shown to who pressed, and not in the chat.
    pub(crate) is_notice: bool,
    /// `interaction_metadata`, where it answers one.
    pub(crate) interaction: Option<Value>,
}

impl Post {
    /// Whether the real server would hand it out by REST.
    pub(crate) fn is_listed(&self) -> bool {
        !self.seen.deleted && !self.is_phantom && self.flags & EPHEMERAL == 0
    }

    pub(crate) fn is_loading(&self) -> bool {
        self.flags & LOADING != 0
    }

    /// Whether people see it in the chat.
    pub(crate) fn is_visible(&self) -> bool {
        !self.seen.deleted && !self.is_notice
    }

    /// Whether a person wrote it, and no other bot and no webhook.
    pub(crate) fn is_of_person(&self) -> bool {
        let is_written = matches!(self.seen.author, Author::Person(_));
        let speaks_for_itself = ["author", "webhook_id"]
            .iter()
            .all(|field| !self.seen.extra.contains_key(*field));
        is_written && speaks_for_itself
    }

    pub(crate) fn mentions_bot(&self) -> bool {
        self.mentions.contains(&BOT_ID)
    }
}

impl Room {
    pub(crate) fn new(id: i64, kind: RoomKind, title: &str) -> Self {
        Self {
            id,
            kind,
            title: title.to_owned(),
            posts: BTreeMap::new(),
            threads: BTreeMap::new(),
            unheard: VecDeque::new(),
            denied: HashSet::from([Right::ManageMessages]),
            is_closed: false,
            is_gone: false,
            actions: Vec::new(),
            changed: Arc::default(),
        }
    }

    pub(crate) fn guild(&self) -> Option<i64> {
        match self.kind {
            RoomKind::Direct(_) => None,
            RoomKind::Text { guild } | RoomKind::Forum { guild } => Some(guild),
        }
    }

    pub(crate) fn allows(&self, right: Right) -> bool {
        !self.denied.contains(&right)
    }

    pub(crate) fn permissions(&self) -> u64 {
        Right::ALL
            .into_iter()
            .filter(|right| self.allows(*right))
            .fold(0, |bits, right| bits | right.bit())
    }

    /// Returns the message, unless it is not there or no longer.
    pub(crate) fn standing(&self, id: i64) -> Option<&Post> {
        self.posts.get(&id).filter(|post| !post.seen.deleted)
    }

    pub(crate) fn standing_mut(&mut self, id: i64) -> Option<&mut Post> {
        self.posts.get_mut(&id).filter(|post| !post.seen.deleted)
    }

    /// Finds a message that a request names, in the channel itself or in a thread of it.
    pub(crate) fn listed(&self, thread: Option<i64>, id: i64) -> Result<&Post, Refusal> {
        let found = self
            .standing(id)
            .filter(|post| post.is_listed() && post.seen.thread == thread);
        found.ok_or_else(Refusal::unknown_message)
    }

    /// Puts a message into the channel and wakes who listens.
    pub(crate) fn post(&mut self, post: Post) {
        if post.seen.author == Author::Bot && !post.is_loading() && !post.is_notice {
            self.unheard.push_back(post.seen.id);
        }
        self.posts.insert(post.seen.id, post);
        self.changed.notify_waiters();
    }

    fn last_message(&self, thread: Option<i64>) -> Value {
        let mut newest_first = self.posts.values().rev();
        let last = newest_first.find(|post| {
            !post.is_phantom && post.flags & EPHEMERAL == 0 && post.seen.thread == thread
        });
        last.map_or(Value::Null, |post| text(post.seen.id))
    }

    /// The channel as Discord writes it.
    pub(crate) fn channel(&self) -> Value {
        let base = json!({
            "id": self.id.to_string(),
            "last_message_id": self.last_message(None),
            "flags": 0,
        });
        let more = match &self.kind {
            RoomKind::Direct(person) => json!({ "type": 1, "recipients": [discord_user(person)] }),
            RoomKind::Text { guild } | RoomKind::Forum { guild } => json!({
                "type": if matches!(self.kind, RoomKind::Forum { .. }) { 15 } else { 0 },
                "guild_id": guild.to_string(),
                "name": self.title.to_lowercase().replace(' ', "-"),
                "position": 0,
                "permission_overwrites": [],
                "nsfw": false,
                "topic": null,
                "parent_id": null,
                "rate_limit_per_user": 0,
            }),
        };
        merged(base, more)
    }

    /// A thread as Discord writes it: a channel of its own.
    pub(crate) fn thread(&self, thread: &Thread) -> Value {
        let since = timestamp(now());
        json!({
            "id": thread.id.to_string(),
            "type": 11,
            "guild_id": self.guild().unwrap_or_default().to_string(),
            "parent_id": self.id.to_string(),
            "owner_id": thread.owner.to_string(),
            "name": thread.name,
            "last_message_id": self.last_message(Some(thread.id)),
            "message_count": 0,
            "member_count": 1,
            "total_message_sent": 0,
            "rate_limit_per_user": 0,
            "flags": 0,
            "thread_metadata": {
                "archived": thread.archived,
                "auto_archive_duration": 1440,
                "archive_timestamp": since,
                "create_timestamp": since,
                "locked": thread.locked,
            },
        })
    }
}

/// One object with the fields of both.
pub(crate) fn merged(base: Value, more: Value) -> Value {
    let (Value::Object(mut base), Value::Object(more)) = (base, more) else {
        return Value::Object(Map::new());
    };
    base.extend(more);
    base.into()
}
