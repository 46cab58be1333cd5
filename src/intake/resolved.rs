//! What is known of an event once it was found out who did it and where: a message, and a press.

use sayso_channel::{ChatKind, HeardMessage, Inbound, Language};
use sayso_core::transcript::{ChatId, Owner, Role, SessionId, UserId};
use sayso_store::chats::ChatRow;

use crate::delivery::MessageRef;

/// Everything known of a message that was stored.
pub struct ResolvedMessage<'a> {
    /// The event.
    pub inbound: &'a Inbound,
    /// Its message.
    pub message: &'a HeardMessage,
    /// Its chat, with the language in which its sender is answered.
    pub chat: ChatRow,
    /// Its session.
    pub session: SessionId,
    /// Who said it.
    pub user: UserId,
    /// What they may do.
    pub role: Role,
    /// Whether earlier messages of theirs wait in the session.
    pub has_waiting: bool,
    /// Whether a card of the session waits for words of theirs.
    pub owes_words: bool,
    /// Whether a turn of theirs runs in the session.
    pub has_running: bool,
}

impl ResolvedMessage<'_> {
    /// Returns whose memories and choices apply here: the person's in a direct chat, the group's in
    /// a group.
    pub fn owner(&self) -> Owner {
        match self.inbound.chat_kind {
            ChatKind::Direct => Owner::User(self.user),
            ChatKind::Group => Owner::Chat(self.chat.id),
        }
    }
}

/// A press by somebody who is admitted, and where.
#[derive(Clone, Copy)]
pub struct Pressed<'a> {
    /// The event.
    pub inbound: &'a Inbound,
    /// What the button carries; anything at all when it was forged.
    pub data: &'a str,
    /// Who pressed.
    pub user: UserId,
    /// What they may do now.
    pub role: Role,
    /// How people see the account.
    pub name: &'a str,
    /// The chat in which it happened.
    pub chat: ChatId,
    /// Whether that is a direct chat or a group.
    pub chat_kind: ChatKind,
    /// The session in which it happened.
    pub session: SessionId,
    /// The message that carries the button, where the platform says it.
    pub this: Option<MessageRef<'a>>,
    /// The language in which the presser is answered.
    pub language: Language,
}
