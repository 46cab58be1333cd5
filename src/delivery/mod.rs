//! Words out: one outbox row per part, in order per chat, paced, retried, edited in place.
//!
//! A part is `pending`, then `sending` (committed before the request is sent), then `sent`,
//! `unknown`, `failed` or `superseded`. A part that was `sending` when the process was killed, or
//! whose response was lost, is `unknown`: it may or may not have arrived, so it is sent again with
//! a visible mark. Live messages are the exception: they are never sent again.
//!
//! This room does not decide what to say and drops nothing in silence.

mod chat_queue;
mod detour;
mod dispatcher;
mod hidden;
mod hidden_words;
mod live;
mod live_state;
mod messages;
mod outbox_writer;
mod pace;
mod place;
mod plain;
mod quota;
mod refusal;
mod route;
mod send;
mod strict;

pub use dispatcher::Dispatcher;
pub use live::LiveUpdate;
pub use live_state::LiveEnd;
pub use outbox_writer::{Channels, MessageRef, OutboxWriter, Saying};
pub use sayso_store::outbox::Purpose;

#[cfg(test)]
mod clumsy_tests;
#[cfg(test)]
mod delivery_tests;
