//! Questions of the model, answered by buttons or in words.

use sayso_fakes::{Answer, Message};
use serde_json::{Value, json};

use crate::platform::{Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    a_question_is_answered_by_a_press_and_the_work_goes_on,
    several_questions_are_asked_one_after_another,
    of_two_presses_at_once_one_answers_and_the_next_question_is_asked_once,
    questions_outlive_a_kill,
    words_of_ones_own_answer_and_end_the_asking,
    in_a_group_no_one_else_answers,
    u16_something_else_waits_for_words,
    u16_never_mind_ends_the_asking_without_an_answer,
    u16_a_command_is_never_an_answer
);

fn question(question: &str, choices: &[&str]) -> Value {
    json!({"question": question, "choices": choices})
}

/// Has the model look around, and then ask.
fn asks(bot: &TestBot, questions: &[Value]) {
    bot.model
        .answers(Answer::calls(vec![("list_dir", json!({"path": "."}))]));
    let asking = Answer::text("Two walls are bare.");
    let questions = json!({ "questions": questions });
    bot.model.answers(asking.and_calls("ask_user", &questions));
}

fn wall() -> Value {
    question("Which wall?", &["Left", "Right"])
}

fn colour() -> Value {
    question("Which colour?", &["Red", "Blue", "None"])
}

async fn a_question_is_answered_by_a_press_and_the_work_goes_on(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    bot.model
        .routes(r#"{"skills": ["shell-safety"], "direct": false}"#);
    asks(&bot, &[wall()]);
    chat.says("paint the wall");
    let asked = chat.settles(Message::asks).await;
    assert_eq!(
        asked.labels(),
        ["Left", "Right", "Something else", "Never mind"]
    );
    let routings = bot.model.requests().len() - bot.model.turn_requests().len();
    chat.press(&bot.ann, asked.id, "Right").await;
    chat.settles(|message| message.text.starts_with("ok: ") && !message.is_live())
        .await;
    insta::assert_snapshot!(chat.transcript(), @r"
    Ann: paint the wall
    Sayso: Two walls are bare.

      Which wall?

      ↳ Right
    Sayso: ok: Which wall?
      → Right
    ");
    let requests = bot.model.requests();
    let turns = bot.model.turn_requests();
    assert_eq!(
        requests.len() - turns.len(),
        routings,
        "an answer is not routed anew"
    );
    let last = turns.last().unwrap();
    for seen in [
        "paint the wall",
        "list_dir",
        "Which wall?",
        "Right",
        "shell-safety",
    ] {
        assert!(last.mentions(seen), "{seen} is in view");
    }
    let late = chat
        .press_token(&bot.ann, asked.id, &asked.token("Left"))
        .await;
    insta::assert_snapshot!(late.text.unwrap_or_default(), @"This was already answered. Nothing changed.");
    bot.assert_clean();
}

async fn several_questions_are_asked_one_after_another(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    asks(&bot, &[wall(), colour()]);
    chat.says("paint the wall");
    let asked = chat.settles(|message| message.text.contains("(1/2)")).await;
    chat.press(&bot.ann, asked.id, "Left").await;
    let next = chat
        .becomes(asked.id, |message| message.text.contains("(2/2)"))
        .await;
    assert_eq!(
        next.labels(),
        ["Red", "Blue", "None", "Something else", "Never mind"]
    );
    let twice = chat
        .press_token(&bot.ann, asked.id, &asked.token("Right"))
        .await;
    insta::assert_snapshot!(twice.text.unwrap_or_default(), @"This was already answered. Nothing changed.");
    chat.press(&bot.ann, asked.id, "Blue").await;
    chat.settles(|message| message.text.starts_with("ok: ") && !message.is_live())
        .await;
    insta::assert_snapshot!(chat.transcript(), @r"
    Ann: paint the wall
    Sayso: Two walls are bare.

      Which wall?

      ↳ Left

      Which colour?

      ↳ Blue
    Sayso: ok: Which wall?
      → Left
      Which colour?
      → Blue
    ");
    bot.assert_clean();
}

async fn of_two_presses_at_once_one_answers_and_the_next_question_is_asked_once(
    platform: Platform,
) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    asks(&bot, &[wall(), colour()]);
    chat.says("paint the wall");
    let asked = chat.settles(|message| message.text.contains("(1/2)")).await;
    let presses =
        ["Left", "Left"].map(|label| chat.presses_token(&bot.ann, asked.id, &asked.token(label)));
    let mut told = Vec::new();
    for press in presses {
        told.push(press.answered().await.text.unwrap_or_default());
    }
    told.sort();
    assert_eq!(told, ["", "This was already answered. Nothing changed."]);
    let next = chat
        .becomes(asked.id, |message| message.text.contains("(2/2)"))
        .await;
    chat.press(&bot.ann, next.id, "Red").await;
    let done = chat
        .settles(|message| message.text.starts_with("ok: "))
        .await;
    insta::assert_snapshot!(done.text, @r"
    ok: Which wall?
    → Left
    Which colour?
    → Red
    ");
    bot.assert_clean();
}

async fn questions_outlive_a_kill(platform: Platform) {
    let mut bot = TestBot::on(platform).await;
    let chat = bot.direct();
    asks(&bot, &[wall(), colour()]);
    chat.says("paint the wall");
    let asked = chat.settles(|message| message.text.contains("(1/2)")).await;
    chat.press(&bot.ann, asked.id, "Left").await;
    let next = chat
        .becomes(asked.id, |message| message.text.contains("(2/2)"))
        .await;
    bot.crash_when_noted().await;
    chat.press(&bot.ann, next.id, "Red").await;
    let done = chat
        .settles(|message| message.text.starts_with("ok: "))
        .await;
    insta::assert_snapshot!(done.text, @r"
    ok: Which wall?
    → Left
    Which colour?
    → Red
    ");
    bot.assert_clean();
}

async fn words_of_ones_own_answer_and_end_the_asking(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    asks(&bot, &[wall(), colour()]);
    chat.says("paint the wall");
    let asked = chat.settles(|message| message.text.contains("(1/2)")).await;
    chat.says("neither, paint the door");
    let done = chat
        .settles(|message| message.text.starts_with("ok: "))
        .await;
    insta::assert_snapshot!(done.text, @r"
    ok: Which wall?
    → neither, paint the door
    ");
    chat.becomes(asked.id, |message| !message.asks()).await;
    insta::assert_snapshot!(chat.message(asked.id).text, @r"
    Two walls are bare.

    Which wall?

    ↳ neither, paint the door
    ");
    bot.assert_clean();
}

async fn in_a_group_no_one_else_answers(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let group = bot.group("Painters");
    let ann = group.with(&bot.ann);
    asks(&bot, &[wall()]);
    ann.says("@sayso_bot paint the wall");
    let asked = group.settles(Message::asks).await;
    let refused = group.press(&bot.bob, asked.id, "Left").await;
    insta::assert_snapshot!(refused.text.unwrap_or_default(), @"This question was for somebody else.");
    group.press(&bot.ann, asked.id, "Left").await;
    let done = group
        .settles(|message| message.text.starts_with("ok: "))
        .await;
    insta::assert_snapshot!(done.text, @r"
    ok: Which wall?
    → Left
    ");
    bot.assert_clean();
}

async fn u16_something_else_waits_for_words(platform: Platform) {
    let mut bot = TestBot::on(platform).await;
    let chat = bot.direct();
    asks(&bot, &[wall()]);
    chat.says("paint the wall");
    let asked = chat.settles(Message::asks).await;
    bot.restart().await;
    chat.press(&bot.ann, asked.id, "Something else").await;
    let waits = chat
        .becomes(asked.id, |message| message.text.contains("Just write"))
        .await;
    insta::assert_snapshot!(waits, @r"
    Sayso: Two walls are bare.

      Which wall?

      ✏️ Just write it.  [Never mind]
    ");
    chat.says("the ceiling");
    chat.settles(|message| message.text.starts_with("ok: ") && !message.is_live())
        .await;
    insta::assert_snapshot!(chat.transcript(), @r"
    Ann: paint the wall
    Sayso: Two walls are bare.

      Which wall?

      ↳ the ceiling
    Ann: the ceiling
    Sayso: ok: Which wall?
      → the ceiling
    ");
    bot.assert_clean();
}

async fn u16_never_mind_ends_the_asking_without_an_answer(platform: Platform) {
    let mut bot = TestBot::on(platform).await;
    let lin = bot.ann.clone().speaking("zh-hans");
    let chat = bot.direct_with(&lin);
    asks(&bot, &[question("刷哪面墙？", &["左边", "右边"])]);
    chat.says("请帮我刷一下墙");
    let asked = chat.settles(Message::asks).await;
    assert_eq!(asked.labels(), ["左边", "右边", "其他", "算了"]);
    bot.restart().await;
    let turns = bot.model.turn_requests().len();
    chat.press(&lin, asked.id, "算了").await;
    let left = chat.becomes(asked.id, |message| !message.asks()).await;
    insta::assert_snapshot!(left, @r"
    Sayso: Two walls are bare.

      刷哪面墙？

      好，那就算了。
    ");
    let twice = chat.press_token(&lin, asked.id, &asked.token("算了")).await;
    insta::assert_snapshot!(twice.text.unwrap_or_default(), @"已经答复过了，没有任何改变。");
    assert_eq!(bot.model.turn_requests().len(), turns, "no model is asked");
    // The next words are a request of their own.
    chat.says("右边");
    chat.settles(|message| message.text == "ok: 右边").await;
    bot.assert_clean();
}

async fn u16_a_command_is_never_an_answer(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    asks(&bot, &[wall()]);
    chat.says("paint the wall");
    let asked = chat.settles(Message::asks).await;
    chat.says("/bye");
    chat.settles(|message| message.text.starts_with("There is no command /bye"))
        .await;
    assert!(chat.message(asked.id).asks(), "it is asked still");
    chat.press(&bot.ann, asked.id, "Left").await;
    chat.becomes(asked.id, |message| message.text.contains("↳ Left"))
        .await;
    bot.assert_clean();
}
