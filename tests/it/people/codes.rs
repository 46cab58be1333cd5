//! Codes: how long, how often, where and from whom.

use super::{asked, carol, join, sides, with_carol};
use crate::platform::{Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    a_code_works_once,
    a_newer_code_and_ten_minutes_end_a_code,
    five_wrong_codes_are_enough_for_ten_minutes_also_over_a_crash,
    a_code_that_was_shown_to_a_group_is_worth_nothing,
    a_group_does_not_learn_who_is_linked,
    a_stranger_gets_nothing_for_a_code,
    a_code_of_ones_own_and_of_ones_other_account_joins_nothing,
    the_code_of_an_account_that_was_turned_away_is_none
);

const NO_SUCH_CODE: &str = "There is no such code, or it no longer works.\nSend me /link from your other account for a new one.";
const ONLY_DIRECT: &str = "Accounts are linked in private: send me this in our direct chat.\nA code that was written here no longer works.";

async fn a_code_works_once(platform: Platform) {
    let bot = with_carol(platform).await;
    let ((ann, bob), carol) = (sides(&bot), carol(&bot));
    let code = ann.code().await;
    bob.chat.says(&format!("/link {}", code.to_lowercase()));
    bob.card().await;
    assert_eq!(carol.asks(&format!("/link {code}")).await, NO_SUCH_CODE);
    bot.assert_clean();
}

async fn a_newer_code_and_ten_minutes_end_a_code(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (ann, bob) = sides(&bot);
    let old = ann.code().await;
    let new = ann.code().await;
    assert_eq!(bob.asks(&format!("/link {old}")).await, NO_SUCH_CODE);
    bot.change("UPDATE link_codes SET expires_ms = expires_ms - 600000")
        .await;
    assert_eq!(bob.asks(&format!("/link {new}")).await, NO_SUCH_CODE);
    bot.assert_clean();
}

async fn five_wrong_codes_are_enough_for_ten_minutes_also_over_a_crash(platform: Platform) {
    let mut bot = TestBot::on(platform).await;
    let (ann, bob) = sides(&bot);
    let code = ann.code().await;
    for wrong in ["ABCDEFGH", "1", "' OR 1=1", "ABCDEFGI", "HGFEDCBA"] {
        assert_eq!(bob.asks(&format!("/link {wrong}")).await, NO_SUCH_CODE);
    }
    bot.crash_when_noted().await;
    let right = format!("/link {code}");
    let too_many = "Too many wrong codes. Try again in 10 minutes.";
    assert_eq!(bob.asks(&right).await, too_many);
    bot.change("UPDATE link_tries SET since_ms = since_ms - 600000")
        .await;
    bob.chat.says(&right);
    assert_eq!(bob.card().await.labels(), ["Confirm", "Refuse"]);
    bot.assert_clean();
}

async fn a_code_that_was_shown_to_a_group_is_worth_nothing(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (ann, bob) = sides(&bot);
    let group = bot.group("Friends").with(&bot.ann);
    let code = ann.code().await;
    group.says("/link");
    assert_eq!(group.hears().await.text, ONLY_DIRECT);
    group.says(&format!("/link {code}"));
    assert_eq!(group.hears().await.text, ONLY_DIRECT);
    assert_eq!(bob.asks(&format!("/link {code}")).await, NO_SUCH_CODE);
    group.says("/unlink");
    assert_eq!(group.hears().await.text, ONLY_DIRECT);
    bot.assert_clean();
}

async fn a_group_does_not_learn_who_is_linked(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (ann, bob) = sides(&bot);
    join(&ann, &bob).await;
    let group = bot.group("Friends").with(&bot.ann);
    group.says("/whoami");
    let told = bot.without_accounts(&group.hears().await.text);
    assert_eq!(told, "You are Ann, my owner ((account of Ann)).");
    bot.assert_clean();
}

async fn a_stranger_gets_nothing_for_a_code(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let ((ann, bob), carol) = (sides(&bot), carol(&bot));
    let code = ann.code().await;
    let told = carol.asks(&format!("/link {code}")).await;
    assert!(told.contains("I do not know you"), "{told}");
    assert!(carol.asks("/link").await.contains("not answered yet"));
    bob.chat.says(&format!("/link {code}"));
    assert_eq!(bob.card().await.labels(), ["Confirm", "Refuse"]);
    bot.assert_clean();
}

async fn a_code_of_ones_own_and_of_ones_other_account_joins_nothing(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (ann, bob) = sides(&bot);
    let code = ann.code().await;
    let own = ann.asks(&format!("/link {code}")).await;
    assert_eq!(
        own,
        "This is the code of this account. Send it from the other one."
    );
    join(&ann, &bob).await;
    let code = ann.code().await;
    let again = bob.asks(&format!("/link {code}")).await;
    assert_eq!(again, "These two accounts are linked already.");
    bot.assert_clean();
}

async fn the_code_of_an_account_that_was_turned_away_is_none(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (ann, bob) = sides(&bot);
    let code = bob.code().await;
    bot.change("UPDATE senders SET standing = 'blocked' WHERE name = 'Bob'")
        .await;
    assert_eq!(ann.asks(&format!("/link {code}")).await, NO_SUCH_CODE);
    bot.change("UPDATE senders SET standing = 'listed' WHERE name = 'Bob'")
        .await;
    asked(&ann, &bob).await;
    bot.assert_clean();
}
