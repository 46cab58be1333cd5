//! The terminal as a channel: one person, one chat, on the terminal that the process was started
//! in.
//!
//! With a terminal on both sides there is line editing, history, and messages that are edited in
//! place. With a pipe on either side everything is plain lines, and nothing is asked of the other
//! end but to read and write them.

mod cards;
mod channel;
mod config;
mod device;
mod lines;
mod messages;
mod render;
mod rows;
mod screen;
mod wrap;

pub use channel::TerminalChannel;
pub use config::{Echo, HistoryFilter, LinePace, TerminalConfig};
pub use lines::Line;
