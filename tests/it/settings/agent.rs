//! `[agent]`: how a turn goes.

use sayso_fakes::{Answer, Gate};
use serde_json::json;

use crate::code::projects::{Site, asks};
use crate::platform::Platform;
use crate::test_bot::TestBot;

/// Each key and the test that proves its effect.
pub const PROOFS: &[(&str, fn())] = &[
    ("agent.autonomy", read_only_runs_nothing_and_asks_no_one),
    ("agent.routing", routing_is_how_often_the_model_is_asked),
    (
        "agent.parallel_prompt_tokens",
        longer_prompts_wait_for_the_first_phase,
    ),
    ("agent.routing_messages", routing_sees_so_many_messages),
    ("agent.planning", work_on_code_is_planned_or_not),
    ("agent.plan_approval", a_plan_waits_or_not),
    ("agent.map_tokens", a_request_about_code_has_a_map_or_not),
    ("agent.max_steps", turn_ends_after_so_many_steps),
    ("agent.turn_timeout_secs", turn_works_for_so_long),
    (
        "agent.while_busy",
        words_said_meanwhile_join_wait_or_interrupt,
    ),
    ("agent.history_messages", history_is_so_long),
    ("agent.concurrent_turns", so_many_turns_run_at_once),
];

#[tokio::test]
pub async fn read_only_runs_nothing_and_asks_no_one() {
    let bot = TestBot::with(&[("AGENT__AUTONOMY", "read_only")]).await;
    let chat = bot.direct();
    bot.model.calls(vec![
        ("shell", json!({"command": "touch ran"})),
        ("file_write", json!({"path": "written", "content": "x"})),
        ("list_dir", json!({"path": "."})),
    ]);
    bot.model.says("I may not.");
    chat.says("do it");
    chat.settles(|message| message.text == "I may not.").await;
    let request = bot.model.requests().pop().unwrap();
    let results = request.tool_results();
    for (_, refused) in &results[..2] {
        assert!(
            refused.contains("the autonomy level is `read_only`"),
            "{refused}"
        );
    }
    assert!(!results[2].1.contains("autonomy"), "{}", results[2].1);
    assert!(chat.messages().iter().all(|message| !message.asks()));
    assert!(!bot.workspace().join("ran").exists());
    assert!(!bot.workspace().join("written").exists());
    bot.assert_clean();
}

#[tokio::test]
pub async fn a_request_about_code_has_a_map_or_not() {
    for (tokens, has_map) in [("512", true), ("0", false)] {
        let site = Site::new();
        std::fs::write(site.path().join("args.py"), "def parse_args():\n    pass\n").unwrap();
        let bot = site
            .bot(Platform::Telegram, &[("AGENT__MAP_TOKENS", tokens)])
            .await;
        let chat = bot.direct();
        asks(&chat, "/project site").await;
        bot.logs("the index of a project is up to date").await;
        bot.model.says("It is mended.");
        assert_eq!(asks(&chat, CODING).await, "It is mended.");
        let request = bot.model.turn_requests().pop().unwrap();
        assert_eq!(request.mentions("def parse_args()"), has_map, "{tokens}");
        bot.assert_clean();
    }
}

const PLAN: &str = r#"{"steps": [{"text": "Mend it", "check": "the tests pass"}]}"#;
const CODING: &str = "fix the bug in parse_args, the function panics";

#[tokio::test]
pub async fn work_on_code_is_planned_or_not() {
    for (mode, plans) in [("auto", 1), ("off", 0)] {
        let bot = TestBot::with(&[("AGENT__PLANNING", mode)]).await;
        let chat = bot.direct();
        bot.model.says("It is mended.");
        chat.says(CODING);
        chat.settles(|message| message.text == "It is mended.")
            .await;
        assert_eq!(bot.model.planning_requests().len(), plans, "{mode}");
        bot.assert_clean();
    }
}

#[tokio::test]
pub async fn a_plan_waits_or_not() {
    for (mode, asks) in [("never", false), ("ask", true)] {
        let settings = [("AGENT__PLANNING", "auto"), ("AGENT__PLAN_APPROVAL", mode)];
        let bot = TestBot::with(&settings).await;
        let chat = bot.direct();
        bot.model.plans_with(Answer::text(PLAN));
        chat.says(CODING);
        let answered = chat
            .settles(|message| message.asks() || message.text.starts_with("ok: "))
            .await;
        assert_eq!(answered.asks(), asks, "{mode}: {}", answered.text);
        bot.assert_clean();
    }
}

#[tokio::test]
pub async fn routing_is_how_often_the_model_is_asked() {
    let modes = [
        ("two_phase", 2, 2),
        ("parallel", 2, 2),
        ("auto", 1, 2),
        ("off", 1, 1),
    ];
    for (routing, for_small_talk, for_work) in modes {
        let bot = TestBot::with(&[("AGENT__ROUTING", routing)]).await;
        let chat = bot.direct();
        for (text, calls) in [
            ("hello!", for_small_talk),
            ("hi, please review my code", for_work),
        ] {
            bot.model.forget_requests();
            let answer = format!("ok: {text}");
            bot.model.when(|request| {
                let is_asked = request.is_routing() && request.last_user().contains("review");
                is_asked.then(|| Answer::text(r#"{"skills": ["code-review"], "direct": false}"#))
            });
            chat.says(text);
            chat.settles(|message| message.text == answer).await;
            let asked = bot.model.requests();
            assert_eq!(asked.len(), calls, "{routing}: {text}");
            let routes = asked.iter().filter(|request| request.is_routing());
            assert_eq!(routes.count(), calls - 1, "{routing}: {text}");
        }
        bot.assert_clean();
    }
}

#[tokio::test]
pub async fn longer_prompts_wait_for_the_first_phase() {
    for (tokens, at_once) in [("16000", true), ("100", false)] {
        let bot = TestBot::with(&[
            ("AGENT__ROUTING", "parallel"),
            ("AGENT__PARALLEL_PROMPT_TOKENS", tokens),
        ])
        .await;
        let gate = Gate::new();
        let direct = Answer::text(r#"{"skills": [], "direct": true}"#);
        bot.model.routes_with(direct.held_by(&gate));
        let chat = bot.direct();
        chat.says("how high is Mont Blanc?");
        gate.reached_by(1).await;
        if at_once {
            bot.model.waits_for_request(2).await;
        }
        gate.open();
        let answer = "ok: how high is Mont Blanc?";
        chat.settles(|message| message.text == answer).await;
        let guessed =
            "SELECT CAST(count(*) AS TEXT) FROM journal WHERE body LIKE '%\"guess\":\"agreed\"%'";
        let expected = if at_once { "1" } else { "0" };
        assert_eq!(bot.rows(guessed).await, [expected], "{tokens}");
        bot.assert_clean();
    }
}

/// Has three exchanges, then one more, and returns how many earlier messages Phase 1 or Phase 2 saw.
async fn earlier_messages_in(bot: &TestBot, of_routing: bool) -> usize {
    let chat = bot.direct();
    // What is left out is not summed up before the last question.
    bot.model.sums_up_with(Answer::hangs());
    for number in 1..=4 {
        chat.says(&format!("question {number}"));
        let answer = format!("ok: question {number}");
        chat.settles(|message| message.text.contains(&answer)).await;
    }
    bot.assert_clean();
    let requests = bot.model.requests();
    let last = requests
        .iter()
        .rev()
        .find(|request| request.is_routing() == of_routing && !request.is_summing_up())
        .unwrap();
    let spoken = last
        .messages()
        .iter()
        .filter(|message| message["role"] != "system")
        .count();
    spoken - 1
}

#[tokio::test]
pub async fn routing_sees_so_many_messages() {
    let few = TestBot::with(&[("AGENT__ROUTING_MESSAGES", "2")]).await;
    assert_eq!(earlier_messages_in(&few, true).await, 2);
    let none = TestBot::with(&[("AGENT__ROUTING_MESSAGES", "0")]).await;
    assert_eq!(earlier_messages_in(&none, true).await, 0);
    let usual = TestBot::open().await;
    assert_eq!(earlier_messages_in(&usual, true).await, 6);
}

#[tokio::test]
pub async fn turn_works_for_so_long() {
    let bot = TestBot::with(&[("AGENT__TURN_TIMEOUT_SECS", "1")]).await;
    let chat = bot.direct();
    bot.model.answers(Answer::hangs());
    chat.says("think hard");
    chat.settles(|message| message.text.contains("for 1 s, and that is the limit"))
        .await;
}

#[tokio::test]
pub async fn history_is_so_long() {
    // The question counts too, and what does not fit is cut to three quarters.
    let short = TestBot::with(&[("AGENT__HISTORY_MESSAGES", "4")]).await;
    assert_eq!(earlier_messages_in(&short, false).await, 2);
    let longer = TestBot::with(&[("AGENT__HISTORY_MESSAGES", "8")]).await;
    assert_eq!(earlier_messages_in(&longer, false).await, 6);
}

#[tokio::test]
pub async fn turn_ends_after_so_many_steps() {
    let bot = TestBot::with(&[("AGENT__MAX_STEPS", "2")]).await;
    bot.model.when(|request| {
        let calls = || Answer::calls(vec![("list_dir", json!({"path": "."}))]);
        (!request.tools().is_empty()).then(calls)
    });
    let chat = bot.direct();
    bot.model.says("I looked twice.");
    chat.says("look until you find it");
    let last = chat
        .settles(|message| message.text.contains("reached its limit"))
        .await;
    assert!(last.text.contains("limit of 2 steps"), "{last}");
    assert!(last.text.contains("I looked twice."), "{last}");
    let steps = bot
        .model
        .requests()
        .iter()
        .filter(|asked| !asked.tools().is_empty())
        .count();
    assert_eq!(steps, 2);
    bot.assert_clean();
}

#[tokio::test]
pub async fn so_many_turns_run_at_once() {
    let bot = TestBot::with(&[("AGENT__CONCURRENT_TURNS", "2")]).await;
    let gate = Gate::new();
    let held = gate.clone();
    bot.model.when(move |request| {
        let holds = request.mentions("slow") && !request.is_routing();
        holds.then(|| Answer::text("slow is done").held_by(&held))
    });
    let (ann, bob) = (bot.direct(), bot.telegram.direct(&bot.bob));
    ann.says("slow");
    gate.reached_by(1).await;
    bob.says("swift");
    bob.settles(|message| message.text == "ok: swift").await;
    gate.open();
    ann.settles(|message| message.text == "slow is done").await;

    let bot = TestBot::with(&[("AGENT__CONCURRENT_TURNS", "1")]).await;
    let gate = Gate::new();
    let held = gate.clone();
    bot.model.when(move |request| {
        let holds = request.mentions("slow") && !request.is_routing();
        holds.then(|| Answer::text("slow is done").held_by(&held))
    });
    let (ann, bob) = (bot.direct(), bot.telegram.direct(&bot.bob));
    ann.says("slow");
    gate.reached_by(1).await;
    bob.says("swift");
    // A command behind it is answered at once, so what came before it was looked at as well.
    bob.says("/whoami");
    bob.hears_with(|message| message.text.contains("telegram:102"))
        .await;
    assert!(
        !bot.model
            .requests()
            .iter()
            .any(|request| request.mentions("swift"))
    );
    gate.open();
    bob.settles(|message| message.text == "ok: swift").await;
    bot.assert_clean();
}

#[tokio::test]
pub async fn words_said_meanwhile_join_wait_or_interrupt() {
    for (while_busy, turns) in [("steer", 1), ("queue", 2), ("interrupt", 2)] {
        let bot = TestBot::with(&[("AGENT__WHILE_BUSY", while_busy)]).await;
        let chat = bot.direct();
        let gate = Gate::new();
        let look = Answer::calls(vec![("list_dir", json!({"path": "."}))]);
        bot.model.answers(look.held_by(&gate));
        chat.says("look around");
        gate.reached_by(1).await;
        chat.says("and count");
        bot.has_heard_all().await;
        gate.open();
        chat.settles(|message| message.text.contains("and count") && message.is_from_bot())
            .await;
        bot.has_noted(
            "SELECT 'ended' WHERE NOT EXISTS (SELECT 1 FROM turns WHERE state <> 'ended')",
        )
        .await;
        let begun = bot.rows("SELECT request FROM turns").await;
        assert_eq!(begun.len(), turns, "{while_busy}");
        let stopped = chat.transcript().contains("topped");
        assert_eq!(stopped, while_busy == "interrupt", "{while_busy}");
        bot.assert_clean();
    }
}
