//! Turns that wait while the configuration changes: they go on at the level that they began at, or
//! at a stricter one.

use crate::approvals::{is_open_card, mark, marks, obedient};
use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::{BOB, TestBot};

on_both!(
    a_person_whose_level_was_lowered_gets_nothing_by_an_earlier_card,
    a_turn_that_waited_gains_nothing_by_a_raised_level
);

/// Starts a bot in which Bob waits for an answer to a card.
async fn waiting(platform: Platform) -> (TestBot, Chat, i64) {
    let bot = obedient(platform, &[]).await;
    let bob = bot.direct_with(&bot.bob);
    bob.says(&format!("run: {}", mark(&bot, "a")));
    let card = bob.settles(is_open_card).await;
    (bot, bob, card.id)
}

async fn a_person_whose_level_was_lowered_gets_nothing_by_an_earlier_card(platform: Platform) {
    let (mut bot, bob, card) = waiting(platform).await;
    let levels = super::levels(platform, &[(BOB, "read_only")]);
    bot.set("ACCESS__AUTONOMY", &levels);
    bot.restart().await;
    bob.press(&bot.bob, card, "Approve").await;
    let told = bob
        .settles(|message| message.text.starts_with("result: "))
        .await;
    let refused = "not run: the autonomy level is read_only";
    assert!(told.text.contains(refused), "{told}");
    assert!(marks(&bot).is_empty());
    bot.assert_clean();
}

/// At the level `full` the command would be refused, since nothing is listed: that it runs shows the
/// level that the turn began at.
async fn a_turn_that_waited_gains_nothing_by_a_raised_level(platform: Platform) {
    let (mut bot, bob, card) = waiting(platform).await;
    let levels = super::levels(platform, &[(BOB, "full")]);
    bot.set("ACCESS__AUTONOMY", &levels);
    bot.restart().await;
    assert_eq!(
        super::tries(&bot, &bob, "new").await,
        super::Became::Refused
    );
    bob.press(&bot.bob, card, "Approve").await;
    bob.settles(|message| message.text.starts_with("result: ./mark-a"))
        .await;
    assert_eq!(marks(&bot), ["a"]);
    bot.assert_clean();
}
