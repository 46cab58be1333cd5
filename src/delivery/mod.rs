//! Words out: one outbox row per part, in order per chat, paced, retried, edited in place.
//!
//! A part is `pending`, then `sending` (committed before the request is sent), then `sent`,
//! `unknown`, `failed` or `superseded`. A part that was `sending` when the process was killed, or
//! whose response was lost, is `unknown`: it may or may not have arrived, so it is sent again with
//! a visible mark. Live messages are the exception: they are never sent again.
//!
//! This room does not decide what to say and drops nothing in silence.
//!
//! # Invariants
//!
//! - `delivery` does not decide what to say and does not render: channels do.
//! - A queue holds 32 rows; what is more waits in the outbox. Tries become rarer, up to a minute;
//!   the first message that the platform takes again wakes every queue of its channel.
//! - Nothing is dropped in silence: a row ends as `sent`, `superseded`, or `failed` with its reason
//!   in the log.
//! - `Profile::repeats` says whether the platform drops a repetition (Discord, for minutes, by the
//!   nonce that is made of the row): there a row in doubt is sent again unchanged, without a mark.
//! - `Profile::long_text` says where a text goes that is too long for its card: above it, or
//!   attached as a file that is kept in the row.
//! - What a platform limits is data (`Profile`) or the adapter's own affair.

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
pub use live::{LiveContent, LiveUpdate};
pub use live_state::LiveEnd;
pub use outbox_writer::{Channels, MessageRef, OutboxWriter, Saying};
pub use sayso_store::outbox::Purpose;

#[cfg(test)]
mod clumsy_tests;
#[cfg(test)]
mod delivery_tests;
