//! Servers that end, and what is left when we do.

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use sayso_fakes::Answer;
use serde_json::json;

use super::{Configured, bot_with, closed_bot_with, processes_with, result_of};
use crate::test_bot::eventually;

#[tokio::test]
pub async fn a_server_that_was_killed_is_back_for_the_next_call() {
    let marker = "marker-of-the-killed-server";
    let server = Configured::reference("everything", &["stdio", marker]).await;
    let bot = bot_with(&[server.with("ALLOW", "echo")], &[]).await;
    let first = processes_with(marker);
    assert_eq!(first.len(), 1);
    for process in &first {
        kill(Pid::from_raw(*process), Signal::SIGKILL).unwrap();
    }
    bot.logs("MCP server disconnected").await;
    let told = result_of(&bot, "everything__echo", json!({"message": "again"})).await;
    assert!(told.contains("Echo: again"), "{told}");
    assert_ne!(processes_with(marker), first);
}

#[tokio::test]
pub async fn a_call_that_its_server_did_not_survive_is_told_and_not_repeated() {
    let mut bot = closed_bot_with(&[], &[]).await;
    let marker = bot.path("was-here").to_string_lossy().into_owned();
    let server = Configured::hostile("ending", &marker).with("ALLOW", "look");
    for (key, value) in server.with("ENV", "HUSH=env:HUSH_OF_THE_HOUSE").settings(0) {
        bot.set(&key, &value);
    }
    bot.set_variable("HUSH_OF_THE_HOUSE", "hush-hush-77");
    bot.start();
    bot.logs("MCP server connected").await;
    let told = result_of(&bot, "hostile__look", json!({})).await;
    assert!(
        told.contains("before it answered; it may have taken effect"),
        "{told}"
    );
    let told = result_of(&bot, "hostile__look", json!({})).await;
    assert!(told.contains("back again"), "{told}");
    let log = bot.log();
    assert!(
        log.contains("it said last: [redacted: mcp-secret] is broken"),
        "{log}"
    );
    assert!(!log.contains("hush-hush-77"), "{log}");
}

#[tokio::test]
pub async fn a_stop_ends_a_long_call_and_the_server_stays() {
    let marker = "marker-of-the-silent-server";
    let server = Configured::hostile("silent", marker).with("ALLOW", "*");
    let bot = bot_with(&[server], &[]).await;
    let before = processes_with(marker);
    let chat = bot.direct();
    bot.model.calls(vec![("hostile__look", json!({}))]);
    chat.says("take your time");
    bot.has_noted("SELECT kind FROM journal WHERE kind = 'called'")
        .await;
    chat.says("/stop");
    chat.settles(|message| message.text.contains("topped"))
        .await;
    bot.logs("heard notifications/cancelled").await;
    assert_eq!(processes_with(marker), before, "it is the same one");
    let told = result_of(&bot, "hostile__peek", json!({})).await;
    assert!(told.contains("still here"), "{told}");
}

#[tokio::test]
pub async fn a_server_hears_that_no_one_waits_any_more() {
    let server = Configured::hostile("silent", "x").with("ALLOW", "look");
    let bot = bot_with(&[server.with("CALL_TIMEOUT_SECS", "1")], &[]).await;
    let told = result_of(&bot, "hostile__look", json!({})).await;
    assert!(told.contains("did not answer within 1 s"), "{told}");
    bot.logs("heard notifications/cancelled").await;
}

#[tokio::test]
pub async fn nothing_is_left_of_a_server_when_sayso_is_killed() {
    for ends_in_order in [true, false] {
        let bot = closed_bot_with(&[], &[]).await;
        let marker = bot.path("left-behind").to_string_lossy().into_owned();
        let server = Configured::hostile("leaving", &marker);
        let mut bot = bot_with(&[server], &[]).await;
        assert_eq!(processes_with(&marker).len(), 2);
        if ends_in_order {
            assert_eq!(bot.stop().await, Some(0));
        } else {
            bot.kill().await;
        }
        eventually("their end", || processes_with(&marker).is_empty()).await;
    }
}

#[tokio::test]
pub async fn a_server_that_does_not_read_ends_with_sayso_too() {
    let bot = closed_bot_with(&[], &[]).await;
    let marker = bot.path("deaf").to_string_lossy().into_owned();
    let server = Configured::hostile("deaf", &marker).with("ALLOW", "look");
    let mut bot = bot_with(&[server], &[]).await;
    bot.model.calls(vec![("hostile__look", json!({}))]);
    let chat = bot.direct();
    chat.says("look");
    bot.logs("deaf now").await;
    // Whatever it asked before is answered by now, or waits to be read.
    chat.says("/whoami");
    chat.hears_with(|message| message.text.contains(", my owner ("))
        .await;
    bot.kill().await;
    eventually("its end", || processes_with(&marker).is_empty()).await;
}

#[tokio::test]
pub async fn a_server_that_cannot_be_started_delays_nothing_and_is_told() {
    let missing = Configured::program("missing", "/no/such/program", &[]);
    let mut bot = closed_bot_with(&[missing], &[]).await;
    bot.start();
    let chat = bot.direct();
    bot.model.answers(Answer::text("Here."));
    chat.says("hello");
    chat.settles(|message| message.text == "Here.").await;
    bot.logs("MCP server disconnected").await;
    bot.logs("/no/such/program: No such file or directory")
        .await;
    bot.assert_clean();
}

#[tokio::test]
pub async fn the_doctor_starts_each_server_once_and_says_what_it_found() {
    let servers = [
        Configured::reference("memory", &[]).await,
        Configured::program("missing", "/no/such/program", &[]),
    ];
    let bot = closed_bot_with(&servers, &[]).await;
    let status = bot.command().arg("doctor").status().await.unwrap();
    assert_eq!(status.code(), Some(1));
    let told = bot.log();
    let found = "mcp server memory: it answers and has 9 tools";
    assert!(told.contains(found), "{told}");
    let missed = "mcp server missing cannot be used: it ended before it answered; it said last: ";
    assert!(told.contains(missed), "{told}");
    assert!(told.contains("/no/such/program: No such file"), "{told}");
}

#[tokio::test]
pub async fn a_server_that_is_not_enabled_is_not_started() {
    for (enabled, expected) in [("true", true), ("false", false)] {
        let server = Configured::hostile("silent", "x").with("ENABLED", enabled);
        let bot = closed_bot_with(&[server], &[]).await;
        bot.command().arg("doctor").status().await.unwrap();
        let told = bot.log();
        assert_eq!(told.contains("mcp server hostile"), expected, "{told}");
    }
}

#[tokio::test]
pub async fn a_server_that_never_answers_is_given_up_in_time() {
    let server = Configured::program("mute", "sleep", &["600"]).with("START_TIMEOUT_SECS", "1");
    let bot = closed_bot_with(&[server], &[]).await;
    bot.command().arg("doctor").status().await.unwrap();
    let told = bot.log();
    let missed = "mcp server mute cannot be used: it did not answer within 1 s";
    assert!(told.contains(missed), "{told}");
}
