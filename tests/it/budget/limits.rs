//! Reached limits: no model is called, the chat gets the reason and the end of the limit, and days
//! end.

use serde_json::json;

use sayso_fakes::Answer;

use super::{is_answered, is_card, is_refused, open};
use crate::platform::{Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    who_has_used_up_the_day_is_stopped_and_no_one_else,
    little_left_is_told_once_in_the_chat_of_the_turn,
    everybodys_limit_stops_all_and_is_told_to_owners,
    a_turn_that_runs_away_is_stopped_with_what_it_has_done
);

async fn who_has_used_up_the_day_is_stopped_and_no_one_else(platform: Platform) {
    let bot = open(platform, &[("BUDGET__USER_DAY_TOKENS", "10000")]).await;
    let (ann, bob) = (bot.direct(), bot.direct_with(&bot.bob));
    is_answered(&bob, "one").await;
    bot.model.forget_requests();
    let refused = is_refused(&bob, "two", "your limit for today is used up").await;
    assert!(
        refused.text.contains("It begins anew at midnight, in "),
        "{refused}"
    );
    assert!(refused.text.contains("An owner is asked"), "{refused}");
    assert!(bot.model.requests().is_empty());
    let card = ann.hears_with(is_card).await;
    assert!(
        card.text.contains("The limit of Bob for today is used up"),
        "{card}"
    );
    assert!(card.text.contains("10,000 of 10,000 tokens"), "{card}");
    is_answered(&ann, "and me?").await;
    bot.assert_clean();
}

async fn little_left_is_told_once_in_the_chat_of_the_turn(platform: Platform) {
    let bot = open(platform, &[("BUDGET__USER_DAY_TOKENS", "50000")]).await;
    let bob = bot.direct_with(&bot.bob);
    for text in ["one", "two", "three"] {
        is_answered(&bob, text).await;
    }
    let is_told = |text: &str| text.contains("of your limit for today is used");
    assert!(!bob.messages().iter().any(|message| is_told(&message.text)));
    bob.says("four");
    let told = bob.settles(|message| is_told(&message.text)).await;
    assert!(told.text.contains("80 % of your limit"), "{told}");
    bob.settles(|message| message.text.contains("ok: four"))
        .await;
    is_answered(&bob, "five").await;
    is_refused(&bob, "six", "your limit").await;
    let all = bob.messages();
    let count = all.iter().filter(|message| is_told(&message.text)).count();
    assert_eq!(count, 1);
    bot.assert_clean();
}

async fn everybodys_limit_stops_all_and_is_told_to_owners(platform: Platform) {
    let bot = open(platform, &[("BUDGET__INSTANCE_DAY_TOKENS", "50000")]).await;
    let (ann, bob) = (bot.direct(), bot.direct_with(&bot.bob));
    for text in ["one", "two", "three", "four"] {
        is_answered(&bob, text).await;
    }
    let told = ann.hears().await;
    assert!(
        told.text
            .contains("80 % of today's limit for everybody is used"),
        "{told}"
    );
    is_answered(&ann, "five").await;
    is_refused(&bob, "six", "today's limit for everybody is used up").await;
    let refused = is_refused(&ann, "seven", "today's limit for everybody is used up").await;
    assert!(refused.text.contains("An owner is asked"), "{refused}");
    let about_bob = bob
        .messages()
        .iter()
        .any(|message| message.text.contains("80 %"));
    assert!(!about_bob, "figures of everybody are for owners");
    bot.assert_clean();
}

async fn a_turn_that_runs_away_is_stopped_with_what_it_has_done(platform: Platform) {
    let settings = [("AGENT__ROUTING", "off"), ("BUDGET__TURN_TOKENS", "30000")];
    let bot = TestBot::on_with(platform, &settings).await;
    bot.model.when(|request| {
        // One that differs each time goes in no circle.
        let folder = ["here", "there", "elsewhere"][request.tool_results().len()];
        let calls = Answer::calls(vec![("list_dir", json!({"path": folder}))]);
        Some(calls.usage(11_000, 0))
    });
    let chat = bot.direct();
    let stopped = is_refused(
        &chat,
        "look until you find it",
        "as much as one turn may use",
    )
    .await;
    assert!(stopped.text.contains("Say go on to continue"), "{stopped}");
    let tried = "looking at your files (3 times)";
    assert!(stopped.text.contains(tried), "{stopped}");
    assert_eq!(bot.model.requests().len(), 3);
    bot.assert_clean();
}

#[tokio::test]
async fn a_call_that_is_certain_to_cost_too_much_is_not_made() {
    let bot = open(Platform::Telegram, &[("BUDGET__USER_DAY_TOKENS", "200")]).await;
    is_refused(&bot.direct(), "hello", "your limit for today").await;
    assert!(bot.model.requests().is_empty());
    bot.assert_clean();
}

/// The clock cannot be moved, so the books are.
#[tokio::test]
async fn a_day_begins_anew_and_no_day_comes_back() {
    let bot = open(Platform::Telegram, &[("BUDGET__USER_DAY_TOKENS", "10000")]).await;
    let bob = bot.direct_with(&bot.bob);
    is_answered(&bob, "today").await;
    is_refused(&bob, "again", "your limit").await;

    // What was spent was spent yesterday.
    bot.change("UPDATE usage SET day = date(day, '-1 day')")
        .await;
    is_answered(&bob, "a new day").await;

    // Now it was spent tomorrow: the clock was set back over midnight.
    bot.change("DELETE FROM usage WHERE day = (SELECT min(day) FROM usage)")
        .await;
    bot.change("UPDATE usage SET day = date(day, '+1 day')")
        .await;
    is_refused(&bob, "the same evening", "your limit").await;
    assert_eq!(bot.rows("SELECT DISTINCT day FROM usage").await.len(), 1);

    // Usage booked a year ahead by a wrong clock does not block users until then.
    bot.change("UPDATE usage SET day = date(day, '+1 year')")
        .await;
    is_answered(&bob, "the clock was wrong").await;
    bot.assert_clean();
}
