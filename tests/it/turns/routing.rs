//! Phase 1, and what it loads for Phase 2.

use sayso_fakes::Answer;
use serde_json::json;

use super::conversation;
use crate::command_line::CommandLine;
use crate::platform::{Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    routing_is_a_small_cold_call_without_tools,
    a_routed_skill_is_in_view_for_one_turn,
    the_prompt_has_its_sections_in_order,
    a_message_is_answered_whatever_routing_says,
    rules_stand_in_where_routing_fails
);

async fn routing_is_a_small_cold_call_without_tools(platform: Platform) {
    let bot = TestBot::on_with(platform, &[("AGENT__ROUTING_MESSAGES", "4")]).await;
    let chat = bot.direct();
    for word in ["one", "two", "three", "four"] {
        chat.says(word);
        chat.hears().await;
    }
    let requests = bot.model.requests();
    let [routing, answering] = &requests[6..] else {
        panic!("two requests for each message, and not {}", requests.len())
    };
    assert!(routing.is_routing());
    assert_eq!(routing.temperature(), Some(0.1));
    assert!(routing.tools().is_empty());
    assert!(routing.is_streamed());
    assert_eq!(routing.model(), answering.model());
    assert_eq!(
        conversation(routing),
        [
            "user: two",
            "assistant: ok: two",
            "user: three",
            "assistant: ok: three",
            "user: four"
        ]
    );
    assert!(answering.is_streamed());
    assert!(!answering.tools().is_empty());
    bot.assert_clean();
}

async fn a_routed_skill_is_in_view_for_one_turn(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    bot.model
        .routes(r#"{"skills": ["rust-dev"], "direct": false}"#);
    bot.model.calls(vec![("list_dir", json!({"path": "."}))]);
    bot.model.says("It was the borrow checker.");
    chat.says("why does my crate not build?");
    chat.hears_with(|message| message.text.contains("borrow checker"))
        .await;
    chat.says("thank you");
    chat.hears().await;
    let turns = bot.model.turn_requests();
    let guided: Vec<bool> = turns
        .iter()
        .map(|request| request.mentions("## Skill: rust-dev"))
        .collect();
    assert_eq!(
        guided,
        [true, true, false],
        "both steps of the first turn, and not the second"
    );
    bot.assert_clean();
}

async fn the_prompt_has_its_sections_in_order(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    bot.model.calls(vec![(
        "memory_store",
        json!({"text": "Ann builds with stable Rust."}),
    )]);
    chat.says("I build with stable Rust, remember that");
    chat.hears_with(|message| message.text.starts_with("ok:"))
        .await;
    bot.model
        .routes(r#"{"skills": ["rust-dev", "code-review"], "direct": false}"#);
    chat.says("does my Rust build?");
    chat.hears().await;
    let system = bot.model.turn_requests().pop().unwrap().told();
    let places: Vec<usize> = [
        "Sayso",
        "[Skills]",
        "[Safety]",
        "[Principles]",
        "[Tools]",
        "[Environment]",
        "Chat: direct",
        "[Context]",
        "[Related memories]",
        "Ann builds with stable Rust.",
        "[Guides]",
        "## Skill: rust-dev",
        "## Skill: code-review",
        "Time: ",
    ]
    .iter()
    .map(|part| {
        system
            .find(part)
            .unwrap_or_else(|| panic!("no {part} in\n{system}"))
    })
    .collect();
    assert!(places.is_sorted(), "{places:?}\n{system}");
}

/// Whatever goes wrong in Phase 1, the message is answered, and the failure stays invisible to
/// users.
async fn a_message_is_answered_whatever_routing_says(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    let cases = [
        (
            "an unknown skill",
            Answer::text(r#"{"skills": ["astrology"], "direct": false}"#),
        ),
        ("words", Answer::text("I would simply do it.")),
        ("half an object", Answer::text(r#"{"skills": ["rust"#)),
        (
            "thoughts alone",
            Answer::text("").reasoning("they want a greeting"),
        ),
        (
            "no question",
            Answer::text(r#"{"skills": [], "direct": false, "question": " "}"#),
        ),
        (
            "a refusal",
            Answer::error(400, r#"{"error": {"message": "no"}}"#),
        ),
        (
            "both",
            Answer::text(r#"{"skills": ["rust-dev"], "direct": true}"#),
        ),
    ];
    for (case, answer) in cases {
        bot.model.routes_with(answer);
        chat.says(case);
        assert_eq!(chat.hears().await.text, format!("ok: {case}"));
    }
    assert_eq!(bot.model.unused(), 0);
    assert!(!chat.transcript().contains('{'), "{}", chat.transcript());
    let last = bot.model.turn_requests().pop().unwrap();
    assert!(
        last.mentions("## Skill: rust-dev"),
        "a named skill counts, whatever `direct` says"
    );
    bot.assert_clean();
}

async fn rules_stand_in_where_routing_fails(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    bot.model.routes("I cannot say.");
    chat.says("squash my git commits, the branch is a mess");
    chat.hears().await;
    let mut trace = bot.command();
    trace.args(["trace", "show", "last"]);
    let trace = String::from_utf8(trace.output().await.unwrap().stdout).unwrap();
    assert!(trace.contains("rules stood in"), "{trace}");
    chat.says("what can you do?");
    chat.hears().await;
    let guided: Vec<bool> = bot
        .model
        .turn_requests()
        .iter()
        .map(|request| request.mentions("## Skill: git-workflow"))
        .collect();
    assert_eq!(guided, [true, false]);
    let mut report = bot.command();
    report.args(["routing", "report", "--days", "1"]);
    let report = String::from_utf8(report.output().await.unwrap().stdout).unwrap();
    let counted: Vec<&str> = report
        .lines()
        .filter(|line| !line.contains(" ms "))
        .collect();
    insta::assert_snapshot!(counted.join("\n"), @r"
    messages routed in the last 1 days: 2
    direct: 1 (50 %), with skills: 1 (50 %), asked back: 0 (0 %)
    Phase 1 was asked: 2; it failed and the rules stood in: 1 (50 %)
    the rules decide like Phase 1: 1 (100 %) of 1
    kinds: CAPABILITY_QUERY 1, UNCERTAIN 1; worth a plan: 0
    ");
    bot.assert_clean();
}

#[tokio::test]
async fn what_rules_make_of_a_text_is_said_without_asking_anybody() {
    let here = CommandLine::new();
    let ran = here
        .run(
            &["routing", "explain", "fix the crash in my rust function"],
            "",
        )
        .await;
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.starts_with("kind: CODING_TASK"), "{}", ran.out);
    assert!(ran.out.contains("rust-dev: its name: rust"), "{}", ran.out);
    let refused = here.run(&["routing", "report", "--days", "0"], "").await;
    assert_eq!(refused.code, Some(2));
    assert!(refused.err.contains("1..=36500"), "{}", refused.err);
}
