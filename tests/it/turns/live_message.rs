//! The live message and the streamed text.

use std::time::Duration;

use sayso_channel::RESENT_MARK;
use sayso_fakes::{Answer, Gate, Message};
use serde_json::json;

use crate::platform::{Platform, Trouble, on_both};
use crate::test_bot::TestBot;

on_both!(
    the_live_message_shows_commands_and_becomes_the_answer,
    an_answer_below_other_messages_is_sent_as_a_new_one,
    an_answer_after_twenty_seconds_is_sent_as_a_new_one,
    two_answers_never_stand_for_good_where_one_was_given,
    an_answer_beside_a_live_message_that_may_stand_there_is_found_or_marked,
    an_answer_of_several_messages_beside_one_that_may_stand_there_is_marked_whole,
    a_long_answer_is_shown_while_it_is_written,
    words_that_the_card_repeats_go_from_above_it,
    words_that_the_card_leaves_out_stay_above_it,
    somebody_who_waits_sees_that_something_is_written,
    thoughts_between_tags_are_not_said
);

/// A command that says something once a file is there.
fn waits_for(file: &str, then: &str) -> serde_json::Value {
    json!({"command": format!("while [ ! -e {file} ]; do sleep 0.02; done; {then}")})
}

async fn the_live_message_shows_commands_and_becomes_the_answer(platform: Platform) {
    let bot = TestBot::on_with(platform, &[("POLICY__CONFIRM_EXEC", "false")]).await;
    let chat = bot.direct();
    let gate = Gate::new();
    bot.model
        .calls(vec![("shell", waits_for("go", "seq 5 >&2; exit 3"))]);
    bot.model.calls(vec![("list_dir", json!({"path": "."}))]);
    bot.model
        .answers(Answer::text("One worked, one did not.").held_by(&gate));
    chat.says("try both");
    let live = chat.hears_with(Message::is_live).await;
    insta::assert_snapshot!(live.text, @"▸ while [ ! -e go ]; do sleep 0.02; done; seq 5 >&2; exit 3…");
    std::fs::write(bot.workspace().join("go"), "").unwrap();
    let live = chat
        .becomes(live.id, |message| message.text.contains('✓'))
        .await;
    insta::assert_snapshot!(live.text, @r"
    ✗ Did not work: while [ ! -e go ]; do sleep 0.02; done; seq 5 >&2; exit 3
    1
    2
    ✓ Looked at your files
    ");
    gate.open();
    chat.becomes(live.id, |message| {
        message.text == "One worked, one did not."
    })
    .await;
    insta::assert_snapshot!(chat.transcript(), @r"
    Ann: try both
    Sayso: One worked, one did not.
    ");
    bot.assert_clean();
}

async fn an_answer_below_other_messages_is_sent_as_a_new_one(platform: Platform) {
    let bot = TestBot::on_with(platform, &[("POLICY__CONFIRM_EXEC", "false")]).await;
    let chat = bot.direct();
    bot.model
        .calls(vec![("shell", waits_for("go", "echo first"))]);
    bot.model.says("Done.");
    chat.says("try it");
    let live = chat.hears_with(Message::is_live).await;
    chat.says("/whoami");
    chat.hears().await;
    std::fs::write(bot.workspace().join("go"), "").unwrap();
    chat.hears_with(|message| message.text == "Done.").await;
    chat.becomes(live.id, |message| message.deleted).await;
    insta::assert_snapshot!(bot.without_accounts(&chat.transcript()), @r"
    Ann: try it
    Ann: /whoami
    Sayso: You are Ann, my owner ((account of Ann)).
    Sayso: Done.
    ");
    bot.assert_clean();
}

/// Edits do not notify, so somebody who waited for long gets a message of its own.
async fn an_answer_after_twenty_seconds_is_sent_as_a_new_one(platform: Platform) {
    let bot = TestBot::on_with(platform, &[("POLICY__CONFIRM_EXEC", "false")]).await;
    let chat = bot.direct();
    bot.model
        .calls(vec![("shell", waits_for("go", "echo first"))]);
    bot.model.says("Done.");
    chat.says("try it");
    let live = chat.hears_with(Message::is_live).await;
    bot.change("UPDATE outbox SET created_ms = created_ms - 21000 WHERE purpose = 'live'")
        .await;
    std::fs::write(bot.workspace().join("go"), "").unwrap();
    chat.hears_with(|message| message.text == "Done.").await;
    chat.becomes(live.id, |message| message.deleted).await;
    bot.assert_clean();
}

/// The live message shows the answer already when something is said below it.
async fn two_answers_never_stand_for_good_where_one_was_given(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    let gate = Gate::new();
    let story = "Once upon a time there was a bot that asked before it acted. ".repeat(4);
    let slowly = Answer::text(story.trim())
        .chunks_of(10)
        .between_chunks(Duration::from_millis(120));
    bot.model.answers(slowly.held_after(18, &gate));
    chat.says("tell me a story");
    let live = chat.hears_with(Message::is_live).await;
    chat.says("/whoami");
    chat.hears_with(|message| message.text.contains("my owner ("))
        .await;
    bot.deleting_fails(2, &Trouble::BadGateway);
    gate.open();
    chat.hears_with(|message| message.text == story.trim())
        .await;
    chat.becomes(live.id, |message| message.deleted).await;
    bot.assert_clean();
}

/// Sayso does not learn that its live message arrived, which then stands there as the beginning of an
/// answer. Discord drops what is said twice, so it can be found; Telegram does not.
async fn an_answer_beside_a_live_message_that_may_stand_there_is_found_or_marked(
    platform: Platform,
) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    let gate = Gate::new();
    let story = "Once upon a time there was a bot that asked before it acted. ".repeat(4);
    let slowly = Answer::text(story.trim())
        .chunks_of(10)
        .between_chunks(Duration::from_millis(120));
    bot.model.answers(slowly.held_after(18, &gate));
    bot.saying_fails(Trouble::AnswerLost);
    chat.says("tell me a story");
    chat.hears_with(Message::is_live).await;
    bot.has_noted("SELECT state FROM outbox WHERE purpose = 'live' AND state = 'doubted'")
        .await;
    gate.open();
    let answer = chat
        .settles(|message| message.text.contains(story.trim()))
        .await;
    let said = chat.messages().into_iter().filter(Message::is_from_bot);
    match platform {
        Platform::Discord => assert_eq!(said.count(), 1),
        Platform::Telegram => assert!(answer.text.contains(RESENT_MARK.trim()), "{}", answer.text),
    }
    bot.assert_clean();
}

/// A live message shows the newest part of a text that outgrew it, so any message of the answer may
/// stand in the chat already.
async fn an_answer_of_several_messages_beside_one_that_may_stand_there_is_marked_whole(
    platform: Platform,
) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    let gate = Gate::new();
    let lines =
        (0..110).map(|line| format!("line {line:03} of a story that takes several messages"));
    let story = lines.collect::<Vec<_>>().join("\n\n");
    let slowly = Answer::text(&story)
        .chunks_of(5_000)
        .between_chunks(Duration::from_millis(1_500));
    bot.model.answers(slowly.held_after(2, &gate));
    bot.saying_fails(Trouble::AnswerLost);
    chat.says("tell me a story");
    let shown = chat.hears_with(Message::is_live).await;
    assert!(!shown.text.contains("line 000"), "{}", shown.text);
    bot.has_noted("SELECT state FROM outbox WHERE purpose = 'live' AND state = 'doubted'")
        .await;
    gate.open();
    chat.settles(|message| message.text.contains("line 109"))
        .await;
    let said = chat.messages().into_iter().filter(Message::is_from_bot);
    for message in said.filter(|_| platform == Platform::Telegram) {
        let is_marked = message.text.contains(RESENT_MARK.trim());
        assert_eq!(is_marked, message.id != shown.id, "{}", chat.transcript());
    }
    let lines = chat.transcript().matches("line 109").count();
    assert_eq!(lines, 1, "{}", chat.transcript());
    bot.assert_clean();
}

async fn a_long_answer_is_shown_while_it_is_written(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    let story = "Once upon a time there was a bot that asked before it acted. ".repeat(4);
    let gate = Gate::new();
    let slowly = Answer::text(story.trim())
        .chunks_of(10)
        .between_chunks(Duration::from_millis(120));
    bot.model.answers(slowly.held_after(18, &gate));
    chat.says("tell me a story");
    let live = chat.hears_with(Message::is_live).await;
    assert!(
        story.starts_with(&live.text) && live.text.len() < story.len(),
        "{}",
        live.text
    );
    let more = chat
        .becomes(live.id, |message| message.text.len() > live.text.len())
        .await;
    assert!(story.starts_with(&more.text), "{}", more.text);
    gate.open();
    chat.becomes(live.id, |message| message.text == story.trim())
        .await;
    assert_eq!(chat.messages().len(), 2, "{}", chat.transcript());
    bot.assert_clean();
}

/// Has the model write so slowly that its words are shown, and then call a command.
fn writes_slowly(bot: &TestBot, words: &str) {
    let slowly = Answer::text(words)
        .chunks_of(8)
        .between_chunks(Duration::from_millis(600));
    let mark = json!({"command": "mktemp ./mark.XXXX"});
    bot.model.answers(slowly.and_calls("shell", &mark));
}

async fn words_that_the_card_repeats_go_from_above_it(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    writes_slowly(&bot, "I will leave a small mark here.");
    chat.says("make a mark");
    let live = chat.hears_with(Message::is_live).await;
    assert!(live.text.starts_with("I will"), "{live}");
    let card = chat.settles(Message::asks).await;
    assert!(card.text.contains("I will leave a small mark"), "{card}");
    chat.becomes(live.id, |message| message.deleted).await;
    // What is done since stands below the card.
    bot.model.calls(vec![("list_dir", json!({"path": "."}))]);
    let gate = Gate::new();
    bot.model.answers(Answer::text("Done.").held_by(&gate));
    chat.press(&bot.ann, card.id, "Approve").await;
    gate.reached_by(1).await;
    let again = chat.settles(Message::is_live).await;
    assert!(again.id > card.id, "{again}");
    gate.open();
    chat.settles(|message| message.text == "Done.").await;
    bot.has_said_all().await;
    chat.sees(|messages| messages.iter().all(|message| !message.is_live()))
        .await;
    bot.assert_clean();
}

async fn words_that_the_card_leaves_out_stay_above_it(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    writes_slowly(&bot, "The folder is empty. I will leave a small mark here.");
    chat.says("make a mark");
    let card = chat.settles(Message::asks).await;
    let words = "The folder is empty. I will leave a small mark here.";
    let live = chat.settles(|message| message.text == words).await;
    assert!(live.id < card.id && live.is_live(), "{live}");
    bot.model.says("Not done.");
    chat.press(&bot.ann, card.id, "Deny").await;
    chat.settles(|message| message.text == "Not done.").await;
    chat.becomes(live.id, |message| message.deleted).await;
    bot.assert_clean();
}

async fn somebody_who_waits_sees_that_something_is_written(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    let gate = Gate::new();
    bot.model.answers(Answer::text("Yes.").held_by(&gate));
    chat.says("are you there?");
    chat.sees_typing(1).await;
    gate.open();
    assert_eq!(chat.hears().await.text, "Yes.");
    bot.assert_clean();
}

/// Some servers do not take apart what a model thinks.
async fn thoughts_between_tags_are_not_said(platform: Platform) {
    let bot = TestBot::on_with(platform, &[("AGENT__ROUTING", "off")]).await;
    let thinks = "<think>\nThe secret plan.\n</think>\n\nHere is what I say.";
    bot.model.answers(Answer::text(thinks).chunks_of(5));
    let chat = bot.direct();
    chat.says("hello");
    chat.settles(|message| message.text == "Here is what I say.")
        .await;
    chat.says("and now?");
    let request = bot.model.waits_for_request(2).await;
    let sent = serde_json::to_string(request.messages()).unwrap();
    assert!(sent.contains("Here is what I say."), "{sent}");
    assert!(!sent.contains("secret plan"), "{sent}");
    assert!(!chat.transcript().contains("secret plan"));
    bot.assert_clean();
}
