//! The button that stops a turn, below its live message.

use sayso_fakes::{Answer, Gate, Message, ModelRequest};
use serde_json::json;

use super::stop::running_in;
use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::{TestBot, eventually};

on_both!(
    a_press_ends_a_command_with_everything_it_started,
    the_button_goes_when_the_answer_comes,
    the_one_who_asked_and_owners_may_press_and_others_are_told_so,
    a_press_stops_a_turn_that_goes_on_after_a_crash,
    a_press_stops_a_turn_that_waits_for_a_yes_and_leaves_what_waits_behind_it
);

const STOP: &str = "⏹ Stop";

/// Waits for a live message with the button.
async fn live(chat: &Chat) -> Message {
    chat.settles(|message| message.button(STOP).is_some()).await
}

/// Has the model look around, and then think until it is stopped.
fn looks_around_and_hangs(bot: &TestBot) {
    bot.model.calls(vec![("list_dir", json!({"path": "."}))]);
    bot.model.answers(Answer::hangs());
}

/// Waits until the model thinks about this request, and returns the live message.
async fn thinks_about(bot: &TestBot, chat: &Chat, request: &'static str) -> Message {
    let is_it = |asked: &ModelRequest| {
        asked.mentions(request) && asked.messages().last().unwrap()["role"] == "tool"
    };
    bot.model.waits_for(is_it).await;
    live(chat).await
}

async fn a_press_ends_a_command_with_everything_it_started(platform: Platform) {
    let bot = TestBot::on_with(platform, &[("POLICY__CONFIRM_EXEC", "false")]).await;
    let chat = bot.direct();
    bot.model.calls(vec![("list_dir", json!({"path": "."}))]);
    let command = "trap '' TERM; (sleep 60 & sleep 60) & sleep 60";
    bot.model
        .calls(vec![("shell", json!({"command": command}))]);
    chat.says("take a nap");
    let shown = chat
        .settles(|message| message.text.contains("trap") && message.button(STOP).is_some())
        .await;
    assert!(!shown.asks(), "{shown}");
    let running = |name| running_in(&bot.workspace(), name);
    eventually("all three", || running("sleep") == 3).await;
    let stop = shown.token(STOP);
    let told = chat.press(&bot.ann, shown.id, STOP).await;
    assert_eq!(told.text.as_deref(), platform.echo("⏹ Stopping."));
    let stopped = chat
        .settles(|message| message.text.contains("Stopped"))
        .await;
    insta::assert_snapshot!(stopped.text, @r"
    ⏹ Stopped.

    Done before: looked at your files · tried: trap '' TERM; (sleep 60 & sleep 60) & sleep 60
    ");
    eventually("their end", || running("sleep") + running("sh") == 0).await;
    chat.sees(|messages| messages.iter().all(|message| message.buttons.is_empty()))
        .await;
    let before = chat.transcript();
    let told = chat.press_token(&bot.ann, shown.id, &stop).await;
    assert_eq!(
        told.text.as_deref(),
        Some("This is over already. Nothing changed.")
    );
    assert_eq!(chat.transcript(), before);
    chat.says("good morning");
    chat.settles(|message| message.text == "ok: good morning")
        .await;
    bot.assert_clean();
}

async fn the_button_goes_when_the_answer_comes(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    let gate = Gate::new();
    bot.model.calls(vec![("list_dir", json!({"path": "."}))]);
    bot.model
        .answers(Answer::text("Nothing here.").held_by(&gate));
    chat.says("look around");
    let shown = chat
        .settles(|message| message.text.contains('✓') && message.button(STOP).is_some())
        .await;
    insta::assert_snapshot!(shown.to_string(), @"Sayso: ✓ Looked at your files  [⏹ Stop]");
    gate.open();
    let answer = chat
        .becomes(shown.id, |message| message.text == "Nothing here.")
        .await;
    assert!(answer.buttons.is_empty(), "{answer}");
    let told = chat
        .press_token(&bot.ann, shown.id, &shown.token(STOP))
        .await;
    assert_eq!(
        told.text.as_deref(),
        Some("This is over already. Nothing changed.")
    );
    bot.assert_clean();
}

async fn the_one_who_asked_and_owners_may_press_and_others_are_told_so(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let group = bot.group("Workshop");
    looks_around_and_hangs(&bot);
    group.says_as(&bot.ann, "@sayso_bot build the shelf");
    let anns = thinks_about(&bot, &group, "build the shelf").await;
    let told = group.press(&bot.bob, anns.id, STOP).await;
    assert_eq!(
        told.text.as_deref(),
        Some("Only the person who asked, or an owner, can stop this.")
    );
    // What a forged client sends from elsewhere finds no turn there.
    let elsewhere = bot.direct();
    let anchor = elsewhere.says("/whoami");
    let told = elsewhere
        .press_token(&bot.ann, anchor, &anns.token(STOP))
        .await;
    assert_eq!(
        told.text.as_deref(),
        Some("This is over already. Nothing changed.")
    );
    assert!(group.message(anns.id).button(STOP).is_some());
    group.press(&bot.ann, anns.id, STOP).await;
    group
        .settles(|message| message.text.starts_with("⏹ Stopped."))
        .await;

    looks_around_and_hangs(&bot);
    group.says_as(&bot.bob, "@sayso_bot paint it");
    let bobs = thinks_about(&bot, &group, "paint it").await;
    let told = group.press(&bot.ann, bobs.id, STOP).await;
    assert_eq!(told.text.as_deref(), platform.echo("⏹ Stopping."));
    group
        .settles(|message| message.text.starts_with("⏹ Stopped."))
        .await;
    bot.assert_clean();
}

async fn a_press_stops_a_turn_that_goes_on_after_a_crash(platform: Platform) {
    let mut bot = TestBot::on(platform).await;
    let chat = bot.direct();
    looks_around_and_hangs(&bot);
    chat.says("look around");
    let shown = thinks_about(&bot, &chat, "look around").await;
    bot.has_noted("SELECT state FROM outbox WHERE purpose = 'live' AND state = 'sent'")
        .await;
    bot.model.answers(Answer::hangs());
    bot.crash().await;
    let told = chat.press(&bot.ann, shown.id, STOP).await;
    assert_eq!(told.text.as_deref(), platform.echo("⏹ Stopping."));
    chat.settles(|message| message.text.starts_with("⏹ Stopped."))
        .await;
    chat.sees(|messages| messages.iter().all(|message| message.buttons.is_empty()))
        .await;
    bot.assert_clean();
}

/// `/stop` is for everything; the button is for its one turn.
async fn a_press_stops_a_turn_that_waits_for_a_yes_and_leaves_what_waits_behind_it(
    platform: Platform,
) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    bot.model.calls(vec![("list_dir", json!({"path": "."}))]);
    bot.model
        .calls(vec![("shell", json!({"command": "mktemp ./mark.XXXX"}))]);
    chat.says("look, then make a mark");
    let card = chat.settles(Message::asks).await;
    let shown = live(&chat).await;
    let gate = Gate::new();
    bot.model
        .answers(Answer::text("The weather is fine.").held_by(&gate));
    chat.says("and the weather?");
    gate.reached_by(1).await;
    chat.press(&bot.ann, shown.id, STOP).await;
    gate.open();
    chat.settles(|message| message.text.contains("The weather is fine."))
        .await;
    chat.settles(|message| message.text.starts_with("⏹ Stopped."))
        .await;
    chat.becomes(card.id, |card| card.buttons.is_empty()).await;
    bot.assert_clean();
}
