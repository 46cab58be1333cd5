//! Reminders in a chat: kept, said, settled, put off, and deleted.

use sayso_fakes::Message;
use serde_json::json;

use super::{bot_with_clock, hears_due, is_due, lives_in_berlin, minutes};
use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    a_reminder_comes_at_its_time_and_is_put_off_and_settled,
    the_model_keeps_a_reminder_and_is_not_asked_when_it_is_due,
    the_same_reminder_is_kept_once,
    an_earlier_reminder_does_not_wait_for_a_later_one,
    a_recurring_reminder_comes_again,
    reminders_are_listed_and_deleted,
    a_reminder_of_a_group_comes_in_that_group,
    a_button_of_another_person_does_nothing,
    what_is_not_understood_is_said
);

async fn a_reminder_comes_at_its_time_and_is_put_off_and_settled(platform: Platform) {
    let bot = bot_with_clock(platform).await;
    let chat = bot.direct();
    lives_in_berlin(&chat).await;
    chat.says("/remind in 2 hours stretch your legs");
    let kept = chat.hears().await;
    assert!(
        kept.text.contains("(Europe/Berlin): stretch your legs"),
        "{kept}"
    );
    assert_eq!(kept.labels(), ["Delete"]);
    bot.sets_clock(minutes(110));
    // A second is enough to see that nothing comes early.
    tokio::time::sleep(std::time::Duration::from_millis(1500)).await;
    assert_eq!(chat.unheard(), 0);
    bot.sets_clock(minutes(121));
    let due = hears_due(&chat).await;
    assert_eq!(due.text, "⏰ stretch your legs");
    assert_eq!(
        due.labels(),
        ["Done", "In 10 min", "In 1 h", "Tomorrow 9:00"]
    );
    chat.press(&bot.ann, due.id, "In 10 min").await;
    let again = chat.becomes(due.id, |message| !is_due(message)).await;
    assert!(
        again.text.contains("⏰ stretch your legs\n(again: "),
        "{again}"
    );
    bot.sets_clock(minutes(132));
    let due = hears_due(&chat).await;
    assert_eq!(due.text, "⏰ stretch your legs");
    chat.press(&bot.ann, due.id, "Done").await;
    let done = chat.becomes(due.id, |message| !is_due(message)).await;
    assert_eq!(done.text, "✅ stretch your legs");
    assert!(bot.model.requests().is_empty());
    let states = bot.rows("SELECT state FROM routine_runs ORDER BY id").await;
    assert_eq!(states, ["done", "done"]);
    bot.assert_clean();
}

async fn the_model_keeps_a_reminder_and_is_not_asked_when_it_is_due(platform: Platform) {
    let bot = bot_with_clock(platform).await;
    let chat = bot.direct();
    lives_in_berlin(&chat).await;
    let remind = json!({"when": "tomorrow at 9", "text": "call mum"});
    bot.model.calls(vec![("remind", remind)]);
    bot.model.says("I will.");
    chat.says("remind me tomorrow at 9 to call mum");
    chat.settles(|message| message.text == "I will.").await;
    let told = bot.model.requests().pop().unwrap().last_tool_result();
    assert!(told.starts_with("kept (id "), "{told}");
    assert!(told.contains(", 09:00 (Europe/Berlin)"), "{told}");
    let kept = chat
        .settles(|message| message.button("Delete").is_some())
        .await;
    assert!(kept.text.contains("(Europe/Berlin): call mum"), "{kept}");
    let asked = bot.model.requests().len();
    bot.sets_clock(minutes(2 * 24 * 60));
    let due = hears_due(&chat).await;
    assert!(
        due.text.starts_with("⏰ call mum\n(late: it was due "),
        "{due}"
    );
    assert_eq!(bot.model.requests().len(), asked);
    bot.assert_clean();
}

async fn the_same_reminder_is_kept_once(platform: Platform) {
    let bot = bot_with_clock(platform).await;
    let chat = bot.direct();
    lives_in_berlin(&chat).await;
    for _ in 0..2 {
        chat.says("/remind every day at 9 water the plants");
        chat.hears().await;
    }
    assert_eq!(
        bot.rows("SELECT prompt FROM routines").await,
        ["water the plants"]
    );
    bot.assert_clean();
}

async fn an_earlier_reminder_does_not_wait_for_a_later_one(platform: Platform) {
    let bot = bot_with_clock(platform).await;
    let chat = bot.direct();
    lives_in_berlin(&chat).await;
    chat.says("/remind in 30 days renew the pass");
    chat.hears().await;
    // The clock sleeps towards the first one by now.
    tokio::time::sleep(std::time::Duration::from_millis(1200)).await;
    chat.says("/remind in 1 hour take the bread out");
    chat.hears().await;
    bot.sets_clock(minutes(61));
    let due = hears_due(&chat).await;
    assert_eq!(due.text, "⏰ take the bread out");
    bot.assert_clean();
}

async fn a_recurring_reminder_comes_again(platform: Platform) {
    let bot = bot_with_clock(platform).await;
    let chat = bot.direct();
    lives_in_berlin(&chat).await;
    chat.says("/remind every 30 minutes drink water");
    let kept = chat.hears().await;
    assert_eq!(
        kept.text.matches("; ").count(),
        2,
        "three times are said: {kept}"
    );
    for half_hours in 1..=3 {
        bot.sets_clock(minutes(30 * half_hours));
        let due = hears_due(&chat).await;
        assert_eq!(due.text, "⏰ drink water");
    }
    bot.assert_clean();
}

async fn reminders_are_listed_and_deleted(platform: Platform) {
    let bot = bot_with_clock(platform).await;
    let chat = bot.direct();
    lives_in_berlin(&chat).await;
    for what in ["every day at 9 water the plants", "in 3 hours call Bob"] {
        chat.says(&format!("/remind {what}"));
        chat.hears().await;
    }
    chat.says("/reminders");
    let list = chat.hears().await;
    assert_eq!(list.labels(), ["1", "2"]);
    let mut lines = list.text.lines();
    let line = lines.find(|line| line.contains("call Bob")).unwrap();
    let number = line.trim().split('.').next().unwrap().to_owned();
    chat.press(&bot.ann, list.id, &number).await;
    let one = chat
        .becomes(list.id, |message| message.button("Delete").is_some())
        .await;
    assert_eq!(one.labels(), ["Switch off", "Delete", "Back"]);
    chat.press(&bot.ann, list.id, "Delete").await;
    let rest = chat
        .becomes(list.id, |message| message.button("1").is_some())
        .await;
    assert!(!rest.text.contains("call Bob"), "{rest}");
    bot.sets_clock(minutes(181));
    tokio::time::sleep(std::time::Duration::from_millis(1500)).await;
    assert!(
        !chat
            .messages()
            .iter()
            .any(|message| message.text.starts_with("⏰ call Bob"))
    );
    bot.assert_clean();
}

/// Has Ann ask for a reminder in a group, which is heard when it is due.
async fn hears_due_in_a_group(bot: &TestBot) -> (Chat, Message) {
    let group = bot.group("Band").with(&bot.ann);
    group.says("/remind in 1 hour bring the marimba");
    group
        .hears_with(|message| message.text.contains("bring the marimba"))
        .await;
    bot.sets_clock(minutes(61));
    let due = hears_due(&group).await;
    (group, due)
}

async fn a_reminder_of_a_group_comes_in_that_group(platform: Platform) {
    let bot = bot_with_clock(platform).await;
    let direct = bot.direct();
    lives_in_berlin(&direct).await;
    let (_, due) = hears_due_in_a_group(&bot).await;
    assert!(due.text.contains("bring the marimba"), "{due}");
    assert!(
        !direct
            .messages()
            .iter()
            .any(|message| message.text.contains("marimba"))
    );
    bot.assert_clean();
}

async fn a_button_of_another_person_does_nothing(platform: Platform) {
    let bot = bot_with_clock(platform).await;
    lives_in_berlin(&bot.direct()).await;
    let (group, due) = hears_due_in_a_group(&bot).await;
    let pressed = group.press(&bot.bob, due.id, "Done").await;
    assert!(pressed.text.is_some());
    assert!(is_due(&group.message(due.id)));
    group.press(&bot.ann, due.id, "Done").await;
    group.becomes(due.id, |message| !is_due(message)).await;
    bot.assert_clean();
}

async fn what_is_not_understood_is_said(platform: Platform) {
    let bot = bot_with_clock(platform).await;
    let chat = bot.direct();
    lives_in_berlin(&chat).await;
    for what in [
        "whenever you like call mum",
        "in 2 hours",
        "at 2020-01-01 09:00 call mum",
    ] {
        chat.says(&format!("/remind {what}"));
        let refused = chat.hears().await;
        assert!(
            refused.text.contains("/remind tomorrow at 9 call mum"),
            "{what}: {refused}"
        );
    }
    assert!(bot.rows("SELECT prompt FROM routines").await.is_empty());
    bot.assert_clean();
}
