//! What people do in a chat: speak, reply, send files, edit. All of it returns at once.
//! Commands and presses are in `asking`, comings and goings in `standing`.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::body::Bytes;
use serde_json::{Map, Value, json};

use super::guild::role_of_bot;
use super::mentions;
use super::posting::Draft;
use super::snowflake::now;
use super::state::{Place, World};
use super::threads;
use crate::message::Author;
use crate::people::Person;

/// A chat as one person uses it; clones and the handles made of it are the same chat.
#[derive(Clone, Debug)]
pub struct Chat {
    pub(crate) world: Arc<World>,
    pub(crate) id: i64,
    pub(crate) speaker: Option<Person>,
    pub(crate) topic: Option<i64>,
}

/// The chat and who is in it.
impl Chat {
    pub(crate) fn new(world: Arc<World>, id: i64) -> Self {
        Self {
            world,
            id,
            speaker: None,
            topic: None,
        }
    }

    /// Returns the id of the channel; a thread's handle gives that of its parent.
    pub fn id(&self) -> i64 {
        self.id
    }

    /// Returns the thread's id for a handle made by [`Chat::topic`] or [`Chat::thread_of`].
    pub fn thread(&self) -> Option<i64> {
        self.topic
    }

    /// Returns the id of the server, for a channel of one.
    pub fn server(&self) -> Option<i64> {
        self.world.state().room(self.id).guild()
    }

    /// The same chat with this person speaking, who is a member of the server from now on.
    #[must_use]
    pub fn with(&self, person: &Person) -> Self {
        if let Some(guild) = self.world.state().guild_of_mut(self.id) {
            guild.join(person);
        }
        Self {
            speaker: Some(person.clone()),
            ..self.clone()
        }
    }

    /// Any text channel has threads; this is here for tests that run on Telegram too.
    #[must_use]
    pub fn forum(self) -> Self {
        self
    }

    /// Opens a thread that hangs on no message, or finds it by its name; the handle says and hears
    /// only there.
    #[must_use]
    pub fn topic(&self, name: &str) -> Self {
        let mut state = self.world.state();
        let room = state.room(self.id);
        let known = room.threads.values().find(|thread| thread.name == name);
        let id = known.map(|thread| thread.id);
        let id = id.unwrap_or_else(|| {
            let id = state.ids.next();
            let owner = self.speaker.as_ref().map_or(1, |person| person.id);
            threads::open(&mut state, self.id, id, name, owner);
            id
        });
        drop(state);
        self.in_thread(id)
    }

    /// The thread that was started from a message; panics where there is none.
    #[must_use]
    pub fn thread_of(&self, message: i64) -> Self {
        let is_there = self
            .world
            .state()
            .room(self.id)
            .threads
            .contains_key(&message);
        assert!(
            is_there,
            "no thread hangs on {message}\n{}",
            self.transcript()
        );
        self.in_thread(message)
    }

    /// The person starts a thread from a message; the handle says and hears only there.
    #[must_use]
    pub fn starts_thread(&self, message: i64, name: &str) -> Self {
        let owner = self.person().id;
        threads::open(&mut self.world.state(), self.id, message, name, owner);
        self.in_thread(message)
    }

    /// The person opens a post of a forum; the handle says and hears only there.
    #[must_use]
    pub fn opens_post(&self, title: &str, text: &str) -> Self {
        let id = self.post(Draft {
            opens: Some(title.to_owned()),
            ..self.draft(text)
        });
        self.in_thread(id)
    }

    /// Returns the id of the role that the server has made for the bot.
    pub fn role_of_bot(&self) -> i64 {
        let server = self.server().expect("roles are of servers");
        role_of_bot(server)
    }

    fn in_thread(&self, thread: i64) -> Self {
        Self {
            topic: Some(thread),
            ..self.clone()
        }
    }

    /// Returns the names of the threads, the oldest first.
    pub fn threads(&self) -> Vec<String> {
        let state = self.world.state();
        let threads = state.room(self.id).threads.values();
        threads.map(|thread| thread.name.clone()).collect()
    }
}

/// What is said.
impl Chat {
    /// Says the text; a line that is one of the bot's commands is given as Discord's client gives
    /// it. Returns the message's id.
    pub fn says(&self, text: &str) -> i64 {
        if let Some(line) = self.gives_command(text) {
            return line;
        }
        self.post(self.draft(text))
    }

    /// Says the text in the name of this person.
    pub fn says_as(&self, person: &Person, text: &str) -> i64 {
        self.with(person).says(text)
    }

    /// Sends the text literally, even if it looks like a command.
    pub fn says_plainly(&self, text: &str) -> i64 {
        self.post(self.draft(text))
    }

    /// Replies to a message of this chat.
    pub fn replies(&self, to: i64, text: &str) -> i64 {
        let draft = self.draft(text);
        let mut mentions = draft.mentions.clone();
        // A reply alerts who it replies to, unless the person switches that off.
        let state = self.world.state();
        let replied = state.room(self.id).standing(to);
        if replied.is_some_and(|post| post.seen.is_from_bot()) {
            mentions.insert(crate::people::BOT_ID);
        }
        drop(state);
        self.post(Draft {
            reply_to: Some(to),
            sort: 19,
            mentions,
            ..draft
        })
    }

    /// Sends a file.
    pub fn sends_document(&self, name: &str, bytes: impl Into<Vec<u8>>, caption: &str) -> i64 {
        self.sends_files(vec![(name, bytes.into())], caption)
    }

    /// Sends a picture.
    pub fn sends_photo(&self, bytes: impl Into<Vec<u8>>, caption: &str) -> i64 {
        self.sends_files(vec![("photo.jpg", bytes.into())], caption)
    }

    /// Sends a voice message.
    pub fn sends_voice(&self, bytes: impl Into<Vec<u8>>) -> i64 {
        let mut draft = self.draft_with_files(vec![("voice-message.ogg", bytes.into())], "");
        let voice = &mut draft.attachments[0];
        voice["waveform"] = "FzYACgAAAAAAACQAAAAAAAA=".into();
        voice["duration_secs"] = json!(3.0);
        draft.file = Some(super::content::seen_file(voice));
        draft.flags = 1 << 13;
        self.post(draft)
    }

    /// Sends pictures in one message; its id is the only one returned.
    pub fn sends_album(&self, photos: Vec<Vec<u8>>, caption: &str) -> Vec<i64> {
        let files = photos.into_iter().map(|photo| ("photo.jpg", photo));
        vec![self.sends_files(files.collect(), caption)]
    }

    /// Says something with further wire fields, such as `message_snapshots`, `sticker_items` or
    /// another `type`.
    pub fn says_raw(&self, text: &str, fields: Value) -> i64 {
        let Value::Object(extra) = fields else {
            panic!("wire fields are an object: {fields}")
        };
        self.post(Draft {
            extra,
            ..self.draft(text)
        })
    }

    /// Changes the text of a message of this person. To the same text, it is a preview that Discord
    /// adds to the message, which is no change of the author's.
    pub fn edits(&self, id: i64, text: &str) {
        let mut state = self.world.state();
        let (content, mentioned) = mentions::written(&state, self.id, text);
        let room = state.room_mut(self.id);
        let post = room
            .standing_mut(id)
            .unwrap_or_else(|| panic!("no message {id} to edit"));
        let is_changed = post.content != content;
        text.clone_into(&mut post.seen.text);
        post.content = content;
        post.mentions = mentioned.into_iter().collect();
        post.seen.edits += 1;
        if is_changed {
            post.edited_at = Some(now());
        }
        room.changed.notify_waiters();
        state.tell_message("MESSAGE_UPDATE", self.id, id);
    }

    /// Deletes a message.
    pub fn deletes(&self, id: i64) {
        self.world.state().delete_post(self.id, id);
    }

    /// A webhook says something, as those of other services do.
    pub fn says_as_webhook(&self, text: &str) -> i64 {
        let author = json!({ "id": "808", "username": "Build", "discriminator": "0000",
            "avatar": null, "global_name": null, "bot": true });
        let hook = json!("808");
        let extra = [
            ("author".to_owned(), author),
            ("webhook_id".to_owned(), hook),
        ];
        let build = self.with(&Person::new(808, "Build"));
        build.post(Draft {
            extra: Map::from_iter(extra),
            ..build.draft(text)
        })
    }

    /// Somebody else's bot says something, which a test may want ignored.
    pub fn says_as_another_bot(&self, text: &str) -> i64 {
        let author = json!({ "id": "909", "username": "other_bot", "discriminator": "0",
            "avatar": null, "global_name": "Other", "bot": true });
        let extra = Map::from_iter([("author".to_owned(), author)]);
        let other = Person::new(909, "Other");
        self.with(&other).post(Draft {
            extra,
            ..self.with(&other).draft(text)
        })
    }

    fn sends_files(&self, files: Vec<(&str, Vec<u8>)>, caption: &str) -> i64 {
        self.post(self.draft_with_files(files, caption))
    }

    fn draft_with_files(&self, files: Vec<(&str, Vec<u8>)>, caption: &str) -> Draft {
        let draft = self.draft(caption);
        let channel = self.topic.unwrap_or(self.id);
        let mut state = self.world.state();
        let attachments: Vec<Value> = files
            .into_iter()
            .map(|(name, bytes)| state.keep_file(channel, name, Bytes::from(bytes)))
            .collect();
        Draft {
            file: attachments.first().map(super::content::seen_file),
            attachments,
            ..draft
        }
    }

    fn draft(&self, text: &str) -> Draft {
        let (content, mentions): (String, BTreeSet<i64>) =
            mentions::written(&self.world.state(), self.id, text);
        Draft {
            content,
            mentions,
            seen: Some(text.to_owned()),
            ..Draft::by(Author::Person(self.person()))
        }
    }

    pub(crate) fn person(&self) -> Person {
        let speaker = self.speaker.clone();
        speaker.unwrap_or_else(|| {
            panic!(
                "who speaks in {}? take with(&person) or says_as(&person, ..)",
                self.id
            )
        })
    }

    pub(crate) fn place(&self) -> Place {
        Place {
            room: self.id,
            thread: self.topic,
        }
    }

    fn post(&self, draft: Draft) -> i64 {
        let mut state = self.world.state();
        super::sending::unarchive(&mut state, self.place());
        state.post(self.place(), draft)
    }
}
