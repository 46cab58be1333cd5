//! Bad input of every kind: who gets which message, and that nothing is lost.

/// Configurations that cannot be used.
mod configuration;
/// Databases that are locked, damaged, read-only, too new or in use.
pub mod database;
/// Rejections by Discord, and unknown input from it.
mod discord;
/// Disks without room.
pub mod disk;
/// Memory that is damaged, too large, too much, or forgotten meanwhile.
mod memory;
/// Models that cannot be reached, or answer with anything but an answer.
mod model;
/// Where keys and tokens must not be found after all this.
mod secrets;
/// Rejections by Telegram, and unknown input from it.
mod telegram;
