//! Presses on a question while something else is under way: which one counts, the reply to each,
//! and what remains after a kill.

use sayso_fakes::{Answer, Gate, Message};
use serde_json::json;

use super::conversation;
use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    of_two_presses_the_first_counts_and_the_other_is_told,
    an_answer_in_time_counts_however_late_its_turn_begins,
    an_answer_outlives_a_kill_before_its_turn_and_is_heard_once,
    a_press_after_the_time_is_told_so
);

const WHICH: &str = r#"{"skills": [], "direct": false, "question": "Which wall?", "choices": ["The left one", "The right one"]}"#;

/// Has Ann asked which wall to paint, and the group busy with something else of hers, up to the
/// gate.
async fn asked_and_busy(bot: &TestBot) -> (Chat, Message, Gate) {
    let group = bot.group("Painters").with(&bot.ann);
    bot.model.routes(WHICH);
    group.says("@sayso_bot paint the wall");
    let question = group.hears().await;
    let gate = Gate::new();
    let held = gate.clone();
    bot.model.when(move |request| {
        let is_it = !request.is_routing()
            && request.last_user().contains("look around")
            && request.tool_results().is_empty();
        let look = Answer::calls(vec![("list_dir", json!({"path": "."}))]);
        is_it.then(|| look.held_by(&held))
    });
    group.says("@sayso_bot look around");
    gate.reached_by(1).await;
    (group, question, gate)
}

/// Waits until the answer's turn has ended, and something that was said after it was answered too.
async fn has_answered(group: &Chat) -> Vec<String> {
    group
        .settles(|message| message.text.contains("ok: The "))
        .await;
    group.says("@sayso_bot the end");
    group
        .settles(|message| message.text.contains("the end") && message.is_from_bot())
        .await;
    let answered = group.messages().into_iter();
    answered
        .filter(|message| message.is_from_bot() && message.text.starts_with("ok: The "))
        .map(|message| message.text)
        .collect()
}

/// What the model saw of the question, its request and its answer.
fn told_of_the_wall(bot: &TestBot) -> Vec<String> {
    let turns = bot.model.turn_requests();
    let turn = turns
        .iter()
        .find(|turn| turn.last_user().starts_with("The "))
        .unwrap();
    conversation(turn).into_iter().rev().take(3).rev().collect()
}

async fn of_two_presses_the_first_counts_and_the_other_is_told(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (group, question, gate) = asked_and_busy(&bot).await;
    let presses = ["The left one", "The right one"]
        .map(|label| group.presses_token(&bot.ann, question.id, &question.token(label)));
    let mut told = Vec::new();
    for press in presses {
        told.push(press.answered().await.text.unwrap_or_default());
    }
    let shown = group.becomes(question.id, |message| !message.asks()).await;
    let counted = ["The left one", "The right one"]
        .into_iter()
        .zip(&told)
        .filter(|(_, told)| told.is_empty())
        .map(|(label, _)| label)
        .collect::<Vec<_>>();
    let [counted] = counted[..] else {
        panic!("one press counts: {told:?}");
    };
    assert!(shown.text.contains(&format!("↳ {counted}")), "{shown}");
    told.sort();
    assert_eq!(told, ["", "This was already answered. Nothing changed."]);
    gate.open();
    assert_eq!(has_answered(&group).await, [format!("ok: {counted}")]);
    bot.assert_clean();
}

async fn an_answer_in_time_counts_however_late_its_turn_begins(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (group, question, gate) = asked_and_busy(&bot).await;
    group.press(&bot.ann, question.id, "The left one").await;
    bot.change("UPDATE questions SET expires_ms = 1").await;
    bot.change("UPDATE prompts SET expires_ms = 1 WHERE kind = 'question'")
        .await;
    gate.open();
    assert_eq!(has_answered(&group).await, ["ok: The left one"]);
    insta::assert_snapshot!(told_of_the_wall(&bot).join("\n"), @r"
    user: Ann: paint the wall
    assistant: Which wall?
    user: The left one
    ");
    bot.assert_clean();
}

async fn an_answer_outlives_a_kill_before_its_turn_and_is_heard_once(platform: Platform) {
    let mut bot = TestBot::on(platform).await;
    let (group, question, gate) = asked_and_busy(&bot).await;
    group.press(&bot.ann, question.id, "The left one").await;
    bot.kill().await;
    gate.open();
    bot.start();
    bot.settles_in().await;
    let late = group
        .press_token(&bot.ann, question.id, &question.token("The right one"))
        .await;
    insta::assert_snapshot!(late.text.unwrap_or_default(), @"This was already answered. Nothing changed.");
    assert_eq!(has_answered(&group).await, ["ok: The left one"]);
    insta::assert_snapshot!(told_of_the_wall(&bot).join("\n"), @r"
    user: Ann: paint the wall
    assistant: Which wall?
    user: The left one
    ");
    bot.assert_clean();
}

async fn a_press_after_the_time_is_told_so(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    bot.model.routes(WHICH);
    chat.says("paint the wall");
    let question = chat.hears().await;
    bot.change("UPDATE questions SET expires_ms = 1").await;
    bot.change("UPDATE prompts SET expires_ms = 1 WHERE kind = 'question'")
        .await;
    let late = chat.press(&bot.ann, question.id, "The left one").await;
    insta::assert_snapshot!(late.text.unwrap_or_default(), @"Too late: this has expired.");
    chat.says("thank you");
    chat.hears_with(|message| message.text == "ok: thank you")
        .await;
    assert_eq!(
        conversation(&bot.model.turn_requests()[0]),
        ["user: thank you"]
    );
    bot.assert_clean();
}
