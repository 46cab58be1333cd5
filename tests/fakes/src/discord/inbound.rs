//! What people see and hear in a chat. Waiting is woken by every change of that chat and bounded.

use std::sync::Arc;

use super::acting::Chat;
use super::markdown;
use super::room::{Post, Room};
use crate::message::Message;
use crate::waiting::{PATIENCE, patiently};

impl Chat {
    /// Waits for the bot's next message that was not heard yet, and returns it as it stands. A live
    /// message is none: where a turn takes more than a second, it shows an answer before it is given.
    pub async fn hears(&self) -> Message {
        self.hears_with(|message| !message.is_live()).await
    }

    /// Waits for a message of the bot that was not heard yet and that the test is for, now or after edits.
    /// What the bot said before it counts as heard.
    pub async fn hears_with(&self, is_it: impl Fn(&Message) -> bool) -> Message {
        self.awaits("a message of the bot", |room| {
            let unheard = room.unheard.iter().filter_map(|id| room.standing(*id));
            let mut unheard = unheard.map(|post| &post.seen);
            let found = unheard.find(|it| self.is_here(it) && is_it(it)).cloned()?;
            self.has_heard(room, found.id);
            Some(found)
        })
        .await
    }

    /// Waits until some message of the bot, heard or not, is as the test wants it, now or after edits.
    /// It counts as heard from then on, with what the bot said before it.
    pub async fn settles(&self, is_so: impl Fn(&Message) -> bool) -> Message {
        self.awaits("a message to settle", |room| {
            let newest_first = room.posts.values().rev().filter(|post| post.is_visible());
            let mut newest_first = newest_first.map(|post| &post.seen);
            let found = newest_first
                .find(|it| it.is_from_bot() && self.is_here(it) && is_so(it))
                .cloned()?;
            self.has_heard(room, found.id);
            Some(found)
        })
        .await
    }

    /// Waits until this one message is as the test wants it, also deleted.
    pub async fn becomes(&self, id: i64, is_so: impl Fn(&Message) -> bool) -> Message {
        self.awaits("a message to change", |room| {
            room.posts
                .get(&id)
                .map(|post| &post.seen)
                .filter(|message| is_so(message))
                .cloned()
        })
        .await
    }

    /// Waits until the messages of this chat or thread, in order and without deleted ones, are as wanted.
    pub async fn sees(&self, is_so: impl Fn(&[Message]) -> bool) {
        self.awaits("the chat to settle", |room| {
            is_so(&self.visible(room)).then_some(())
        })
        .await;
    }

    /// Waits until the bot has shown that it is typing, at least so often.
    pub async fn sees_typing(&self, times: usize) {
        let enough = |room: &mut Room| (room.actions.len() >= times).then_some(());
        self.awaits("a chat action", enough).await;
    }

    /// Returns what stands in this chat or thread now.
    pub fn messages(&self) -> Vec<Message> {
        self.visible(self.world.state().room(self.id))
    }

    /// Returns a message by its number, also a deleted one.
    pub fn message(&self, id: i64) -> Message {
        let state = self.world.state();
        let found = state.room(self.id).posts.get(&id);
        let found = found.map(|post| post.seen.clone());
        drop(state);
        found.unwrap_or_else(|| panic!("no message {id}\n{}", self.transcript()))
    }

    /// Returns the message's content as it came over the wire, in Discord's Markdown.
    pub fn content_of(&self, message: i64) -> String {
        let state = self.world.state();
        let post = state.room(self.id).posts.get(&message);
        post.map(|post| post.content.clone()).unwrap_or_default()
    }

    /// Returns the texts of the message's code blocks, as people would copy them.
    pub fn code_blocks(&self, message: i64) -> Vec<String> {
        let state = self.world.state();
        let post = state.room(self.id).posts.get(&message);
        post.map(|post| markdown::blocks(&post.content))
            .unwrap_or_default()
    }

    /// Returns the bytes of the message's files.
    pub fn files_of(&self, message: i64) -> Vec<Vec<u8>> {
        let state = self.world.state();
        let post = state.room(self.id).posts.get(&message);
        let attachments = post.map(|post| post.attachments.clone());
        let attachments = attachments.unwrap_or_default();
        attachments
            .iter()
            .filter_map(|wire| state.file(wire["url"].as_str()?))
            .collect()
    }

    /// Returns how many messages of the bot stand here that no test has heard.
    pub fn unheard(&self) -> usize {
        let state = self.world.state();
        let room = state.room(self.id);
        let here = |id: &&i64| {
            room.standing(**id)
                .is_some_and(|post| self.is_here(&post.seen))
        };
        room.unheard.iter().filter(here).count()
    }

    /// Returns the chat actions so far, as in `typing`.
    pub fn actions(&self) -> Vec<String> {
        self.world.state().room(self.id).actions.clone()
    }

    /// Renders what stands in this chat or thread, a message after the other, for snapshots.
    pub fn transcript(&self) -> String {
        let lines: Vec<_> = self.messages().iter().map(ToString::to_string).collect();
        lines.join("\n")
    }

    /// Notes a message as heard, with what the bot said before it. Other threads of the chat are heard by
    /// others.
    fn has_heard(&self, room: &mut Room, id: i64) {
        let Some(at) = room.unheard.iter().position(|unheard| *unheard == id) else {
            return;
        };
        let (posts, topic) = (&room.posts, self.topic);
        let elsewhere = |post: &Post| topic.is_some() && post.seen.thread != topic;
        let mut position = 0..;
        room.unheard.retain(|unheard| {
            position.next() > Some(at) || posts.get(unheard).is_some_and(elsewhere)
        });
    }

    /// A handle of a channel hears the whole of it, and a handle of a thread only that.
    fn is_here(&self, message: &Message) -> bool {
        self.topic.is_none() || message.thread == self.topic
    }

    fn visible(&self, room: &Room) -> Vec<Message> {
        let posts = room.posts.values().filter(|post| post.is_visible());
        posts
            .map(|post: &Post| &post.seen)
            .filter(|message| self.is_here(message))
            .cloned()
            .collect()
    }

    async fn awaits<T>(&self, what: &str, mut look: impl FnMut(&mut Room) -> Option<T>) -> T {
        let changed = Arc::clone(&self.world.state().room(self.id).changed);
        let found = patiently(&changed, || look(self.world.state().room_mut(self.id))).await;
        found.unwrap_or_else(|| {
            let violations = self.world.state().violations.join("\n");
            panic!(
                "waited {} s for {what}\n{}\nviolations: [{violations}]",
                PATIENCE.as_secs(),
                self.transcript()
            )
        })
    }
}
