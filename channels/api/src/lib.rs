//! What a channel is: one configured connection to a platform, and the words that all channels
//! share.
//!
//! A channel crate depends on this crate and on no other crate of the workspace; of `sayso-core` it
//! sees the words that this crate passes on. It turns what its
//! platform sends into [`Inbound`], passes it to the [`Inbox`], renders an [`Outbound`] into
//! [`Part`]s and sends them. It knows buttons and opaque tokens, never approvals; it does not know
//! users, sessions, turns or the store.

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
