//! Runs of a model: in a session of their own, unattended, one at a time, and what is seen of them.

use sayso_fakes::Message;
use serde_json::json;

use super::{bot_with, lives_in_berlin, minutes};
use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    a_routine_runs_at_its_time_and_reports_where_it_was_made,
    a_run_sees_nothing_of_the_conversation_nor_of_other_runs,
    a_run_that_needs_a_yes_waits_and_the_next_one_does_not_repeat_it,
    a_routine_runs_now_by_a_button,
    a_run_makes_no_routines,
    a_deleted_routine_runs_no_more
);

const DAY: i64 = 24 * 60;

/// A bot that makes routines unasked and starts them at their minute.
async fn bot_of_routines(platform: Platform) -> TestBot {
    bot_with(platform, &[("ROUTINES__SPREAD_SECS", "0")]).await
}

/// Has the model make a routine that runs every day at nine, and the person approve it.
async fn makes(bot: &TestBot, chat: &Chat, name: &str, prompt: &str) {
    let card = makes_at(bot, chat, "every day at 9", name, prompt).await;
    let when = "When: every day at 09:00 (Europe/Berlin); next: ";
    assert!(card.contains(when), "{card}");
}

/// The same at other times; returns what the card said.
async fn makes_at(bot: &TestBot, chat: &Chat, when: &str, name: &str, prompt: &str) -> String {
    let create = json!({"action": "create", "schedule": when, "prompt": prompt,
                        "name": name, "late": "24h"});
    bot.model.calls(vec![("routine", create)]);
    bot.model.says("It is kept.");
    chat.says("do that every day at 9");
    let card = chat.hears_with(Message::asks).await;
    chat.press(&bot.ann, card.id, "Approve").await;
    chat.settles(|message| message.text == "It is kept.").await;
    chat.settles(|message| message.button("Delete").is_some())
        .await;
    card.text
}

async fn a_routine_runs_at_its_time_and_reports_where_it_was_made(platform: Platform) {
    let bot = bot_of_routines(platform).await;
    let chat = bot.direct();
    lives_in_berlin(&chat).await;
    makes(&bot, &chat, "mail", "look at the mail").await;
    bot.model.says("Three new mails.");
    bot.sets_clock(minutes(DAY));
    let report = chat
        .settles(|message| message.text.starts_with("Three new mails."))
        .await;
    assert!(report.text.ends_with("mail · 09:00"), "{report}");
    bot.has_noted("SELECT '' || id FROM routine_runs WHERE state = 'done'")
        .await;
    // The conversation goes on as it was, and is informed once that there was a report.
    for (words, notes) in [("thank you, what is next?", 1), ("and then?", 0)] {
        chat.says(words);
        chat.settles(|message| message.text == format!("ok: {words}"))
            .await;
        let request = bot.model.requests().pop().unwrap();
        let all = serde_json::to_string(request.messages()).unwrap();
        let informed = all.matches("these routines have reported").count();
        assert_eq!(informed, notes, "{words}");
        assert!(!all.contains("Three new mails"), "{all}");
    }
    bot.assert_clean();
}

async fn a_run_sees_nothing_of_the_conversation_nor_of_other_runs(platform: Platform) {
    let bot = bot_of_routines(platform).await;
    let chat = bot.direct();
    lives_in_berlin(&chat).await;
    makes(&bot, &chat, "mail", "look at the mail").await;
    let mut lengths = Vec::new();
    for day in 1..=4 {
        bot.model
            .says(&format!("Report number {day}, about the zither."));
        bot.sets_clock(minutes(DAY * day));
        let text = format!("Report number {day}");
        chat.settles(|message| message.text.starts_with(&text))
            .await;
        let request = bot.model.requests().pop().unwrap();
        let all = serde_json::to_string(request.messages()).unwrap();
        assert!(!all.contains("do that every day"), "{all}");
        assert!(day == 1 || !all.contains("about the zither"), "{all}");
        lengths.push(all.len());
    }
    let (first, last) = (lengths[0], lengths[3]);
    assert!(last * 20 <= first * 21, "{lengths:?}");
    bot.assert_clean();
}

async fn a_run_that_needs_a_yes_waits_and_the_next_one_does_not_repeat_it(platform: Platform) {
    let bot = bot_with(
        platform,
        &[
            ("ROUTINES__SPREAD_SECS", "0"),
            ("POLICY__APPROVAL_EXPIRES_SECS", "86400"),
        ],
    )
    .await;
    let chat = bot.direct();
    lives_in_berlin(&chat).await;
    makes_at(&bot, &chat, "every 2 hours", "tidy", "tidy up").await;
    bot.model
        .calls(vec![("shell", json!({"command": "touch tidied"}))]);
    bot.sets_clock(minutes(121));
    let card = chat
        .settles(|message| message.asks() && message.text.contains("touch"))
        .await;
    bot.sets_clock(minutes(241));
    bot.has_noted("SELECT '' || id FROM routine_runs WHERE state = 'overlapped'")
        .await;
    let states = bot
        .rows("SELECT state FROM routine_runs ORDER BY due_ms")
        .await;
    assert_eq!(states, ["parked", "overlapped"]);
    bot.model.says("Tidied up.");
    chat.press(&bot.ann, card.id, "Approve").await;
    chat.settles(|message| message.text.starts_with("Tidied up."))
        .await;
    assert!(bot.workspace().join("tidied").exists());
    bot.has_noted("SELECT '' || id FROM routine_runs WHERE state = 'done'")
        .await;
    bot.assert_clean();
}

async fn a_routine_runs_now_by_a_button(platform: Platform) {
    let bot = bot_of_routines(platform).await;
    let chat = bot.direct();
    lives_in_berlin(&chat).await;
    makes(&bot, &chat, "mail", "look at the mail").await;
    chat.says("/routines");
    let list = chat
        .hears_with(|message| message.button("1").is_some())
        .await;
    chat.press(&bot.ann, list.id, "1").await;
    chat.becomes(list.id, |message| message.button("Run now").is_some())
        .await;
    bot.model.says("Nothing new.");
    chat.press(&bot.ann, list.id, "Run now").await;
    chat.settles(|message| message.text.starts_with("Nothing new."))
        .await;
    bot.has_noted("SELECT '' || id FROM routine_runs WHERE state = 'done'")
        .await;
    chat.press(&bot.ann, list.id, "Back").await;
    chat.becomes(list.id, |message| message.button("1").is_some())
        .await;
    chat.press(&bot.ann, list.id, "1").await;
    let one = chat
        .becomes(list.id, |message| message.text.contains("Last:"))
        .await;
    assert!(one.text.contains(" done"), "{one}");
    bot.assert_clean();
}

async fn a_run_makes_no_routines(platform: Platform) {
    let bot = bot_of_routines(platform).await;
    let chat = bot.direct();
    lives_in_berlin(&chat).await;
    makes(
        &bot,
        &chat,
        "mail",
        "make a routine every day and remind me",
    )
    .await;
    let create = json!({"action": "create", "schedule": "every day at 10", "prompt": "more"});
    let remind = json!({"when": "tomorrow at 10", "text": "more"});
    bot.model.calls(vec![("routine", create)]);
    bot.model.calls(vec![("remind", remind)]);
    bot.model.says("I may not.");
    bot.sets_clock(minutes(DAY));
    chat.settles(|message| message.text.starts_with("I may not."))
        .await;
    let told = bot.model.requests().pop().unwrap().last_tool_result();
    assert!(told.contains("this turn was scheduled itself"), "{told}");
    assert_eq!(bot.rows("SELECT '' || id FROM routines").await.len(), 1);
    bot.assert_clean();
}

async fn a_deleted_routine_runs_no_more(platform: Platform) {
    let bot = bot_of_routines(platform).await;
    let chat = bot.direct();
    lives_in_berlin(&chat).await;
    makes(&bot, &chat, "mail", "look at the mail").await;
    let kept = chat
        .settles(|message| message.button("Delete").is_some())
        .await;
    chat.press(&bot.ann, kept.id, "Delete").await;
    chat.becomes(kept.id, |message| {
        message.text.contains("🗑 Deleted: look at the mail")
    })
    .await;
    let asked = bot.model.requests().len();
    bot.sets_clock(minutes(2 * DAY));
    tokio::time::sleep(std::time::Duration::from_millis(1500)).await;
    assert_eq!(bot.model.requests().len(), asked);
    bot.assert_clean();
}
