//! Models that only repeat themselves: cut off at once, asked once more, and then told.

use sayso_fakes::{Answer, Gate};
use serde_json::json;

use crate::platform::{Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    a_loop_is_cut_off_while_it_streams_and_asked_once_more,
    a_model_that_is_stuck_twice_is_told
);

/// Starts a bot without Phase 1.
async fn open(platform: Platform) -> TestBot {
    TestBot::on_with(platform, &[("AGENT__ROUTING", "off")]).await
}

async fn a_loop_is_cut_off_while_it_streams_and_asked_once_more(platform: Platform) {
    let bot = open(platform).await;
    let chat = bot.direct();
    // The stream would continue after these, but it is cut off before.
    let never = Gate::new();
    let brackets = Answer::text("{".repeat(500));
    bot.model
        .answers(brackets.chunks_of(10).held_after(8, &never));
    bot.model.says("Better.");
    chat.says("give me some JSON");
    chat.settles(|message| message.text == "Better.").await;
    assert_eq!(bot.model.requests().len(), 2);

    let words = "I will look at it again. ".repeat(800);
    bot.model
        .answers(Answer::text(words).chunks_of(100).held_after(90, &never));
    bot.model.says("Found it.");
    chat.says("find it");
    chat.settles(|message| message.text == "Found it.").await;
    bot.assert_clean();
}

async fn a_model_that_is_stuck_twice_is_told(platform: Platform) {
    let bot = open(platform).await;
    let chat = bot.direct();
    let never = Gate::new();
    for piece in ["[", "{"] {
        let stuck = Answer::text(piece.repeat(5000));
        bot.model
            .answers(stuck.chunks_of(100).held_after(4, &never));
    }
    chat.says("give me some JSON");
    let told = chat
        .settles(|message| message.text.contains("kept repeating itself"))
        .await;
    assert!(told.text.starts_with('⚠'), "{told}");
    assert_eq!(bot.model.requests().len(), 2);
    bot.assert_clean();
}

#[tokio::test]
async fn arguments_and_thoughts_are_watched_as_well() {
    let bot = open(Platform::Telegram).await;
    let chat = bot.direct();
    let arguments = format!(r#"{{"path": "x", "content": "{}"#, "ha ".repeat(5000));
    let never = Gate::new();
    let call = Answer::calls_raw("file_write", &arguments);
    bot.model
        .answers(call.chunks_of(500).held_after(22, &never));
    bot.model.says("No laughing matter.");
    chat.says("laugh into a file");
    chat.settles(|message| message.text == "No laughing matter.")
        .await;

    let thoughts = Answer::text("late").reasoning("让我再想想。".repeat(1000));
    bot.model
        .answers(thoughts.chunks_of(60).held_after(45, &never));
    bot.model.says("Thought.");
    chat.says("think");
    chat.settles(|message| message.text == "Thought.").await;
    assert_eq!(bot.model.requests().len(), 4);
    bot.assert_clean();
}

#[tokio::test]
async fn nested_json_and_long_lines_are_let_through() {
    let bot = open(Platform::Telegram).await;
    let chat = bot.direct();
    let nested = format!("{}1{}", r#"{"child":"#.repeat(90), "}".repeat(90));
    let rule = format!("// {}\n", "-".repeat(120));
    let written = format!("{nested}\n{}", rule.repeat(3));
    bot.model
        .calls(vec![("list_dir", json!({"path": ".", "note": written}))]);
    let answer = format!("{}1{}", "[".repeat(60), "]".repeat(60));
    bot.model
        .answers(Answer::text(answer.as_str()).chunks_of(7));
    chat.says("nest");
    chat.settles(|message| message.text == answer).await;
    assert_eq!(bot.model.requests().len(), 2);
    bot.assert_clean();
}
