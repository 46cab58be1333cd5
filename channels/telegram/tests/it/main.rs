//! The Telegram channel against a Bot API server on loopback: what it hears, says and survives.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests fail by panicking"
)]

mod bot;
mod conformance;
mod polling;
mod presses;
mod saying;
mod webhook;
