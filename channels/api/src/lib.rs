//! What a channel is: one configured connection to a platform, and the words that all channels
//! share.
//!
//! A channel crate depends on this crate and on no other crate of the workspace; of `sayso-core` it
//! sees the words that this crate passes on. It turns what its
//! platform sends into [`Inbound`], passes it to the [`Inbox`], renders an [`Outbound`] into
//! [`Part`]s and sends them. It knows buttons and opaque tokens, never approvals; it does not know
//! users, sessions, turns or the store.
//!
//! # Files
//!
//! `channels/api` is the crate `sayso-channel`: the traits `Channel` (a connection that hears) and
//! `Speaker` (what speaks on it), the words that channels share (`Inbound`, `Outbound`, `Part`,
//! `Button`, `Address`), Markdown as a text with spans (control characters, also those that
//! entities stand for, are replaced once it is read), the split at a platform's limit that closes
//! and reopens code fences, the `Inbox`, `Health`, and the conformance suite.
//!
//! A silent connection is not a well one: a channel reports `waiting` within seconds of a fault,
//! and `connected` when the platform has answered again.
//!
//! # Invariants
//!
//! - **A channel crate depends on `sayso-channel` and on no other crate of this workspace.**
//!   `sayso-channel` passes on the few words of `sayso-core` that it needs. Its tests may use
//!   `sayso-fakes`.
//! - Channels do not know approvals: a button is a label and an opaque token of at most 64 bytes.
//! - `render` is pure: the same message gives the same parts, and nothing is sent.
//! - No state of a conversation lives in a channel.
//! - Raw platform JSON does not leave `from_telegram`.

mod channel;
mod command;
#[cfg(feature = "conformance")]
pub mod conformance;
mod control_chars;
#[cfg(feature = "conformance")]
pub mod fake;
mod health;
mod inbound;
mod inbox;
pub mod markdown;
mod outbound;
pub mod split;
pub mod styled;
pub mod web_address;

pub use channel::{
    Channel, ChannelError, Limits, LongText, Pace, Profile, Repeats, SendKey, SentMessage, Speaker,
    TextUnit,
};
pub use command::{Argument, ArgumentKind, Choice, Command, CommandCall};
pub use control_chars::replace_control_chars;
pub use health::{BotAccount, BotLink, Health, HealthState, HealthStatus};
pub use inbound::{
    Addressed, Event, EventKey, HeardMessage, Inbound, Press, Quoted, Sender, SenderKind,
};
pub use inbox::{Delivery, Inbox, InboxClosed, LastHeard, Notice, NoticeKind, Past, Receipt};
pub use outbound::{
    Button, ButtonLook, FileSource, OutFile, Outbound, Part, RESENT_MARK, RESENT_MARK_ROOM,
};
pub use sayso_core::{
    Address, AttachmentKind, AttachmentRef, ChannelName, ChatKey, ChatKind, Language, MessageKey,
    SenderKey, ThreadKey, text,
};
pub use styled::{Span, Style, Styled};
