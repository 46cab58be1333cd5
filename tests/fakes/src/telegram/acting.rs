//! What people do in a chat: speak, reply, send files, edit, leave and press. All of it returns at
//! once.

use std::sync::Arc;

use axum::body::Bytes;
use serde_json::{Map, Value, json};

use super::draft::{Draft, TOPIC_CREATED};
use super::room::{RoomKind, Standing};
use super::sending::file_fields;
use super::state::World;
use super::text::{Written, found_in};
use crate::message::Author;
use crate::people::Person;
use crate::press::{Press, PressOutcome};

/// A chat as one person uses it; clones and the handles made of it are the same chat.
#[derive(Clone, Debug)]
pub struct Chat {
    pub(crate) world: Arc<World>,
    pub(crate) id: i64,
    speaker: Option<Person>,
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

    /// Returns the chat's id.
    pub fn id(&self) -> i64 {
        self.id
    }

    /// Returns the topic's `message_thread_id` for a handle made by [`Chat::topic`].
    pub fn thread(&self) -> Option<i64> {
        self.topic
    }

    /// The same chat with this person speaking.
    #[must_use]
    pub fn with(&self, person: &Person) -> Self {
        let mut state = self.world.state();
        state
            .room_mut(self.id)
            .members
            .insert(person.id, person.clone());
        drop(state);
        Self {
            speaker: Some(person.clone()),
            ..self.clone()
        }
    }

    /// Turns the group into a forum; the chat itself is then its topic General.
    #[must_use]
    pub fn forum(self) -> Self {
        let mut state = self.world.state();
        let room = state.room_mut(self.id);
        room.kind = RoomKind::Supergroup;
        room.is_forum = true;
        drop(state);
        self
    }

    /// Creates a topic of the forum, for which the bot gets an update, or finds it; the handle
    /// sends and receives only there.
    #[must_use]
    pub fn topic(&self, name: &str) -> Self {
        let mut state = self.world.state();
        let room = state.room(self.id);
        assert!(room.is_forum, "{} is not a forum", self.id);
        let known = room
            .topics
            .iter()
            .find(|(_, title)| *title == name)
            .map(|(id, _)| *id);
        let topic = known.unwrap_or_else(|| {
            let created = json!({ "name": name, "icon_color": 7_322_096 });
            let extra = Map::from_iter([(TOPIC_CREATED.to_owned(), created)]);
            let id = state.say(
                self.id,
                Draft {
                    extra,
                    ..Draft::by(Author::AnonymousAdmin)
                },
            );
            state.room_mut(self.id).topics.insert(id, name.to_owned());
            id
        });
        drop(state);
        Self {
            topic: Some(topic),
            ..self.clone()
        }
    }

    /// The topic of this handle is deleted: the bot can say nothing in it any more.
    pub fn deletes_topic(&self) {
        let topic = self.topic.expect("only a topic is deleted");
        self.world.state().room_mut(self.id).topics.remove(&topic);
    }

    /// Makes the person an administrator of the group.
    pub fn promotes(&self, person: &Person) {
        let mut state = self.world.state();
        state
            .room_mut(self.id)
            .administrators
            .insert(person.id, person.clone());
    }
}

/// What is said.
impl Chat {
    /// Says the text, with the entities that a client finds in it; returns the message's number.
    pub fn says(&self, text: &str) -> i64 {
        self.post(self.draft(text))
    }

    /// Says the text in the name of this person.
    pub fn says_as(&self, person: &Person, text: &str) -> i64 {
        self.with(person).says(text)
    }

    /// Says the text with these entities and no others; offsets are in UTF-16 units.
    pub fn says_with_entities(&self, text: &str, entities: Vec<Value>) -> i64 {
        let written = Written {
            text: text.to_owned(),
            entities,
        };
        self.post(Draft {
            written,
            ..self.draft("")
        })
    }

    /// Says the text as an administrator who hides behind the group.
    pub fn says_anonymously(&self, text: &str) -> i64 {
        self.post(self.draft_by(Author::AnonymousAdmin, text))
    }

    /// Replies to a message of this chat.
    pub fn replies(&self, to: i64, text: &str) -> i64 {
        self.post(Draft {
            reply_to: Some(to),
            ..self.draft(text)
        })
    }

    /// Sends a document.
    pub fn sends_document(&self, name: &str, bytes: impl Into<Vec<u8>>, caption: &str) -> i64 {
        self.sends_file("document", name, bytes.into(), caption, Map::new())
    }

    /// Sends a photo.
    pub fn sends_photo(&self, bytes: impl Into<Vec<u8>>, caption: &str) -> i64 {
        self.sends_file("photo", "photo.jpg", bytes.into(), caption, Map::new())
    }

    /// Sends a voice message.
    pub fn sends_voice(&self, bytes: impl Into<Vec<u8>>) -> i64 {
        self.sends_file("voice", "voice.ogg", bytes.into(), "", Map::new())
    }

    /// Sends photos as one album: one message each, the caption on the first.
    pub fn sends_album(&self, photos: Vec<Vec<u8>>, caption: &str) -> Vec<i64> {
        let captions = std::iter::once(caption).chain(std::iter::repeat(""));
        self.sends_album_of(photos.into_iter().zip(captions))
    }

    /// Sends photos as one album: one message each, with its caption.
    pub fn sends_album_of<'a>(
        &self,
        photos: impl IntoIterator<Item = (Vec<u8>, &'a str)>,
    ) -> Vec<i64> {
        let album = self.world.state().next_serial().to_string();
        photos
            .into_iter()
            .map(|(photo, caption)| {
                let extra = [("media_group_id".to_owned(), Value::from(album.as_str()))];
                self.sends_file("photo", "photo.jpg", photo, caption, Map::from_iter(extra))
            })
            .collect()
    }

    /// Says something with further wire fields, such as `forward_origin`, a sticker or a service
    /// message.
    pub fn says_raw(&self, text: &str, fields: Value) -> i64 {
        let Value::Object(extra) = fields else {
            panic!("wire fields are an object: {fields}")
        };
        self.post(Draft {
            extra,
            ..self.draft(text)
        })
    }

    /// Changes the text of a message of this person.
    pub fn edits(&self, id: i64, text: &str) {
        let mut state = self.world.state();
        let room = state.room_mut(self.id);
        let message = room
            .standing_mut(id)
            .unwrap_or_else(|| panic!("no message {id} to edit"));
        text.clone_into(&mut message.text);
        message.entities = found_in(text);
        message.edits += 1;
        let wire = room.wire(&room.messages[&id]);
        let is_channel = room.kind == RoomKind::Channel;
        room.changed.notify_waiters();
        let kind = if is_channel {
            "edited_channel_post"
        } else {
            "edited_message"
        };
        state.updates.push(kind, wire);
    }

    /// Deletes a message; the bot is not told, as in the real one.
    pub fn deletes(&self, id: i64) {
        let mut state = self.world.state();
        let room = state.room_mut(self.id);
        let message = room
            .standing_mut(id)
            .unwrap_or_else(|| panic!("no message {id} to delete"));
        message.deleted = true;
        room.changed.notify_waiters();
    }

    fn sends_file(
        &self,
        kind: &str,
        name: &str,
        bytes: Vec<u8>,
        caption: &str,
        mut extra: Map<String, Value>,
    ) -> i64 {
        let file = self.world.state().keep_file(kind, name, Bytes::from(bytes));
        extra.extend(file_fields(&file));
        self.post(Draft {
            file: Some(file),
            extra,
            ..self.draft(caption)
        })
    }

    fn draft(&self, text: &str) -> Draft {
        self.draft_by(self.author(), text)
    }

    fn draft_by(&self, author: Author, text: &str) -> Draft {
        let written = Written {
            text: text.to_owned(),
            entities: found_in(text),
        };
        Draft {
            written,
            topic: self.topic,
            ..Draft::by(author)
        }
    }

    fn author(&self) -> Author {
        match &self.speaker {
            Some(person) => Author::Person(person.clone()),
            None if self.world.state().room(self.id).kind == RoomKind::Channel => Author::Channel,
            None => panic!(
                "who speaks in {}? take with(&person) or says_as(&person, ..)",
                self.id
            ),
        }
    }

    fn post(&self, draft: Draft) -> i64 {
        self.world.state().say(self.id, draft)
    }
}

/// What happens to the chat.
impl Chat {
    /// The person blocks the bot, or an administrator throws it out of the group.
    pub fn blocks(&self) {
        self.change_standing(Standing::Out);
    }

    /// The person unblocks the bot, or it is added to the group again.
    pub fn unblocks(&self) {
        self.change_standing(Standing::Member);
    }

    /// The bot is made an administrator.
    pub fn promotes_bot(&self) {
        self.change_standing(Standing::Administrator);
    }

    fn change_standing(&self, standing: Standing) {
        let mut state = self.world.state();
        let hand = self
            .speaker
            .clone()
            .or_else(|| state.room(self.id).person.clone());
        let hand = hand.unwrap_or_else(|| Person::new(1, "Somebody"));
        state.change_standing(self.id, &hand, standing);
    }

    /// The group becomes a supergroup with a new id, which is returned; the old one answers no
    /// more.
    #[must_use]
    pub fn migrates(&self, new_id: i64) -> Self {
        let mut state = self.world.state();
        let old = state.room(self.id);
        let (title, members) = (old.title.clone(), old.members.clone());
        let service = |field: &str, id: i64| Draft {
            extra: Map::from_iter([(field.to_owned(), id.into())]),
            ..Draft::by(Author::AnonymousAdmin)
        };
        state.say(self.id, service("migrate_to_chat_id", new_id));
        state.room_mut(self.id).migrated_to = Some(new_id);
        state
            .open_room(new_id, RoomKind::Supergroup, &title)
            .members = members;
        state.say(new_id, service("migrate_from_chat_id", self.id));
        drop(state);
        Self {
            id: new_id,
            topic: None,
            ..self.clone()
        }
    }
}

/// Buttons.
impl Chat {
    /// Presses the button with this label and waits for the answer.
    pub async fn press(&self, person: &Person, message: i64, label: &str) -> PressOutcome {
        self.presses(person, message, label).answered().await
    }

    /// Presses the button with this label and does not wait.
    pub fn presses(&self, person: &Person, message: i64, label: &str) -> Press {
        let state = self.world.state();
        let standing = state.room(self.id).standing(message).cloned();
        drop(state);
        let standing =
            standing.unwrap_or_else(|| panic!("no message {message}\n{}", self.transcript()));
        self.presses_token(person, message, &standing.token(label))
    }

    /// Sends a press with any token, as a forged client can, and waits for the answer.
    pub async fn press_token(&self, person: &Person, message: i64, token: &str) -> PressOutcome {
        self.presses_token(person, message, token).answered().await
    }

    /// Sends a press with any token and does not wait. A message that is gone is sent as
    /// inaccessible.
    pub fn presses_token(&self, person: &Person, message: i64, token: &str) -> Press {
        let (answer, answered) = tokio::sync::oneshot::channel();
        let mut state = self.world.state();
        let id = (4_242_000_000_000 + state.next_serial()).to_string();
        let room = state.room(self.id);
        let standing = match room.standing(message) {
            Some(standing) => room.wire(standing),
            None => json!({ "chat": room.chat(), "message_id": message, "date": 0 }),
        };
        let query = json!({
            "id": id,
            "from": person.user(),
            "message": standing,
            "chat_instance": (self.id ^ 0x5A_55_0F).to_string(),
            "data": token,
        });
        state
            .presses
            .insert(id, super::press::OpenPress::new(answer));
        state.updates.push("callback_query", query);
        drop(state);
        let chat = self.clone();
        Press::new(answered, move || chat.transcript())
    }
}
