//! The replies to button presses.

use std::time::Duration;

use sayso_fakes::Message;
use serde_json::json;

use super::workshop;
use crate::platform::Platform;
use crate::test_bot::TestBot;

#[tokio::test]
async fn who_may_not_press_is_told_so_alone() {
    let bot = TestBot::on(Platform::Discord).await;
    let group = workshop(&bot);
    bot.model
        .calls(vec![("shell", json!({"command": "touch hi"}))]);
    group.says("@sayso_bot greet");
    let card = group.hears_with(Message::asks).await;
    let before = group.transcript();
    let told = group.press(&bot.bob, card.id, "Approve").await;
    assert_eq!(
        told.text.as_deref(),
        Some("Only the person who asked, or an owner, can answer this.")
    );
    assert_eq!(group.transcript(), before, "the others see nothing of it");
    let answers = bot.discord.calls_of("create_interaction_response");
    let notice = &answers.last().unwrap().params;
    assert_eq!(notice["data"]["flags"], 64, "{notice:?}");
    bot.assert_clean();
}

#[tokio::test]
async fn a_thousand_wrong_presses_do_nothing_and_are_each_answered_in_time() {
    let bot = TestBot::on(Platform::Discord).await;
    let (chat, elsewhere) = (bot.discord.direct(&bot.ann), workshop(&bot));
    let marks = bot.path("marks");
    std::fs::create_dir(&marks).unwrap();
    let command = format!("mktemp -p {}", marks.display());
    bot.model
        .calls(vec![("shell", json!({ "command": command }))]);
    chat.says("do it");
    let card = chat.hears_with(Message::asks).await;
    let anchor = elsewhere.says("just talking");
    let yes = card.token("Approve");
    // A hundred at a time: more at once would ask how fast the machine is.
    for wave in 0..10_u32 {
        let mut presses = Vec::new();
        for number in 0..25_u32 {
            let forged = format!("y:{:032x}", wave * 25 + number);
            presses.push(chat.presses_token(&bot.ann, card.id, &forged));
            presses.push(elsewhere.presses_token(&bot.ann, anchor, &yes));
            presses.push(chat.presses_token(&bot.bob, card.id, &yes));
            presses.push(elsewhere.chooses(&bot.bob, anchor, "press:0", &yes));
        }
        for press in presses {
            let told = press.answered().await;
            assert!(told.answered_in < Duration::from_secs(3), "{told:?}");
        }
    }
    assert!(chat.message(card.id).asks());
    assert_eq!(std::fs::read_dir(&marks).unwrap().count(), 0, "nothing ran");
    bot.assert_clean();
}

#[tokio::test]
async fn row61_a_press_of_a_prompt_that_shows_its_outcome_is_taken_in_silence() {
    let bot = TestBot::on(Platform::Discord).await;
    let chat = bot.discord.direct(&bot.ann);
    chat.says("/language show");
    let list = chat
        .hears_with(|message| message.button("中文").is_some())
        .await;
    chat.press(&bot.ann, list.id, "中文").await;
    chat.becomes(list.id, |message| message.button("✓ 中文").is_some())
        .await;
    chat.says("/forget everything");
    let card = chat
        .hears_with(|message| message.text.contains("清除"))
        .await;
    chat.press(&bot.ann, card.id, card.labels()[1]).await;
    chat.becomes(card.id, |message| message.buttons.is_empty())
        .await;
    let answers = bot.discord.calls_of("create_interaction_response");
    let kinds: Vec<_> = answers
        .iter()
        .map(|answer| answer.params["type"].clone())
        .collect();
    // Each command is answered later, and each press is taken without words.
    assert_eq!(kinds, [5, 6, 5, 6].map(|kind| json!(kind)), "{answers:?}");
    bot.assert_clean();
}
