//! What people see and hear in a chat. Waiting is woken by every change of that chat and bounded.

use std::sync::Arc;

use serde_json::Value;

use super::acting::Chat;
use super::room::Room;
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
            let mut unheard = room.unheard.iter().filter_map(|id| room.standing(*id));
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
            let mut newest_first = room.messages.values().rev();
            let found = newest_first
                .find(|it| it.is_from_bot() && !it.deleted && self.is_here(it) && is_so(it))
                .cloned()?;
            self.has_heard(room, found.id);
            Some(found)
        })
        .await
    }

    /// Waits until this one message is as the test wants it, also deleted.
    pub async fn becomes(&self, id: i64, is_so: impl Fn(&Message) -> bool) -> Message {
        self.awaits("a message to change", |room| {
            room.messages
                .get(&id)
                .filter(|message| is_so(message))
                .cloned()
        })
        .await
    }

    /// Waits until the messages of this chat or topic, in order and without deleted ones, are as wanted.
    pub async fn sees(&self, is_so: impl Fn(&[Message]) -> bool) {
        self.awaits("the chat to settle", |room| {
            is_so(&self.visible(room)).then_some(())
        })
        .await;
    }

    /// Waits until the bot has shown that it is typing, or any other action, at least so often.
    pub async fn sees_typing(&self, times: usize) {
        let enough = |room: &mut Room| (room.actions.len() >= times).then_some(());
        self.awaits("a chat action", enough).await;
    }

    /// Returns what stands in this chat or topic now.
    pub fn messages(&self) -> Vec<Message> {
        self.visible(self.world.state().room(self.id))
    }

    /// Returns a message by its number, also a deleted one.
    pub fn message(&self, id: i64) -> Message {
        let found = self.world.state().room(self.id).messages.get(&id).cloned();
        found.unwrap_or_else(|| panic!("no message {id}\n{}", self.transcript()))
    }

    /// Returns the texts of the message's code blocks, as people would copy them.
    pub fn code_blocks(&self, message: i64) -> Vec<String> {
        let message = self.message(message);
        let units: Vec<u16> = message.text.encode_utf16().collect();
        let blocks = message.entities.iter().filter(|it| it["type"] == "pre");
        let at = |entity: &Value, field: &str| entity[field].as_u64().unwrap_or_default() as usize;
        blocks
            .map(|entity| {
                let start = at(entity, "offset");
                String::from_utf16_lossy(&units[start..start + at(entity, "length")])
            })
            .collect()
    }

    /// Returns the bytes of the message's files.
    pub fn files_of(&self, message: i64) -> Vec<Vec<u8>> {
        let file = self.message(message).file;
        let state = self.world.state();
        let stored = file.and_then(|file| state.files.get(&file.file_id));
        stored.map(|file| file.bytes.to_vec()).into_iter().collect()
    }

    /// Returns how many messages of the bot stand here that no test has heard.
    pub fn unheard(&self) -> usize {
        let state = self.world.state();
        let room = state.room(self.id);
        let here = |id: &&i64| {
            room.standing(**id)
                .is_some_and(|message| self.is_here(message))
        };
        room.unheard.iter().filter(here).count()
    }

    /// Returns the chat actions so far, as in `typing`.
    pub fn actions(&self) -> Vec<String> {
        self.world.state().room(self.id).actions.clone()
    }

    /// Returns the drafts that the bot has streamed so far.
    pub fn drafts(&self) -> Vec<String> {
        self.world.state().room(self.id).drafts.clone()
    }

    /// Renders what stands in this chat or topic, a message after the other, for snapshots.
    pub fn transcript(&self) -> String {
        let lines: Vec<_> = self.messages().iter().map(ToString::to_string).collect();
        lines.join("\n")
    }

    /// Notes a message as heard, with what the bot said before it. Other topics of the chat are heard by
    /// others.
    fn has_heard(&self, room: &mut Room, id: i64) {
        let Some(at) = room.unheard.iter().position(|unheard| *unheard == id) else {
            return;
        };
        let (messages, topic) = (&room.messages, self.topic);
        let elsewhere = |message: &Message| topic.is_some() && topic_of(message) != topic;
        let mut position = 0..;
        room.unheard.retain(|unheard| {
            position.next() > Some(at) || messages.get(unheard).is_some_and(elsewhere)
        });
    }

    /// A handle of a chat hears the whole of it, and a handle of a topic only that.
    fn is_here(&self, message: &Message) -> bool {
        self.topic.is_none() || topic_of(message) == self.topic
    }

    fn visible(&self, room: &Room) -> Vec<Message> {
        let messages = room.messages.values();
        messages
            .filter(|it| !it.deleted && self.is_here(it))
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

fn topic_of(message: &Message) -> Option<i64> {
    message.thread.filter(|_| message.in_topic)
}
