//! What people want done again and again, or once later: what is kept of it, when it is due, and the tool
//! `routine`.
//!
//! Nothing runs a routine yet, and whoever makes one is told so.

mod phrases;
mod schedule;
mod tool;
mod zones;

pub use schedule::{Schedule, moment_of};
pub use tool::RoutineTool;
