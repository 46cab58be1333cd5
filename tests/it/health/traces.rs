//! Traces: which spans of a turn a collector gets, and that an unreachable collector delays
//! nothing.

use sayso_fakes::{Answer, FakeCollector};
use serde_json::json;

use crate::test_bot::TestBot;

/// Returns a bot that sends its traces to a collector.
async fn traced() -> (TestBot, FakeCollector) {
    let collector = FakeCollector::start().await;
    let mut bot = TestBot::closed(&[]).await;
    bot.set("LOG__TRACES", &collector.url());
    bot.start();
    (bot, collector)
}

#[tokio::test]
pub async fn collector_sees_turn_model_tool_and_message_but_no_word_of_them() {
    let (mut bot, collector) = traced().await;
    let chat = bot.direct();
    bot.model.says("Hello.");
    chat.says("hello");
    chat.settles(|message| message.text == "Hello.").await;
    std::fs::write(bot.workspace().join("plums.txt"), "the purple ones").unwrap();
    let read = json!({ "path": "plums.txt" });
    bot.model.calls(vec![("file_read", read)]);
    bot.model.says("Take the purple ones.");
    chat.says("which plums do I take?");
    chat.settles(|message| message.text == "Take the purple ones.")
        .await;
    assert_eq!(bot.stop().await, Some(0));

    collector.hears("invoke_agent sayso").await;
    let spans = collector.spans();
    let mut turns = spans.iter().filter(|it| it.name == "invoke_agent sayso");
    let turn = turns.next_back().unwrap();
    assert_eq!(turn.service, "sayso");
    assert_eq!(turn.attribute("sayso.outcome"), Some("replied"));
    let parts: Vec<_> = spans.iter().filter(|it| it.parent == turn.id).collect();
    let models = parts.iter().filter(|it| it.name.starts_with("chat "));
    let counted = models.map(|it| it.attribute("gen_ai.usage.input_tokens").is_some());
    // Phase 1, the step with the call, and the answer.
    assert_eq!(counted.collect::<Vec<_>>(), [true, true, true]);
    let tool = parts.iter().find(|it| it.name == "execute_tool file_read");
    assert_eq!(tool.unwrap().attribute("sayso.outcome"), Some("success"));
    let sent = spans.iter().filter(|it| it.name == "send final");
    let mut of_turn = sent.map(|it| it.attribute("sayso.turn"));
    assert_eq!(of_turn.next_back().unwrap(), turn.attribute("sayso.turn"));
    let all = format!("{spans:?}");
    assert!(!all.contains("plum") && !all.contains("purple"), "{all}");
    collector.assert_clean();
    bot.assert_clean();
}

#[tokio::test]
async fn call_that_fails_is_marked() {
    let (mut bot, collector) = traced().await;
    bot.model.answers(Answer::error(500, "{}"));
    bot.model.says("Here I am.");
    let chat = bot.direct();
    chat.says("hello");
    chat.settles(|message| message.text == "Here I am.").await;
    assert_eq!(bot.stop().await, Some(0));
    let spans = collector.spans();
    let failed: Vec<_> = spans.iter().filter(|it| it.failed).collect();
    assert_eq!(failed.len(), 1, "{spans:#?}");
    assert_eq!(
        failed[0].attribute("error.type"),
        Some("Broken { status: 500 }")
    );
}

#[tokio::test]
async fn collector_that_refuses_is_said_once_and_delays_no_one() {
    let (mut bot, collector) = traced().await;
    collector.fails(true);
    bot.model.says("One.");
    let chat = bot.direct();
    chat.says("hello");
    chat.settles(|message| message.text == "One.").await;
    bot.logs("trace collector unavailable").await;
    bot.model.says("Two.");
    chat.says("hello again");
    chat.settles(|message| message.text == "Two.").await;
    assert_eq!(bot.stop().await, Some(0));
    let complaints = bot.log().matches("trace collector unavailable").count();
    assert_eq!(complaints, 1, "{}", bot.log());
}
