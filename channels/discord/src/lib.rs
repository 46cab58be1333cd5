//! Discord as a channel: one bot account, heard by the gateway.
//!
//! The way in is `gateway` (one connection of one shard), `listen` (passes events to the inbox, and
//! reads back missed messages) and `from_discord` (one object to one [`sayso_channel::Inbound`],
//! pure). The way out is `to_discord` (a message to parts, pure), `send` and `files`. `rest` is the
//! HTTP client with Discord's rate limits, `refusal` maps failures to errors for the sender,
//! `reply` defines how a slash command is answered, `menu` defines the slash commands. Pacing,
//! retries and everything about conversations are left to the agent.

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

pub use config::{ConfigError, DiscordConfig, LongAnswers, Shards, Timeouts};
pub use discord::Discord;
pub use identity::{Identity, check};
