//! Stories of work on code with real parts: a crate that cargo tests, and a plan that its person
//! changes before it is followed.

use sayso_fakes::{Answer, Message};
use serde_json::{Value, json};

use super::patches::{
    MENDED, MENDS, SUMS, SYSTEM, TEST_OF_SUMS, approves, at_work_with, content, hears, patch, read,
    result, runs, runs_tests,
};
use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    a_failing_test_of_a_crate_is_mended,
    a_plan_is_changed_by_a_reply_and_followed_in_a_project
);

const MANIFEST: &str = "\
[package]
name = \"sums\"
version = \"0.1.0\"
edition = \"2021\"

[workspace]
";
const LIBRARY: &str = "\
//! Sums.

/// Returns the sum of prices.
pub fn total(prices: &[u64]) -> u64 {
    prices.iter().skip(1).sum()
}

#[cfg(test)]
mod tests {
    #[test]
    fn all_prices_count() {
        assert_eq!(super::total(&[1, 2, 3]), 6);
    }
}
";
const MENDS_LIBRARY: &str = "\
*** Update File: src/lib.rs
@@ pub fn total(prices: &[u64]) -> u64 {
-    prices.iter().skip(1).sum()
+    prices.iter().sum()";

/// Returns whether there is a cargo; what a bare system lacks cannot be shown on it.
fn has_cargo() -> bool {
    let programs = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&programs).any(|folder| folder.join("cargo").is_file())
}

fn cargo_test() -> (&'static str, Value) {
    runs("cargo test --offline --lib")
}

/// Returns the results that the model was given, in their order.
fn results(bot: &TestBot) -> Vec<String> {
    let requests = bot.model.turn_requests();
    let later = requests.iter().skip(1);
    later.map(|request| request.last_tool_result()).collect()
}

async fn a_failing_test_of_a_crate_is_mended(platform: Platform) {
    if !has_cargo() {
        return;
    }
    let files = [("Cargo.toml", MANIFEST), ("src/lib.rs", LIBRARY)];
    let settings = [("AGENT__ROUTING", "off")];
    // The toolchain is in the home of the person who runs the tests.
    let home = std::env::var("HOME").unwrap_or_default();
    let (site, bot, chat) = at_work_with(platform, &files, &settings, &[("HOME", &home)]).await;
    bot.model.calls(vec![cargo_test()]);
    bot.model
        .calls(vec![("grep", json!({"pattern": "fn total"}))]);
    bot.model.calls(vec![read("src/lib.rs")]);
    bot.model.calls(vec![patch(MENDS_LIBRARY)]);
    bot.model.calls(vec![cargo_test()]);
    bot.model.says("It skipped the first price.");
    chat.says("the test of the sums fails, have a look");
    approves(&bot, &chat).await;
    let card = chat
        .hears_with(|message| message.asks() && message.text.contains("src/lib.rs +1 -1"))
        .await;
    let diff = chat.code_blocks(card.id).join("\n");
    assert!(
        diff.contains("-    prices.iter().skip(1).sum()\n+    prices.iter().sum()"),
        "{diff}"
    );
    chat.press(&bot.ann, card.id, "Approve").await;
    approves(&bot, &chat).await;
    hears(&chat, "It skipped the first price.").await;
    let results = results(&bot);
    for part in ["tests::all_prices_count", "src/lib.rs:12"] {
        assert!(results[0].contains(part), "{part}: {}", results[0]);
    }
    assert!(results[1].contains("src/lib.rs"), "{}", results[1]);
    assert!(results[4].contains("1 passed"), "{}", results[4]);
    let mended = LIBRARY.replace(".skip(1)", "");
    assert_eq!(content(&site, "src/lib.rs"), mended);
    bot.assert_clean();
}

fn plan(steps: &[(&str, &str)]) -> Answer {
    let steps: Vec<Value> = steps
        .iter()
        .map(|(text, check)| json!({ "text": text, "check": check }))
        .collect();
    Answer::text(json!({ "steps": steps }).to_string())
}

/// Waits for the plan that is asked about.
async fn proposal(chat: &Chat, step: &str) -> Message {
    chat.settles(|message| message.asks() && message.text.contains(step))
        .await
}

async fn a_plan_is_changed_by_a_reply_and_followed_in_a_project(platform: Platform) {
    const REQUEST: &str = "fix the bug in sums.py, the function total leaves out the first price";
    let files = [("sums.py", SUMS), ("test_sums.py", TEST_OF_SUMS)];
    let settings = [("AGENT__PLANNING", "auto"), ("AGENT__PLAN_APPROVAL", "ask")];
    let (site, bot, chat) = at_work_with(platform, &files, &settings, &[SYSTEM]).await;
    bot.model
        .plans_with(plan(&[("Mend total", "it reads well")]));
    chat.says(REQUEST);
    let question = proposal(&chat, "☐ Mend total → it reads well").await;
    assert!(bot.model.turn_requests().is_empty(), "nothing is done yet");
    let steps = [
        ("See the test fail", "test_total fails"),
        ("Mend total", "the tests pass"),
    ];
    bot.model.plans_with(plan(&steps));
    bot.model.calls(vec![runs_tests()]);
    let ticked = json!({"steps": [
        {"text": "See the test fail", "done": true},
        {"text": "Mend total"},
    ]});
    bot.model.calls(vec![("plan", ticked)]);
    bot.model.calls(vec![patch(MENDS)]);
    bot.model.calls(vec![runs_tests()]);
    bot.model.says("The first price counts now.");
    chat.replies(question.id, "see the test fail first");
    approves(&bot, &chat).await;
    let card = chat
        .hears_with(|message| message.asks() && message.text.contains("sums.py +1 -1"))
        .await;
    chat.settles(|message| message.text.contains("☑ See the test fail"))
        .await;
    assert_eq!(content(&site, "sums.py"), SUMS, "nothing without a yes");
    chat.press(&bot.ann, card.id, "Approve").await;
    approves(&bot, &chat).await;
    hears(&chat, "The first price counts now.").await;
    assert_eq!(content(&site, "sums.py"), MENDED);
    assert!(result(&bot).contains("OK"), "{}", result(&bot));
    let asked = bot.model.planning_requests();
    assert_eq!(asked.len(), 2);
    let change = asked[1].last_user();
    for part in [REQUEST, "1. Mend total", "see the test fail first"] {
        assert!(change.contains(part), "{part} is in: {change}");
    }
    let first = &bot.model.turn_requests()[0];
    assert!(first.mentions("☐ See the test fail → test_total fails"));
    assert!(!first.mentions("it reads well → "), "the old plan");
    chat.becomes(question.id, |message| !message.asks()).await;
    bot.assert_clean();
}
