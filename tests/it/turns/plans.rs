//! The plan that is made before work on code: shown and followed, changed, stopped, dropped, and the
//! same after a kill.

use sayso_fakes::{Answer, Gate, Message};
use serde_json::{Value, json};

use super::conversation;
use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    a_plan_is_shown_and_followed,
    a_plan_is_shown_in_chinese_and_starts_with_the_button,
    a_plan_is_changed_by_a_reply_and_the_changed_one_is_followed,
    words_start_a_plan_and_words_stop_it,
    a_plan_is_stopped_by_its_button,
    a_plan_that_cannot_be_read_is_dropped,
    a_kill_while_a_plan_is_made_shows_one_plan,
    a_kill_while_a_plan_is_followed_makes_no_second_one,
    a_plan_that_waits_outlives_a_kill
);

const PLANS: (&str, &str) = ("AGENT__PLANNING", "auto");
const ASKS: (&str, &str) = ("AGENT__PLAN_APPROVAL", "ask");
const CODING: &str = "fix the bug in parse_args, the function panics";

fn plan(steps: &[(&str, &str)]) -> Answer {
    let steps: Vec<Value> = steps
        .iter()
        .map(|(text, check)| json!({ "text": text, "check": check }))
        .collect();
    Answer::text(json!({ "steps": steps }).to_string())
}

fn two_steps() -> Answer {
    plan(&[
        ("Find the panic", "grep names the line"),
        ("Mend it", "the tests pass"),
    ])
}

fn look(folder: &str) -> (&'static str, Value) {
    ("list_dir", json!({ "path": folder }))
}

async fn proposal(chat: &Chat) -> Message {
    chat.settles(|message| message.asks() && message.text.contains("Find the panic"))
        .await
}

async fn plans_in_journals(bot: &TestBot) -> Vec<String> {
    bot.rows("SELECT body FROM journal WHERE kind = 'planned' ORDER BY row")
        .await
}

async fn a_plan_is_shown_and_followed(platform: Platform) {
    let bot = TestBot::on_with(platform, &[PLANS]).await;
    let chat = bot.direct();
    let gate = Gate::new();
    bot.model.plans_with(two_steps());
    bot.model.calls(vec![look(".")]);
    let ticked = json!({"steps": [
        {"text": "Find the panic", "done": true},
        {"text": "Mend it"},
    ]});
    bot.model.calls(vec![("plan", ticked)]);
    bot.model
        .answers(Answer::text("It is mended.").held_by(&gate));
    chat.says(CODING);
    let live = chat
        .settles(|message| message.text.contains("☑ Find the panic"))
        .await;
    insta::assert_snapshot!(live.text, @r"
    ☑ Find the panic → grep names the line
    ☐ Mend it → the tests pass

    ✓ Looked at your files
    ");
    gate.open();
    chat.settles(|message| message.text == "It is mended.")
        .await;
    let steps = bot.model.turn_requests();
    assert!(steps[0].mentions("☐ Mend it → the tests pass"));
    assert!(steps[0].tools().contains(&"plan".to_owned()));
    assert_eq!(bot.model.planning_requests().len(), 1);
    chat.says("thank you");
    chat.settles(|message| message.text == "ok: thank you")
        .await;
    let later = bot.model.turn_requests().pop().unwrap();
    assert!(
        !later.mentions("Find the panic → "),
        "a plan is not history"
    );
    bot.assert_clean();
}

async fn a_plan_is_shown_in_chinese_and_starts_with_the_button(platform: Platform) {
    let bot = TestBot::on_with(platform, &[PLANS, ASKS, ("LANGUAGE", "zh-CN")]).await;
    let chat = bot.direct();
    bot.model.plans_with(plan(&[
        ("找到崩溃的位置", "grep 显示该行"),
        ("修复函数", "测试通过"),
    ]));
    chat.says("修复 parse_args 函数的 bug");
    let question = chat
        .settles(|message| message.asks() && message.text.contains("修复函数"))
        .await;
    insta::assert_snapshot!(question.text, @r"
    我的计划：
    ☐ 找到崩溃的位置 → grep 显示该行
    ☐ 修复函数 → 测试通过

    可以开始吗？要修改计划，请回复需要改的地方。
    ");
    assert_eq!(question.labels(), ["开始", "停止"]);
    bot.model.says("已经修好。");
    chat.press(&bot.ann, question.id, "开始").await;
    chat.settles(|message| message.text == "已经修好。").await;
    let step = bot.model.turn_requests().pop().unwrap();
    assert!(step.mentions("☐ 修复函数 → 测试通过"));
    assert_eq!(bot.model.planning_requests().len(), 1);
    bot.assert_clean();
}

async fn a_plan_is_changed_by_a_reply_and_the_changed_one_is_followed(platform: Platform) {
    let bot = TestBot::on_with(platform, &[PLANS, ASKS]).await;
    let chat = bot.direct();
    let gate = Gate::new();
    bot.model.plans_with(two_steps());
    chat.says(CODING);
    let question = proposal(&chat).await;
    assert!(bot.model.turn_requests().is_empty(), "nothing is done yet");
    bot.model.plans_with(plan(&[
        ("Write a failing test", "it fails"),
        ("Mend it", "the tests pass"),
    ]));
    bot.model.calls(vec![look(".")]);
    bot.model
        .answers(Answer::text("It is mended.").held_by(&gate));
    chat.replies(question.id, "a test first, please");
    let live = chat
        .settles(|message| message.text.contains("Looked at your files"))
        .await;
    insta::assert_snapshot!(live.text, @r"
    ☐ Write a failing test → it fails
    ☐ Mend it → the tests pass

    ✓ Looked at your files
    ");
    gate.open();
    chat.settles(|message| message.text == "It is mended.")
        .await;
    let asked = bot.model.planning_requests();
    let change = asked[1].last_user();
    for part in [CODING, "1. Find the panic", "a test first, please"] {
        assert!(change.contains(part), "{part} is in: {change}");
    }
    let step = &bot.model.turn_requests()[0];
    assert!(step.mentions("☐ Write a failing test → it fails"));
    let told = conversation(step);
    assert_eq!(told[0], format!("user: {CODING}"));
    assert!(told[1].starts_with("assistant: My plan:"), "{}", told[1]);
    // On Discord a reply quotes what it answers.
    assert!(told[2].ends_with("a test first, please"), "{}", told[2]);
    assert!(
        told[3].starts_with("user: [note] Your plan."),
        "{}",
        told[3]
    );
    chat.becomes(question.id, |message| !message.asks()).await;
    bot.assert_clean();
}

async fn words_start_a_plan_and_words_stop_it(platform: Platform) {
    let bot = TestBot::on_with(platform, &[PLANS, ASKS]).await;
    let chat = bot.direct();
    bot.model.plans_with(two_steps());
    chat.says(CODING);
    let first = proposal(&chat).await;
    bot.model.says("It is mended.");
    chat.says("Go ahead!");
    chat.settles(|message| message.text == "It is mended.")
        .await;
    let step = bot.model.turn_requests().pop().unwrap();
    assert!(step.mentions("☐ Mend it → the tests pass"));
    assert_eq!(bot.model.planning_requests().len(), 1);

    bot.model.plans_with(two_steps());
    chat.says(CODING);
    chat.settles(|message| message.id != first.id && message.asks())
        .await;
    chat.says("no");
    chat.settles(|message| message.text == "ok: no").await;
    let step = bot.model.turn_requests().pop().unwrap();
    assert!(!step.mentions("Your plan"), "what is stopped is no plan");
    assert_eq!(bot.model.planning_requests().len(), 2);
    bot.assert_clean();
}

async fn a_plan_is_stopped_by_its_button(platform: Platform) {
    let bot = TestBot::on_with(platform, &[PLANS, ASKS]).await;
    let chat = bot.direct();
    bot.model.plans_with(two_steps());
    chat.says(CODING);
    let question = proposal(&chat).await;
    assert_eq!(question.labels(), ["Go", "Stop"]);
    chat.press(&bot.ann, question.id, "Stop").await;
    let stopped = chat.becomes(question.id, |message| !message.asks()).await;
    insta::assert_snapshot!(stopped.text, @r"
    My plan:
    ☐ Find the panic → grep names the line
    ☐ Mend it → the tests pass

    Shall I start? To change the plan, reply with what should be different.

    ⏹ Stopped. Nothing was done.
    ");
    let late = chat
        .press_token(&bot.ann, question.id, &question.token("Go"))
        .await;
    insta::assert_snapshot!(late.text.unwrap_or_default(), @"This was already answered. Nothing changed.");
    assert!(bot.model.turn_requests().is_empty(), "nothing was done");
    bot.assert_clean();
}

async fn a_plan_that_cannot_be_read_is_dropped(platform: Platform) {
    let bot = TestBot::on_with(platform, &[PLANS, ASKS]).await;
    let chat = bot.direct();
    bot.model.plans_with(Answer::text("I would look first."));
    bot.model.says("It is mended.");
    chat.says(CODING);
    chat.settles(|message| message.text == "It is mended.")
        .await;
    bot.logs("unreadable plan; continuing without a plan").await;
    let step = bot.model.turn_requests().pop().unwrap();
    assert!(!step.mentions("Your plan"));
    bot.assert_clean();
}

async fn a_kill_while_a_plan_is_made_shows_one_plan(platform: Platform) {
    let mut bot = TestBot::on_with(platform, &[PLANS]).await;
    let chat = bot.direct();
    let (made, worked) = (Gate::new(), Gate::new());
    bot.model.plans_with(two_steps().held_by(&made));
    chat.says(CODING);
    made.reached_by(1).await;
    bot.kill().await;
    made.open();
    bot.model.plans_with(two_steps());
    bot.model
        .answers(Answer::text("It is mended.").held_by(&worked));
    bot.start();
    bot.settles_in().await;
    worked.reached_by(1).await;
    chat.settles(|message| message.text.contains("☐ Find the panic"))
        .await;
    worked.open();
    chat.settles(|message| message.text == "It is mended.")
        .await;
    assert_eq!(plans_in_journals(&bot).await.len(), 1);
    bot.assert_clean();
}

async fn a_kill_while_a_plan_is_followed_makes_no_second_one(platform: Platform) {
    let mut bot = TestBot::on_with(platform, &[PLANS]).await;
    let chat = bot.direct();
    let gate = Gate::new();
    let held = gate.clone();
    bot.model.plans_with(two_steps());
    bot.model.when(move |request| {
        let is_step = !request.is_routing() && request.mentions("Your plan");
        is_step.then(|| Answer::text("It is mended.").held_by(&held))
    });
    chat.says(CODING);
    gate.reached_by(1).await;
    chat.settles(|message| message.text.contains("☐ Find the panic"))
        .await;
    bot.crash_when_noted().await;
    gate.reached_by(2).await;
    chat.settles(|message| message.text.contains("☐ Find the panic"))
        .await;
    gate.open();
    chat.settles(|message| message.text == "It is mended.")
        .await;
    assert_eq!(bot.model.planning_requests().len(), 1);
    assert_eq!(plans_in_journals(&bot).await.len(), 1);
    bot.assert_clean();
}

async fn a_plan_that_waits_outlives_a_kill(platform: Platform) {
    let mut bot = TestBot::on_with(platform, &[PLANS, ASKS]).await;
    let chat = bot.direct();
    bot.model.plans_with(two_steps());
    chat.says(CODING);
    let question = proposal(&chat).await;
    bot.crash_when_noted().await;
    bot.model.says("It is mended.");
    chat.press(&bot.ann, question.id, "Go").await;
    chat.settles(|message| message.text == "It is mended.")
        .await;
    assert_eq!(bot.model.planning_requests().len(), 1);
    let proposals = chat.messages().into_iter();
    let proposals = proposals.filter(|message| message.text.contains("My plan:"));
    assert_eq!(proposals.count(), 1);
    bot.assert_clean();
}
