//! What is booked where a service reports little, nothing or nonsense, and of answers that broke off.

use sayso_fakes::Answer;
use serde_json::{Value, json};

use super::{number, open_unscripted};
use crate::platform::{Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    r5_thoughts_that_were_cut_are_paid_for_at_every_attempt,
    r14_empty_answers_cost_what_their_service_reports
);

const TOKENS: &str = "SELECT CAST(sum(prompt_tokens + completion_tokens) AS TEXT) FROM usage";
const ANSWERS: &str = "SELECT CAST(sum(completion_tokens) AS TEXT) FROM usage";
const OPEN: &str = "SELECT CAST(sum(open_tokens) AS TEXT) FROM usage";
const CALLS: &str = "SELECT CAST(sum(calls) AS TEXT) FROM usage";

/// A text that is estimated at 10,000 tokens and repeats nothing.
fn long_text() -> String {
    let lines = (0..4_000).map(|number| format!("line {number} says {}\n", number * number % 997));
    let mut text = lines.collect::<Vec<_>>().concat();
    text.truncate(40_000);
    text
}

/// Returns what is booked of a prompt, and of a long answer with such a report.
async fn booked(kind: &str, report: Value) -> (u64, u64) {
    let mut settings = vec![("PROVIDERS__0__KIND", kind), ("AGENT__ROUTING", "off")];
    if kind == "llama" {
        settings.push(("PROVIDERS__0__MODE", "completion"));
    }
    let bot = TestBot::with(&settings).await;
    if kind == "llama" {
        bot.model.is_llama();
    }
    bot.model
        .answers(Answer::text(long_text()).chunks_of(4_000).reports(report));
    let chat = bot.direct();
    chat.says("write a long text");
    bot.model.waits_for_request(1).await;
    bot.has_noted("SELECT 'booked' FROM usage WHERE calls = 1 AND open_tokens = 0")
        .await;
    let answer = number(&bot, ANSWERS).await;
    (number(&bot, TOKENS).await - answer, answer)
}

fn is_about(tokens: u64, expected: u64) -> bool {
    (expected * 9 / 10..=expected * 11 / 10).contains(&tokens)
}

#[tokio::test]
async fn r4_an_answer_that_is_not_reported_is_estimated_in_all_dialects() {
    for (kind, report) in [
        ("openai", json!({"prompt_tokens": 4000})),
        (
            "openai",
            json!({"prompt_tokens": 4000, "completion_tokens": 0}),
        ),
        (
            "openai",
            json!({"prompt_tokens": 4000, "completion_tokens": -7}),
        ),
        // It counts one token of an answer at its beginning.
        ("anthropic", json!({"input_tokens": 4000})),
        ("llama", json!({"tokens_evaluated": 4000})),
    ] {
        let (prompt, answer) = booked(kind, report.clone()).await;
        assert_eq!(prompt, 4000, "{kind} {report}");
        assert!(is_about(answer, 10_000), "{kind} {report}: {answer}");
    }
}

#[tokio::test]
async fn r4_thoughts_that_only_the_sum_counts_are_booked() {
    let report = json!({"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 20_015});
    assert_eq!(booked("openai", report).await, (10, 20_005));
    let (prompt, answer) = booked("openai", json!({"total_tokens": 99_999})).await;
    assert_eq!(prompt + answer, 99_999);
}

#[tokio::test]
async fn r4_a_report_that_is_far_too_low_is_not_believed() {
    for (kind, report) in [
        (
            "openai",
            json!({"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}),
        ),
        ("anthropic", json!({"input_tokens": 10, "output_tokens": 5})),
        (
            "llama",
            json!({"tokens_evaluated": 10, "tokens_predicted": 5}),
        ),
    ] {
        let (prompt, answer) = booked(kind, report).await;
        assert!(prompt > 200, "{kind}: {prompt}");
        assert!(is_about(answer, 10_000), "{kind}: {answer}");
    }
}

#[tokio::test]
async fn r15_absurd_reports_are_not_believed_and_booked_all_the_same() {
    let huge = json!(1_u64 << 63);
    for (kind, report) in [
        (
            "openai",
            json!({"prompt_tokens": huge, "completion_tokens": huge}),
        ),
        (
            "openai",
            json!({"prompt_tokens": 1e30, "completion_tokens": -5, "total_tokens": u64::MAX}),
        ),
        (
            "anthropic",
            json!({"input_tokens": u64::MAX, "output_tokens": huge, "cache_read_input_tokens": u64::MAX}),
        ),
        (
            "llama",
            json!({"tokens_evaluated": huge, "tokens_predicted": 100_000_001}),
        ),
    ] {
        let (prompt, answer) = booked(kind, report).await;
        assert!((200..20_000).contains(&prompt), "{kind}: {prompt}");
        assert!(is_about(answer, 10_000), "{kind}: {answer}");
    }
}

/// An unstable line and a thinking model: three attempts that break off in their thoughts.
async fn r5_thoughts_that_were_cut_are_paid_for_at_every_attempt(platform: Platform) {
    let bot = open_unscripted(platform, &[]).await;
    bot.model.when(|_| {
        let thinks = Answer::text("").reasoning(long_text());
        Some(thinks.chunks_of(4_000).broken())
    });
    let bob = bot.direct_with(&bot.bob);
    bob.says("think");
    bob.settles(|message| message.text.starts_with('⚠')).await;
    let made = bot.model.requests().len() as u64;
    assert!(made > 1, "it is asked again");
    bot.has_noted("SELECT 'booked' FROM usage WHERE open_tokens = 0")
        .await;
    assert_eq!(number(&bot, CALLS).await, made);
    assert!(is_about(number(&bot, ANSWERS).await, made * 10_000));
    let prompts = number(&bot, TOKENS).await - number(&bot, ANSWERS).await;
    assert!(prompts > made * 200, "each prompt is paid for: {prompts}");
    bot.assert_clean();
}

#[tokio::test]
async fn r5_what_was_cut_is_paid_for_when_a_later_attempt_answers() {
    let bot = open_unscripted(Platform::Telegram, &[]).await;
    let thinks = Answer::text("").reasoning(long_text());
    bot.model.answers(thinks.chunks_of(4_000).broken());
    bot.model.answers(Answer::text("There.").usage(2_000, 500));
    let bob = bot.direct_with(&bot.bob);
    bob.says("think");
    bob.settles(|message| message.text == "There.").await;
    bot.has_noted("SELECT 'booked' FROM usage WHERE calls = 2 AND open_tokens = 0")
        .await;
    assert!(is_about(number(&bot, ANSWERS).await, 10_500));
    bot.assert_clean();
}

#[tokio::test]
async fn r5_a_line_that_breaks_before_its_first_byte_is_free() {
    let bot = open_unscripted(Platform::Telegram, &[]).await;
    bot.model.answers(Answer::drops());
    bot.model.answers(Answer::text("There.").usage(2_000, 500));
    let bob = bot.direct_with(&bot.bob);
    bob.says("hello");
    bob.settles(|message| message.text == "There.").await;
    bot.has_noted("SELECT 'booked' FROM usage WHERE calls = 1 AND open_tokens = 0")
        .await;
    assert_eq!(number(&bot, TOKENS).await, 2_500);
    bot.assert_clean();
}

async fn r14_empty_answers_cost_what_their_service_reports(platform: Platform) {
    let bot = open_unscripted(platform, &[]).await;
    bot.model.when(|_| Some(Answer::text("").usage(1_500, 900)));
    let bob = bot.direct_with(&bot.bob);
    bob.says("hello");
    bob.settles(|message| message.text.starts_with('⚠')).await;
    let made = bot.model.requests().len() as u64;
    bot.has_noted("SELECT 'booked' FROM usage WHERE open_tokens = 0")
        .await;
    assert_eq!(number(&bot, TOKENS).await, made * 2_400);
    assert_eq!(number(&bot, OPEN).await, 0);
    bot.assert_clean();
}
