//! Discord as a channel: one bot account, heard by the gateway.
//!
//! The way in is `gateway` (one connection of one shard), `listen` (hands what it hears to the
//! inbox, and reads back what was missed) and `from_discord` (one object to one
//! [`sayso_channel::Inbound`], pure). The way out is `to_discord` (a message to parts, pure), `send` and
//! `files`. `rest` is the wire with Discord's limits, `refusal` says what a failure means for
//! whoever sends, `reply` how a slash command is answered, `menu` what the slash commands are.
//! Pacing, repeating and everything about conversations is left to the agent.

mod components;
mod config;
mod discord;
mod files;
mod from_discord;
mod gateway;
mod identity;
mod listen;
mod menu;
mod messages;
mod refusal;
mod reply;
mod rest;
mod send;
mod to_discord;

pub use config::{ConfigError, DiscordConfig, LongAnswers, Patience, Shards};
pub use discord::Discord;
pub use identity::{Identity, check};
