//! A kill between the card and the press: both cards are still there, and count once.

use super::{asks_for, closed, known_owner, outward};
use crate::approvals::marks;
use crate::platform::{Platform, on_both};

on_both!(
    s1_an_owner_approves_after_a_kill_and_it_runs_once,
    s1_a_member_takes_it_back_after_a_kill,
    s1_an_approval_right_before_a_kill_runs_once
);

async fn s1_an_owner_approves_after_a_kill_and_it_runs_once(platform: Platform) {
    let mut bot = known_owner(platform, &[]).await;
    let (ann, bob) = (bot.direct(), bot.direct_with(&bot.bob));
    let (waiting, asked) = asks_for(&bot, &bot.bob, &outward(&bot, "a"), "a").await;
    bot.crash_when_noted().await;
    // The asker still cannot approve it.
    for token in ["Approve"] {
        let told = bob
            .press_token(&bot.bob, waiting.id, &asked.token(token))
            .await;
        assert_eq!(told.text.as_deref(), Some(super::OWNERS_APPROVE));
    }
    assert!(marks(&bot).is_empty());
    ann.press(&bot.ann, asked.id, "Approve").await;
    bob.settles(|message| message.text.contains("result: ") && !message.is_live())
        .await;
    for (chat, card) in [(&bob, &waiting), (&ann, &asked)] {
        let card = closed(chat, card).await;
        assert!(card.text.contains("Approved by Ann"), "{card}");
    }
    assert_eq!(marks(&bot), ["a"]);
    bot.assert_clean();
}

async fn s1_a_member_takes_it_back_after_a_kill(platform: Platform) {
    let mut bot = known_owner(platform, &[]).await;
    let (ann, bob) = (bot.direct(), bot.direct_with(&bot.bob));
    let (waiting, asked) = asks_for(&bot, &bot.bob, &outward(&bot, "a"), "a").await;
    bot.crash_when_noted().await;
    bob.press(&bot.bob, waiting.id, "Deny").await;
    let copy = closed(&ann, &asked).await;
    assert!(copy.text.contains("Denied by Bob"), "{copy}");
    assert!(marks(&bot).is_empty());
    bot.assert_clean();
}

async fn s1_an_approval_right_before_a_kill_runs_once(platform: Platform) {
    let mut bot = known_owner(platform, &[]).await;
    let (ann, bob) = (bot.direct(), bot.direct_with(&bot.bob));
    let (waiting, asked) = asks_for(&bot, &bot.bob, &outward(&bot, "a"), "a").await;
    ann.press(&bot.ann, asked.id, "Approve").await;
    bot.crash().await;
    for (chat, card) in [(&bob, &waiting), (&ann, &asked)] {
        let card = closed(chat, card).await;
        assert!(card.text.contains("Approved by Ann"), "{card}");
    }
    bob.settles(|message| message.text.contains("result: ") && !message.is_live())
        .await;
    // It ran, or it was interrupted and the model gets an unknown outcome.
    assert!(marks(&bot).len() <= 1, "{:?}", marks(&bot));
    bot.assert_clean();
}
