//! A denial with words: how they are given, what becomes of them, and what is none.

use super::{DECIDED, asks, card_of, closed, group, hears, mark, marks, obedient};
use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    the_next_words_in_a_direct_chat_are_the_reason,
    in_a_group_only_a_reply_to_the_card_by_the_one_who_pressed_is_the_reason,
    a_denial_without_words_is_a_plain_one_after_two_minutes,
    words_are_waited_for_over_a_crash,
    a_stop_overtakes_the_wait_for_words,
    the_call_is_denied_from_the_press_on
);

/// The button.
const SAY_WHY: &str = "Deny and say why";

/// Has a command asked about and denied, with words to come; returns its card.
async fn denied(bot: &TestBot, chat: &Chat, name: &str) -> i64 {
    let card = asks(bot, chat, name).await;
    let told = chat.press(&bot.ann, card.id, SAY_WHY).await;
    assert_eq!(
        told.text.as_deref(),
        bot.platform.echo("Not run. What should I do instead?")
    );
    chat.becomes(card.id, |card| {
        !card.asks() && card.text.contains("What should I do instead?")
    })
    .await;
    card.id
}

async fn the_next_words_in_a_direct_chat_are_the_reason(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    let card = denied(&bot, &chat, "a").await;
    let turns = bot.model.requests().len();
    chat.says("not on\nFridays");
    let result = hears(&chat, "result: ").await;
    assert!(result.text.contains("not on\nFridays"), "{result}");
    chat.becomes(card, |card| {
        card.text.starts_with("❌ Denied by Ann: ") && card.text.ends_with("“not on Fridays”")
    })
    .await;
    // The words were no message of their own: the turn went on, and none began.
    assert_eq!(bot.model.requests().len(), turns + 1);
    chat.says("and how are you?");
    hears(&chat, "ok: and how are you?").await;
    assert_eq!(marks(&bot), Vec::<String>::new());
    bot.assert_clean();
}

async fn in_a_group_only_a_reply_to_the_card_by_the_one_who_pressed_is_the_reason(
    platform: Platform,
) {
    let bot = obedient(platform, &[]).await;
    let chat = group(&bot);
    chat.says(&format!("@sayso_bot run: {}", mark(&bot, "a")));
    let card = card_of(&chat, "a").await;
    chat.press(&bot.ann, card.id, SAY_WHY).await;
    chat.becomes(card.id, |card| !card.asks()).await;
    chat.says("@sayso_bot what is the time?");
    hears(&chat, "what is the time?").await;
    let bob = chat.with(&bot.bob);
    bob.replies(card.id, "because I say so");
    hears(&chat, "because I say so").await;
    assert!(
        !chat
            .messages()
            .iter()
            .any(|it| it.text.starts_with("result:"))
    );
    chat.replies(card.id, "it is too early");
    let result = hears(&chat, "result: ").await;
    assert!(result.text.contains("it is too early"), "{result}");
    closed(&chat, card.id).await;
    assert_eq!(marks(&bot), Vec::<String>::new());
    bot.assert_clean();
}

async fn a_denial_without_words_is_a_plain_one_after_two_minutes(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    let card = denied(&bot, &chat, "a").await;
    bot.change("UPDATE cards SET expires_ms = expires_ms - 120000 WHERE state = 'open'")
        .await;
    let result = hears(&chat, "result: ").await;
    assert!(
        result.text.contains("The user said no to this call"),
        "{result}"
    );
    chat.becomes(card, |card| {
        card.text.contains("Denied") && !card.text.contains("Why?")
    })
    .await;
    chat.says("not on Fridays");
    hears(&chat, "ok: not on Fridays").await;
    assert_eq!(marks(&bot), Vec::<String>::new());
    bot.assert_clean();
}

async fn words_are_waited_for_over_a_crash(platform: Platform) {
    let mut bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    denied(&bot, &chat, "a").await;
    bot.crash_when_noted().await;
    chat.says("not on Fridays");
    let result = hears(&chat, "result: ").await;
    assert!(result.text.contains("not on Fridays"), "{result}");
    assert_eq!(marks(&bot), Vec::<String>::new());
    bot.assert_clean();
}

async fn a_stop_overtakes_the_wait_for_words(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    denied(&bot, &chat, "a").await;
    chat.says("/stop");
    hears(&chat, "Stopped").await;
    chat.says("how are you?");
    hears(&chat, "ok: how are you?").await;
    assert_eq!(marks(&bot), Vec::<String>::new());
    bot.assert_clean();
}

async fn the_call_is_denied_from_the_press_on(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    let card = asks(&bot, &chat, "a").await;
    let approve = card.token("Approve");
    chat.press(&bot.ann, card.id, SAY_WHY).await;
    let told = chat.press_token(&bot.ann, card.id, &approve).await;
    assert_eq!(told.text.as_deref(), Some(DECIDED));
    chat.says("no");
    hears(&chat, "result: ").await;
    assert_eq!(marks(&bot), Vec::<String>::new());
    bot.assert_clean();
}
