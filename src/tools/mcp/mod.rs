//! MCP servers: programs and services of others that bring tools, resources and prompts.
//!
//! One task per server keeps it going (`keeper`): it is started, asked what it has, and started
//! again when it is gone. Its tools come into the toolbox as [`DynamicTools`], and run on the one path
//! of all tools. A server is the operator's choice, and what it says is still text from outside:
//! descriptions are bounded and checked before a model reads them (`tool_list`), results taint.
//!
//! Only `wire`, `content` and `login` name the library that speaks the protocol.
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
