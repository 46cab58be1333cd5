//! Intake: what an inbound event is, who did it, may they, and who gets it.
//!
//! Everything that follows from an event is written in the one transaction that stores it, so it
//! counts whole or not at all, and a second delivery of it ends here. What a command does and what
//! a button answers is behind the port [`Features`]. Intake calls no provider and no tool, keeps no
//! state of a conversation, and is closed by default.

mod access;
mod busy;
mod context;
mod effects;
mod event;
mod features;
mod job;
mod language;
mod limits;
mod message;
pub mod messages;
mod names;
mod platform_history;
mod press;
mod provenance;
mod receiver;
mod reply;
mod resolved;
mod rows;
mod script;
mod stop_words;
mod unseen;
mod wording;

pub use access::{Access, Account, AccountRule, Accounts, Standing};
pub use context::IntakeContext;
pub use effects::{Effects, PressedJob};
pub use features::{CommandRate, Features};
pub use limits::{RateLimits, RatesPerMinute};
pub use receiver::{Intake, WAITING_EVENTS};
pub use reply::{is_awaited, reply_to, say, tell, tell_aside};
pub use resolved::{Pressed, ResolvedMessage};

#[cfg(test)]
mod roles_tests;
