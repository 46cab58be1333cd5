//! `routing = "parallel"`: Phase 2 is asked while Phase 1 decides, with the route that rules guess.

use sayso_fakes::{Answer, Gate, ModelRequest};
use serde_json::json;

use crate::platform::{Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    a_right_guess_waits_for_the_route_and_is_asked_once,
    a_wrong_guess_is_neither_shown_nor_run,
    a_question_back_drops_the_answer_that_was_under_way,
    a_kill_before_the_route_is_known_answers_once,
    a_stop_before_the_route_is_known_ends_both,
    what_is_near_a_limit_is_asked_one_after_the_other
);

const DIRECT: &str = r#"{"skills":[],"direct":true}"#;
const PARALLEL: (&str, &str) = ("AGENT__ROUTING", "parallel");

async fn parallel(platform: Platform) -> TestBot {
    TestBot::on_with(platform, &[PARALLEL]).await
}

/// Has Phase 1 answer this once the gate is open.
fn decides(bot: &TestBot, route: &str) -> Gate {
    let gate = Gate::new();
    bot.model.routes_with(Answer::text(route).held_by(&gate));
    gate
}

fn is_step(request: &ModelRequest) -> bool {
    !request.is_routing()
}

/// Returns what the routing report says of guesses.
async fn guesses(bot: &TestBot) -> String {
    let mut report = bot.command();
    report.args(["routing", "report", "--days", "1"]);
    let report = String::from_utf8(report.output().await.unwrap().stdout).unwrap();
    let line = report.lines().find(|line| line.contains("beside Phase 1"));
    line.unwrap_or_default()
        .split(", which")
        .next()
        .unwrap_or_default()
        .to_owned()
}

async fn a_right_guess_waits_for_the_route_and_is_asked_once(platform: Platform) {
    let bot = parallel(platform).await;
    let chat = bot.direct();
    let gate = decides(&bot, DIRECT);
    bot.model.says("4,806 metres.");
    chat.says("how high is Mont Blanc?");
    // The answer is complete before it is known whether it is wanted.
    bot.model.waits_for(is_step).await;
    bot.has_noted("SELECT state FROM turns WHERE state = 'running'")
        .await;
    assert!(
        !chat
            .messages()
            .iter()
            .any(|message| message.text.contains("4,806"))
    );
    gate.open();
    chat.settles(|message| message.text == "4,806 metres.")
        .await;
    assert_eq!(bot.model.requests().len(), 2);
    assert_eq!(
        guesses(&bot).await,
        "the answer was asked for beside Phase 1: 1; the guess was right: 1 (100 %), dropped: 0 (0 %)"
    );
    bot.assert_clean();
}

async fn a_wrong_guess_is_neither_shown_nor_run(platform: Platform) {
    let bot = parallel(platform).await;
    let chat = bot.direct();
    let gate = decides(&bot, r#"{"skills": ["rust-dev"], "direct": false}"#);
    let guessed = Answer::calls(vec![("list_dir", json!({"path": "."}))]);
    let unguided = guessed.and_calls("file_write", &json!({"path": "guessed", "content": "x"}));
    bot.model.answers(unguided);
    chat.says("how high is Mont Blanc?");
    bot.model.waits_for(is_step).await;
    bot.model.says("With the guide.");
    gate.open();
    chat.settles(|message| message.text == "With the guide.")
        .await;
    let guided: Vec<bool> = bot
        .model
        .turn_requests()
        .iter()
        .map(|request| request.mentions("## Skill: rust-dev"))
        .collect();
    assert_eq!(guided, [false, true]);
    assert!(chat.messages().iter().all(|message| !message.asks()));
    assert!(!bot.workspace().join("guessed").exists());
    assert_eq!(
        guesses(&bot).await,
        "the answer was asked for beside Phase 1: 1; the guess was right: 0 (0 %), dropped: 1 (100 %)"
    );
    bot.assert_clean();
}

async fn a_question_back_drops_the_answer_that_was_under_way(platform: Platform) {
    let bot = parallel(platform).await;
    let chat = bot.direct();
    let gate = decides(&bot, r#"{"skills": [], "question": "Which colour?"}"#);
    bot.model
        .answers(Answer::text("Painted it blue.").held_by(&gate));
    chat.says("paint the door");
    bot.model.waits_for(is_step).await;
    gate.open();
    chat.settles(|message| message.text.contains("Which colour?"))
        .await;
    let said = |words: &str| {
        let messages = chat.messages();
        messages.iter().any(|message| message.text.contains(words))
    };
    assert!(!said("blue"));
    bot.model.routes(DIRECT);
    bot.model.says("Painted it red.");
    chat.says("red");
    chat.settles(|message| message.text == "Painted it red.")
        .await;
    bot.assert_clean();
}

async fn a_kill_before_the_route_is_known_answers_once(platform: Platform) {
    let mut bot = parallel(platform).await;
    let chat = bot.direct();
    let gate = decides(&bot, DIRECT);
    bot.model.says("Too late.");
    chat.says("how high is Mont Blanc?");
    bot.model.waits_for(is_step).await;
    bot.kill().await;
    bot.model.routes(DIRECT);
    bot.model.says("4,806 metres.");
    bot.start();
    bot.settles_in().await;
    chat.settles(|message| message.text.contains("4,806 metres."))
        .await;
    gate.open();
    let answers = |text: &str| {
        let messages = chat.messages();
        messages.iter().filter(|it| it.text.contains(text)).count()
    };
    assert_eq!((answers("4,806 metres."), answers("Too late.")), (1, 0));
}

async fn a_stop_before_the_route_is_known_ends_both(platform: Platform) {
    let bot = parallel(platform).await;
    let chat = bot.direct();
    bot.model.routes_with(Answer::hangs());
    bot.model.answers(Answer::hangs());
    chat.says("think hard");
    bot.model.waits_for(is_step).await;
    chat.says("/stop");
    chat.settles(|message| message.text == "⏹ Stopped.").await;
    // Both are counted as asked and broken off.
    let asked = "SELECT CAST(count(*) AS TEXT) FROM usage WHERE calls > 1";
    assert_eq!(bot.rows(asked).await, ["1"], "both calls are booked");
    chat.says("hello again");
    chat.settles(|message| message.text == "ok: hello again")
        .await;
    bot.assert_clean();
}

/// A guess waits for nothing and has no owner asked for money.
async fn what_is_near_a_limit_is_asked_one_after_the_other(platform: Platform) {
    let limit = ("BUDGET__USER_DAY_TOKENS", "100000");
    let bot = TestBot::on_with(platform, &[PARALLEL, limit]).await;
    let chat = bot.direct();
    let gate = decides(&bot, DIRECT);
    chat.says("how high is Mont Blanc?");
    gate.reached_by(1).await;
    gate.open();
    chat.settles(|message| message.text == "ok: how high is Mont Blanc?")
        .await;
    assert_eq!(guesses(&bot).await, "");
    assert_eq!(bot.model.requests().len(), 2);
    bot.assert_clean();
}

/// A llama.cpp server with one slot would answer the guess before the route, or behind it.
#[tokio::test]
async fn llama_with_one_slot_is_asked_one_after_the_other_and_with_two_at_once() {
    for (slots, guessed) in [(1, ""), (2, "the answer was asked for beside Phase 1: 1")] {
        let mut bot = TestBot::closed(&[PARALLEL, ("PROVIDERS__0__KIND", "llama")]).await;
        bot.model.is_llama_with_slots(slots);
        bot.start();
        bot.settles_in().await;
        let chat = bot.direct();
        // What a server has to say of itself it says with its first answer.
        chat.says("hello");
        chat.settles(|message| message.text == "ok: hello").await;
        assert_eq!(guesses(&bot).await, "");
        let gate = decides(&bot, DIRECT);
        chat.says("how high is Mont Blanc?");
        gate.reached_by(1).await;
        if slots > 1 {
            bot.model.waits_for_request(4).await;
        }
        gate.open();
        chat.settles(|message| message.text == "ok: how high is Mont Blanc?")
            .await;
        let line = guesses(&bot).await;
        assert!(
            line.starts_with(guessed) && line.is_empty() == guessed.is_empty(),
            "{line}"
        );
        bot.assert_clean();
    }
}

#[tokio::test]
async fn a_service_that_limits_requests_is_asked_one_after_the_other() {
    let bot = TestBot::with(&[PARALLEL]).await;
    let chat = bot.direct();
    bot.model.answers(Answer::too_many(0));
    bot.model.routes_with(Answer::too_many(0));
    chat.says("hello");
    chat.settles(|message| message.text == "ok: hello").await;
    let before = bot.model.requests().len();
    let gate = decides(&bot, DIRECT);
    chat.says("how high is Mont Blanc?");
    gate.reached_by(1).await;
    gate.open();
    chat.settles(|message| message.text == "ok: how high is Mont Blanc?")
        .await;
    let asked = bot.model.requests().split_off(before);
    let phases: Vec<bool> = asked.iter().map(|request| request.is_routing()).collect();
    assert_eq!(phases, [true, false]);
    bot.assert_clean();
}
