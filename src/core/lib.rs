//! The bottom of the workspace: what every other crate may know, and which knows none of them.
//!
//! [`transcript`] is the words of a conversation, [`redact`] hides secrets in them, [`when`]
//! understands and writes times, [`texts`] are the texts for people, [`visible`] shows what a text
//! hides, [`approval`] is who may approve a call; beside them stand the words that channels share
//! with all of it. Nothing here awaits, reads a clock, or touches disk or network.

mod address;
pub mod approval;
mod chat;
mod language;
pub mod redact;
pub mod texts;
pub mod transcript;
mod unknown_name;
pub mod visible;
pub mod when;

pub use address::{Address, ChannelName, ChatKey, MessageKey, SenderKey, ThreadKey};
pub use chat::{AttachmentKind, AttachmentRef, ChatKind};
pub use language::Language;
pub use unknown_name::UnknownName;
