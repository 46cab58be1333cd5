//! The key of an interaction that waits for its answer: where a slash command is answered.
//!
//! An interaction has no message of its own. Its answer is the "original" of a webhook that lives
//! for 15 minutes (<https://docs.discord.com/developers/interactions/receiving-and-responding>),
//! so application, interaction and token together take the place of a message's id.

use std::fmt;

use sayso_channel::MessageKey;

/// What a key begins with. Messages have decimal ids, so nothing else does.
const PREFIX: &str = "i:";

/// Names an interaction that was acknowledged and waits for its answer.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct InteractionKey {
    /// The application that was asked.
    pub(crate) application: u64,
    /// The interaction.
    pub(crate) id: u64,
    /// What lets us answer it, for 15 minutes.
    pub(crate) token: String,
}

impl InteractionKey {
    /// Returns the key in the form in which rows and journals carry it.
    pub(crate) fn to_message_key(&self) -> MessageKey {
        let Self {
            application,
            id,
            token,
        } = self;
        MessageKey::new(format!("{PREFIX}{application}:{id}:{token}"))
    }

    /// Reads a key; `None` when it names an ordinary message, or nothing.
    pub(crate) fn parse(key: &MessageKey) -> Option<Self> {
        let rest = key.as_str().strip_prefix(PREFIX)?;
        let (application, rest) = rest.split_once(':')?;
        let (id, token) = rest.split_once(':')?;
        Some(Self {
            application: application.parse().ok()?,
            id: id.parse().ok()?,
            token: is_path_segment(token).then(|| token.to_owned())?,
        })
    }
}

/// Shows everything but the token.
impl fmt::Debug for InteractionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InteractionKey")
            .field("application", &self.application)
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

/// Returns whether a text can be used in a path without escaping.
fn is_path_segment(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~=+:".contains(&byte);
    !text.is_empty() && text.bytes().all(allowed) && !text.bytes().all(|byte| byte == b'.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_is_read_as_it_was_written() {
        let key = InteractionKey {
            application: 7,
            id: 8,
            token: "aW50:x_-=".to_owned(),
        };
        assert_eq!(key.to_message_key().as_str(), "i:7:8:aW50:x_-=");
        assert_eq!(InteractionKey::parse(&key.to_message_key()), Some(key));
    }

    #[test]
    fn other_keys_are_no_interactions() {
        for key in [
            "",
            "123",
            "i:",
            "i:7:8",
            "i:7:8:",
            "i:a:8:t",
            "i:7:8:../x",
            "i:7:8:..",
        ] {
            assert_eq!(InteractionKey::parse(&MessageKey::from(key)), None, "{key}");
        }
    }

    #[test]
    fn token_is_not_shown() {
        let key = InteractionKey::parse(&MessageKey::from("i:7:8:secret"));
        assert!(!format!("{key:?}").contains("secret"));
    }
}
