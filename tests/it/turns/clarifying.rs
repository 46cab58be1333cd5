//! Questions that are asked back before anything is done.

use sayso_fakes::{Answer, Gate};
use serde_json::json;

use super::conversation;
use crate::platform::{Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    a_question_is_answered_by_its_button,
    a_question_outlives_a_restart_and_is_answered_in_words,
    in_a_group_only_the_asker_answers_by_button_or_reply,
    at_most_two_questions_in_a_row,
    two_open_questions_are_answered_each_with_its_own_request
);

const WHICH: &str = r#"{"skills": [], "direct": false, "question": "Which wall?", "choices": ["The left one", "The right one"]}"#;
const COLOUR: &str = r#"{"skills": [], "direct": false, "question": "Which colour?"}"#;
const PLACE: &str = r#"{"skills": [], "direct": false, "question": "In which room?"}"#;

async fn a_question_is_answered_by_its_button(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    bot.model.routes(WHICH);
    chat.says("paint the wall");
    let question = chat.hears().await;
    assert_eq!(
        question.labels(),
        [
            "The left one",
            "The right one",
            "Something else",
            "Never mind"
        ]
    );
    assert!(
        bot.model.turn_requests().is_empty(),
        "nothing is done before the answer"
    );
    chat.press(&bot.ann, question.id, "The right one").await;
    chat.hears().await;
    chat.says("thank you");
    chat.hears().await;
    insta::assert_snapshot!(chat.transcript(), @r"
    Ann: paint the wall
    Sayso: Which wall?

      ↳ The right one
    Sayso: ok: The right one
    Ann: thank you
    Sayso: ok: thank you
    ");

    let routed = bot.model.requests()[1].last_user();
    for part in ["paint the wall", "Which wall?", "The right one"] {
        assert!(routed.contains(part), "{part} is judged again in: {routed}");
    }
    let turns = bot.model.turn_requests();
    assert_eq!(
        conversation(&turns[0]),
        [
            "user: paint the wall",
            "assistant: Which wall?",
            "user: The right one"
        ]
    );
    assert!(
        !turns[1].mentions("Which wall?"),
        "a question is not history"
    );
    assert!(turns[1].mentions("paint the wall"), "the request is");
    let late = chat
        .press_token(&bot.ann, question.id, &question.token("The left one"))
        .await;
    insta::assert_snapshot!(late.text.unwrap_or_default(), @"This was already answered. Nothing changed.");
    bot.assert_clean();
}

async fn a_question_outlives_a_restart_and_is_answered_in_words(platform: Platform) {
    let mut bot = TestBot::on(platform).await;
    let chat = bot.direct();
    bot.model.routes(COLOUR);
    chat.says("paint the wall");
    let question = chat.hears().await;
    bot.restart().await;
    chat.replies(question.id, "blue");
    chat.hears().await;
    insta::assert_snapshot!(chat.transcript(), @r"
    Ann: paint the wall
    Sayso: Which colour?

      ↳ blue
    Ann: blue
    Sayso: ok: blue
    ");
    let turn = bot.model.turn_requests().pop().unwrap();
    assert_eq!(
        conversation(&turn),
        [
            "user: paint the wall",
            "assistant: Which colour?",
            "user: blue"
        ]
    );
    bot.assert_clean();
}

async fn in_a_group_only_the_asker_answers_by_button_or_reply(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let group = bot.group("Painters");
    let (ann, bob) = (group.with(&bot.ann), group.with(&bot.bob));
    bot.model.routes(WHICH);
    ann.says("@sayso_bot paint the wall");
    let question = group.hears().await;
    let refused = group.press(&bot.bob, question.id, "The left one").await;
    insta::assert_snapshot!(refused.text.unwrap_or_default(), @"This question was for somebody else.");
    ann.says("@sayso_bot what time is it?");
    group
        .hears_with(|message| message.text.contains("what time"))
        .await;
    bob.replies(question.id, "the left one, of course");
    group
        .hears_with(|message| message.text.contains("of course"))
        .await;
    assert_eq!(
        group.message(question.id).labels().len(),
        4,
        "the question is still open"
    );
    ann.replies(question.id, "the right one");
    group
        .hears_with(|message| message.text.contains("the right one"))
        .await;
    group.becomes(question.id, |message| !message.asks()).await;
    insta::assert_snapshot!(group.transcript(), @r"
    Ann: @sayso_bot paint the wall
    Sayso: Which wall?

      ↳ Ann: the right one
    Ann: @sayso_bot what time is it?
    Sayso: ok: Ann: what time is it?
    Bob: the left one, of course
    Sayso: ok: [in reply to Sayso]

      Which wall?
      Bob: the left one, of course
    Ann: the right one
    Sayso: ok: Ann: the right one
    ");
    bot.assert_clean();
}

async fn at_most_two_questions_in_a_row(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    bot.model.routes(WHICH);
    bot.model.routes(COLOUR);
    bot.model.routes(PLACE);
    chat.says("paint the wall");
    chat.hears().await;
    chat.says("the left one");
    chat.hears().await;
    chat.says("blue");
    chat.hears().await;
    insta::assert_snapshot!(chat.transcript(), @r"
    Ann: paint the wall
    Sayso: Which wall?

      ↳ the left one
    Ann: the left one
    Sayso: Which colour?

      ↳ blue
    Ann: blue
    Sayso: ok: blue
    ");
    assert_eq!(bot.model.unused(), 0);
    bot.assert_clean();
}

async fn two_open_questions_are_answered_each_with_its_own_request(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let group = bot.group("Builders").with(&bot.ann);
    bot.model.routes(WHICH);
    group.says("@sayso_bot paint the wall");
    let wall = group.hears().await;
    bot.model.routes(PLACE);
    group.says("@sayso_bot move the lamp");
    group.hears().await;
    // Pressed while something else is under way, an answer is no addition to that.
    let gate = Gate::new();
    let look = Answer::calls(vec![("list_dir", json!({"path": "."}))]);
    bot.model.answers(look.held_by(&gate));
    bot.model.says("Nothing there.");
    group.says("@sayso_bot look around");
    gate.reached_by(1).await;
    group.press(&bot.ann, wall.id, "The left one").await;
    gate.open();
    group
        .settles(|message| message.text == "ok: The left one")
        .await;
    let turn = bot.model.turn_requests().pop().unwrap();
    let conversation = conversation(&turn);
    insta::assert_snapshot!(conversation[conversation.len() - 3..].join("\n"), @r"
    user: Ann: paint the wall
    assistant: Which wall?
    user: The left one
    ");
    bot.assert_clean();
}
