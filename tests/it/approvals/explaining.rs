//! A denial with words: how they are given, what becomes of them, and what is none.

use super::{DECIDED, asks, card_of, closed, group, hears, mark, marks, obedient};
use crate::house::House;
use crate::platform::{Chat, Platform, on_both};

on_both!(
    the_next_words_in_a_direct_chat_are_the_reason,
    in_a_group_only_a_reply_to_the_card_by_whoever_pressed_is_the_reason,
    a_denial_without_words_is_a_plain_one_after_two_minutes,
    words_are_waited_for_over_a_crash,
    a_stop_overtakes_the_wait_for_words,
    the_call_is_denied_from_the_press_on
);

/// The button.
const SAY_WHY: &str = "Deny and say why";

/// Has a command asked about and denied, with words to come; returns its card.
async fn denied(house: &House, chat: &Chat, name: &str) -> i64 {
    let card = asks(house, chat, name).await;
    let told = chat.press(&house.ann, card.id, SAY_WHY).await;
    assert!(told.text.unwrap().starts_with("Denied. Say why"));
    chat.becomes(card.id, |card| {
        !card.asks() && card.text.contains("Denied by Ann. Why?")
    })
    .await;
    card.id
}

async fn the_next_words_in_a_direct_chat_are_the_reason(platform: Platform) {
    let house = obedient(platform, &[]).await;
    let chat = house.direct();
    let card = denied(&house, &chat, "a").await;
    let turns = house.model.requests().len();
    chat.says("not on\nFridays");
    let result = hears(&chat, "result: ").await;
    assert!(result.text.contains("not on\nFridays"), "{result}");
    chat.becomes(card, |card| {
        card.text.starts_with("❌ Denied by Ann: not on Fridays")
    })
    .await;
    // The words were no message of their own: the turn went on, and none began.
    assert_eq!(house.model.requests().len(), turns + 1);
    chat.says("and how are you?");
    hears(&chat, "ok: and how are you?").await;
    assert_eq!(marks(&house), Vec::<String>::new());
    house.assert_clean();
}

async fn in_a_group_only_a_reply_to_the_card_by_whoever_pressed_is_the_reason(platform: Platform) {
    let house = obedient(platform, &[]).await;
    let chat = group(&house);
    chat.says(&format!("@sayso_bot run: {}", mark(&house, "a")));
    let card = card_of(&chat, "a").await;
    chat.press(&house.ann, card.id, SAY_WHY).await;
    chat.becomes(card.id, |card| !card.asks()).await;
    chat.says("@sayso_bot what is the time?");
    hears(&chat, "what is the time?").await;
    let bob = chat.with(&house.bob);
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
    assert_eq!(marks(&house), Vec::<String>::new());
    house.assert_clean();
}

async fn a_denial_without_words_is_a_plain_one_after_two_minutes(platform: Platform) {
    let house = obedient(platform, &[]).await;
    let chat = house.direct();
    let card = denied(&house, &chat, "a").await;
    house
        .change("UPDATE cards SET expires_ms = expires_ms - 120000 WHERE state = 'open'")
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
    assert_eq!(marks(&house), Vec::<String>::new());
    house.assert_clean();
}

async fn words_are_waited_for_over_a_crash(platform: Platform) {
    let mut house = obedient(platform, &[]).await;
    let chat = house.direct();
    denied(&house, &chat, "a").await;
    house.crash_when_noted().await;
    chat.says("not on Fridays");
    let result = hears(&chat, "result: ").await;
    assert!(result.text.contains("not on Fridays"), "{result}");
    assert_eq!(marks(&house), Vec::<String>::new());
    house.assert_clean();
}

async fn a_stop_overtakes_the_wait_for_words(platform: Platform) {
    let house = obedient(platform, &[]).await;
    let chat = house.direct();
    denied(&house, &chat, "a").await;
    chat.says("/stop");
    hears(&chat, "Stopped").await;
    chat.says("how are you?");
    hears(&chat, "ok: how are you?").await;
    assert_eq!(marks(&house), Vec::<String>::new());
    house.assert_clean();
}

async fn the_call_is_denied_from_the_press_on(platform: Platform) {
    let house = obedient(platform, &[]).await;
    let chat = house.direct();
    let card = asks(&house, &chat, "a").await;
    let approve = card.token("Approve");
    chat.press(&house.ann, card.id, SAY_WHY).await;
    let told = chat.press_token(&house.ann, card.id, &approve).await;
    assert_eq!(told.text.as_deref(), Some(DECIDED));
    chat.says("no");
    hears(&chat, "result: ").await;
    assert_eq!(marks(&house), Vec::<String>::new());
    house.assert_clean();
}
