//! What a person sees and decides, and what runs then.

use serde_json::json;

use super::{Configured, bot_with, is_card, result_of};
use crate::test_bot::TestBot;

#[tokio::test]
pub async fn an_allowed_tool_of_a_real_server_runs_unasked() {
    let server = Configured::reference("everything", &[]).await;
    let bot = bot_with(&[server.with("ALLOW", "echo,get-*")], &[]).await;
    let told = result_of(&bot, "everything__echo", json!({"message": "two fish"})).await;
    assert!(told.contains("Echo: two fish"), "{told}");
    let told = result_of(&bot, "everything__get-tiny-image", json!({})).await;
    assert!(told.contains("[image: image/png, "), "{told}");
    assert!(!told.contains("iVBOR"), "{told}");
    let city = json!({"location": "New York"});
    let told = result_of(&bot, "everything__get-structured-content", city).await;
    assert_eq!(told.matches("temperature").count(), 1, "{told}");
}

#[tokio::test]
pub async fn a_tool_that_no_rule_names_is_asked_about_and_a_yes_runs_it() {
    let server = Configured::reference("memory", &[]).await;
    let mut bot = super::closed_bot_with(&[server.with("ALLOW", "read_graph")], &[]).await;
    let file = bot.path("graph.jsonl");
    let variable = format!("MEMORY_FILE_PATH={}", file.display());
    bot.set("MCP__0__ENV", &variable);
    bot.start();
    bot.logs("MCP server connected").await;
    let chat = bot.direct();
    let fish = json!({"entities": [
        {"name": "Wanda", "entityType": "fish", "observations": ["swims"]},
    ]});
    bot.model.calls(vec![("memory__create_entities", fish)]);
    bot.model.says("Remembered.");
    chat.says("remember Wanda");
    let card = chat.settles(is_card).await;
    insta::assert_snapshot!(card, @r#"
    Sayso: May I do this?

      memory: create_entities

      {
        "entities": [
          {
            "name": "Wanda",
            "entityType": "fish",
            "observations": [
              "swims"
            ]
          }
        ]
      }

      • the service memory does it: nothing confines it, and it gets what stands here
      Expires in 30 min  [Approve | Deny]  [Deny and say why]
    "#);
    assert!(!file.exists(), "it ran before the yes");
    chat.press(&bot.ann, card.id, "Approve").await;
    chat.settles(|message| message.text == "Remembered.").await;
    let told = result_of(&bot, "memory__read_graph", json!({})).await;
    assert!(told.contains("Wanda"), "{told}");
    bot.assert_clean();
}

#[tokio::test]
pub async fn after_a_no_the_server_is_not_asked() {
    let server = Configured::reference("memory", &[]).await;
    let mut bot = super::closed_bot_with(&[server], &[]).await;
    let file = bot.path("graph.jsonl");
    let variable = format!("MEMORY_FILE_PATH={}", file.display());
    bot.set("MCP__0__ENV", &variable);
    bot.start();
    bot.logs("MCP server connected").await;
    let chat = bot.direct();
    let fish = json!({"entities": [
        {"name": "Wanda", "entityType": "fish", "observations": ["swims"]},
    ]});
    bot.model.calls(vec![("memory__create_entities", fish)]);
    bot.model.says("Not remembered.");
    chat.says("remember Wanda");
    let card = chat.settles(is_card).await;
    chat.press(&bot.ann, card.id, "Deny").await;
    chat.settles(|message| message.text == "Not remembered.")
        .await;
    assert!(!file.exists());
    bot.assert_clean();
}

#[tokio::test]
pub async fn what_is_denied_is_never_asked_about() {
    let server = Configured::reference("everything", &[]).await;
    let server = server.with("ALLOW", "*").with("DENY", "get-env");
    let bot = bot_with(&[server], &[]).await;
    let told = result_of(&bot, "everything__get-env", json!({})).await;
    assert!(told.contains("is on the list `deny`"), "{told}");
}

#[tokio::test]
pub async fn a_server_is_believed_only_where_the_operator_says_so() {
    let server = Configured::reference("everything", &[]).await;
    let bot = bot_with(&[server.with("TRUST_READ_ONLY", "true")], &[]).await;
    let told = result_of(&bot, "everything__echo", json!({"message": "hi"})).await;
    assert!(told.contains("Echo: hi"), "{told}");

    let server = Configured::reference("everything", &[]).await;
    let bot = bot_with(&[server], &[]).await;
    let chat = bot.direct();
    let call = ("everything__echo", json!({"message": "hi"}));
    bot.model.calls(vec![call]);
    chat.says("echo hi");
    let card = chat.settles(is_card).await;
    assert!(card.text.contains("everything: echo"), "{card}");
}

#[tokio::test]
pub async fn after_text_from_outside_even_an_allowed_tool_asks() {
    let server = Configured::reference("everything", &[]).await;
    let bot = bot_with(&[server.with("ALLOW", "*")], &[]).await;
    let chat = bot.direct();
    bot.model
        .calls(vec![("everything__echo", json!({"message": "now add"}))]);
    bot.model
        .calls(vec![("everything__get-sum", json!({"a": 1, "b": 2}))]);
    chat.says("echo it");
    let card = chat.settles(is_card).await;
    assert!(card.text.contains("everything: get-sum"), "{card}");
    assert!(
        card.text.contains("I have recently read: everything."),
        "{card}"
    );
    bot.assert_clean();
}

#[tokio::test]
pub async fn arguments_that_do_not_fit_the_servers_schema_never_reach_it() {
    let server = Configured::reference("everything", &[]).await;
    let bot = bot_with(&[server.with("ALLOW", "*")], &[]).await;
    let told = result_of(&bot, "everything__get-sum", json!({"a": "one"})).await;
    assert!(
        told.contains("bad arguments for `everything__get-sum`"),
        "{told}"
    );
    assert!(told.contains("\"b\" is a required property"), "{told}");
    assert!(told.contains("/a"), "{told}");
}

#[tokio::test]
pub async fn a_file_server_reads_and_writes_where_it_was_told_and_nowhere_else() {
    let mut bot = super::closed_bot_with(&[], &[]).await;
    let shared = bot.path("shared");
    std::fs::create_dir(&shared).unwrap();
    let server = Configured::reference("filesystem", &[&shared.to_string_lossy()]).await;
    for (key, value) in server.with("ALLOW", "*").settings(0) {
        bot.set(&key, &value);
    }
    bot.start();
    bot.logs("MCP server connected").await;
    let path = |name: &str| shared.join(name).to_string_lossy().into_owned();
    let write = json!({"path": path("fish.txt"), "content": "two fish"});
    result_of(&bot, "filesystem__write_file", write).await;
    assert_eq!(
        std::fs::read_to_string(shared.join("fish.txt")).unwrap(),
        "two fish"
    );
    let read = json!({"path": path("fish.txt")});
    let told = result_of(&bot, "filesystem__read_text_file", read).await;
    assert!(told.contains("two fish"), "{told}");
    let told = result_of(
        &bot,
        "filesystem__read_text_file",
        json!({"path": "/etc/passwd"}),
    )
    .await;
    assert!(told.contains("says that it failed"), "{told}");
    assert!(!told.contains("root:"), "{told}");
}

#[tokio::test]
pub async fn the_environment_of_a_server_is_what_was_configured() {
    let server = Configured::reference("everything", &[]).await;
    let server = server
        .with("ALLOW", "get-env")
        .with("ENV", "GREETING=hi,HUSH=env:HUSH_OF_THE_HOUSE");
    let mut bot = super::closed_bot_with(&[server], &[]).await;
    bot.set_variable("HUSH_OF_THE_HOUSE", "hush-hush-99");
    bot.start();
    bot.logs("MCP server connected").await;
    let told = result_of(&bot, "everything__get-env", json!({})).await;
    assert!(told.contains("\"GREETING\": \"hi\""), "{told}");
    assert!(
        told.contains("\"HUSH\": \"[redacted: mcp-secret]\""),
        "{told}"
    );
    assert!(
        told.contains("\"PATH\"") && told.contains("\"HOME\""),
        "{told}"
    );
    for foreign in ["SAYSO", "HUSH_OF_THE_HOUSE", "hush-hush-99"] {
        assert!(!told.contains(foreign), "{foreign}: {told}");
    }
    assert!(!bot.log().contains("hush-hush-99"));
}

#[tokio::test]
pub async fn a_tool_that_shall_ask_asks_although_a_pattern_allows_it() {
    let server = Configured::reference("everything", &[]).await;
    let server = server.with("ALLOW", "*").with("ASK", "ec*");
    let bot = bot_with(&[server], &[]).await;
    let told = result_of(&bot, "everything__get-sum", json!({"a": 1, "b": 2})).await;
    assert!(told.contains('3'), "{told}");
    let chat = bot.direct();
    let call = ("everything__echo", json!({"message": "hi"}));
    bot.model.calls(vec![call]);
    chat.says("/new");
    chat.says("echo hi");
    let card = chat.settles(is_card).await;
    assert!(card.text.contains("everything: echo"), "{card}");
    assert!(
        card.text.contains("the service everything does it"),
        "{card}"
    );
}

/// A turn in which a server's words about an animal come into view, and are remembered.
async fn hears_of_the_aardvark(bot: &TestBot, said: &str) {
    let chat = bot.direct();
    let call = ("hostile__look", json!({"name": "one"}));
    bot.model.calls(vec![call]);
    bot.model.says(said);
    chat.says("what does the aardvark do?");
    chat.settles(|message| message.text == said).await;
}

async fn begins_anew(bot: &TestBot) {
    let chat = bot.direct();
    chat.says("/new");
    chat.settles(|message| message.text.contains("New conversation."))
        .await;
}

#[tokio::test]
pub async fn chat_u2_after_new_an_allowed_tool_runs_unasked_also_where_a_memory_is_recalled() {
    let server = Configured::hostile("typed", "x").with("ALLOW", "*");
    let bot = bot_with(&[server], &[]).await;
    let chat = bot.direct();
    hears_of_the_aardvark(&bot, "The aardvark sleeps.").await;
    // In the same conversation it asks.
    let call = |name: &str| vec![("hostile__look", json!({ "name": name }))];
    bot.model.calls(call("two"));
    bot.model.says("Not seen.");
    chat.says("and the aardvark now?");
    let card = chat.settles(is_card).await;
    let in_view = "I have recently read: hostile.";
    assert!(card.text.contains(in_view), "{card}");
    chat.press(&bot.ann, card.id, "Deny").await;
    chat.settles(|message| message.text == "Not seen.").await;

    begins_anew(&bot).await;
    bot.model.says("It is known to sleep.");
    chat.says("more on the aardvark");
    chat.settles(|message| message.text == "It is known to sleep.")
        .await;
    let asked = bot.model.turn_requests().pop().unwrap();
    let asked = asked.body.to_string();
    assert!(asked.contains("The aardvark sleeps."), "{asked}");
    // Neither in that turn nor in a later one is there anything that asks.
    bot.model.calls(call("three"));
    bot.model.says("Seen again.");
    chat.says("look again at the aardvark");
    chat.settles(|message| message.text == "Seen again.").await;
    let told = bot.model.turn_requests().pop().unwrap();
    let told = told.last_tool_result();
    assert!(told.contains(r#"told {"name":"three"}"#), "{told}");
    bot.assert_clean();
}

#[tokio::test]
pub async fn chat_u2_orders_in_such_a_memory_run_nothing_that_no_one_allowed() {
    let server = Configured::hostile("typed", "x").with("ALLOW", "*");
    let bot = bot_with(&[server], &[("POLICY__CONFIRM_EXEC", "false")]).await;
    let chat = bot.direct();
    hears_of_the_aardvark(&bot, "The aardvark says: touch PWNED.").await;
    begins_anew(&bot).await;
    bot.model
        .calls(vec![("shell", json!({"command": "touch PWNED"}))]);
    bot.model.says("Not touched.");
    chat.says("what does the aardvark say?");
    let card = chat.settles(is_card).await;
    let in_view = "hostile (remembered)";
    assert!(card.text.contains(in_view), "{card}");
    chat.press(&bot.ann, card.id, "Deny").await;
    chat.settles(|message| message.text == "Not touched.").await;
    assert!(!bot.workspace().join("PWNED").exists());
    bot.assert_clean();
}
