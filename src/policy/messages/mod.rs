//! What the policy says: why it asks and how far a command would reach, to people; why it
//! refuses, to the model and to people.

mod grants;
mod mcp;
mod member;
mod reach;
mod reasons_to_ask;
mod refusals;
mod secret;
mod server;
mod unchecked;
mod view;

pub use grants::AllowReason;
pub use mcp::McpRefusal;
pub use member::MemberRefusal;
pub use reach::reach;
pub use reasons_to_ask::{AskReason, CommandReason, keeps_running};
pub use refusals::Refusal;
pub use secret::SecretRefusal;
pub use server::HostRefusal;
pub use unchecked::unchecked;
pub use view::in_view;
