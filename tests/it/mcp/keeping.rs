//! Servers that end, and what is left when we do.

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use sayso_fakes::Answer;
use serde_json::json;

use super::{Configured, closed_house_with, house_with, processes_with, result_of};
use crate::house::eventually;

#[tokio::test]
pub async fn a_server_that_was_killed_is_back_for_the_next_call() {
    let marker = "marker-of-the-killed-server";
    let server = Configured::reference("everything", &["stdio", marker]).await;
    let house = house_with(&[server.with("ALLOW", "echo")], &[]).await;
    let first = processes_with(marker);
    assert_eq!(first.len(), 1);
    for process in &first {
        kill(Pid::from_raw(*process), Signal::SIGKILL).unwrap();
    }
    house.logs("an MCP server is gone").await;
    let told = result_of(&house, "everything__echo", json!({"message": "again"})).await;
    assert!(told.contains("Echo: again"), "{told}");
    assert_ne!(processes_with(marker), first);
}

#[tokio::test]
pub async fn a_call_that_its_server_did_not_survive_is_told_and_not_repeated() {
    let mut house = closed_house_with(&[], &[]).await;
    let marker = house.path("was-here").to_string_lossy().into_owned();
    let server = Configured::hostile("ending", &marker).with("ALLOW", "look");
    for (key, value) in server.with("ENV", "HUSH=env:HUSH_OF_THE_HOUSE").settings(0) {
        house.set(&key, &value);
    }
    house.set_variable("HUSH_OF_THE_HOUSE", "hush-hush-77");
    house.start();
    house.logs("an MCP server is there").await;
    let told = result_of(&house, "hostile__look", json!({})).await;
    assert!(
        told.contains("before it answered; it may have taken effect"),
        "{told}"
    );
    let told = result_of(&house, "hostile__look", json!({})).await;
    assert!(told.contains("back again"), "{told}");
    let log = house.log();
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
    let house = house_with(&[server], &[]).await;
    let before = processes_with(marker);
    let chat = house.direct();
    house.model.calls(vec![("hostile__look", json!({}))]);
    chat.says("take your time");
    house
        .has_noted("SELECT kind FROM journal WHERE kind = 'called'")
        .await;
    chat.says("/stop");
    chat.settles(|message| message.text.contains("Stopped"))
        .await;
    house.logs("heard notifications/cancelled").await;
    assert_eq!(processes_with(marker), before, "it is the same one");
    let told = result_of(&house, "hostile__peek", json!({})).await;
    assert!(told.contains("still here"), "{told}");
}

#[tokio::test]
pub async fn a_server_hears_that_nobody_waits_any_more() {
    let server = Configured::hostile("silent", "x").with("ALLOW", "look");
    let house = house_with(&[server.with("CALL_TIMEOUT_SECS", "1")], &[]).await;
    let told = result_of(&house, "hostile__look", json!({})).await;
    assert!(told.contains("did not answer within 1 s"), "{told}");
    house.logs("heard notifications/cancelled").await;
}

#[tokio::test]
pub async fn nothing_is_left_of_a_server_when_sayso_is_killed() {
    for ends_in_order in [true, false] {
        let house = closed_house_with(&[], &[]).await;
        let marker = house.path("left-behind").to_string_lossy().into_owned();
        let server = Configured::hostile("leaving", &marker);
        let mut house = house_with(&[server], &[]).await;
        assert_eq!(processes_with(&marker).len(), 2);
        if ends_in_order {
            assert_eq!(house.stop().await, Some(0));
        } else {
            house.kill().await;
        }
        eventually("their end", || processes_with(&marker).is_empty()).await;
    }
}

#[tokio::test]
pub async fn a_server_that_does_not_read_ends_with_sayso_too() {
    let house = closed_house_with(&[], &[]).await;
    let marker = house.path("deaf").to_string_lossy().into_owned();
    let server = Configured::hostile("deaf", &marker).with("ALLOW", "look");
    let mut house = house_with(&[server], &[]).await;
    house.model.calls(vec![("hostile__look", json!({}))]);
    let chat = house.direct();
    chat.says("look");
    house.logs("deaf now").await;
    // Whatever it asked before is answered by now, or waits to be read.
    chat.says("/whoami");
    chat.hears_with(|message| message.text.contains("your role is owner"))
        .await;
    house.kill().await;
    eventually("its end", || processes_with(&marker).is_empty()).await;
}

#[tokio::test]
pub async fn a_server_that_cannot_be_started_delays_nothing_and_is_told() {
    let missing = Configured::program("missing", "/no/such/program", &[]);
    let mut house = closed_house_with(&[missing], &[]).await;
    house.start();
    let chat = house.direct();
    house.model.answers(Answer::text("Here."));
    chat.says("hello");
    chat.settles(|message| message.text == "Here.").await;
    house.logs("an MCP server is gone").await;
    house
        .logs("/no/such/program: No such file or directory")
        .await;
    house.assert_clean();
}

#[tokio::test]
pub async fn the_doctor_starts_each_server_once_and_says_what_it_found() {
    let servers = [
        Configured::reference("memory", &[]).await,
        Configured::program("missing", "/no/such/program", &[]),
    ];
    let house = closed_house_with(&servers, &[]).await;
    let status = house.command().arg("doctor").status().await.unwrap();
    assert_eq!(status.code(), Some(1));
    let told = house.log();
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
        let house = closed_house_with(&[server], &[]).await;
        house.command().arg("doctor").status().await.unwrap();
        let told = house.log();
        assert_eq!(told.contains("mcp server hostile"), expected, "{told}");
    }
}

#[tokio::test]
pub async fn a_server_that_never_answers_is_given_up_in_time() {
    let server = Configured::program("mute", "sleep", &["600"]).with("START_TIMEOUT_SECS", "1");
    let house = closed_house_with(&[server], &[]).await;
    house.command().arg("doctor").status().await.unwrap();
    let told = house.log();
    let missed = "mcp server mute cannot be used: it did not answer within 1 s";
    assert!(told.contains(missed), "{told}");
}
