//! Questions that are asked back before anything is done.

use sayso_fakes::{Answer, Gate};
use serde_json::json;

use super::conversation;
use crate::house::House;
use crate::platform::{Platform, on_both};

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
    let house = House::on(platform).await;
    let chat = house.direct();
    house.model.routes(WHICH);
    chat.says("paint the wall");
    let question = chat.hears().await;
    assert_eq!(question.labels(), ["The left one", "The right one"]);
    assert!(
        house.model.turn_requests().is_empty(),
        "nothing is done before the answer"
    );
    chat.press(&house.ann, question.id, "The right one").await;
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

    let routed = house.model.requests()[1].last_user();
    for part in ["paint the wall", "Which wall?", "The right one"] {
        assert!(routed.contains(part), "{part} is judged again in: {routed}");
    }
    let turns = house.model.turn_requests();
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
        .press_token(&house.ann, question.id, &question.token("The left one"))
        .await;
    insta::assert_snapshot!(late.text.unwrap_or_default(), @"This was already answered. Nothing changed.");
    house.assert_clean();
}

async fn a_question_outlives_a_restart_and_is_answered_in_words(platform: Platform) {
    let mut house = House::on(platform).await;
    let chat = house.direct();
    house.model.routes(COLOUR);
    chat.says("paint the wall");
    let question = chat.hears().await;
    house.restart().await;
    chat.replies(question.id, "blue");
    chat.hears().await;
    insta::assert_snapshot!(chat.transcript(), @r"
    Ann: paint the wall
    Sayso: Which colour?

      ↳ blue
    Ann: blue
    Sayso: ok: blue
    ");
    let turn = house.model.turn_requests().pop().unwrap();
    assert_eq!(
        conversation(&turn),
        [
            "user: paint the wall",
            "assistant: Which colour?",
            "user: blue"
        ]
    );
    house.assert_clean();
}

async fn in_a_group_only_the_asker_answers_by_button_or_reply(platform: Platform) {
    let house = House::on(platform).await;
    let group = house.group("Painters");
    let (ann, bob) = (group.with(&house.ann), group.with(&house.bob));
    house.model.routes(WHICH);
    ann.says("@sayso_bot paint the wall");
    let question = group.hears().await;
    let refused = group.press(&house.bob, question.id, "The left one").await;
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
        2,
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
    house.assert_clean();
}

async fn at_most_two_questions_in_a_row(platform: Platform) {
    let house = House::on(platform).await;
    let chat = house.direct();
    house.model.routes(WHICH);
    house.model.routes(COLOUR);
    house.model.routes(PLACE);
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
    assert_eq!(house.model.unused(), 0);
    house.assert_clean();
}

async fn two_open_questions_are_answered_each_with_its_own_request(platform: Platform) {
    let house = House::on(platform).await;
    let group = house.group("Builders").with(&house.ann);
    house.model.routes(WHICH);
    group.says("@sayso_bot paint the wall");
    let wall = group.hears().await;
    house.model.routes(PLACE);
    group.says("@sayso_bot move the lamp");
    group.hears().await;
    // Pressed while something else is under way, an answer is no addition to that.
    let gate = Gate::new();
    let look = Answer::calls(vec![("list_dir", json!({"path": "."}))]);
    house.model.answers(look.held_by(&gate));
    house.model.says("Nothing there.");
    group.says("@sayso_bot look around");
    gate.reached_by(1).await;
    group.press(&house.ann, wall.id, "The left one").await;
    gate.open();
    group
        .settles(|message| message.text == "ok: The left one")
        .await;
    let turn = house.model.turn_requests().pop().unwrap();
    let conversation = conversation(&turn);
    insta::assert_snapshot!(conversation[conversation.len() - 3..].join("\n"), @r"
    user: Ann: paint the wall
    assistant: Which wall?
    user: The left one
    ");
    house.assert_clean();
}
