//! Who pressed a button of a card, and what that came to.

use sayso_channel::{Language, Notice, NoticeKind};
use sayso_core::transcript::{ChatId, Role, SessionId, TurnId, UserId};

use super::card_view::CardView;

/// Who pressed, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Presser {
    /// The user.
    pub user: UserId,
    /// What that user may do.
    pub role: Role,
    /// The name that people see.
    pub name: String,
    /// The chat in which the press happened.
    pub chat: ChatId,
    /// When, in milliseconds since 1970.
    pub now_ms: i64,
    /// The language of the chat.
    pub language: Language,
}

/// What a press came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Pressed {
    /// The notice to the presser.
    pub notice: Notice,
    /// The card as it reads now, if the press changed it.
    pub changed: Option<CardView>,
    /// The card as it reads now, if it was closed before: a copy that can still be pressed was not
    /// recorded as sent.
    pub stale: Option<CardView>,
    /// The session whose turn can go on, once every call of the card is decided.
    pub ready: Option<SessionId>,
    /// The grant that was revoked by it, as JSON.
    pub revoked: Option<String>,
    /// The turn whose request is to be made anew.
    pub again: Option<TurnId>,
}

impl Pressed {
    /// A press that is answered with these words.
    pub(super) fn told(text: String) -> Self {
        Self {
            notice: Notice {
                text,
                kind: NoticeKind::Passing,
            },
            changed: None,
            stale: None,
            ready: None,
            revoked: None,
            again: None,
        }
    }

    /// A press that is answered with these words, which the card says as well.
    pub(super) fn echoed(text: String) -> Self {
        Self {
            notice: Notice {
                text,
                kind: NoticeKind::Echo,
            },
            ..Self::told(String::new())
        }
    }

    /// A press that is rejected with these words.
    pub(super) fn refused(text: String) -> Self {
        Self {
            notice: Notice {
                text,
                kind: NoticeKind::Alert,
            },
            ..Self::told(String::new())
        }
    }
}
