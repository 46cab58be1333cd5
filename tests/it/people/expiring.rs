//! Requests that expire without confirmation: their cards are updated by themselves.

use super::{asked, join, sides};
use crate::platform::{Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    both_cards_of_a_link_close_by_themselves,
    a_card_of_unlink_closes_by_itself,
    a_request_that_expired_while_nothing_ran_is_closed_at_the_next_start
);

async fn both_cards_of_a_link_close_by_themselves(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (ann, bob) = sides(&bot);
    let (anns, bobs) = asked(&ann, &bob).await;
    bob.presses(&bobs, "Confirm").await;
    expire(&bot).await;
    ann.closes(&anns, "⌛ Not linked with Bob").await;
    bob.closes(&bobs, "⌛ Not linked with Ann").await;
    assert!(ann.linked().await.is_empty());
    bot.assert_clean();
}

async fn a_card_of_unlink_closes_by_itself(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (ann, bob) = sides(&bot);
    join(&ann, &bob).await;
    ann.chat.says("/unlink");
    let card = ann.card().await;
    expire(&bot).await;
    ann.closes(&card, "stays linked: not confirmed in time.")
        .await;
    assert_eq!(ann.linked().await, ["Bob"]);
    bot.assert_clean();
}

async fn a_request_that_expired_while_nothing_ran_is_closed_at_the_next_start(platform: Platform) {
    let mut bot = TestBot::on(platform).await;
    let (ann, bob) = sides(&bot);
    let (anns, bobs) = asked(&ann, &bob).await;
    bot.stop().await;
    bot.write(EXPIRE).await;
    bot.start();
    ann.closes(&anns, "⌛ Not linked with Bob").await;
    bob.closes(&bobs, "⌛ Not linked with Ann").await;
    bot.assert_clean();
}

const EXPIRE: &str = "UPDATE prompts SET expires_ms = expires_ms - 600000";

/// Lets ten minutes pass.
async fn expire(bot: &TestBot) {
    bot.change(EXPIRE).await;
}
