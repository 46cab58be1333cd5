//! Many chats at once, which share a limit: together they pass it by one answer, and no one is refused
//! while there is something left.

use std::time::Duration;

use sayso_fakes::{Answer, Gate};

use super::{number, open_unscripted};
use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    r2_a_person_in_many_chats_at_once_passes_a_limit_by_at_most_one_calls_answer,
    r2_who_waits_for_other_answers_goes_on_when_they_are_counted
);

const TOKENS: &str =
    "SELECT CAST(sum(prompt_tokens + completion_tokens + open_tokens) AS TEXT) FROM usage";
const MICROS: &str = "SELECT CAST(sum(micros + open_micros) AS TEXT) FROM usage";

/// A person may say no more than 30 messages at once; the ledger's test has 64 chats.
const MANY: usize = 28;

/// Has every answer take a while, and cost this many tokens.
fn answers_slowly(bot: &TestBot, prompt: u64, completion: u64) {
    bot.model.when(move |request| {
        let text = format!("ok: {}", request.last_user());
        let answer = Answer::text(text).usage(prompt, completion);
        Some(answer.after(Duration::from_millis(300)))
    });
}

/// Has Bob write in this many groups at once, and waits until each has its outcome; returns how many were
/// refused.
async fn asks_in_groups(bot: &TestBot, count: usize, words: &str) -> usize {
    let groups = (1..=count).map(|number| bot.group(&format!("Group {number} {words}")));
    let groups: Vec<Chat> = groups.map(|group| group.with(&bot.bob)).collect();
    for group in &groups {
        group.says(&format!("@sayso_bot {words}"));
    }
    let mut refused = 0;
    for group in &groups {
        let ended = group
            .settles(|message| {
                message.text.contains("I stopped here") || message.text.contains("ok: ")
            })
            .await;
        refused += usize::from(ended.text.contains("I stopped here"));
    }
    refused
}

async fn r2_a_person_in_many_chats_at_once_passes_a_limit_by_at_most_one_calls_answer(
    platform: Platform,
) {
    let bot = open_unscripted(platform, &[("BUDGET__USER_DAY_TOKENS", "20000")]).await;
    answers_slowly(&bot, 1_700, 30_000);
    let refused = asks_in_groups(&bot, MANY, "go").await;
    assert_eq!((bot.model.requests().len(), refused), (1, MANY - 1));
    assert!(number(&bot, TOKENS).await <= 20_000 + 31_700);
    bot.assert_clean();
}

async fn r2_who_waits_for_other_answers_goes_on_when_they_are_counted(platform: Platform) {
    let bot = open_unscripted(platform, &[("BUDGET__USER_DAY_TOKENS", "100000")]).await;
    answers_slowly(&bot, 1_700, 3_000);
    assert_eq!(
        asks_in_groups(&bot, 12, "go").await,
        0,
        "most of the day is left"
    );
    // An answer may be out before it is booked.
    bot.has_noted("SELECT 'booked' WHERE NOT EXISTS (SELECT 1 FROM usage WHERE open_tokens > 0)")
        .await;
    assert_eq!(number(&bot, TOKENS).await, 12 * 4_700);
    bot.assert_clean();
}

#[tokio::test]
async fn r2_limits_of_everybody_and_of_money_are_passed_by_one_answer() {
    let settings = [
        ("PRICES__0__MODEL", "fake-1"),
        ("PRICES__0__INPUT", "1"),
        ("PRICES__0__OUTPUT", "4"),
        ("BUDGET__INSTANCE_MONTH_MONEY", "0.2"),
    ];
    let bot = open_unscripted(Platform::Telegram, &settings).await;
    answers_slowly(&bot, 1_700, 30_000);
    let ann = bot.direct();
    ann.says("me too");
    let refused = asks_in_groups(&bot, 12, "go").await;
    // Each call costs 0.1217; two go beyond the limit, and no more are made.
    assert_eq!(bot.model.requests().len(), 2, "{refused} refused");
    assert!(number(&bot, MICROS).await <= 200_000 + 121_700);
    bot.assert_clean();
}

#[tokio::test]
async fn r2_far_from_the_limit_no_one_waits() {
    let bot = open_unscripted(Platform::Telegram, &[]).await;
    let gate = Gate::new();
    let held = gate.clone();
    bot.model
        .when(move |_| Some(Answer::text("ok: all").usage(1_700, 100).held_by(&held)));
    let asking = asks_in_groups(&bot, 16, "go");
    let all_at_once = async {
        gate.reached_by(16).await;
        gate.open();
    };
    let (refused, ()) = tokio::join!(asking, all_at_once);
    assert_eq!(refused, 0);
    bot.assert_clean();
}

#[tokio::test]
async fn r2_who_waits_for_other_answers_can_stop() {
    let bot = open_unscripted(Platform::Telegram, &[("BUDGET__USER_DAY_TOKENS", "100000")]).await;
    let gate = Gate::new();
    let held = gate.clone();
    bot.model
        .when(move |_| Some(Answer::text("ok: held").usage(1_700, 100).held_by(&held)));
    let bob = bot.direct_with(&bot.bob);
    bob.says("first");
    gate.reached_by(1).await;
    let group = bot.group("Garden").with(&bot.bob);
    group.says("@sayso_bot second");
    bot.has_heard_all().await;
    group.says("/stop");
    group
        .settles(|message| message.text.contains("topped"))
        .await;
    assert_eq!(bot.model.requests().len(), 1);
    gate.open();
    bob.settles(|message| message.text == "ok: held").await;
    bot.assert_clean();
}

#[tokio::test]
async fn r2_a_crash_with_calls_in_flight_keeps_no_one_waiting() {
    let settings = [("BUDGET__USER_DAY_TOKENS", "100000")];
    let mut bot = open_unscripted(Platform::Telegram, &settings).await;
    let gate = Gate::new();
    let held = Answer::text("never heard").usage(1_700, 100).held_by(&gate);
    bot.model.answers(held);
    let bob = bot.direct_with(&bot.bob);
    bob.says("first");
    gate.reached_by(1).await;
    let group = bot.group("Garden").with(&bot.bob);
    group.says("@sayso_bot second");
    bot.has_heard_all().await;
    bot.crash().await;
    bob.settles(|message| message.text.contains("ok: first"))
        .await;
    group
        .settles(|message| message.text.contains("ok: ") && message.text.contains("second"))
        .await;
    bot.has_noted("SELECT 'all' WHERE (SELECT sum(open_tokens) FROM usage) = 0")
        .await;
    bot.assert_clean();
}
