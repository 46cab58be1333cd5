//! kill -9 while a model call is under way: it is counted, and counted once.

use std::time::Duration;

use sayso_fakes::{Answer, Gate};

use super::number;
use crate::platform::Platform;
use crate::test_bot::TestBot;

/// What each answer costs here.
const COUNTED: u64 = 3_000;
const CALLS: &str = "SELECT CAST(sum(calls) AS TEXT) FROM usage";
const TOKENS: &str = "SELECT CAST(sum(prompt_tokens + completion_tokens) AS TEXT) FROM usage";
const OPEN: &str = "SELECT CAST(sum(open_tokens) AS TEXT) FROM usage WHERE open_tokens > 0";
const ESTIMATED: &str = "SELECT CAST(sum(estimated_tokens) AS TEXT) FROM usage";

/// An answer that reports what it costs here.
fn counted(text: &str) -> Answer {
    Answer::text(text).usage(COUNTED - 1, 1)
}

/// Waits until a call is set aside on disk.
async fn is_set_aside(bot: &TestBot) {
    let deadline = tokio::time::Instant::now() + crate::test_bot::PATIENCE;
    while number(bot, OPEN).await == 0 {
        assert!(
            tokio::time::Instant::now() < deadline,
            "nothing is set aside"
        );
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn a_call_that_a_crash_cut_off_counts_as_estimated() {
    let mut bot = TestBot::closed_on(Platform::Telegram, &[("AGENT__ROUTING", "off")]).await;
    bot.start();
    bot.model.answers(counted("ok: before"));
    let chat = bot.direct();
    chat.says("before");
    chat.settles(|message| message.text == "ok: before").await;
    let gate = Gate::new();
    let held = Answer::text("never heard").held_by(&gate);
    bot.model.answers(held);
    bot.model.answers(counted("ok: hello"));
    chat.says("hello");
    bot.model.waits_for_request(2).await;
    is_set_aside(&bot).await;
    let set_aside = number(&bot, OPEN).await;
    bot.crash().await;
    chat.settles(|message| message.text.contains("ok: hello"))
        .await;
    bot.stop().await;
    assert_eq!(bot.model.requests().len(), 3);
    assert_eq!(number(&bot, CALLS).await, 3, "each call counts once");
    assert_eq!(number(&bot, ESTIMATED).await, set_aside);
    assert_eq!(number(&bot, TOKENS).await, 2 * COUNTED + set_aside);
    assert_eq!(number(&bot, OPEN).await, 0);
}

#[tokio::test]
async fn a_crash_at_any_moment_around_an_answer_loses_and_doubles_nothing() {
    for milliseconds in [0, 2, 5, 10, 20, 40] {
        let mut bot = TestBot::closed_on(Platform::Telegram, &[("AGENT__ROUTING", "off")]).await;
        bot.start();
        let chat = bot.direct();
        let gate = Gate::new();
        bot.model.answers(counted("held").held_by(&gate));
        bot.model.answers(counted("ok: hello"));
        chat.says("hello");
        bot.model.waits_for_request(1).await;
        is_set_aside(&bot).await;
        gate.open();
        tokio::time::sleep(Duration::from_millis(milliseconds)).await;
        bot.crash().await;
        // What was on the wire at that moment is said again, with a mark below it.
        let is_answer = |text: &str| ["held", "ok: hello"].contains(&text);
        chat.settles(|message| message.text.lines().next().is_some_and(is_answer))
            .await;
        bot.stop().await;
        let made = bot.model.requests().len() as u64;
        assert_eq!(number(&bot, CALLS).await, made, "{milliseconds} ms");
        let reported = number(&bot, TOKENS).await - number(&bot, ESTIMATED).await;
        let estimated = u64::from(number(&bot, ESTIMATED).await > 0);
        assert_eq!(reported, COUNTED * (made - estimated), "{milliseconds} ms");
    }
}

#[tokio::test]
async fn a_call_that_is_stopped_is_paid_for() {
    let bot = TestBot::with(&[("AGENT__ROUTING", "off")]).await;
    let chat = bot.direct();
    let gate = Gate::new();
    bot.model
        .answers(Answer::text("never heard").held_by(&gate));
    chat.says("hello");
    bot.model.waits_for_request(1).await;
    chat.says("/stop");
    chat.settles(|message| message.text.contains("topped"))
        .await;
    assert_eq!(number(&bot, CALLS).await, 1);
    assert!(number(&bot, ESTIMATED).await > 0);
}
