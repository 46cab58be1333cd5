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

pub(crate) use command_reason::CommandReason;
pub(super) use command_reason::bullet;
pub(crate) use grants::AllowReason;
pub(crate) use mcp::McpRefusal;
pub(crate) use member::MemberRefusal;
pub use reach::FolderOf;
pub(crate) use reach::{confinement, open_access};
pub(crate) use reasons_to_ask::{AskReason, keeps_running};
pub use refusals::Refusal;
pub(crate) use secret::SecretRefusal;
pub(crate) use server::HostRefusal;
pub(crate) use summaries::summary_in;
pub(crate) use unchecked::unchecked;
pub(crate) use view::in_view;
