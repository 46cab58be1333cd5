//! What the policy says: why it asks and how far a command would reach, to people; why it
//! refuses, to the model and to people.

mod command_reason;
mod grants;
mod mcp;
mod member;
mod reach;
mod reasons_to_ask;
mod refusals;
mod secret;
mod server;
mod summaries;
mod unchecked;
mod view;

pub use command_reason::CommandReason;
pub(super) use command_reason::bullet;
pub use grants::AllowReason;
pub use mcp::McpRefusal;
pub use member::MemberRefusal;
pub use reach::{FolderOf, confinement, open_access};
pub use reasons_to_ask::{AskReason, keeps_running};
pub use refusals::Refusal;
pub use secret::SecretRefusal;
pub use server::HostRefusal;
pub use summaries::summary_in;
pub use unchecked::unchecked;
pub use view::in_view;
