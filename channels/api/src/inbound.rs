//! Inbound events: one closed type for everything that a platform can report.

use sayso_core::{Address, AttachmentRef, ChatKind, MessageKey, SenderKey};
use serde::{Deserialize, Serialize};

use crate::CommandCall;

/// One thing that happened on a platform, as a channel reports it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Inbound {
    /// Where it happened, and where an answer goes.
    pub address: Address,
    /// Whether the chat is between one person and us, or has several members.
    pub chat_kind: ChatKind,
    /// What the thread is called, where the platform says it with this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread_title: Option<String>,
    /// Who did it.
    pub sender: Sender,
    /// What names this event for good: the same event delivered twice has the same key.
    pub key: EventKey,
    /// When it happened by the platform's clock, in milliseconds since 1970.
    pub at_ms: i64,
    /// What happened.
    pub event: Event,
}

impl Inbound {
    /// Returns when it happened, in milliseconds since 1970: not later than now by our own clock, which
    /// also counts where the platform does not say.
    pub fn happened_ms(&self, now_ms: i64) -> i64 {
        match self.at_ms {
            1.. => self.at_ms.min(now_ms),
            _ => now_ms,
        }
    }
}

/// The name of an event inside its channel. A second delivery has an equal key.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct EventKey {
    /// `message`, `press`, `migration`, ...: ids are unique per kind only.
    pub kind: String,
    /// The platform's id; for messages it includes the chat where ids are unique per chat only.
    pub id: String,
    /// 0 for the first form; later ones have numbers of their own, the same at each delivery.
    pub version: i64,
}

/// A platform account, as it presented itself with this event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sender {
    /// The account; for [`SenderKind::Chat`] the chat that speaks.
    pub key: SenderKey,
    /// The name that people see, at most 128 characters.
    pub name: String,
    /// The language that the platform reports, such as `en` or `zh-hans`.
    pub language: Option<String>,
    /// What kind of account it is.
    pub kind: SenderKind,
    /// The roles that the platform gives the account where this happened (Discord); their keys.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub roles: Vec<String>,
    /// The name that is the account's alone on the platform, without the `@`, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handle: Option<String>,
}

/// What kind of account speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SenderKind {
    /// A person.
    Person,
    /// Another bot.
    Bot,
    /// A chat: an anonymous admin or a channel post. The person is unknown.
    Chat,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// Something was said or edited.
    Message(Box<HeardMessage>),
    /// A button was pressed.
    Press(Press),
    /// The chat has another key from now on (a Telegram group became a supergroup).
    Moved {
        /// The address under which the chat continues.
        to: Address,
    },
    /// We can no longer speak here: blocked by the person, or removed from the group.
    Closed,
    /// We can speak here (again): unblocked, or added to the group.
    Opened,
}

/// A message, as it reads now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HeardMessage {
    /// The platform's name of the message.
    pub message: MessageKey,
    /// The text or caption, without the mention of us at its beginning.
    pub text: String,
    /// Whether and how we were addressed.
    pub addressed: Addressed,
    /// The command that the text is, if it is one for us.
    pub command: Option<CommandCall>,
    /// The message that this one replies to, or that it forwards: forwarded words are not the
    /// sender's own.
    pub quoted: Option<Quoted>,
    /// Files, in the order in which they came.
    pub attachments: Vec<AttachmentRef>,
    /// The album that this message is a piece of.
    pub album: Option<String>,
    /// Whether this is a later form of a message that was already said.
    pub edited: bool,
    /// Something of the message that we cannot show, named for the user: `a poll`, `a sticker`.
    pub unsupported: Option<String>,
}

/// How a message addresses us.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Addressed {
    /// It was said in a direct chat.
    Direct,
    /// It names us.
    Mention,
    /// It replies to one of Sayso's messages.
    Reply,
    /// It is a command for us.
    Command,
    /// It is not for us.
    No,
}

/// The message that another message replies to or forwards.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Quoted {
    /// The platform's name of the quoted message.
    pub message: MessageKey,
    /// Who said it, as people see the name. Anybody can have any name.
    pub author: String,
    /// The account that said it, where the platform tells.
    #[serde(default)]
    pub author_key: Option<SenderKey>,
    /// Whether it is forwarded, and not replied to.
    #[serde(default)]
    pub forwarded: bool,
    /// Whether we said it.
    pub from_us: bool,
    /// Its text or caption.
    pub text: String,
    /// Its files.
    pub attachments: Vec<AttachmentRef>,
}

/// A press of one of our buttons.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Press {
    /// The token of the button; anything at all when it was forged.
    pub token: String,
    /// The message that carries the button, where the platform still knows it.
    pub message: Option<MessageKey>,
}
