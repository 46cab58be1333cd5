//! What people want done again and again, or once later: what is kept of it, when it is due, and
//! the tool `routine`.
//!
//! Routines are not executed yet; the author of a new one is informed of that.
//!
//! # Files
//!
//! What people want done at set times: `schedule.rs` calculates when (croner reads the five fields
//! of cron), `schedule_parser.rs` reads what is written and `phrases.rs` how people say it,
//! `next_time.rs` says the next time in words, `tool.rs` is the tool `routine`.
//!
//! # Invariants
//!
//! - There is no engine: nothing runs a routine yet, and tool and list say so.
//! - A routine is its person's alone, by whichever account; in a group only those are seen that the
//!   same person made there.
//! - At most 20 for a person, none due more often than every 15 minutes; times are those of the
//!   machine's clock, or of the zone that the schedule names (`zones.rs`).
//! - A routine keeps the taint of the turn that wrote it, for the turns that it will start.

mod next_time;
mod phrases;
mod schedule;
mod schedule_parser;
mod tool;
mod zones;

pub use schedule::Schedule;
pub use tool::RoutineTool;
