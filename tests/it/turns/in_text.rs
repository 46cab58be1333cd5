//! A model that says its tool calls in the text, as small ones do.

use sayso_fakes::Answer;
use serde_json::{Value, json};

use crate::approvals::is_open_card;
use crate::platform::{Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    a_call_in_the_text_is_asked_about_run_and_never_seen,
    an_example_of_a_call_is_an_answer
);

const LOOKS: &str = r#"{"name": "shell", "arguments": {"command": "mktemp -u sure.XXXXXX"}}"#;

async fn a_call_in_the_text_is_asked_about_run_and_never_seen(platform: Platform) {
    let bot = TestBot::on_with(platform, &[("AGENT__ROUTING", "off")]).await;
    let chat = bot.direct();
    let said = format!("I look first.\n\n<tool_call>\n{LOOKS}\n</tool_call>");
    bot.model.answers(Answer::text(said).chunks_of(7));
    bot.model.says("It is there.");
    chat.says("is anything there?");
    let card = chat.settles(is_open_card).await;
    chat.press(&bot.ann, card.id, "Approve").await;
    chat.settles(|message| message.text == "It is there.").await;
    let seen = chat.transcript();
    assert!(
        !seen.contains("tool_call") && !seen.contains("arguments"),
        "{seen}"
    );

    // It goes back where calls belong, and what was said around it does not.
    let last = bot.model.turn_requests().pop().unwrap();
    assert!(last.last_tool_result().contains("sure."));
    let mut messages = last.messages().iter();
    let said = messages.find(|it| it["role"] == "assistant").unwrap();
    let call = &said["tool_calls"][0]["function"];
    let arguments: Value = serde_json::from_str(call["arguments"].as_str().unwrap()).unwrap();
    assert_eq!(
        (&said["content"], &call["name"], arguments),
        (
            &Value::Null,
            &json!("shell"),
            json!({"command": "mktemp -u sure.XXXXXX"})
        )
    );
    bot.assert_clean();
}

async fn an_example_of_a_call_is_an_answer(platform: Platform) {
    let bot = TestBot::on_with(platform, &[("AGENT__ROUTING", "off")]).await;
    let chat = bot.direct();
    let said = format!("A call looks so:\n```json\n{LOOKS}\n```\nI did not make one.");
    bot.model.answers(Answer::text(said).chunks_of(5));
    chat.says("how does a call look?");
    chat.settles(|message| message.text.contains("mktemp") && message.text.contains("not make"))
        .await;
    assert_eq!(bot.model.requests().len(), 1);
    bot.assert_clean();
}
