//! A stop in each state that a turn can be in.

use sayso_fakes::{Answer, Gate, Message, ModelRequest};
use serde_json::json;

use super::stop::running_in;
use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::{TestBot, eventually};

on_both!(
    a_stop_ends_a_command_with_everything_it_started_and_says_what_was_done,
    u11_a_stop_keeps_the_half_answer_in_one_message,
    a_stop_ends_what_waits_for_a_yes_also_when_the_pool_is_full,
    row44_a_stop_of_what_waits_behind_somebody_elses_turn_is_one_message,
    a_stop_ends_a_turn_that_goes_on_after_a_crash,
    a_stop_ends_phase_one,
    a_stop_ends_the_pause_before_the_next_try
);

/// Waits for a live message that shows this.
async fn live(chat: &Chat, shows: &str) {
    chat.settles(|message| message.text.contains(shows)).await;
}

/// Waits until nothing can be pressed any more.
async fn has_no_buttons(chat: &Chat) {
    chat.sees(|messages| messages.iter().all(|message| message.buttons.is_empty()))
        .await;
}

async fn a_stop_ends_a_command_with_everything_it_started_and_says_what_was_done(
    platform: Platform,
) {
    let bot = TestBot::on_with(platform, &[("POLICY__CONFIRM_EXEC", "false")]).await;
    let chat = bot.direct();
    bot.model.calls(vec![("list_dir", json!({"path": "."}))]);
    // What is ignored here is ignored by everything that is started from here.
    let command = "trap '' TERM; (sleep 60 & sleep 60) & sleep 60";
    bot.model
        .calls(vec![("shell", json!({"command": command}))]);
    chat.says("take a nap");
    live(&chat, "trap").await;
    let running = |name| running_in(&bot.workspace(), name);
    eventually("all three", || running("sleep") == 3).await;
    chat.says("/stop");
    let stopped = chat
        .settles(|message| message.text.contains("Stopped"))
        .await;
    insta::assert_snapshot!(stopped.text, @r"
    ⏹ Stopped.

    Done before: looked at your files · tried: trap '' TERM; (sleep 60 & sleep 60) & sleep 60
    ");
    eventually("their end", || running("sleep") + running("sh") == 0).await;
    has_no_buttons(&chat).await;
    bot.has_noted(
        "SELECT body FROM journal WHERE body -> 'outcome' ->> 'kind' = 'stopped'
             AND body -> 'outcome' ->> 'done' LIKE '%your files%'",
    )
    .await;
    chat.says("good morning");
    chat.settles(|message| message.text == "ok: good morning")
        .await;
    bot.assert_clean();
}

async fn u11_a_stop_keeps_the_half_answer_in_one_message(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    let gate = Gate::new();
    let story = "Once upon a time there was a bot that asked before it acted. ".repeat(4);
    let slowly = Answer::text(story.trim())
        .chunks_of(10)
        .between_chunks(std::time::Duration::from_millis(120));
    bot.model.answers(slowly.held_after(18, &gate));
    chat.says("tell me a story");
    live(&chat, "Once upon a time").await;
    chat.says("/stop");
    let stopped = chat
        .settles(|message| message.text.ends_with("⏹ stopped"))
        .await;
    assert!(stopped.text.starts_with("Once upon a time"), "{stopped}");
    assert!(stopped.text.ends_with(" …\n\n⏹ stopped"), "{stopped}");
    chat.sees(|messages| messages.iter().filter(|it| it.is_from_bot()).count() == 1)
        .await;
    has_no_buttons(&chat).await;
    chat.says("hello again");
    chat.settles(|message| message.text == "ok: hello again")
        .await;
}

async fn a_stop_ends_what_waits_for_a_yes_also_when_the_pool_is_full(platform: Platform) {
    let bot = TestBot::on_with(platform, &[("AGENT__CONCURRENT_TURNS", "1")]).await;
    let chat = bot.direct();
    bot.model.calls(vec![("list_dir", json!({"path": "."}))]);
    bot.model
        .calls(vec![("shell", json!({"command": "mktemp ./mark.XXXX"}))]);
    chat.says("look, then make a mark");
    chat.settles(|message| message.labels().contains(&"Approve"))
        .await;
    live(&chat, "✓").await;
    let bobs = bot.direct_with(&bot.bob);
    bot.model.answers(Answer::hangs());
    bobs.says("think hard");
    bot.model
        .waits_for(|request| !request.is_routing() && request.mentions("think hard"))
        .await;
    chat.says("/stop");
    chat.settles(|message| message.text.starts_with("⏹ Stopped."))
        .await;
    has_no_buttons(&chat).await;
    bobs.says("/stop");
    bobs.settles(|message| message.text.starts_with("⏹ Stopped."))
        .await;
    bot.assert_clean();
}

async fn row44_a_stop_of_what_waits_behind_somebody_elses_turn_is_one_message(platform: Platform) {
    let bot = TestBot::on(platform).await;
    bot.settles_in().await;
    let group = bot.group("Home").with(&bot.bob).with(&bot.ann);
    bot.model.calls(vec![("list_dir", json!({"path": "."}))]);
    bot.model
        .calls(vec![("shell", json!({"command": "mktemp ./mark.XXXX"}))]);
    group.says_as(&bot.bob, "@sayso_bot look, then make a mark");
    group
        .settles(|message| message.labels().contains(&"Approve"))
        .await;
    let gate = Gate::new();
    bot.model
        .answers(Answer::text("It is good.").held_by(&gate));
    group.says_as(&bot.ann, "@sayso_bot think hard");
    gate.reached_by(1).await;
    group.says_as(&bot.bob, "/stop");
    let one = "⏹ Stopped.\n\nDone before: looked at your files";
    group.hears_with(|message| message.text == one).await;
    gate.open();
    group
        .settles(|message| message.text.contains("It is good."))
        .await;
    bot.has_said_all().await;
    let said = group.messages().into_iter().filter(Message::is_from_bot);
    let stopped = said.filter(|it| !it.deleted && it.text.starts_with("⏹ Stopped."));
    assert_eq!(stopped.count(), 1, "{}", group.transcript());
    bot.assert_clean();
}

async fn a_stop_ends_a_turn_that_goes_on_after_a_crash(platform: Platform) {
    let mut bot = TestBot::on_with(platform, &[("POLICY__CONFIRM_EXEC", "false")]).await;
    let chat = bot.direct();
    bot.model
        .calls(vec![("shell", json!({"command": "sleep 60"}))]);
    chat.says("take a nap");
    live(&chat, "sleep").await;
    bot.has_noted("SELECT state FROM outbox WHERE purpose = 'live' AND state = 'sent'")
        .await;
    bot.model.answers(Answer::hangs());
    bot.crash().await;
    live(&chat, "starting again").await;
    chat.says("/stop");
    let stopped = chat
        .settles(|message| message.text.starts_with("⏹ Stopped."))
        .await;
    assert!(stopped.text.contains("cut off: sleep 60"), "{stopped}");
    has_no_buttons(&chat).await;
    bot.assert_clean();
}

async fn a_stop_ends_phase_one(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    bot.model.routes_with(Answer::hangs());
    chat.says("think hard");
    bot.model.waits_for(ModelRequest::is_routing).await;
    chat.says("/stop");
    chat.settles(|message| message.text == "⏹ Stopped.").await;
    chat.says("hello again");
    chat.settles(|message| message.text == "ok: hello again")
        .await;
    bot.assert_clean();
}

async fn a_stop_ends_the_pause_before_the_next_try(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    bot.model.answers(Answer::too_many(20));
    chat.says("think hard");
    bot.model.waits_for(|request| !request.is_routing()).await;
    chat.says("/stop");
    chat.settles(|message| message.text == "⏹ Stopped.").await;
    assert_eq!(bot.model.turn_requests().len(), 1);
    chat.says("hello again");
    chat.settles(|message| message.text == "ok: hello again")
        .await;
    bot.assert_clean();
}
