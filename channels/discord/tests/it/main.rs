//! The Discord channel against a fake Discord: what people see, and what the door is handed.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests fail by panicking"
)]

mod bot;
mod conformance;
mod connection;
mod events;
mod history;
mod interactions;
mod saying;
