//! MCP servers: the reference servers driven for real, over standard input and output and over
//! HTTP, and servers that misbehave.

/// Servers that end, and what is left when we do.
pub mod connection;
/// Servers that misbehave.
mod hostile;
/// Streamable HTTP, and what stands between us and a service.
pub mod http;
/// Services that want a login.
pub mod login;
/// Resources and prompts.
mod resources;
mod servers;
/// What a person sees and decides, and what runs then.
pub mod tools;

pub use servers::{Configured, Everything, bot_with, closed_bot_with, processes_with};

use sayso_fakes::Message;
use serde_json::Value;

use crate::test_bot::TestBot;

fn is_card(message: &Message) -> bool {
    message.asks()
}

/// Has the model call a tool, and returns the tool result; no approval may be requested.
async fn result_of(bot: &TestBot, tool: &str, arguments: Value) -> String {
    let chat = bot.direct();
    bot.model.calls(vec![(tool, arguments)]);
    // Words of their own: an earlier call may have been seen in the same chat.
    let seen = format!("Seen after {}.", bot.model.requests().len());
    bot.model.says(&seen);
    // What came before is not in view, so that it taints nothing.
    chat.says("/new");
    chat.says("do it");
    chat.settles(|message| message.text == seen).await;
    bot.assert_clean();
    bot.model.requests().pop().unwrap().last_tool_result()
}
