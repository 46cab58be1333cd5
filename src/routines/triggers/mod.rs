//! What starts a routine besides the clock: a file that changes, words in a group, a signed call.
//!
//! # Files
//!
//! `trigger.rs` is what is kept with a routine, `glob.rs` and `phrases.rs` say what matches (pure),
//! `workspace_files.rs` finds files that changed, `file_watcher.rs` is the task that looks for them,
//! `group_words.rs` takes a message of a group, `webhooks.rs` a signed call (`webhook_key.rs` of the room has
//! its key); `run_start.rs` begins a run with the events that wait, `keeping.rs` makes such a routine,
//! and `trial.rs` tries its trigger on what happened last; `messages.rs` is what people read.
//!
//! # Invariants
//!
//! - An event is a row once by its key (`routine_events`), written in one transaction with the time at
//!   which it starts a run. A run takes the events that wait in the transaction that writes its
//!   occurrence, so a kill loses and doubles nothing.
//! - A run is begun by the scheduler, on the same path as one of the clock.
//! - A routine has one open run, and at most [`RoutineLimits::triggered_per_hour`] runs an hour; what
//!   happens in between waits, and is one run.
//! - What a run reads of its events is text from outside: its turn begins tainted.
//! - The key of a webhook is in no table: it is derived from a file beside the database.
//!
//! [`RoutineLimits::triggered_per_hour`]: super::RoutineLimits::triggered_per_hour

mod file_watcher;
mod glob;
mod group_words;
mod keeping;
pub mod messages;
mod phrases;
mod run_start;
mod trial;
mod trigger;
mod webhooks;
mod workspace_files;

pub use file_watcher::FileWatcher;
pub use group_words::{GroupMessage, heard_in_group};
pub use trigger::Trigger;
pub use webhooks::{Delivery, PATH, Received, Webhooks};

pub(super) use keeping::{NotHere, TriggeredWanted, inspect, keep};
pub(super) use run_start::{happened, take};
pub(super) use trial::try_out;
pub(super) use trigger::BadTrigger;
