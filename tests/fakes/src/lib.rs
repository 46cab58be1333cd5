//! The outside as Sayso's tests meet it, faked at its wire: a Bot API server, a Discord, a model server, an
//! embedding server, a collector of traces and an MCP server that wants a login, on loopback.
//!
//! All check every request against what is published and keep a list of violations; both are played by
//! tests in plain words: people say, press and hear; a model says, calls and hangs.
//! Things that people do return at once; whatever waits is `async`, bounded by [`PATIENCE`] and ends in a
//! panic with the whole story when the awaited thing does not come.
#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a fake that cannot do its work must fail the test"
)]

mod calls;
mod faults;
mod gate;
mod message;
mod multipart;
mod people;
mod press;
mod tiny_model;
mod waiting;
mod wire;

pub mod collector;
pub mod discord;
pub mod embedder;
pub mod json;
pub mod mcp;
pub mod model;
pub mod telegram;

pub use collector::{CollectedSpan, FakeCollector};
pub use discord::FakeDiscord;
pub use embedder::{EmbedderFault, FakeEmbedder};
pub use gate::Gate;
pub use mcp::FakeMcp;
pub use model::{Answer, FakeModel, ModelRequest};

pub use message::{Attachment, Author, Button, Message};
pub use people::{BOT_ID, BOT_NAME, BOT_USERNAME, Person};
pub use press::{Press, PressOutcome};
pub use telegram::{Chat, FakeTelegram, Fault};
pub use tiny_model::{TinyModel, Vocabulary, tensor_file};
pub use waiting::PATIENCE;
