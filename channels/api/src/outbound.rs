//! What is said: a small document that every platform can render, and what rendering makes of it.

use serde::{Deserialize, Serialize};

use crate::MessageKey;

/// What is appended to a message that may already have arrived once.
pub const RESENT_MARK: &str = "\n\n↻ sent again / 重发";

/// How many units of the platform's limit each part leaves free for [`RESENT_MARK`].
pub const RESENT_MARK_ROOM: usize = 32;

/// A message before a platform renders it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Outbound {
    /// CommonMark with tables and strikethrough. Any text is valid: nothing in it can fail.
    pub markdown: String,
    /// Rows of buttons below the text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub buttons: Vec<Vec<Button>>,
    /// A file that travels with the message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<OutFile>,
    /// The message that this one replies to. If it was deleted, the reply is sent as a plain
    /// message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply_to: Option<MessageKey>,
    /// Whether the person's client should open a reply to this message (Telegram's `ForceReply`).
    #[serde(default)]
    pub asks_reply: bool,
    /// Whether the message arrives without a sound.
    #[serde(default)]
    pub quiet: bool,
    /// Whether it concerns only the recipient of the reply: where the platform supports it, no one
    /// else sees it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub aside: bool,
}

impl Outbound {
    /// Returns a message that is only text.
    pub fn markdown(text: impl Into<String>) -> Self {
        Self {
            markdown: text.into(),
            ..Self::default()
        }
    }
}

/// A button below a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Button {
    /// What it says, at most 64 characters.
    pub label: String,
    /// What comes back when it is pressed: opaque, 1-64 bytes.
    pub token: String,
    /// The key that stands for it where there is nothing to tap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<char>,
    /// How it looks, where the platform has looks.
    #[serde(default)]
    pub look: ButtonLook,
}

impl Button {
    /// Returns the button that lets something happen, with the key `y`.
    pub fn yes(label: impl Into<String>, token: String) -> Self {
        Self {
            label: label.into(),
            token,
            key: Some('y'),
            look: ButtonLook::Yes,
        }
    }

    /// Returns the button that keeps it from happening, with the key `n`.
    pub fn no(label: impl Into<String>, token: String) -> Self {
        Self {
            label: label.into(),
            token,
            key: Some('n'),
            look: ButtonLook::No,
        }
    }
}

/// How a button looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ButtonLook {
    /// Like any other.
    #[default]
    Plain,
    /// The one that lets something happen.
    Yes,
    /// The one that keeps it from happening.
    No,
    /// The one that ends what is under way, or takes back what was decided. It asks nothing, so where
    /// lines are typed and nothing can be tapped it is no button.
    Stop,
}

/// A file to send.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutFile {
    /// The name that people see.
    pub name: String,
    /// Where its bytes are.
    #[serde(flatten)]
    pub source: FileSource,
}

/// Where the bytes of a file to send are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileSource {
    /// On our disk, until it is sent.
    Path(std::path::PathBuf),
    /// Here: a text that has to be whole whatever happens to the disk.
    Text(String),
}

/// One platform message, ready to be sent: a row of the outbox.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// The text as the platform takes it.
    pub text: String,
    /// What the platform needs beside the text (Telegram's entities); opaque outside the channel.
    #[serde(default)]
    pub markup: serde_json::Value,
    /// What the text is without its markup, where that holds what has to be read: the addresses of
    /// links. It may be longer than a message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plain: Option<String>,
    /// Rows of buttons; only on the last part of a message.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub buttons: Vec<Vec<Button>>,
    /// A file; only on the last part of a message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<OutFile>,
    /// The message that this one answers; only on the first part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply_to: Option<MessageKey>,
    /// See [`Outbound::asks_reply`].
    #[serde(default)]
    pub asks_reply: bool,
    /// See [`Outbound::quiet`].
    #[serde(default)]
    pub quiet: bool,
    /// See [`Outbound::aside`].
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub aside: bool,
}

impl Part {
    /// Marks the part as one that may already have arrived. Entities stay valid: text only grows at
    /// its end.
    pub fn mark_resent(&mut self) {
        if !self.text.ends_with(RESENT_MARK) {
            self.text.push_str(RESENT_MARK);
        }
    }
}
