//! Files of the workspace that change.

use std::fs;
use std::path::PathBuf;

use serde_json::json;

use super::{bot_with, makes, report, runs_after_a_while};
use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    a_file_that_changes_a_thousand_times_is_one_run,
    files_that_keep_secrets_and_others_start_nothing,
    what_a_run_writes_starts_no_other,
    files_that_changed_while_sayso_was_stopped_are_seen,
    an_hour_has_so_many_runs_and_what_comes_then_is_one,
    many_files_that_change_while_a_run_is_open_are_one_run
);

/// The workspace of Ann, with folders of the test in it.
fn workspace(bot: &TestBot) -> PathBuf {
    let workspace = bot.workspace();
    fs::create_dir_all(workspace.join("reports")).unwrap();
    workspace
}

/// Talks once, so that there is a workspace.
async fn bot_with_workspace(platform: Platform, settings: &[(&str, &str)]) -> (TestBot, Chat) {
    let bot = bot_with(platform, settings).await;
    let chat = bot.direct();
    chat.says("hello");
    chat.settles(|message| message.text == "ok: hello").await;
    (bot, chat)
}

async fn a_file_that_changes_a_thousand_times_is_one_run(platform: Platform) {
    let (bot, chat) = bot_with_workspace(platform, &[]).await;
    let workspace = workspace(&bot);
    fs::write(workspace.join("reports/old.csv"), "1").unwrap();
    fs::write(workspace.join("notes.md"), "1").unwrap();
    let starts = json!({"on_file": "reports/*.csv", "name": "sums"});
    let card = makes(&bot, &chat, false, starts, "add up what is new").await;
    let when =
        "Starts when a file reports/*.csv in the workspace changes, at most 6 times an hour.";
    assert!(card.contains(when), "{card}");
    let tried = "Tried on the last 2 files: 1 would have started it: reports/old.csv";
    assert!(card.contains(tried), "{card}");
    bot.model.says("The sum is 1000.");
    for number in 0..1000 {
        fs::write(workspace.join("reports/new.csv"), number.to_string()).unwrap();
    }
    let read = report(&bot, &chat, "The sum is 1000.").await;
    assert!(read.contains("`reports/new.csv` (3 bytes)"), "{read}");
    assert!(read.contains("text from outside"), "{read}");
    assert!(!read.contains("old.csv"), "{read}");
    assert_eq!(runs_after_a_while(&bot).await, 1);
    chat.says("/routines");
    let list = chat
        .hears_with(|message| message.button("1").is_some())
        .await;
    let line = "1. when a file reports/*.csv in the workspace changes: sums";
    assert!(list.text.contains(line), "{list}");
    bot.assert_clean();
}

async fn files_that_keep_secrets_and_others_start_nothing(platform: Platform) {
    let (bot, chat) = bot_with_workspace(platform, &[]).await;
    let workspace = workspace(&bot);
    let card = makes(
        &bot,
        &chat,
        false,
        json!({"on_file": "*"}),
        "say what is new",
    )
    .await;
    assert!(card.contains("The workspace has no files yet"), "{card}");
    fs::write(workspace.join("credentials.json"), "{}").unwrap();
    fs::write(workspace.join("id_rsa"), "x").unwrap();
    fs::write(workspace.join(".env"), "A=1").unwrap();
    assert_eq!(runs_after_a_while(&bot).await, 0);
    bot.model.says("One file is new.");
    fs::write(workspace.join("a.md"), "x").unwrap();
    let read = report(&bot, &chat, "One file is new.").await;
    assert!(read.contains("`a.md`"), "{read}");
    for secret in ["credentials", "id_rsa", ".env"] {
        assert!(!read.contains(secret), "{read}");
    }
    let refused = json!({"action": "create", "on_file": ".ssh/*", "prompt": "look"});
    bot.model.calls(vec![("routine", refused)]);
    bot.model.says("I may not.");
    chat.says("and the keys?");
    chat.settles(|message| message.text == "I may not.").await;
    let told = bot.model.requests().pop().unwrap().last_tool_result();
    assert!(told.contains("files that keep secrets"), "{told}");
    bot.assert_clean();
}

async fn what_a_run_writes_starts_no_other(platform: Platform) {
    let (bot, chat) = bot_with_workspace(platform, &[("AGENT__AUTONOMY", "full")]).await;
    let workspace = workspace(&bot);
    let create = json!({"action": "create", "on_file": "reports/", "prompt": "sum up"});
    bot.model.calls(vec![("routine", create)]);
    bot.model.says("It is kept.");
    chat.says("sum up whatever comes there");
    chat.settles(|message| message.text == "It is kept.").await;
    let write = json!({"path": "reports/summary.md", "content": "one line"});
    bot.model.calls(vec![("file_write", write)]);
    bot.model.says("Summed up.");
    fs::write(workspace.join("reports/a.md"), "x").unwrap();
    // The turn has read text from outside, so its call asks.
    let card = chat
        .hears_with(|message| message.button("Approve").is_some())
        .await;
    chat.press(&bot.ann, card.id, "Approve").await;
    report(&bot, &chat, "Summed up.").await;
    assert!(workspace.join("reports/summary.md").exists());
    assert_eq!(runs_after_a_while(&bot).await, 1);
    // What a person changes afterwards does.
    bot.model.says("Summed up again.");
    fs::write(workspace.join("reports/summary.md"), "two lines").unwrap();
    let read = report(&bot, &chat, "Summed up again.").await;
    assert!(read.contains("`reports/summary.md` (9 bytes)"), "{read}");
    bot.assert_clean();
}

async fn files_that_changed_while_sayso_was_stopped_are_seen(platform: Platform) {
    let (mut bot, chat) = bot_with_workspace(platform, &[]).await;
    let workspace = workspace(&bot);
    makes(&bot, &chat, false, json!({"on_file": "*.md"}), "read it").await;
    bot.stop().await;
    fs::write(workspace.join("a.md"), "x").unwrap();
    // A file that is moved here keeps its old time, and is new here.
    let elsewhere = bot.path("b.md");
    fs::write(&elsewhere, "x").unwrap();
    let long_ago = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
    let file = fs::File::options().write(true).open(&elsewhere).unwrap();
    file.set_modified(long_ago).unwrap();
    drop(file);
    fs::rename(&elsewhere, workspace.join("b.md")).unwrap();
    bot.model.says("Both read.");
    bot.start();
    let read = report(&bot, &chat, "Both read.").await;
    assert!(read.contains("`a.md`") && read.contains("`b.md`"), "{read}");
    assert_eq!(runs_after_a_while(&bot).await, 1);
    bot.assert_clean();
}

async fn an_hour_has_so_many_runs_and_what_comes_then_is_one(platform: Platform) {
    let settings = [("ROUTINES__TRIGGERED_PER_HOUR", "2")];
    let (bot, chat) = bot_with_workspace(platform, &settings).await;
    let workspace = workspace(&bot);
    let card = makes(&bot, &chat, false, json!({"on_file": "*.md"}), "read it").await;
    assert!(card.contains("at most 2 times an hour"), "{card}");
    for number in 1..=2 {
        let said = format!("Read {number}.");
        bot.model.says(&said);
        fs::write(workspace.join(format!("{number}.md")), "x").unwrap();
        report(&bot, &chat, &said).await;
        bot.has_noted("SELECT '' || id FROM routine_runs WHERE state = 'done'")
            .await;
    }
    fs::write(workspace.join("3.md"), "x").unwrap();
    tokio::time::sleep(std::time::Duration::from_secs(6)).await;
    fs::write(workspace.join("4.md"), "x").unwrap();
    assert_eq!(runs_after_a_while(&bot).await, 2);
    let waiting = bot
        .rows("SELECT text FROM routine_events WHERE run_id IS NULL ORDER BY id")
        .await;
    assert_eq!(waiting, ["`3.md` (1 bytes)", "`4.md` (1 bytes)"]);
    // They wait until the first of the two runs is an hour old.
    let wait = bot
        .rows(
            "SELECT '' || (o.next_ms - (SELECT min(created_ms) FROM routine_runs)) FROM routines o",
        )
        .await;
    assert_eq!(wait, ["3600000"]);
    bot.assert_clean();
}

async fn many_files_that_change_while_a_run_is_open_are_one_run(platform: Platform) {
    let (bot, chat) = bot_with_workspace(platform, &[]).await;
    let workspace = workspace(&bot);
    makes(&bot, &chat, false, json!({"on_file": "*.md"}), "read it").await;
    bot.model
        .calls(vec![("shell", json!({"command": "touch tidied"}))]);
    fs::write(workspace.join("first.md"), "x").unwrap();
    let card = chat
        .hears_with(|message| message.button("Approve").is_some())
        .await;
    // While that run waits for a yes, files change so slowly that several looks find some.
    for batch in 0..4 {
        for number in 0..50 {
            fs::write(workspace.join(format!("{batch}-{number}.md")), "x").unwrap();
        }
        tokio::time::sleep(std::time::Duration::from_secs(5)).await;
    }
    let waiting = "SELECT '' || count(*) FROM routine_events WHERE run_id IS NULL";
    assert_eq!(bot.rows(waiting).await, ["50"]);
    bot.model.says("First read.");
    chat.press(&bot.ann, card.id, "Approve").await;
    report(&bot, &chat, "First read.").await;
    bot.model.says("All read.");
    report(&bot, &chat, "All read.").await;
    assert_eq!(bot.rows(waiting).await, ["0"]);
    assert_eq!(runs_after_a_while(&bot).await, 2);
    let taken = "SELECT '' || occurrences FROM routine_runs ORDER BY id";
    assert_eq!(bot.rows(taken).await, ["1", "50"]);
    bot.assert_clean();
}
