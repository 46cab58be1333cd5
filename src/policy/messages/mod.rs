//! What the policy says: why it asks and how far a command would reach, to people; why it
//! refuses, to the model and to people.

mod allowing;
mod asking;
mod mcp;
mod member;
mod reach;
mod refusing;
mod secret;
mod server;
mod unchecked;
mod view;

pub use allowing::AllowReason;
pub use asking::{AskReason, CommandReason, keeps_running};
pub use mcp::McpRefusal;
pub use member::MemberRefusal;
pub use reach::reach;
pub use refusing::Refusal;
pub use secret::SecretRefusal;
pub use server::HostRefusal;
pub use unchecked::unchecked;
pub use view::in_view;
