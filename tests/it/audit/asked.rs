//! Every call of a model is in the trace, whatever came of it: who was asked, which attempt it was,
//! how long it took and what ended it.

use sayso_fakes::{Answer, Gate};
use serde_json::{Value, json};

use super::{open, says_and_presses, trace};
use crate::test_bot::TestBot;

const COUNTED: &str = "SELECT CAST(sum(prompt_tokens + completion_tokens) AS TEXT) FROM usage";

/// The questions and answers of a trace, each pair in one line: what for, at which service, the
/// attempt and what ended it.
fn asked(lines: &[Value]) -> String {
    let mut said = Vec::new();
    for line in lines {
        if line["event"] != "llm_response" {
            continue;
        }
        let text = |field: &str| line[field].as_str().unwrap_or("?").to_owned();
        let ended = line["finish"].as_str().or(line["error"].as_str());
        let status = line["status"].as_u64().map(|status| format!(" {status}"));
        said.push(format!(
            "{} at {}, attempt {}: {}{}",
            text("purpose"),
            text("server"),
            line["attempt"],
            ended.unwrap_or("?"),
            status.unwrap_or_default()
        ));
    }
    said.join("\n")
}

/// Checks that the trace has a question and an answer for each request that the model has seen.
fn assert_complete(bot: &TestBot) -> Vec<Value> {
    let lines = trace(bot);
    let count = |event: &str| lines.iter().filter(|line| line["event"] == event).count();
    let requests = bot.model.requests().len();
    assert_eq!(count("llm_request"), requests, "{lines:#?}");
    assert_eq!(count("llm_response"), requests, "{lines:#?}");
    lines
}

#[tokio::test]
async fn every_call_of_a_whole_turn_says_how_it_was_asked() {
    let mut bot = open().await;
    let chat = bot.direct();
    says_and_presses(&bot, &chat, "run: touch approved", "Approve").await;
    bot.stop().await;
    let lines = assert_complete(&bot);
    insta::assert_snapshot!(asked(&lines), @r"
    route at fake, attempt 1: stop
    step at fake, attempt 1: tool_calls
    step at fake, attempt 1: stop
    ");
    for line in &lines {
        match line["event"].as_str().unwrap() {
            "llm_request" => {
                assert_eq!(line["model"], "fake-1");
                assert!(line["messages_count"].as_u64().unwrap() > 0, "{line}");
                assert!(line["estimated_tokens"].as_u64().unwrap() > 10, "{line}");
            }
            "llm_response" => {
                assert!(line["latency_ms"].is_u64(), "{line}");
                assert!(line["prompt_tokens"].as_u64().unwrap() > 0, "{line}");
            }
            _ => {}
        }
    }
    let ran = super::sayso(&bot, &["trace", "show", "last"]).await;
    let counted = &bot.rows(COUNTED).await[0];
    assert!(
        ran.out
            .replace(',', "")
            .contains(&format!("the budget counts {counted} tokens")),
        "{}",
        ran.out
    );
}

#[tokio::test]
async fn a_turn_that_fails_shows_each_attempt() {
    let mut bot = TestBot::open().await;
    // Rules stand in for a route that is not to be had, so it is asked for once.
    bot.model.routes_with(Answer::error(503, "busy"));
    for _ in 0..3 {
        bot.model.answers(Answer::garbage("{\"choices\": [[["));
    }
    let chat = bot.direct();
    chat.says("hello");
    chat.hears_with(|message| message.text.starts_with("⚠️"))
        .await;
    bot.stop().await;
    let lines = assert_complete(&bot);
    insta::assert_snapshot!(asked(&lines), @r"
    route at fake, attempt 1: broken 503
    step at fake, attempt 1: garbage
    step at fake, attempt 2: garbage
    step at fake, attempt 3: garbage
    ");
    let end = lines.last().unwrap();
    assert_eq!(
        (&end["event"], &end["reason"]),
        (&json!("stop_reason"), &json!("failed"))
    );
    let times: Vec<&str> = lines
        .iter()
        .map(|line| line["at"].as_str().unwrap())
        .collect();
    let requests: Vec<&Value> = lines
        .iter()
        .filter(|line| line["event"] == "llm_request")
        .collect();
    let mut begun: Vec<&str> = requests
        .iter()
        .map(|line| line["at"].as_str().unwrap())
        .collect();
    assert!(begun.is_sorted(), "{times:?}");
    begun.dedup();
    assert_eq!(begun.len(), 4, "each attempt has its own time: {times:?}");
}

#[tokio::test]
async fn a_failure_that_passed_stands_before_the_answer() {
    let mut bot = TestBot::with(&[("AGENT__ROUTING", "off")]).await;
    bot.model.answers(Answer::error(500, "oops"));
    bot.model.says("Better.");
    let chat = bot.direct();
    chat.says("hello");
    chat.hears_with(|message| message.text == "Better.").await;
    bot.stop().await;
    insta::assert_snapshot!(asked(&assert_complete(&bot)), @r"
    step at fake, attempt 1: broken 500
    step at fake, attempt 2: stop
    ");
}

#[tokio::test]
async fn an_answer_that_only_repeats_itself_is_a_call_too() {
    let mut bot = TestBot::with(&[("AGENT__ROUTING", "off")]).await;
    bot.model.answers(Answer::text("{".repeat(500)));
    bot.model.says("Better.");
    let chat = bot.direct();
    chat.says("hello");
    chat.hears_with(|message| message.text == "Better.").await;
    bot.stop().await;
    insta::assert_snapshot!(asked(&assert_complete(&bot)), @r"
    step at fake, attempt 1: repeating
    step at fake, attempt 2: stop
    ");
}

#[tokio::test]
async fn an_empty_answer_and_the_last_words_at_the_limit_are_calls_too() {
    let settings = [("AGENT__ROUTING", "off"), ("AGENT__MAX_STEPS", "1")];
    let mut bot = TestBot::with(&settings).await;
    bot.model.calls(vec![("list_dir", json!({"path": "."}))]);
    bot.model.says("I have looked.");
    let chat = bot.direct();
    chat.says("look");
    chat.hears_with(|message| message.text.contains("I have looked."))
        .await;
    bot.stop().await;
    insta::assert_snapshot!(asked(&assert_complete(&bot)), @r"
    step at fake, attempt 1: tool_calls
    conclude at fake, attempt 1: stop
    ");
    bot.start();
    // An answer of nothing is asked for again, twice.
    for _ in 0..3 {
        bot.model.answers(Answer::text("  \n"));
    }
    chat.says("again");
    chat.hears_with(|message| message.text.starts_with("⚠️"))
        .await;
    bot.stop().await;
    assert!(asked(&assert_complete(&bot)).ends_with("attempt 3: garbage"));
}

#[tokio::test]
async fn a_call_that_was_stopped_is_in_the_trace_and_tells_how_long_it_went() {
    let mut bot = TestBot::open().await;
    let chat = bot.direct();
    let gate = Gate::new();
    bot.model.routes_with(Answer::text("never").held_by(&gate));
    chat.says("hello");
    bot.model.waits_for_request(1).await;
    chat.says("/stop");
    chat.hears_with(|message| message.text.starts_with("⏹ Stopped"))
        .await;
    bot.model.answers(Answer::text("never").held_by(&gate));
    chat.says("hello again");
    bot.model.waits_for_request(3).await;
    chat.says("/stop");
    chat.hears_with(|message| message.text.starts_with("⏹ Stopped"))
        .await;
    bot.stop().await;
    insta::assert_snapshot!(asked(&assert_complete(&bot)), @r"
    route at fake, attempt 1: interrupted
    route at fake, attempt 1: stop
    step at fake, attempt 1: interrupted
    ");
}

#[tokio::test]
async fn a_call_that_a_crash_cut_off_is_in_the_trace_of_the_turn_that_goes_on() {
    let mut bot = open().await;
    let chat = bot.direct();
    let gate = Gate::new();
    bot.model.answers(Answer::text("never").held_by(&gate));
    chat.says("hello");
    bot.model.waits_for_request(2).await;
    bot
        .has_noted(
            "SELECT CAST(turn_id AS TEXT) FROM usage JOIN journal WHERE open_tokens > 0 AND kind = 'routed'",
        )
        .await;
    bot.crash().await;
    chat.hears_with(|message| message.text.contains("ok: hello"))
        .await;
    bot.stop().await;
    let lines = assert_complete(&bot);
    insta::assert_snapshot!(asked(&lines), @r"
    route at fake, attempt 1: stop
    ? at ?, attempt null: lost_in_a_crash
    step at fake, attempt 1: stop
    ");
    let turns: std::collections::BTreeSet<&str> = lines
        .iter()
        .map(|line| line["trace_id"].as_str().unwrap())
        .collect();
    assert_eq!(turns.len(), 1, "one turn, before and after: {turns:?}");
    let lost = lines
        .iter()
        .find(|line| line["error"] == "lost_in_a_crash")
        .unwrap();
    assert!(lost["prompt_tokens"].as_u64().unwrap() > 10, "{lost}");
    assert_eq!(lines.last().unwrap()["reason"], "replied");
}
