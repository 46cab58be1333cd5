//! What people want done again and again, or once later: what is kept of it, when it is due, and
//! the tool `routine`.
//!
//! Routines are not executed yet; the author of a new one is informed of that.

mod next_time;
mod phrases;
mod schedule;
mod schedule_parser;
mod tool;
mod zones;

pub use schedule::Schedule;
pub use tool::RoutineTool;
