//! MCP servers: programs and services of others that bring tools, resources and prompts.
//!
//! One task per server keeps it going (`keeper`): it is started, asked what it has, and started
//! again when it is gone. Its tools come into the toolbox as [`DynamicTools`], and run on the one path
//! of all tools. A server is the operator's choice, and what it says is still text from outside:
//! descriptions are bounded and checked before a model reads them (`tool_list`), results taint.
//!
//! Only `wire`, `content` and `login` name the library that speaks the protocol.
//!
//! # Files
//!
//! `mcp/` brings the tools of MCP servers: `keeper` keeps a server going, `wire` and `content`
//! speak the protocol, `tool_list` decides which part of a description is passed to a model,
//! `schema` brings a schema into the form that every model service takes (the server's own stays
//! what arguments are checked against), `long_lines` puts an error in the place of an answer that
//! is too long. Each tool of a list is read by itself, and a list that cannot be read restarts no
//! server. They come into the toolbox as `DynamicTools`. `coercion` reads values in the type of a
//! tool's schema as a reply arrives (`Toolbox::mended`), before policy, card and journal;
//! `terminal_text` makes text of what is written for a terminal, before any bound.
//!
//! # Invariants
//!
//! - Only `mcp/wire.rs`, `mcp/content.rs` and `mcp/login/` name the library for MCP, which changes
//!   often.
//! - The tokens of a login to a service are in one file, and on the disk before they are used. The
//!   requests of a login go out through the guarded fetcher, because every address but the
//!   service's own comes from a third party.
//! - A server of MCP runs under the helper too, which is there to end it: its standard input is the
//!   helper's connection to the agent, so it ends with either. It is the operator's program and has
//!   no plan.
//! - What a server says of its tools is text from outside that a model reads before any approval is
//!   requested. It lifts no restriction (`policy/mcp.rs`), and a description that changes takes its
//!   tool away, also between two starts (`mcp/seen.rs`).
//! - A tool of a server is always called `server__tool`, so its name does not depend on which other
//!   servers are there.
//!
//! [`DynamicTools`]: super::DynamicTools

mod content;
mod digest;
mod handle;
mod keeper;
mod login;
mod long_lines;
mod name;
mod private_file;
mod refs;
mod resources;
mod schema;
mod seen;
mod settings;
mod stderr;
mod tool;
mod tool_list;
mod wire;

pub use keeper::{McpServers, McpTrouble, try_server};
pub use login::{Asking, Login, McpLogin, NoLogin};
pub use seen::forget as forget_tools;
pub use settings::{McpServer, McpShown, McpWay};
