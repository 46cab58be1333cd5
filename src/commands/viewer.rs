//! Who reads the answer to a command, and where: the one who gave it, or who presses a button below
//! an earlier answer.

use sayso_channel::{ChatKind, Inbound, Language};
use sayso_core::transcript::{ChatId, Owner, Role, SessionId, UserId};

use crate::intake::{Pressed, ResolvedMessage};

/// The reader of an answer.
#[derive(Clone, Copy)]
pub(super) struct Viewer<'a> {
    /// The event by which the reader asks.
    pub inbound: &'a Inbound,
    /// Who reads.
    pub user: UserId,
    /// What they may do.
    pub role: Role,
    /// The chat.
    pub chat: ChatId,
    /// The session.
    pub session: SessionId,
    /// The language in which they read.
    pub language: Language,
}

impl<'a> Viewer<'a> {
    /// Returns the sender of a command.
    pub fn of_message(heard: &ResolvedMessage<'a>, language: Language) -> Self {
        Self {
            inbound: heard.inbound,
            user: heard.user,
            role: heard.role,
            chat: heard.chat.id,
            session: heard.session,
            language,
        }
    }

    /// Returns who pressed a button.
    pub fn of_press(pressed: &Pressed<'a>) -> Self {
        Self {
            inbound: pressed.inbound,
            user: pressed.user,
            role: pressed.role,
            chat: pressed.chat,
            session: pressed.session,
            language: pressed.language,
        }
    }

    /// Returns whether it is a direct chat.
    pub fn is_private(&self) -> bool {
        self.inbound.chat_kind == ChatKind::Direct
    }

    /// Returns whose memories and choices apply here: the person's in a direct chat, the group's in
    /// a group.
    pub fn owner(&self) -> Owner {
        if self.is_private() {
            Owner::User(self.user)
        } else {
            Owner::Chat(self.chat)
        }
    }
}
