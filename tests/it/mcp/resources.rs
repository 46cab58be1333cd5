//! Resources and prompts.

use serde_json::json;

use super::{Configured, bot_with, result_of};

#[tokio::test]
async fn resources_are_listed_and_read() {
    let server = Configured::reference("everything", &[]).await;
    let bot = bot_with(&[server.with("ALLOW", "resources/read")], &[]).await;
    let told = result_of(&bot, "mcp_resource", json!({"server": "everything"})).await;
    let uri = "demo://resource/static/document/architecture.md";
    assert!(told.contains(uri), "{told}");
    assert!(
        told.contains("demo://resource/dynamic/text/{resourceId}"),
        "{told}"
    );
    let read = json!({"server": "everything", "uri": uri});
    let told = result_of(&bot, "mcp_resource", read).await;
    assert!(told.contains(&format!("[resource {uri}]\n")), "{told}");
    let missing = json!({"server": "everything", "uri": "demo://nothing"});
    let told = result_of(&bot, "mcp_resource", missing).await;
    assert!(
        told.contains("the MCP server `everything` refused it"),
        "{told}"
    );
    let unknown = json!({"server": "nobody"});
    let told = result_of(&bot, "mcp_resource", unknown).await;
    assert!(
        told.contains("`server`: must be one of `everything`"),
        "{told}"
    );
}

#[tokio::test]
async fn prompts_are_listed_and_given() {
    let server = Configured::reference("everything", &[]).await;
    let bot = bot_with(&[server.with("ALLOW", "prompts/get")], &[]).await;
    let told = result_of(&bot, "mcp_prompt", json!({"server": "everything"})).await;
    assert!(told.contains("args-prompt(city, state?)"), "{told}");
    let get = json!({
        "server": "everything",
        "name": "args-prompt",
        "arguments": {"city": "Oslo"},
    });
    let told = result_of(&bot, "mcp_prompt", get).await;
    assert!(told.contains("Oslo"), "{told}");
}
