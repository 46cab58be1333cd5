//! What two turns of a conversation begin with alike, for services that cache what they have read.

use serde_json::{Value, json};

use crate::platform::{Platform, on_both};
use crate::test_bot::TestBot;

on_both!(model_f3_two_turns_share_all_but_the_tail);

/// Returns the messages of the newest step as they were sent.
fn sent(bot: &TestBot) -> Vec<Value> {
    let request = bot.model.turn_requests().pop().unwrap();
    request.body["messages"].as_array().unwrap().clone()
}

fn tools(bot: &TestBot) -> Value {
    let request = bot.model.turn_requests().pop().unwrap();
    request.body["tools"].clone()
}

async fn model_f3_two_turns_share_all_but_the_tail(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    bot.model.calls(vec![(
        "memory_store",
        json!({"text": "Ann grows quinces in the garden."}),
    )]);
    chat.says("I grow quinces, remember that");
    chat.hears_with(|message| message.text.starts_with("ok: I grow"))
        .await;
    let (first, first_tools) = (sent(&bot), tools(&bot));

    // Another skill, another memory, and another time.
    bot.model
        .routes(r#"{"skills": ["rust-dev"], "direct": false}"#);
    chat.says("how are my quinces?");
    chat.hears_with(|message| message.text.starts_with("ok: how are"))
        .await;
    let (second, second_tools) = (sent(&bot), tools(&bot));
    assert_eq!(first_tools, second_tools);

    // Before the note of the second turn stands the first one, word for word, without its own note.
    let is_note = |message: &Value| {
        let text = message["content"].as_str().unwrap_or_default();
        text.starts_with("[Context] ")
    };
    let note = second.iter().position(is_note).unwrap();
    let of_first = first.iter().filter(|message| !is_note(message));
    let shared: Vec<&Value> = second[..note].iter().collect();
    assert!(
        shared.starts_with(&of_first.collect::<Vec<_>>()),
        "{second:#?}"
    );
    assert_eq!(shared[0]["role"], "system");

    // What is new of the second turn is behind the note, and nothing of it before.
    let note = second[note]["content"].as_str().unwrap();
    for changes in ["Ann grows quinces", "## Skill: rust-dev", "Time: "] {
        assert!(note.contains(changes), "{changes} in {note}");
        let before = shared[0]["content"].as_str().unwrap();
        assert!(!before.contains(changes), "{changes} in {before}");
    }
    assert_eq!(second.last().unwrap()["content"], "how are my quinces?");
    bot.assert_clean();
}
