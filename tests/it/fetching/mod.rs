//! Fetching: what is asked of servers, what a person sees before it, and what comes back.
//!
//! The servers are on this machine, so each is listed with its port in `tools.allow_private_hosts`,
//! as an operator would list one of their own network.

/// What is shown, asked about and refused.
mod asking;
/// Reading several pages of one site.
mod crawling;
/// Redirects, names and proxies: where a request goes.
mod reaching;
/// What is taken in of an answer, and how the model reads it.
mod reading;
mod web;

use serde_json::{Value, json};

pub use web::{UNFINISHED, Web, page, redirect};

use crate::test_bot::TestBot;

/// Starts a bot from which this server may be fetched, with some settings changed.
pub async fn bot_near(web: &Web, settings: &[(&str, &str)]) -> TestBot {
    let place = web.place();
    let near = [("TOOLS__ALLOW_PRIVATE_HOSTS", place.as_str())];
    TestBot::with(&[&near, settings].concat()).await
}

/// Starts a bot that reads from this server without asking.
pub async fn bot_beside(web: &Web, settings: &[(&str, &str)]) -> TestBot {
    let place = web.place();
    let beside = [("POLICY__ALLOW_HOSTS", place.as_str())];
    bot_near(web, &[&beside, settings].concat()).await
}

/// Has the model fetch, and returns the tool result; no approval may be requested.
pub async fn result_of(bot: &TestBot, arguments: Value) -> String {
    let chat = bot.direct();
    bot.model.calls(vec![("http_request", arguments)]);
    // Words of their own: an earlier fetch may have been seen in the same chat.
    let seen = format!("Seen after {}.", bot.model.requests().len());
    bot.model.says(&seen);
    chat.says("fetch it");
    chat.settles(|message| message.text == seen).await;
    bot.assert_clean();
    bot.model.requests().pop().unwrap().last_tool_result()
}

/// The arguments of a plain read.
pub fn get(url: &str) -> Value {
    json!({ "url": url })
}
