//! MCP servers: the reference servers driven for real, over standard input and output and over
//! HTTP, and servers that misbehave.

/// Servers that misbehave.
mod hostile;
/// Streamable HTTP, and what stands between us and a service.
pub mod http;
/// Servers that end, and what is left when we do.
pub mod keeping;
/// Services that want a login.
pub mod login;
mod servers;
/// Resources and prompts.
mod shelf;
/// What a person sees and decides, and what runs then.
pub mod tools;

pub use servers::{Configured, Everything, closed_house_with, house_with, processes_with};

use sayso_fakes::Message;
use serde_json::Value;

use crate::house::House;

fn is_card(message: &Message) -> bool {
    message.asks()
}

/// Has the model call a tool, and returns the tool result; no approval may be requested.
async fn result_of(house: &House, tool: &str, arguments: Value) -> String {
    let chat = house.direct();
    house.model.calls(vec![(tool, arguments)]);
    // Words of their own: an earlier call may have been seen in the same chat.
    let seen = format!("Seen after {}.", house.model.requests().len());
    house.model.says(&seen);
    // What came before is not in view, so that it taints nothing.
    chat.says("/new");
    chat.says("do it");
    chat.settles(|message| message.text == seen).await;
    house.assert_clean();
    house.model.requests().pop().unwrap().last_tool_result()
}
