//! Messages of a channel: how they are created, edited and deleted, and which sessions get the
//! events.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::gateway::{Audience, DIRECT_MESSAGES, GUILD_MESSAGES, MESSAGE_CONTENT};
use super::markdown;
use super::room::Post;
use super::snowflake::{now, text};
use super::state::{Place, State};
use super::threads;
use crate::message::{Attachment, Author, Button, Message};
use crate::people::BOT_ID;

/// What somebody is about to say.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub(crate) author: Author,
    /// The text in Discord's Markdown.
    pub(crate) content: String,
    /// The text as people see it, where it is not simply the content read.
    pub(crate) seen: Option<String>,
    pub(crate) components: Vec<Value>,
    pub(crate) buttons: Vec<Vec<Button>>,
    pub(crate) attachments: Vec<Value>,
    pub(crate) embeds: Vec<Value>,
    pub(crate) file: Option<Attachment>,
    pub(crate) mentions: BTreeSet<i64>,
    pub(crate) reply_to: Option<i64>,
    pub(crate) flags: i64,
    pub(crate) sort: i64,
    pub(crate) nonce: Option<Value>,
    pub(crate) only_for: Option<i64>,
    pub(crate) is_phantom: bool,
    pub(crate) is_notice: bool,
    pub(crate) interaction: Option<Value>,
    /// The title of the forum post that it opens; the post has the message's id.
    pub(crate) opens: Option<String>,
    pub(crate) extra: Map<String, Value>,
}

impl Draft {
    pub(crate) fn by(author: Author) -> Self {
        Self {
            author,
            content: String::new(),
            seen: None,
            components: Vec::new(),
            buttons: Vec::new(),
            attachments: Vec::new(),
            embeds: Vec::new(),
            file: None,
            mentions: BTreeSet::new(),
            reply_to: None,
            flags: 0,
            sort: 0,
            nonce: None,
            only_for: None,
            is_phantom: false,
            is_notice: false,
            interaction: None,
            opens: None,
            extra: Map::new(),
        }
    }
}

impl State {
    /// Posts the draft, tells the bot and returns the message's id.
    pub(crate) fn post(&mut self, place: Place, draft: Draft) -> i64 {
        let id = self.ids.next();
        let thread = draft.opens.as_ref().map(|_| id).or(place.thread);
        if let Some(title) = &draft.opens {
            let owner = match &draft.author {
                Author::Person(person) => person.id,
                Author::Bot | Author::AnonymousAdmin | Author::Channel => BOT_ID,
            };
            threads::open(self, place.room, id, title, owner);
        }
        let seen = draft
            .seen
            .unwrap_or_else(|| self.visible_text(&draft.content));
        let message = Message {
            id,
            chat: place.room,
            thread,
            author: draft.author,
            text: seen,
            entities: Vec::new(),
            buttons: draft.buttons,
            reply_to: draft.reply_to,
            file: draft.file,
            edits: 0,
            deleted: false,
            reactions: Vec::new(),
            silent: draft.flags & super::room::SILENT != 0,
            only_for: draft.only_for,
            in_topic: thread.is_some(),
            date: now(),
            extra: draft.extra,
        };
        self.room_mut(place.room).post(Post {
            seen: message,
            content: draft.content,
            components: draft.components,
            attachments: draft.attachments,
            embeds: draft.embeds,
            mentions: draft.mentions.into_iter().collect(),
            flags: draft.flags,
            nonce: draft.nonce,
            edited_at: None,
            sort: draft.sort,
            is_phantom: draft.is_phantom,
            is_notice: draft.is_notice,
            interaction: draft.interaction,
        });
        self.tell_message("MESSAGE_CREATE", place.room, id);
        id
    }

    /// The content as people see it.
    pub(crate) fn visible_text(&self, content: &str) -> String {
        markdown::read(content, |sigil, id| self.mention(sigil, id))
    }

    /// Tells the bot of a message, unless it is for one person's eyes.
    pub(crate) fn tell_message(&mut self, event: &str, room: i64, id: i64) {
        if !self.room(room).posts[&id].is_listed() {
            return;
        }
        let full = self.told_message(room, id, true);
        let bare = self.told_message(room, id, false);
        self.dispatch(event, self.audience(room), |intents| {
            let reads = intents & MESSAGE_CONTENT != 0;
            if reads { full.clone() } else { bare.clone() }
        });
    }

    /// Marks a message as deleted and tells the bot.
    pub(crate) fn delete_post(&mut self, room: i64, id: i64) {
        let audience = self.audience(room);
        let kept = self.room_mut(room);
        let Some(post) = kept.standing_mut(id) else {
            return;
        };
        let is_told = post.is_listed();
        post.seen.deleted = true;
        let channel = super::wire::channel_of(post);
        let guild = kept.guild();
        kept.changed.notify_waiters();
        if is_told {
            let mut gone = json!({ "id": id.to_string(), "channel_id": channel });
            if let Some(guild) = guild {
                gone["guild_id"] = text(guild);
            }
            self.dispatch("MESSAGE_DELETE", audience, |_| gone.clone());
        }
    }

    /// The sessions that receive the messages of the channel.
    pub(crate) fn audience(&self, room: i64) -> Audience {
        match self.guild_of(room) {
            Some(guild) => Audience::of_guild(guild.id, GUILD_MESSAGES),
            None => Audience::direct(DIRECT_MESSAGES),
        }
    }
}
