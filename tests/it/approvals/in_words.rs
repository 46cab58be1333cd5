//! A yes or no in words while a card is open: the buttons come again, nothing runs, and no model
//! reads it.

use sayso_fakes::Message;

use super::{asks, card_of, closed, group, hears, is_open_card, mark, marks, obedient};
use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    u2_yes_brings_the_buttons_again_and_runs_nothing,
    u2_no_brings_them_too_and_one_message_keeps_record_of_the_press,
    u2_in_chinese,
    u2_a_reply_to_an_older_card_means_that_card,
    u2_in_a_group_only_a_reply_to_the_card_counts,
    u2_words_of_others_are_words_like_any_other,
    u2_the_buttons_come_a_few_times_only,
    u2_other_words_reach_the_model_which_knows_that_a_card_is_open,
    u2_without_a_card_yes_is_a_message,
    u2_a_reminder_outlives_a_crash
);

const REMINDER: &str = "Please press a button for this: ";

fn is_reminder(message: &Message) -> bool {
    message.text.starts_with(REMINDER) && message.asks()
}

/// Waits until a card is gone whose reminder keeps record of the decision.
async fn is_removed(chat: &Chat, card: i64) {
    chat.becomes(card, |message| message.deleted).await;
}

async fn reminded(chat: &Chat) -> Message {
    chat.settles(is_reminder).await
}

/// How many times a model was asked for anything.
fn asked(bot: &TestBot) -> usize {
    bot.model.requests().len()
}

async fn u2_yes_brings_the_buttons_again_and_runs_nothing(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    let card = asks(&bot, &chat, "a").await;
    let before = asked(&bot);
    // A reply needs the id of the card, which the platform's answer brings.
    bot.has_noted("SELECT 'sent' FROM outbox WHERE purpose = 'card' AND message IS NOT NULL")
        .await;
    chat.says("Yes, do it!");
    let reminder = reminded(&chat).await;
    assert_eq!(reminder.reply_to, Some(card.id));
    assert_eq!(reminder.labels(), card.labels());
    assert_eq!(reminder.token("Approve"), card.token("Approve"));
    assert!(reminder.text.contains("mark-a."), "{reminder}");
    assert!(marks(&bot).is_empty());
    assert_eq!(asked(&bot), before, "no model reads it");
    chat.press(&bot.ann, reminder.id, "Approve").await;
    let line = closed(&chat, reminder.id).await;
    assert!(line.text.starts_with("✅ Approved by Ann: "), "{line}");
    is_removed(&chat, card.id).await;
    hears(&chat, "result: ").await;
    assert_eq!(marks(&bot), ["a"]);
    let told = chat
        .press_token(&bot.ann, reminder.id, &card.token("Approve"))
        .await;
    assert_eq!(told.text.as_deref(), Some(super::DECIDED));
    bot.assert_clean();
}

async fn u2_no_brings_them_too_and_one_message_keeps_record_of_the_press(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    let card = asks(&bot, &chat, "a").await;
    chat.says("no");
    let reminder = reminded(&chat).await;
    assert!(chat.message(card.id).asks(), "words decide nothing");
    chat.press(&bot.ann, card.id, "Deny").await;
    let line = closed(&chat, reminder.id).await;
    assert!(line.text.starts_with("❌ Denied by Ann: "), "{line}");
    is_removed(&chat, card.id).await;
    hears(&chat, "result: ").await;
    assert!(marks(&bot).is_empty());
    bot.assert_clean();
}

async fn u2_in_chinese(platform: Platform) {
    let bot = obedient(platform, &[("LANGUAGE", "zh-CN")]).await;
    let chat = bot.direct();
    let card = asks(&bot, &chat, "a").await;
    let before = asked(&bot);
    for (number, word) in ["好", "可以。", "不要！"].into_iter().enumerate() {
        chat.says(word);
        chat.sees(|messages| {
            let reminders = messages
                .iter()
                .filter(|it| it.text.starts_with("请用按钮决定："));
            reminders.count() == number + 1
        })
        .await;
    }
    assert_eq!(asked(&bot), before);
    chat.press(&bot.ann, card.id, "批准").await;
    hears(&chat, "result: ").await;
    assert_eq!(marks(&bot), ["a"]);
    bot.assert_clean();
}

async fn u2_a_reply_to_an_older_card_means_that_card(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    let older = asks(&bot, &chat, "older").await;
    let newer = asks(&bot, &chat, "newer").await;
    chat.says("ok");
    let of_newer = reminded(&chat).await;
    assert_eq!(of_newer.token("Approve"), newer.token("Approve"));
    chat.replies(older.id, "ok");
    let of_older = chat
        .settles(|message| is_reminder(message) && message.id != of_newer.id)
        .await;
    assert_eq!(of_older.token("Approve"), older.token("Approve"));
    assert_eq!(of_older.reply_to, Some(older.id));
    chat.press(&bot.ann, of_older.id, "Approve").await;
    closed(&chat, of_older.id).await;
    is_removed(&chat, older.id).await;
    hears(&chat, "result: ").await;
    assert_eq!(marks(&bot), ["older"]);
    assert!(chat.message(newer.id).asks());
    bot.assert_clean();
}

async fn u2_in_a_group_only_a_reply_to_the_card_counts(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = group(&bot);
    chat.says(&format!("@sayso_bot run: {}", mark(&bot, "a")));
    let card = card_of(&chat, "a").await;
    chat.says("@sayso_bot yes");
    hears(&chat, "ok: ").await;
    assert!(!chat.messages().iter().any(is_reminder));
    chat.replies(card.id, "yes");
    let reminder = reminded(&chat).await;
    assert_eq!(reminder.reply_to, Some(card.id));
    assert!(marks(&bot).is_empty());
    bot.assert_clean();
}

async fn u2_words_of_others_are_words_like_any_other(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = group(&bot);
    chat.says(&format!("@sayso_bot run: {}", mark(&bot, "a")));
    let card = card_of(&chat, "a").await;
    chat.with(&bot.bob).replies(card.id, "yes");
    hears(&chat, "ok: ").await;
    assert!(!chat.messages().iter().any(is_reminder));
    assert!(marks(&bot).is_empty());
    bot.assert_clean();
}

async fn u2_the_buttons_come_a_few_times_only(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    let card = asks(&bot, &chat, "a").await;
    for _ in 0..8 {
        chat.says("yes");
        bot.has_heard_all().await;
    }
    chat.says("/whoami");
    hears(&chat, "You are ").await;
    let reminders = chat.messages().iter().filter(|it| is_reminder(it)).count();
    assert_eq!(reminders, 4);
    chat.press(&bot.ann, card.id, "Deny").await;
    chat.sees(|messages| !messages.iter().any(is_open_card))
        .await;
    assert!(marks(&bot).is_empty());
    bot.assert_clean();
}

async fn u2_other_words_reach_the_model_which_knows_that_a_card_is_open(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    asks(&bot, &chat, "a").await;
    chat.says("yes, but what does it do?");
    hears(&chat, "ok: yes, but what does it do?").await;
    let request = bot.model.turn_requests().pop().unwrap();
    assert!(
        request
            .told()
            .contains("only a press on its buttons decides, words do not"),
        "{}",
        request.told()
    );
    assert!(marks(&bot).is_empty());
    bot.assert_clean();
}

async fn u2_without_a_card_yes_is_a_message(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    let card = asks(&bot, &chat, "a").await;
    chat.press(&bot.ann, card.id, "Deny").await;
    hears(&chat, "result: ").await;
    chat.says("yes");
    hears(&chat, "ok: yes").await;
    bot.assert_clean();
}

async fn u2_a_reminder_outlives_a_crash(platform: Platform) {
    let mut bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    let card = asks(&bot, &chat, "a").await;
    chat.says("yes");
    let reminder = reminded(&chat).await;
    chat.says("/whoami");
    hears(&chat, "You are ").await;
    bot.kill().await;
    bot.start();
    bot.listens().await;
    chat.press(&bot.ann, reminder.id, "Approve").await;
    closed(&chat, reminder.id).await;
    is_removed(&chat, card.id).await;
    hears(&chat, "result: ").await;
    assert_eq!(marks(&bot), ["a"]);
    bot.assert_clean();
}
