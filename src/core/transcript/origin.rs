//! Why a turn began, and what kind of session it is in.

use serde::{Deserialize, Serialize};

use crate::{ChatKind, UnknownName};

/// Why a turn began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// A person said something.
    #[default]
    Message,
    /// A routine was due.
    Routine,
    /// A goal goes on.
    Goal,
    /// A chain of fixed steps runs.
    Chain,
    /// Work is verified.
    Check,
    /// Somebody asked on the operator's console.
    Console,
}

impl Origin {
    /// Every origin.
    pub const ALL: [Self; 6] = [
        Self::Message,
        Self::Routine,
        Self::Goal,
        Self::Chain,
        Self::Check,
        Self::Console,
    ];

    /// Returns the name that the store and the journal use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Message => "message",
            Self::Routine => "routine",
            Self::Goal => "goal",
            Self::Chain => "chain",
            Self::Check => "check",
            Self::Console => "console",
        }
    }

    /// Returns whether this is the origin of ordinary turns, which journals do not write down.
    pub fn is_message(&self) -> bool {
        *self == Self::Message
    }
}

impl TryFrom<String> for Origin {
    type Error = UnknownName;

    fn try_from(name: String) -> Result<Self, UnknownName> {
        let found = Self::ALL.into_iter().find(|it| it.as_str() == name);
        found.ok_or_else(|| UnknownName::of("origin of a turn", name))
    }
}

/// What kind of conversation a session is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SessionKind {
    /// One person and us.
    Direct,
    /// Several people.
    Group,
    /// Work that goes on beside the conversation of a chat, with a history of its own. Its results
    /// are said in that chat, where no one waits for them.
    Background,
}

impl SessionKind {
    /// Returns the kind of a session in a chat of this kind.
    pub fn of(chat: ChatKind, is_background: bool) -> Self {
        match (is_background, chat) {
            (true, ChatKind::Direct | ChatKind::Group) => Self::Background,
            (false, ChatKind::Direct) => Self::Direct,
            (false, ChatKind::Group) => Self::Group,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::ChatKind;

    use super::{Origin, SessionKind};

    #[test]
    fn an_origin_is_read_back_by_the_name_that_journals_write() {
        for origin in Origin::ALL {
            let written = serde_json::to_string(&origin).unwrap();
            assert_eq!(written, format!("\"{}\"", origin.as_str()));
            assert_eq!(Origin::try_from(origin.as_str().to_owned()), Ok(origin));
        }
        assert!(Origin::try_from("wish".to_owned()).is_err());
    }

    #[test]
    fn work_in_the_background_is_no_conversation_of_its_chat() {
        for chat in [ChatKind::Direct, ChatKind::Group] {
            assert_eq!(SessionKind::of(chat, true), SessionKind::Background);
        }
        assert_eq!(SessionKind::of(ChatKind::Group, false), SessionKind::Group);
    }
}
