//! What stays with an account, and what a person may have.

use serde_json::json;

use super::{join, part, sides};
use crate::platform::{Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    roles_and_grants_stay_with_the_account,
    a_person_has_at_most_eight_accounts
);

async fn roles_and_grants_stay_with_the_account(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (ann, bob) = sides(&bot);
    bot.model
        .calls(vec![("shell", json!({"command": "touch it"}))]);
    bob.chat.says("list the files");
    let card = bob.card().await;
    bob.presses(&card, "Always this exact command").await;
    bob.chat
        .hears_with(|message| message.text.starts_with("ok:"))
        .await;
    let granted = bob.asks("/grants").await;
    assert!(granted.contains("1. touch it"), "{granted}");

    join(&ann, &bob).await;
    assert_eq!(bob.asks("/grants").await, granted);
    let anns = ann.asks("/grants").await;
    assert!(anns.starts_with("No standing permissions here"), "{anns}");
    let level = bob.asks("/autonomy read_only").await;
    assert_eq!(level, "Only an owner can change this.");

    part(&bob).await;
    assert_eq!(bob.asks("/grants").await, granted);
    bot.assert_clean();
}

async fn a_person_has_at_most_eight_accounts(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (ann, bob) = sides(&bot);
    let code = ann.code().await;
    bot.change(
        "INSERT INTO users (id, created_ms, person)
             WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < 7)
             SELECT id, 0, 1 FROM n",
    )
    .await;
    bot.change(
        "INSERT INTO senders (channel, sender, user_id, name, standing)
             SELECT 'elsewhere', id, id, 'Ann', 'listed' FROM users WHERE person = 1",
    )
    .await;
    bot
        .change(
            "UPDATE users SET person = 1
             WHERE id = (SELECT user_id FROM senders WHERE name = 'Ann' AND channel <> 'elsewhere')",
        )
        .await;
    insta::assert_snapshot!(bob.asks(&format!("/link {code}")).await, @"A person can have at most 8 accounts here. /unlink parts one.");
    bot.assert_clean();
}
