//! Which tool schemas the model gets.

use serde_json::json;

use crate::platform::{Platform, on_both};
use crate::test_bot::TestBot;

on_both!(a_tool_is_told_when_something_speaks_for_it);

const TOLD_AT_TIMES: [&str; 3] = ["http_request", "memory_update", "memory_forget"];

async fn a_tool_is_told_when_something_speaks_for_it(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    let told = || -> Vec<&str> {
        let tools = bot.model.turn_requests().pop().unwrap().tools();
        let is_told = |tool: &&str| tools.iter().any(|told| told == tool);
        TOLD_AT_TIMES.into_iter().filter(is_told).collect()
    };

    chat.says("hello");
    chat.hears().await;
    assert!(told().is_empty());
    let system = bot.model.turn_requests().pop().unwrap().system();
    assert!(
        system.contains("`tool_search` adds more: http_request, memory_update, memory_forget"),
        "{system}"
    );

    chat.says("forget that I like tea");
    chat.hears().await;
    assert_eq!(told(), ["memory_update", "memory_forget"]);

    // The message says nothing of servers: the model finds out by itself.
    bot.model
        .calls(vec![("tool_search", json!({"query": "ask a server"}))]);
    chat.says("is the shop open?");
    chat.hears_with(|message| message.text.starts_with("ok: is the shop"))
        .await;
    // What an earlier message spoke for stays: what a service has cached begins with the tools.
    assert_eq!(told(), TOLD_AT_TIMES);
    chat.says("thank you");
    chat.hears_with(|message| message.text.starts_with("ok: thank"))
        .await;
    assert_eq!(told(), TOLD_AT_TIMES);

    // With the conversation they are gone.
    chat.says("/new");
    chat.hears_with(|message| !message.text.starts_with("ok:"))
        .await;
    chat.says("hello again");
    chat.hears_with(|message| message.text.starts_with("ok: hello again"))
        .await;
    assert!(told().is_empty());
    bot.assert_clean();
}
