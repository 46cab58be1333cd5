//! Discord as a channel: one bot account, heard by the gateway.
//!
//! The way in is `gateway` (one connection of one shard), `listen` (passes events to the inbox, and
//! reads back missed messages) and `from_discord` (one object to one [`sayso_channel::Inbound`],
//! pure). The way out is `to_discord` (a message to parts, pure), `send` and `files`. `rest` is the
//! HTTP client with Discord's rate limits, `refusal` maps failures to errors for the sender,
//! `reply` defines how a slash command is answered, `menu` defines the slash commands. Pacing,
//! retries and everything about conversations are left to the agent.
//!
//! # Files
//!
//! In `channels/discord`, `gateway/` is one connection and nothing more; `listen/` keeps it
//! (back-off, resume, reading back what was missed, one queue per chat, interactions apart from
//! messages); `from_discord/` turns raw events into `Inbound`; `rest/` makes one request and says
//! what is known of its fate; `to_discord/` writes Discord's Markdown; `send.rs` decides whether a
//! part is a message, the answer to a slash command, or goes into a thread.
//!
//! An interaction is acknowledged before it is stored, by a task that no message can delay.

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
