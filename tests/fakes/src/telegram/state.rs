//! Everything the fake server knows, behind one lock: requests of the bot and acts of people both
//! change it.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::calls::Call;
use super::draft::Draft;
use super::faults::Fault;
use super::limits::Limits;
use super::press::OpenPress;
use super::refusal::Refusal;
use super::room::{Room, RoomKind, Standing};
use super::updates::Updates;
use crate::calls::Calls;
use crate::faults::Faults;
use crate::message::Attachment;
use crate::people::{BOT_ID, Person};

/// How long the real server takes an answer to a press, roughly.
const PRESS_LIFETIME: Duration = Duration::from_secs(15);

/// The fake server's insides, shared by its requests, its webhook and every handle of a test.
#[derive(Debug)]
pub(crate) struct World {
    // Requests, the webhook and the test's own thread change it in turn; held for no longer than
    // one change.
    state: Mutex<State>,
    /// Signals every call.
    pub(crate) called: tokio::sync::Notify,
    pub(crate) client: reqwest::Client,
    pub(crate) stop: CancellationToken,
    /// The only token that the server knows.
    pub(crate) token: &'static str,
}

impl World {
    pub(crate) fn new(stop: CancellationToken, token: &'static str) -> Self {
        Self {
            state: Mutex::default(),
            called: tokio::sync::Notify::new(),
            client: reqwest::Client::new(),
            stop,
            token,
        }
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        // A test that panicked with the lock held has failed already; others may still look.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is behind the lock.
#[derive(Default)]
pub(crate) struct State {
    pub(crate) rooms: HashMap<i64, Room>,
    pub(crate) files: HashMap<String, StoredFile>,
    pub(crate) presses: HashMap<String, OpenPress>,
    pub(crate) press_lifetime: Option<Duration>,
    pub(crate) updates: Updates,
    pub(crate) calls: Calls<Call>,
    pub(crate) violations: Vec<String>,
    pub(crate) faults: Faults<Call, Fault>,
    pub(crate) limits: Option<Limits>,
    /// Command menus by scope and language.
    pub(crate) commands: HashMap<String, Vec<Value>>,
    /// What the bot says of itself, by field and language as in `short_description/zh`.
    pub(crate) descriptions: HashMap<String, String>,
    serial: u64,
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("State")
            .field("rooms", &self.rooms.len())
            .finish_non_exhaustive()
    }
}

/// A file that can be fetched.
#[derive(Clone, Debug)]
pub(crate) struct StoredFile {
    pub(crate) path: String,
    pub(crate) bytes: Bytes,
}

impl State {
    /// Returns a number that was not given before.
    pub(crate) fn next_serial(&mut self) -> u64 {
        self.serial += 1;
        self.serial
    }

    pub(crate) fn room(&self, id: i64) -> &Room {
        self.rooms
            .get(&id)
            .unwrap_or_else(|| panic!("no chat {id}"))
    }

    pub(crate) fn room_mut(&mut self, id: i64) -> &mut Room {
        self.rooms
            .get_mut(&id)
            .unwrap_or_else(|| panic!("no chat {id}"))
    }

    /// Makes the room unless it is there.
    pub(crate) fn open_room(&mut self, id: i64, kind: RoomKind, title: &str) -> &mut Room {
        self.rooms
            .entry(id)
            .or_insert_with(|| Room::new(id, kind, title))
    }

    /// Finds the chat that a call names, if the bot may act in it.
    pub(crate) fn reach(&mut self, chat: Option<&Value>) -> Result<&mut Room, Refusal> {
        let id = chat.and_then(Value::as_i64);
        let room = id.and_then(|id| self.rooms.get_mut(&id));
        let room = room.ok_or_else(|| Refusal::bad_request("chat not found"))?;
        if let Some(new_id) = room.migrated_to {
            return Err(Refusal::migrated(new_id));
        }
        match (room.bot, room.kind) {
            (Standing::Member | Standing::Administrator, _) => Ok(room),
            (Standing::Out, RoomKind::Private) => {
                Err(Refusal::forbidden("bot was blocked by the user"))
            }
            (Standing::Out, kind) => Err(Refusal::forbidden(&format!(
                "bot was kicked from the {} chat",
                kind.name()
            ))),
        }
    }

    /// Posts what a person, or the channel, says, and tells the bot; returns the message's number.
    pub(crate) fn say(&mut self, room: i64, draft: Draft) -> i64 {
        let room = self.room_mut(room);
        let id = room.compose(draft);
        let kind = if room.kind == RoomKind::Channel {
            "channel_post"
        } else {
            "message"
        };
        let wire = room.wire(&room.messages[&id]);
        // A bot that was removed from a chat no longer receives its messages.
        let is_heard = room.bot != Standing::Out;
        if is_heard {
            self.updates.push(kind, wire);
        }
        id
    }

    /// Keeps a file and returns how a message carries it.
    pub(crate) fn keep_file(&mut self, kind: &str, name: &str, bytes: Bytes) -> Attachment {
        let serial = self.next_serial();
        let file_id = format!("{kind}-{serial}");
        let size = bytes.len();
        let path = format!("{kind}s/file_{serial}");
        self.files
            .insert(file_id.clone(), StoredFile { path, bytes });
        Attachment {
            file_id,
            name: name.to_owned(),
            kind: kind.to_owned(),
            size,
        }
    }

    /// Tells the bot that its own standing in a chat has changed, by the hand of `person`.
    pub(crate) fn change_standing(&mut self, room: i64, person: &Person, standing: Standing) {
        let room = self.room_mut(room);
        let (old, new) = (bot_member(room), {
            room.bot = standing;
            bot_member(room)
        });
        let content = json!({
            "chat": room.chat(),
            "from": person.user(),
            "date": super::draft::now(),
            "old_chat_member": old,
            "new_chat_member": new,
        });
        self.updates.push("my_chat_member", content);
    }

    /// Takes the press that a callback query id names, if it may still be answered.
    pub(crate) fn take_press(&mut self, id: &str) -> Option<OpenPress> {
        let lifetime = self.press_lifetime.unwrap_or(PRESS_LIFETIME);
        self.presses
            .remove(id)
            .filter(|press| Instant::now().duration_since(press.pressed_at) <= lifetime)
    }
}

/// The bot as a `ChatMember` of the room.
fn bot_member(room: &Room) -> Value {
    let user = super::people::bot_user();
    match (room.bot, room.kind) {
        (Standing::Member, _) => json!({ "status": "member", "user": user }),
        (Standing::Administrator, _) => administrator(&user),
        (Standing::Out, _) => json!({ "status": "kicked", "user": user, "until_date": 0 }),
    }
}

/// An administrator with the rights that the Bot API requires to be named.
fn administrator(user: &Value) -> Value {
    let mut member = json!({ "status": "administrator", "user": user });
    for right in [
        "can_be_edited",
        "is_anonymous",
        "can_manage_chat",
        "can_delete_messages",
        "can_manage_video_chats",
        "can_restrict_members",
        "can_promote_members",
        "can_change_info",
        "can_invite_users",
        "can_post_stories",
        "can_edit_stories",
        "can_delete_stories",
    ] {
        member[right] = (right == "can_manage_chat" || right == "can_delete_messages").into();
    }
    member
}

/// The user as a `ChatMember` of the room.
pub(crate) fn member(room: &Room, user_id: i64) -> Option<Value> {
    if user_id == BOT_ID {
        return Some(bot_member(room));
    }
    if let Some(person) = room.administrators.get(&user_id) {
        return Some(administrator(&person.user()));
    }
    let person = room.members.get(&user_id).or(room.person.as_ref())?;
    (person.id == user_id).then(|| json!({ "status": "member", "user": person.user() }))
}
