//! Telegram as a channel: one bot account, heard by polling or webhook.
//!
//! The way in is `listen` (passes updates to the inbox before Telegram may forget them) and
//! `from_telegram` (one update to one [`sayso_channel::Inbound`], pure). The way out is
//! `to_telegram` (a message to parts, pure), `send` and `files`. `bot_api` is the HTTP client,
//! `refusal` maps failures to errors for the sender. Pacing, retries and everything about
//! conversations are left to the agent.

mod bot_api;
mod config;
mod files;
mod from_telegram;
mod identity;
mod introduction;
mod listen;
mod messages;
mod refusal;
mod requests;
mod send;
mod telegram;
mod to_telegram;

pub use config::{Bilingual, ConfigError, Introduction, Mode, TelegramConfig, Timeouts};
pub use identity::{Identity, check};
pub use telegram::Telegram;
