//! The trait that a platform implements, and what can go wrong when speaking to one.

use std::time::Duration;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use tokio::fs::File;
use tokio_util::sync::CancellationToken;

use crate::{Address, AttachmentRef, ChannelName, Command, Inbox, MessageKey, Outbound, Part};

/// One configured connection to a platform.
///
/// Implementations hold no state of a conversation and never wait for a turn.
#[async_trait]
pub trait Channel: Speaker {
    /// Returns what is true of this channel for as long as it lives.
    fn profile(&self) -> &Profile;

    /// Hears until `shutdown`, handing everything to `inbox` before the platform may forget it.
    ///
    /// Faults that may pass (network, another poller) are waited out inside, with health reports.
    /// An error means that this channel cannot go on: a refused token.
    async fn listen(&self, inbox: Inbox, shutdown: CancellationToken) -> Result<(), ChannelError>;

    /// Shows the commands in the platform's menu, in every language that we have.
    async fn announce(&self, commands: &[Command]) -> Result<(), ChannelError>;

    /// Copies an attachment into `into`.
    async fn fetch(&self, attachment: &AttachmentRef, into: &mut File) -> Result<(), ChannelError>;
}

/// What speaks on a platform.
#[async_trait]
pub trait Speaker: Send + Sync {
    /// Renders a message into one or more parts, each within the platform's limits.
    ///
    /// Pure: the same message gives the same parts. Buttons and the file sit on the last part.
    /// Each part leaves [`crate::RESENT_MARK_ROOM`] units free for the mark of a repeated send.
    fn render(&self, message: &Outbound) -> Vec<Part>;

    /// Sends one part. `key` names the attempt for platforms that can drop a repetition.
    async fn send(
        &self,
        to: &Address,
        part: &Part,
        key: &SendKey,
    ) -> Result<SentMessage, ChannelError>;

    /// Replaces what a sent message says, with its buttons. Saying the same again is no error.
    async fn edit(&self, sent: &SentMessage, part: &Part) -> Result<(), ChannelError>;

    /// Removes a sent message. One that is gone already is no error.
    async fn delete(&self, sent: &SentMessage) -> Result<(), ChannelError>;

    /// Puts a thumbs-up below a person's message, as a receipt. Called only where
    /// [`Profile::reactions`] says that there are reactions; doing it again is no error.
    async fn react(&self, to: &Address, message: &MessageKey) -> Result<(), ChannelError>;

    /// Shows for some seconds that an answer is being written.
    async fn typing(&self, to: &Address) -> Result<(), ChannelError>;
}

/// What is true of a channel for as long as it lives: its name and its platform's limits.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// The channel's name in the configuration.
    pub name: ChannelName,
    /// The longest text of one message, in `text_unit`s.
    pub text_limit: usize,
    /// What the platform counts when it measures a text.
    pub text_unit: TextUnit,
    /// Whether messages can carry buttons.
    pub buttons: bool,
    /// The longest token of a button, in bytes.
    pub token_bytes: usize,
    /// Whether an edit changes a message where it stands. Where it does not (a pipe), a turn at
    /// work is not shown, and an edit is written below.
    pub edits: bool,
    /// Whether a reaction can be put below a message.
    pub reactions: bool,
    /// What becomes of a send that repeats another with the same key.
    pub repeats: Repeats,
    /// How a text is shown that must be whole and is too long for its message.
    pub long_text: LongText,
    /// The prefix that turns the key of a sender into the key of the direct chat with them; `None`
    /// if the channel cannot write to people who have not written first.
    pub direct_prefix: Option<&'static str>,
    /// The largest file that can be sent, in bytes.
    pub file_bytes: u64,
    /// Where these paces are known from.
    pub limits: Limits,
    /// How often one may speak in one direct chat.
    pub direct_pace: Pace,
    /// How often one may speak in one group.
    pub group_pace: Pace,
    /// How often one may speak on the whole channel.
    pub channel_pace: Pace,
}

/// What a platform makes of a send that repeats another with the same [`SendKey`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repeats {
    /// It is another message (Telegram): when an answer was lost, the repetition needs a mark.
    Arrive,
    /// For this long after the first it is dropped, and the first message is the answer (Discord's
    /// enforced nonce): a repetition needs no mark.
    AreDropped {
        /// How long, less what clocks and queues may take.
        within: Duration,
    },
}

/// How a text is shown that must be whole and is too long for its message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LongText {
    /// As messages right above it.
    Above,
    /// As a file on the message itself.
    Attached,
}

/// Where the limits of a platform are known from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limits {
    /// From what it publishes (Telegram): who says more may be refused for a while.
    Published,
    /// From its answers (Discord's headers): the adapter itself holds back what would be refused,
    /// and says for how long.
    Told,
}

/// What a platform counts when it measures a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextUnit {
    /// UTF-16 code units (Telegram).
    Utf16,
    /// Unicode scalar values (Discord).
    Scalar,
}

impl TextUnit {
    /// Returns the length of a text in this unit.
    pub fn measure(self, text: &str) -> usize {
        match self {
            Self::Utf16 => text.encode_utf16().count(),
            Self::Scalar => text.chars().count(),
        }
    }

    /// Returns the length of one character in this unit.
    pub fn measure_char(self, letter: char) -> usize {
        match self {
            Self::Utf16 => letter.len_utf16(),
            Self::Scalar => 1,
        }
    }
}

/// A budget: `burst` at once, then one every `every`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// How many may go out at once after silence; at least 1.
    pub burst: u32,
    /// How long one takes to grow back.
    pub every: Duration,
}

/// Names one attempt to send one part: the same row of the outbox has the same key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SendKey(pub String);

/// A message that the platform took.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentMessage {
    /// Where it was sent.
    pub address: Address,
    /// The platform's name of it.
    pub message: MessageKey,
}

/// Why the platform did not do what was asked. Each variant is something else to do next.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ChannelError {
    /// Pacing, not failure: ask again after this time.
    #[error("the platform asks to wait {} ms", .0.as_millis())]
    RetryAfter(Duration),
    /// It certainly did not happen, and may work later: no connection, 5xx before processing.
    #[error("the platform cannot be reached: {0}")]
    Unreachable(String),
    /// It may or may not have happened: the answer was lost.
    #[error("the platform's answer was lost: {0}")]
    Ambiguous(String),
    /// The text is over the platform's limit; it must be rendered into smaller parts.
    #[error("the message is too long for the platform")]
    TooLong,
    /// The chat has another address from now on.
    #[error("the chat continues as {0}")]
    Moved(Address),
    /// It will not happen, and asking again does not help: blocked, no rights, chat or message
    /// gone.
    #[error("the platform refuses: {0}")]
    Rejected(String),
    /// The thread takes nothing any more, or does not exist; the chat around it may.
    #[error("the platform refuses the thread: {0}")]
    ThreadGone(String),
    /// The platform does not know us: the token is wrong or was revoked.
    #[error("the platform refuses the token: {0}")]
    Unauthorized(String),
}
