//! The fake Discord refuses what the real one refuses, and lets people and a bot talk.

#![expect(unreachable_pub, reason = "its modules are those of a program")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panic")]

mod bot;
mod chats;
mod checks;
mod faults;
mod gateway;
mod interactions;
mod reading;

use bot::{Bot, Ears};
