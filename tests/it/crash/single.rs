//! Single crashes and ends in good order, one thing at a time.

use std::path::{Path, PathBuf};
use std::time::Duration;

use sayso_fakes::{Answer, Gate, Message};
use serde_json::json;

use super::storm::traces::orphans;
use crate::platform::{Platform, on_both};
use crate::test_bot::{TestBot, eventually};

/// Finds something when all that was to be said is noted as said.
const ALL_SENT: &str = "SELECT 'all' WHERE EXISTS (SELECT 1 FROM outbox)
     AND NOT EXISTS (SELECT 1 FROM outbox WHERE state <> 'sent')";

on_both!(
    a_third_crash_ends_a_turn_visibly,
    an_interrupted_turn_says_that_it_starts_again,
    a_call_whose_end_no_one_knows_is_not_repeated_without_a_yes,
    a_message_that_was_said_while_it_was_dead_is_answered,
    a_start_that_is_killed_at_any_moment_does_no_harm,
    an_end_in_good_order_loses_nothing_and_is_no_crash,
    an_end_in_good_order_ends_its_commands_and_keeps_its_cards
);

/// Holds every request of the model from now on at one gate, and answers the others by the queue.
fn hold_all(bot: &TestBot, is_routing: bool) -> Gate {
    let gate = Gate::new();
    let held = gate.clone();
    bot.model.when(move |request| {
        (request.is_routing() == is_routing).then(|| Answer::text("late").held_by(&held))
    });
    gate
}

/// Has the first step call a shell command, and every later one wait at the gate.
fn run_then_hold(bot: &TestBot, command: String) -> Gate {
    let gate = Gate::new();
    let held = gate.clone();
    bot.model
        .when(move |request| match request.tool_results().len() {
            _ if request.is_routing() => None,
            0 => Some(Answer::calls(vec![(
                "shell",
                json!({ "command": command }),
            )])),
            _ => Some(Answer::text("It ran.").held_by(&held)),
        });
    gate
}

/// Tells whether the command has left its mark: the shell makes the file before it writes into it.
fn has_effect(effects: &Path) -> bool {
    std::fs::read(effects).is_ok_and(|mark| !mark.is_empty())
}

fn home(bot: &TestBot) -> PathBuf {
    bot.data().parent().unwrap().to_owned()
}

async fn a_third_crash_ends_a_turn_visibly(platform: Platform) {
    let mut bot = TestBot::on(platform).await;
    let gate = hold_all(&bot, true);
    let chat = bot.direct();
    chat.says("hello");
    for crash in 1..=3 {
        gate.reached_by(crash).await;
        bot.crash().await;
    }
    chat.hears().await;
    insta::assert_snapshot!(chat.transcript(), @r"
    Ann: hello
    Sayso: ⚠️ I was interrupted three times while working on this, so I gave up on it.  [↻ Try again]
    ");
    bot.assert_clean();
}

async fn an_interrupted_turn_says_that_it_starts_again(platform: Platform) {
    let mut bot = TestBot::on(platform).await;
    let gate = run_then_hold(&bot, "echo once >> done".to_owned());
    let chat = bot.direct();
    chat.says("do it");
    let card = chat.hears_with(Message::asks).await;
    chat.press(&bot.ann, card.id, "Approve").await;
    gate.reached_by(1).await;
    chat.settles(|message| message.silent).await;
    // A live message whose sending is in doubt at a crash is let go.
    bot.has_noted("SELECT state FROM outbox WHERE purpose = 'live' AND state = 'sent'")
        .await;
    bot.crash().await;
    chat.settles(|message| message.text.contains("starting again"))
        .await;
    gate.open();
    chat.settles(|message| message.text == "It ran.").await;
    let done = std::fs::read_to_string(bot.workspace().join("done")).unwrap();
    assert_eq!(done, "once\n");
    bot.assert_clean();
}

async fn a_call_whose_end_no_one_knows_is_not_repeated_without_a_yes(platform: Platform) {
    let mut bot = TestBot::on(platform).await;
    let effects = home(&bot).join("effects");
    let command = format!(
        "echo once >> {}; setsid sleep 60 & sleep 60",
        effects.display()
    );
    bot.model
        .when(move |request| match request.last_tool_result() {
            _ if request.is_routing() => None,
            none if none.is_empty() => Some(Answer::calls(vec![(
                "shell",
                json!({ "command": command.clone() }),
            )])),
            unknown if unknown.contains("outcome of this call is unknown") => Some(Answer::calls(
                vec![("shell", json!({ "command": command.clone() }))],
            )),
            denied => Some(Answer::text(format!("I was told: {denied}"))),
        });
    let chat = bot.direct();
    chat.says("do it");
    let card = chat.hears_with(Message::asks).await;
    chat.press(&bot.ann, card.id, "Approve").await;
    eventually("the command begins", || has_effect(&effects)).await;
    bot.kill().await;
    assert_eq!(orphans(&home(&bot)).await, [""; 0], "still running");
    bot.start();
    bot.listens().await;
    let again = chat
        .hears_with(|message| message.button("Deny").is_some())
        .await;
    assert!(again.text.contains("may do it twice"), "{again}");
    chat.press(&bot.ann, again.id, "Deny").await;
    chat.settles(|message| message.text.contains("I was told: "))
        .await;
    assert_eq!(std::fs::read_to_string(effects).unwrap(), "once\n");
    bot.assert_clean();
}

async fn a_message_that_was_said_while_it_was_dead_is_answered(platform: Platform) {
    let mut bot = TestBot::on(platform).await;
    let chat = bot.direct();
    chat.says("hello");
    chat.hears().await;
    // Killed before it noted that the answer arrived, it would say it again, marked.
    bot.has_noted(ALL_SENT).await;
    bot.kill().await;
    chat.says("are you there?");
    bot.start();
    bot.listens().await;
    chat.hears().await;
    insta::assert_snapshot!(chat.transcript(), @r"
    Ann: hello
    Sayso: ok: hello
    Ann: are you there?
    Sayso: ok: are you there?
    ");
    bot.assert_clean();
}

async fn a_start_that_is_killed_at_any_moment_does_no_harm(platform: Platform) {
    let mut bot = TestBot::closed_on(platform, &[]).await;
    let chat = bot.direct();
    // Discord keeps nothing for a bot that never was there.
    let waits = platform == Platform::Telegram;
    if waits {
        chat.says("hello");
    }
    for milliseconds in [0, 5, 10, 20, 30, 45, 60, 80, 120] {
        bot.start();
        tokio::time::sleep(Duration::from_millis(milliseconds)).await;
        bot.kill().await;
    }
    bot.start();
    bot.listens().await;
    if !waits {
        chat.says("hello");
    }
    chat.hears_with(|message| message.text.contains("ok: hello"))
        .await;
    assert_eq!(bot.rows("PRAGMA quick_check").await, ["ok"]);
    bot.assert_clean();
}

async fn an_end_in_good_order_loses_nothing_and_is_no_crash(platform: Platform) {
    let mut bot = TestBot::on(platform).await;
    let gate = hold_all(&bot, false);
    let chat = bot.direct();
    chat.says("hello");
    gate.reached_by(1).await;
    assert_eq!(bot.stop().await, Some(0), "{}", bot.log());
    bot.start();
    bot.listens().await;
    gate.reached_by(2).await;
    gate.open();
    chat.hears().await;
    insta::assert_snapshot!(chat.transcript(), @r"
    Ann: hello
    Sayso: late
    ");
    let resumes = "SELECT CAST(resumes AS TEXT) FROM turns";
    assert_eq!(bot.rows(resumes).await, ["0"]);
    bot.assert_clean();
}

async fn an_end_in_good_order_ends_its_commands_and_keeps_its_cards(platform: Platform) {
    let mut bot = TestBot::on(platform).await;
    let effects = home(&bot).join("effects");
    let gate = run_then_hold(
        &bot,
        format!("echo once >> {}; sleep 60", effects.display()),
    );
    let chat = bot.direct();
    chat.says("do it");
    let card = chat.hears_with(Message::asks).await;
    assert_eq!(bot.stop().await, Some(0), "with a card out");
    bot.start();
    bot.listens().await;
    chat.press(&bot.ann, card.id, "Approve").await;
    eventually("the command begins", || has_effect(&effects)).await;
    assert_eq!(bot.stop().await, Some(0), "with a command running");
    assert_eq!(orphans(&home(&bot)).await, [""; 0], "still running");
    bot.start();
    bot.listens().await;
    gate.open();
    chat.settles(|message| message.text == "It ran.").await;
    assert_eq!(std::fs::read_to_string(effects).unwrap(), "once\n");
    bot.assert_clean();
}
