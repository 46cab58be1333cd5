//! Questions that are late, lost, or asked two at a time.

use sayso_fakes::{Answer, Gate, Message};

use crate::platform::{Platform, Trouble, on_both};
use crate::test_bot::TestBot;

on_both!(
    what_was_said_before_a_question_does_not_answer_it,
    a_reply_answers_the_question_that_it_replies_to,
    a_button_answers_its_own_question,
    a_question_that_is_answered_before_it_went_out_is_shown_all_the_same
);

/// Asks back for what begins with "paint" and has no answer in view yet.
fn asks_about_paint(bot: &TestBot, choices: &'static str) {
    let open = Gate::new();
    open.open();
    asks_about_paint_behind(bot, choices, &open);
}

fn asks_about_paint_behind(bot: &TestBot, choices: &'static str, gate: &Gate) {
    let gate = gate.clone();
    bot.model.when(move |request| {
        let text = request.last_user();
        let is_unclear =
            request.is_routing() && text.starts_with("paint") && !text.contains("You asked back");
        is_unclear.then(|| {
            let what = text.trim_start_matches("paint ");
            Answer::text(format!(
                r#"{{"question":"Which colour for {what}?","choices":{choices}}}"#
            ))
            .held_by(&gate)
        })
    });
}

async fn what_was_said_before_a_question_does_not_answer_it(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let gate = Gate::new();
    asks_about_paint_behind(&bot, "[]", &gate);
    let chat = bot.direct();
    chat.says("paint the door");
    gate.reached_by(1).await;
    chat.says("and hello");
    bot.has_noted("SELECT state FROM inbox WHERE state = 'waiting'")
        .await;
    gate.open();
    let are_said = |messages: &[Message], count| {
        messages.len() == count && !messages.iter().any(Message::is_live)
    };
    chat.sees(|messages| are_said(messages, 4)).await;
    chat.says("red");
    chat.sees(|messages| are_said(messages, 6)).await;
    insta::assert_snapshot!(chat.transcript(), @r"
    Ann: paint the door
    Ann: and hello
    Sayso: Which colour for the door?

      ↳ red
    Sayso: ok: and hello
    Ann: red
    Sayso: ok: red
    ");
    bot.assert_clean();
}

async fn a_reply_answers_the_question_that_it_replies_to(platform: Platform) {
    let bot = TestBot::on(platform).await;
    asks_about_paint(&bot, "[]");
    let chat = bot.direct();
    chat.says("paint the door");
    chat.says("paint the wall");
    let door = chat
        .hears_with(|message| message.text.contains("door"))
        .await;
    chat.hears_with(|message| message.text.contains("wall"))
        .await;
    chat.replies(door.id, "red");
    chat.becomes(door.id, |message| message.text.contains('↳'))
        .await;
    chat.hears().await;
    insta::assert_snapshot!(chat.transcript(), @r"
    Ann: paint the door
    Ann: paint the wall
    Sayso: Which colour for the door?

      ↳ red
    Sayso: Which colour for the wall?  [Never mind]
    Ann: red
    Sayso: ok: red
    ");
    bot.assert_clean();
}

async fn a_button_answers_its_own_question(platform: Platform) {
    let bot = TestBot::on(platform).await;
    asks_about_paint(&bot, r#"["red","blue"]"#);
    let chat = bot.direct();
    chat.says("paint the door");
    chat.says("paint the wall");
    let door = chat
        .hears_with(|message| message.text.contains("door"))
        .await;
    chat.hears_with(|message| message.text.contains("wall"))
        .await;
    chat.press(&bot.ann, door.id, "blue").await;
    chat.becomes(door.id, |message| message.text.contains("↳ blue"))
        .await;
    chat.hears().await;
    insta::assert_snapshot!(chat.transcript(), @r"
    Ann: paint the door
    Ann: paint the wall
    Sayso: Which colour for the door?

      ↳ blue
    Sayso: Which colour for the wall?  [red]  [blue]  [Something else | Never mind]
    Sayso: ok: blue
    ");
    bot.assert_clean();
}

async fn a_question_that_is_answered_before_it_went_out_is_shown_all_the_same(platform: Platform) {
    let bot = TestBot::on(platform).await;
    bot.listens().await;
    asks_about_paint(&bot, "[]");
    let chat = bot.direct();
    bot.saying_fails(Trouble::TooMany { seconds: 5 });
    chat.says("paint the door");
    bot.has_noted("SELECT state FROM outbox WHERE purpose = 'question' AND state = 'pending'")
        .await;
    chat.says("red");
    chat.settles(|message| message.text.contains("↳ red")).await;
    chat.settles(|message| message.text.starts_with("ok: "))
        .await;
    bot.assert_clean();
}

#[tokio::test]
async fn the_mark_of_a_repeated_question_stays_when_it_is_answered() {
    let mut bot = TestBot::open().await;
    asks_about_paint(&bot, r#"["red","blue"]"#);
    let chat = bot.direct();
    let gate = Gate::new();
    bot.saying_fails(Trouble::AnswerHeld(gate.clone()));
    chat.says("paint the door");
    gate.reached_by(1).await;
    bot.crash().await;
    let again = chat
        .hears_with(|message| message.text.contains("sent again"))
        .await;
    chat.press(&bot.ann, again.id, "red").await;
    chat.becomes(again.id, |message| message.text.contains("↳ red"))
        .await;
    chat.hears().await;
    insta::assert_snapshot!(chat.transcript(), @r"
    Ann: paint the door
    Sayso: Which colour for the door?  [red]  [blue]  [Something else | Never mind]
    Sayso: Which colour for the door?

      ↳ red

      ↻ sent again / 重发
    Sayso: ok: red
    ");
    bot.assert_clean();
}
