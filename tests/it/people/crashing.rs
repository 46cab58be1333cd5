//! kill -9 around a confirmation: accounts are joined, or they are not.

use std::time::Duration;

use super::{asked, sides};
use crate::platform::{Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    a_crash_between_the_two_confirmations_loses_neither,
    a_crash_at_any_moment_of_the_last_confirmation_joins_wholly_or_not_at_all
);

/// How many requests are done, how many of their two accounts have confirmed, and how many
/// accounts share a person.
const STATE: &str = "
    SELECT (SELECT count(*) FROM link_requests WHERE state = 'done') || ' done, '
        || (SELECT count(*) FROM link_sides WHERE confirmed_ms IS NOT NULL) || ' confirmed, '
        || (SELECT count(*) FROM users u JOIN users o ON o.person = u.person AND o.id <> u.id)
        || ' joined'";

async fn a_crash_between_the_two_confirmations_loses_neither(platform: Platform) {
    let mut bot = TestBot::on(platform).await;
    let (ann, bob) = sides(&bot);
    let code = ann.code().await;
    bot.crash_when_noted().await;
    bob.chat.says(&format!("/link {code}"));
    let (anns, bobs) = (ann.card().await, bob.card().await);
    bob.presses(&bobs, "Confirm").await;
    bot.crash_when_noted().await;
    assert_eq!(bot.rows(STATE).await, ["0 done, 1 confirmed, 0 joined"]);
    ann.answers(&anns, "Confirm", "Linked.").await;
    bot.crash().await;
    ann.closes(&anns, "Linked with Bob").await;
    bob.closes(&bobs, "Linked with Ann").await;
    assert_eq!(ann.linked().await.len(), 1);
    bot.assert_clean();
}

async fn a_crash_at_any_moment_of_the_last_confirmation_joins_wholly_or_not_at_all(
    platform: Platform,
) {
    for milliseconds in [0, 1, 2, 4, 8, 15] {
        let mut bot = TestBot::on(platform).await;
        let (ann, bob) = sides(&bot);
        let (anns, bobs) = asked(&ann, &bob).await;
        bob.presses(&bobs, "Confirm").await;
        let last = ann
            .chat
            .presses_token(&bot.ann, anns.id, &anns.token("Confirm"));
        tokio::time::sleep(Duration::from_millis(milliseconds)).await;
        bot.kill().await;
        let found = bot.rows(STATE).await.remove(0);
        let whole = [
            "0 done, 1 confirmed, 0 joined",
            "1 done, 2 confirmed, 2 joined",
        ];
        assert!(
            whole.contains(&found.as_str()),
            "{milliseconds} ms: {found}"
        );
        bot.start();
        drop(last);
        // A press that Discord could not deliver is lost; the card stays live.
        if platform == Platform::Discord && found == whole[0] {
            bot.listens().await;
            ann.presses(&anns, "Confirm").await;
        }
        ann.closes(&anns, "Linked with Bob").await;
        bob.closes(&bobs, "Linked with Ann").await;
        assert_eq!(bot.rows(STATE).await, ["1 done, 2 confirmed, 2 joined"]);
        bot.assert_clean();
    }
}
