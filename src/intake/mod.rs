//! Intake: what an inbound event is, who did it, may they, and who gets it.
//!
//! Everything that follows from an event is written in the one transaction that stores it, so it
//! counts whole or not at all, and a second delivery of it ends here. What a command does and what
//! a button answers is behind the port [`Features`]. Intake calls no provider and no tool, keeps no
//! state of a conversation, and is closed by default.
//!
//! # Files
//!
//! `receiver.rs` takes events in, `event.rs` is the match over them, `message.rs` and `press.rs`
//! find out who and where, `job.rs` takes a job with its pieces and edits, `access.rs` holds the
//! lists, `limits.rs` says how often a sender may speak and how much of it may wait, `wording.rs`
//! how a message reads to a model, `busy.rs` what it does to a running turn.
//!
//! # Invariants
//!
//! - `intake` names no feature: what a command does and what a button answers is behind the port
//!   `Features` (`features.rs`), what listens in groups behind the port `Listener` (`overheard.rs`),
//!   and `app` registers `commands::Commands` there. Six rooms at most,
//!   and no file that reaches itself (a test).
//! - `intake` calls no provider and no tool, and keeps no state of a conversation.
//! - A stranger costs no model call.
//! - The language of a person is a row of `users`, written in the transaction of the event: chosen,
//!   written (`script.rs`, a pure count of Han letters against words), client. `language.rs` gives
//!   the event the language of its person; `claim` gives it to their turn, also in a group.
//!   `chats.language` of a direct chat follows its person.
//! - A command that does not exist is no job: `commands/unknown.rs` answers it.
//! - An account is judged with each event, also with a press, by the roles that came with that
//!   event. No role makes an owner: an owner is named by the configuration, or by a code.
//! - A new account that is known on another channel of the same platform is the same human and
//!   joins that person at once; what it may do is judged by its channel.
//! - Names are cleaned and told apart here (`names.rs`, `chat_names`), before anything of an event
//!   is stored.
//! - A platform's anonymous voice (an anonymous admin, a channel post) can neither approve nor own
//!   memory.

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
mod overheard;
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
pub use features::{CommandRate, EventMaterial, Features};
pub use limits::{RateLimits, RatesPerMinute};
pub use overheard::{Listener, Overheard};
pub use receiver::{Intake, WAITING_EVENTS};
pub use reply::{is_awaited, reply_to, say, tell, tell_aside};
pub use resolved::{Pressed, ResolvedMessage};

#[cfg(test)]
mod roles_tests;
