//! Where something is said: channel, chat and thread, and the names of messages and senders there.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Declares a newtype over the text that a platform (or the configuration) uses as a name.
macro_rules! key {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// Takes the platform's own form of the name.
            pub fn new(text: impl Into<String>) -> Self {
                Self(text.into())
            }

            /// Returns the name in the platform's own form.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }
    };
}

key!(
    /// A channel as the configuration names it: `telegram`, `terminal`; with several bot accounts
    /// on a platform also `telegram.work`.
    ChannelName
);

impl ChannelName {
    /// Returns the platform that the channel is on: `telegram` for `telegram.work`. A sender's key
    /// names the same account on every channel of a platform.
    pub fn platform(&self) -> &str {
        self.0
            .split_once('.')
            .map_or(&self.0, |(platform, _)| platform)
    }
}

key!(
    /// A chat as its platform names it.
    ChatKey
);
key!(
    /// A thread inside a chat: a Telegram forum topic, a Discord thread.
    ThreadKey
);
key!(
    /// A message as its platform names it, unique inside its chat.
    MessageKey
);
key!(
    /// A platform account as its platform names it.
    SenderKey
);

/// A place where something can be said: channel, chat and thread.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Address {
    /// The channel that the chat belongs to.
    pub channel: ChannelName,
    /// The chat.
    pub chat: ChatKey,
    /// The thread in the chat; `None` outside threads and in Telegram's topic "General".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread: Option<ThreadKey>,
}

impl Address {
    /// Returns the address of a chat outside any thread.
    pub fn chat(channel: impl Into<ChannelName>, chat: impl Into<ChatKey>) -> Self {
        Self {
            channel: channel.into(),
            chat: chat.into(),
            thread: None,
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.channel, self.chat)?;
        match &self.thread {
            Some(thread) => write!(f, "/{thread}"),
            None => Ok(()),
        }
    }
}
