//! The requests of the Bot API for which teloxide's types are in the way, and what we read of
//! answers.
//!
//! teloxide knows Bot API 9.1. Its buttons have no `style`, its entities refuse kinds that it does
//! not know, its `GetUpdates` loses updates that it cannot parse, and its results are parsed whole
//! where one number is needed. Everything else is used as teloxide has it.

use std::time::Duration;

use sayso_channel::{Button, ButtonLook};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use teloxide::requests::Payload;
use teloxide::types::AllowedUpdate;

/// The kinds of updates that we hear. Named explicitly: the default leaves out what we add later,
/// and the server remembers what the last program with this token asked for.
pub(crate) const HEARD: [AllowedUpdate; 6] = [
    AllowedUpdate::Message,
    AllowedUpdate::EditedMessage,
    AllowedUpdate::ChannelPost,
    AllowedUpdate::EditedChannelPost,
    AllowedUpdate::CallbackQuery,
    AllowedUpdate::MyChatMember,
];

/// Requests new updates, as raw JSON with all fields.
#[derive(Serialize)]
pub(crate) struct GetUpdates {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) offset: Option<i64>,
    pub(crate) limit: u8,
    pub(crate) timeout: u64,
    pub(crate) allowed_updates: [AllowedUpdate; 6],
}

impl Payload for GetUpdates {
    type Output = Vec<Value>;
    const NAME: &'static str = "getUpdates";

    fn timeout_hint(&self) -> Option<Duration> {
        Some(Duration::from_secs(self.timeout))
    }
}

/// Sends a text.
#[derive(Serialize)]
pub(crate) struct SendMessage<'a> {
    pub(crate) chat_id: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) message_thread_id: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) direct_messages_topic_id: Option<i64>,
    pub(crate) text: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) entities: Vec<Entity>,
    pub(crate) link_preview_options: LinkPreview,
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) disable_notification: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reply_parameters: Option<ReplyTo>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reply_markup: Option<ReplyMarkup>,
}

impl Payload for SendMessage<'_> {
    type Output = Sent;
    const NAME: &'static str = "sendMessage";
}

/// Replaces the text of a message and the buttons below it.
#[derive(Serialize)]
pub(crate) struct EditMessageText<'a> {
    pub(crate) chat_id: Value,
    pub(crate) message_id: i64,
    pub(crate) text: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) entities: Vec<Entity>,
    pub(crate) link_preview_options: LinkPreview,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reply_markup: Option<ReplyMarkup>,
}

impl Payload for EditMessageText<'_> {
    type Output = Value;
    const NAME: &'static str = "editMessageText";
}

/// Deletes a message of the bot.
#[derive(Serialize)]
pub(crate) struct DeleteMessage {
    pub(crate) chat_id: Value,
    pub(crate) message_id: i64,
}

impl Payload for DeleteMessage {
    type Output = Value;
    const NAME: &'static str = "deleteMessage";
}

/// Replaces the bot's reactions to a message.
#[derive(Serialize)]
pub(crate) struct SetMessageReaction {
    pub(crate) chat_id: Value,
    pub(crate) message_id: i64,
    pub(crate) reaction: [ReactionEmoji; 1],
}

impl Payload for SetMessageReaction {
    type Output = Value;
    const NAME: &'static str = "setMessageReaction";
}

/// A reaction. Telegram takes a fixed list of emoji only
/// (<https://core.telegram.org/bots/api#reactiontypeemoji>).
#[derive(Serialize)]
pub(crate) struct ReactionEmoji {
    #[serde(rename = "type")]
    kind: &'static str,
    emoji: &'static str,
}

impl ReactionEmoji {
    pub(crate) const THUMBS_UP: Self = Self {
        kind: "emoji",
        emoji: "👍",
    };
}

/// One stretch of text with a style; offset and length in UTF-16 units.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Entity {
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) offset: usize,
    pub(crate) length: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) language: Option<String>,
}

/// Turns previews of links off: an answer full of links is not a page of pictures.
#[derive(Serialize)]
pub(crate) struct LinkPreview {
    is_disabled: bool,
}

impl LinkPreview {
    pub(crate) const OFF: Self = Self { is_disabled: true };
}

/// The message that is replied to; if it was deleted, the reply is sent as a plain message.
#[derive(Serialize)]
pub(crate) struct ReplyTo {
    message_id: i64,
    allow_sending_without_reply: bool,
}

impl ReplyTo {
    pub(crate) fn message(message_id: i64) -> Self {
        Self {
            message_id,
            allow_sending_without_reply: true,
        }
    }
}

/// What hangs below a message.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum ReplyMarkup {
    /// Buttons.
    Keyboard {
        inline_keyboard: Vec<Vec<KeyboardButton>>,
    },
    /// A reply that is already opened, for those whom the message answers or names.
    AskReply { force_reply: bool, selective: bool },
}

/// One button.
#[derive(Serialize)]
pub(crate) struct KeyboardButton {
    text: String,
    callback_data: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    style: Option<&'static str>,
}

impl From<&Button> for KeyboardButton {
    fn from(button: &Button) -> Self {
        Self {
            text: button.label.clone(),
            callback_data: button.token.clone(),
            style: match button.look {
                ButtonLook::Plain | ButtonLook::Stop => None,
                ButtonLook::Yes => Some("success"),
                ButtonLook::No => Some("danger"),
            },
        }
    }
}

/// What we read of a message that was sent.
#[derive(Deserialize)]
pub(crate) struct Sent {
    pub(crate) message_id: i64,
}

/// What we read of a file before it is fetched.
#[derive(Deserialize)]
pub(crate) struct FilePlace {
    pub(crate) file_path: Option<String>,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature that serde asks for"
)]
fn is_false(value: &bool) -> bool {
    !value
}
