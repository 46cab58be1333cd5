//! Each call of a model is checked before it is made: Phase 1, steps, the last words of a turn and
//! the second try after an answer that only repeated itself.

use sayso_fakes::Answer;
use serde_json::json;

use super::{costs, is_refused};
use crate::platform::{Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    phase_1_is_not_asked_when_the_limit_is_reached,
    no_step_follows_a_phase_1_that_took_the_rest,
    the_last_words_of_a_turn_are_not_asked_for_when_the_limit_is_reached
);

async fn phase_1_is_not_asked_when_the_limit_is_reached(platform: Platform) {
    let bot = TestBot::on_with(platform, &[("BUDGET__USER_DAY_TOKENS", "20000")]).await;
    costs(&bot, 10_000);
    let chat = bot.direct();
    chat.says("one");
    chat.hears_with(|message| message.text.contains("ok: one"))
        .await;
    assert_eq!(bot.model.requests().len(), 2);
    is_refused(&chat, "two", "your limit for today is used up").await;
    assert_eq!(bot.model.requests().len(), 2, "nothing more was asked");
    bot.assert_clean();
}

async fn no_step_follows_a_phase_1_that_took_the_rest(platform: Platform) {
    let bot = TestBot::on_with(platform, &[("BUDGET__TURN_TOKENS", "9000")]).await;
    costs(&bot, 10_000);
    let chat = bot.direct();
    is_refused(&chat, "one", "as much as one turn may use").await;
    assert_eq!(bot.model.requests().len(), 1);
    bot.assert_clean();
}

async fn the_last_words_of_a_turn_are_not_asked_for_when_the_limit_is_reached(platform: Platform) {
    let settings = [
        ("AGENT__ROUTING", "off"),
        ("AGENT__MAX_STEPS", "1"),
        ("BUDGET__TURN_TOKENS", "30000"),
    ];
    let bot = TestBot::on_with(platform, &settings).await;
    bot.model.when(|_| {
        let calls = Answer::calls(vec![("list_dir", json!({"path": "."}))]);
        Some(calls.usage(30_000, 0))
    });
    let stopped = is_refused(&bot.direct(), "look", "looked at your files").await;
    assert!(stopped.text.contains("limit of 1 step"), "{stopped}");
    assert_eq!(bot.model.requests().len(), 1);
    bot.assert_clean();
}

/// Has a model repeat itself twice in a turn that may use so much; returns how often it was asked,
/// and how many tokens one such call was counted with.
async fn stuck(turn_tokens: u64) -> (usize, u64) {
    let limit = turn_tokens.to_string();
    let settings = [
        ("AGENT__ROUTING", "off"),
        ("BUDGET__TURN_TOKENS", limit.as_str()),
    ];
    let bot = TestBot::with(&settings).await;
    for _ in 0..2 {
        bot.model.answers(Answer::text("{".repeat(500)));
    }
    let chat = bot.direct();
    chat.says("give me some JSON");
    chat.settles(|message| message.text.starts_with('⚠') || message.text.contains("I stopped"))
        .await;
    let counted = bot
        .rows("SELECT CAST(sum(estimated_tokens) / sum(calls) AS TEXT) FROM usage")
        .await;
    (bot.model.requests().len(), counted[0].parse().unwrap())
}

#[tokio::test]
async fn a_second_try_is_not_made_when_the_limit_is_reached() {
    let (asked, tokens) = stuck(0).await;
    assert_eq!(asked, 2);
    let (asked, _) = stuck(tokens * 3 / 2).await;
    assert_eq!(asked, 1);
}
