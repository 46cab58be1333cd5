//! The button below the answer to `/undo`: it brings back what the undo took away, once, and only
//! while the files are as the undo left them.

use std::fs;

use sayso_fakes::Message;
use serde_json::json;

use super::conversation;
use super::undo::{UNASKED, content, file, undoes, writes};
use crate::bad_input::disk::{SmallDisk, fill};
use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    row56_a_new_file_that_was_undone_comes_back_once,
    row56_changed_files_come_back_and_can_be_undone_again,
    row56_it_speaks_the_language_of_who_presses,
    row56_a_file_that_changed_since_is_named_and_nothing_is_done,
    row56_another_person_brings_nothing_back,
    row56_a_kill_behind_the_press_loses_nothing,
    row56_a_kill_in_the_middle_of_it_loses_nothing,
    row56_a_kill_in_the_middle_of_the_undo_loses_nothing,
    row56_what_is_not_kept_any_more_is_said
);

/// Presses the button and waits until the message has this line.
async fn redoes(bot: &TestBot, chat: &Chat, undone: &Message, line: &str) -> Message {
    chat.press(&bot.ann, undone.id, "Redo").await;
    chat.becomes(undone.id, |message| message.text.contains(line))
        .await
}

async fn row56_a_new_file_that_was_undone_comes_back_once(platform: Platform) {
    let bot = TestBot::on_with(platform, UNASKED).await;
    let chat = bot.direct();
    writes(&bot, &chat, "a list", &[("shopping.md", "milk")]).await;
    let undone = undoes(&chat, "Undone").await;
    insta::assert_snapshot!(undone.to_string(), @"Sayso: ↩ Undone: removed shopping.md (it was new).  [Redo]");
    assert!(!file(&bot, "shopping.md").exists());
    let token = undone.token("Redo");
    let redone = redoes(&bot, &chat, &undone, "Redone").await;
    insta::assert_snapshot!(redone.to_string(), @r"
    Sayso: ↩ Undone: removed shopping.md (it was new).

      ↪ Redone: shopping.md is as it was before the undo.
    ");
    assert_eq!(content(&bot, "shopping.md"), "milk");
    let again = chat.press_token(&bot.ann, undone.id, &token).await;
    assert_eq!(
        again.text.as_deref(),
        Some("This was already answered. Nothing changed.")
    );
    let audited = "SELECT event FROM audit WHERE event IN ('undone', 'redone') ORDER BY seq";
    assert_eq!(bot.rows(audited).await, ["undone", "redone"]);
    // Nothing came from outside, so the workspace is still all its person's own.
    let foreign = "SELECT outside_why FROM workspaces WHERE outside_why IS NOT NULL";
    assert_eq!(bot.rows(foreign).await, [""; 0]);

    // The files are as the model left them, so there is nothing to say to it.
    chat.says("what is there?");
    chat.settles(|message| message.text == "ok: what is there?")
        .await;
    let told = conversation(bot.model.turn_requests().last().unwrap());
    assert!(!told.iter().any(|said| said.contains("undone")), "{told:?}");
    bot.assert_clean();
}

async fn row56_changed_files_come_back_and_can_be_undone_again(platform: Platform) {
    let bot = TestBot::on_with(platform, UNASKED).await;
    let chat = bot.direct();
    writes(&bot, &chat, "begin", &[("a", "one")]).await;
    let both = [("a", "two"), ("a", "three"), ("sub/b", "new")];
    writes(&bot, &chat, "go on", &both).await;
    for _ in 0..2 {
        let undone = undoes(&chat, "2 files of “go on”").await;
        assert_eq!(content(&bot, "a"), "one");
        assert!(!file(&bot, "sub/b").exists());
        let redone = redoes(&bot, &chat, &undone, "Redone: 2 files").await;
        assert!(!redone.asks(), "{redone}");
        assert_eq!(content(&bot, "a"), "three");
        assert_eq!(content(&bot, "sub/b"), "new");
    }
    undoes(&chat, "2 files of “go on”").await;
    undoes(&chat, "removed a (it was new)").await;
    assert!(!file(&bot, "a").exists());
    bot.assert_clean();
}

/// Who undid it reads English, and who has it redone reads Chinese.
async fn row56_it_speaks_the_language_of_who_presses(platform: Platform) {
    let bot = TestBot::on_with(platform, UNASKED).await;
    let lin = bot.ann.clone().speaking("zh-hans");
    let group = bot.group("Workshop").with(&bot.bob).with(&lin);
    let calls = vec![("file_write", json!({"path": "a", "content": "one"}))];
    bot.model.calls(calls);
    bot.model.says("Done.");
    group.says_as(&bot.bob, "@sayso_bot please begin with the first file");
    group.settles(|message| message.text == "Done.").await;
    group.says_as(&bot.bob, "/undo");
    let undone = group
        .hears_with(|message| message.text.contains("Undone"))
        .await;
    group.says_as(&lin, "@sayso_bot 请告诉我现在有哪些文件。");
    group
        .settles(|message| message.text.starts_with("ok: ") && message.text.contains("文件"))
        .await;
    let told = group.press(&lin, undone.id, "Redo").await;
    assert_eq!(told.text.as_deref(), platform.echo("↪ 正在恢复。"));
    let redone = group
        .becomes(undone.id, |message| message.text.contains("已恢复"))
        .await;
    insta::assert_snapshot!(redone.to_string(), @r"
    Sayso: ↩ Undone: removed a (it was new).

      ↪ 已恢复：a 回到了撤销之前的样子。
    ");
    bot.assert_clean();
}

async fn row56_a_file_that_changed_since_is_named_and_nothing_is_done(platform: Platform) {
    let bot = TestBot::on_with(platform, UNASKED).await;
    let chat = bot.direct();
    writes(&bot, &chat, "begin", &[("a", "one"), ("b", "one")]).await;
    writes(&bot, &chat, "go on", &[("a", "two"), ("b", "two")]).await;
    let undone = undoes(&chat, "Undone").await;
    fs::write(file(&bot, "a"), "by hand").unwrap();
    let left = redoes(&bot, &chat, &undone, "Not redone").await;
    insta::assert_snapshot!(left.to_string(), @r"
    Sayso: ↩ Undone: 2 files of “go on”

      • a: as it was before
      • b: as it was before

      Not redone: a has changed since. I left everything alone.
    ");
    assert_eq!(content(&bot, "a"), "by hand");
    assert_eq!(content(&bot, "b"), "one", "all or nothing");
    let kept = "SELECT path FROM undone_files UNION ALL
                SELECT path FROM file_changes WHERE undone_by IS NOT NULL";
    assert_eq!(bot.rows(kept).await, [""; 0]);
    bot.assert_clean();
}

async fn row56_another_person_brings_nothing_back(platform: Platform) {
    let bot = TestBot::on_with(platform, UNASKED).await;
    let group = bot.group("Workshop").with(&bot.ann);
    writes(&bot, &group, "@sayso_bot begin", &[("a", "one")]).await;
    group.says_as(&bot.ann, "/undo");
    let undone = group
        .hears_with(|message| message.text.contains("Undone"))
        .await;
    let refused = group.press(&bot.bob, undone.id, "Redo").await;
    assert_eq!(
        refused.text.as_deref(),
        Some("Only the person who asked, or an owner, can answer this.")
    );
    assert!(!file(&bot, "a").exists());
    redoes(&bot, &group, &undone, "Redone").await;
    assert_eq!(content(&bot, "a"), "one");
    bot.assert_clean();
}

async fn row56_a_kill_behind_the_press_loses_nothing(platform: Platform) {
    let mut bot = TestBot::on_with(platform, UNASKED).await;
    let chat = bot.direct();
    writes(&bot, &chat, "begin", &[("a", "one")]).await;
    let undone = undoes(&chat, "Undone").await;
    chat.presses_token(&bot.ann, undone.id, &undone.token("Redo"));
    bot.has_noted("SELECT state FROM prompts WHERE kind = 'file_redo' AND state = 'answered'")
        .await;
    bot.crash().await;
    let redone = chat
        .becomes(undone.id, |message| message.text.contains("Redone"))
        .await;
    assert!(!redone.asks(), "{redone}");
    assert_eq!(content(&bot, "a"), "one");
    let audited = "SELECT event FROM audit WHERE event = 'redone'";
    assert_eq!(bot.rows(audited).await, ["redone"]);
    bot.assert_clean();
}

async fn row56_a_kill_in_the_middle_of_it_loses_nothing(platform: Platform) {
    let mut bot = TestBot::on_with(platform, UNASKED).await;
    let chat = bot.direct();
    writes(&bot, &chat, "begin", &[("a", "one"), ("b", "one")]).await;
    writes(&bot, &chat, "go on", &[("a", "two"), ("b", "two")]).await;
    let undone = undoes(&chat, "Undone").await;
    bot.crash_when_noted().await;
    bot.kill().await;
    // As if the kill had come between the two.
    fs::write(file(&bot, "a"), "two").unwrap();
    bot.write("UPDATE prompts SET state = 'answered' WHERE kind = 'file_redo'")
        .await;
    bot.write("UPDATE undos SET state = 'redo', redo_by = user_id, notice = 'Undone'")
        .await;
    bot.start();
    bot.settles_in().await;
    chat.becomes(undone.id, |message| message.text.contains("Redone: 2"))
        .await;
    assert_eq!(content(&bot, "a"), "two");
    assert_eq!(content(&bot, "b"), "two");
    undoes(&chat, "2 files of “go on”").await;
    bot.assert_clean();
}

async fn row56_a_kill_in_the_middle_of_the_undo_loses_nothing(platform: Platform) {
    let mut bot = TestBot::on_with(platform, UNASKED).await;
    let chat = bot.direct();
    writes(&bot, &chat, "begin", &[("a", "one"), ("b", "one")]).await;
    writes(&bot, &chat, "go on", &[("a", "two"), ("b", "two")]).await;
    let first = undoes(&chat, "Undone").await;
    bot.crash_when_noted().await;
    bot.kill().await;
    // As if the kill had come between the two, before that was said.
    fs::write(file(&bot, "b"), "two").unwrap();
    bot.write("DELETE FROM prompts WHERE kind = 'file_redo'")
        .await;
    bot.write("UPDATE file_changes SET undone_by = NULL").await;
    // A command of Discord is answered once, so this one was another message.
    bot.write("UPDATE undos SET state = 'wanted', reply_to = NULL")
        .await;
    bot.start();
    bot.settles_in().await;
    let undone = chat
        .hears_with(|message| message.id != first.id && message.text.contains("Undone"))
        .await;
    insta::assert_snapshot!(undone.to_string(), @r"
    Sayso: ↩ Undone: 2 files of “go on”

      • a: as it was before
      • b: as it was before  [Redo]
    ");
    assert_eq!(content(&bot, "b"), "one");
    redoes(&bot, &chat, &undone, "Redone: 2 files").await;
    assert_eq!(content(&bot, "a"), "two");
    assert_eq!(content(&bot, "b"), "two");
    bot.assert_clean();
}

async fn row56_what_is_not_kept_any_more_is_said(platform: Platform) {
    let mut bot = TestBot::on_with(platform, UNASKED).await;
    let chat = bot.direct();
    writes(&bot, &chat, "begin", &[("a", "one")]).await;
    let undone = undoes(&chat, "Undone").await;
    bot.crash_when_noted().await;
    bot.kill().await;
    bot.write("DELETE FROM undone_files").await;
    bot.start();
    bot.settles_in().await;
    let left = redoes(&bot, &chat, &undone, "too long ago").await;
    assert!(!left.asks(), "{left}");
    assert!(!file(&bot, "a").exists());
    bot.assert_clean();
}

#[tokio::test]
async fn row56_what_the_disk_did_not_take_may_be_pressed_again() {
    let bot = TestBot::on_with(Platform::Telegram, UNASKED).await;
    let chat = bot.direct();
    writes(&bot, &chat, "begin", &[("a", "one")]).await;
    let workspace = bot.workspace();
    fs::remove_dir_all(&workspace).unwrap();
    let Some(_disk) = SmallDisk::mount(&workspace) else {
        println!("nothing may be mounted here");
        return;
    };
    fs::write(file(&bot, "a"), "one").unwrap();
    writes(&bot, &chat, "go on", &[("a", "two")]).await;
    let undone = undoes(&chat, "Undone").await;
    let filler = file(&bot, "filler");
    fill(&filler);
    let left = redoes(&bot, &chat, &undone, "Could not be brought back now: a").await;
    assert!(left.asks(), "{left}");
    assert_eq!(content(&bot, "a"), "one");
    fs::remove_file(filler).unwrap();
    let redone = redoes(&bot, &chat, &left, "Redone").await;
    assert!(!redone.text.contains("Could not"), "{redone}");
    assert_eq!(content(&bot, "a"), "two");
    bot.assert_clean();
}
