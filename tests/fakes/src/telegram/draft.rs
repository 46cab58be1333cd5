//! A message before it stands in a chat, and where in the chat it lands.

use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Map, Value};

use super::room::{Room, RoomKind};
use super::text::Written;
use crate::message::{Attachment, Author, Button, Message};

/// The service message that begins a forum topic; its number is the topic's.
pub(crate) const TOPIC_CREATED: &str = "forum_topic_created";

/// What somebody is about to say.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub(crate) author: Author,
    pub(crate) written: Written,
    /// The forum topic it is said in.
    pub(crate) topic: Option<i64>,
    pub(crate) reply_to: Option<i64>,
    pub(crate) buttons: Vec<Vec<Button>>,
    pub(crate) file: Option<Attachment>,
    pub(crate) silent: bool,
    pub(crate) extra: Map<String, Value>,
}

impl Draft {
    pub(crate) fn by(author: Author) -> Self {
        Self {
            author,
            written: Written::default(),
            topic: None,
            reply_to: None,
            buttons: Vec::new(),
            file: None,
            silent: false,
            extra: Map::new(),
        }
    }
}

impl Room {
    /// Posts the draft and returns its number.
    pub(crate) fn compose(&mut self, draft: Draft) -> i64 {
        let id = self.next_id();
        let begins_topic = draft.extra.contains_key(TOPIC_CREATED).then_some(id);
        let thread = begins_topic
            .or(draft.topic)
            .or_else(|| self.thread_of_reply(draft.reply_to));
        self.post(Message {
            id,
            chat: self.id,
            thread,
            in_topic: self.is_forum && thread.is_some(),
            author: draft.author,
            text: draft.written.text,
            entities: draft.written.entities,
            buttons: draft.buttons,
            reply_to: draft.reply_to,
            file: draft.file,
            edits: 0,
            deleted: false,
            reactions: Vec::new(),
            silent: draft.silent,
            only_for: None,
            date: now(),
            extra: draft.extra,
        });
        id
    }

    /// A reply stays in the topic of the message it replies to. In a supergroup without topics,
    /// replies form threads of their own, which carry a `message_thread_id` as well.
    fn thread_of_reply(&self, reply_to: Option<i64>) -> Option<i64> {
        let replied = self.messages.get(&reply_to?)?;
        match self.kind {
            RoomKind::Supergroup if self.is_forum => replied.thread,
            RoomKind::Supergroup => replied.thread.or(Some(replied.id)),
            RoomKind::Private | RoomKind::Group | RoomKind::Channel => None,
        }
    }
}

/// The present as the Bot API writes it: seconds since 1970.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}
