//! `/undo`: what was changed in files is put back.

use std::path::PathBuf;

use sayso_fakes::{Answer, Gate, Message};
use serde_json::json;

use super::conversation;
use crate::bad_input::disk::{SmallDisk, fill};
use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    the_newest_changes_are_put_back_and_then_those_before,
    a_file_that_changed_since_is_asked_about,
    only_whose_turn_it_was_or_an_owner_may_undo_it,
    what_waits_for_a_yes_is_stopped_first,
    a_file_that_changed_between_two_writes_is_asked_about,
    what_changes_behind_the_card_is_asked_about_anew,
    a_workspace_at_work_keeps_no_other_waiting,
    a_kill_loses_no_wish_and_doubles_no_answer,
    what_was_put_back_before_a_kill_counts
);

pub const UNASKED: &[(&str, &str)] = &[("POLICY__CONFIRM_WRITE", "false")];

/// Has the model write these files in one turn, and waits until it has.
pub async fn writes(bot: &TestBot, chat: &Chat, request: &str, files: &[(&str, &str)]) {
    let calls = files
        .iter()
        .map(|(path, content)| ("file_write", json!({"path": path, "content": content})));
    bot.model.calls(calls.collect());
    let answer = format!("Done: {request}");
    bot.model.says(&answer);
    chat.says(request);
    chat.settles(|message| message.text == answer).await;
}

pub fn file(bot: &TestBot, name: &str) -> PathBuf {
    bot.workspace().join(name)
}

pub fn content(bot: &TestBot, name: &str) -> String {
    std::fs::read_to_string(file(bot, name)).unwrap()
}

/// Says `/undo` and waits for this answer.
pub async fn undoes(chat: &Chat, answer: &str) -> Message {
    chat.says("/undo");
    chat.hears_with(|message| message.text.contains(answer))
        .await
}

async fn the_newest_changes_are_put_back_and_then_those_before(platform: Platform) {
    let bot = TestBot::on_with(platform, UNASKED).await;
    let chat = bot.direct();
    undoes(&chat, "There is nothing to undo here").await;
    writes(&bot, &chat, "begin", &[("a", "one")]).await;
    let both = [("a", "two"), ("a", "three"), ("sub/b", "new")];
    writes(&bot, &chat, "go on", &both).await;
    let undone = undoes(&chat, "Undone").await;
    insta::assert_snapshot!(undone.text, @r"
    ↩ Undone: 2 files of “go on”

    • a: as it was before
    • sub/b: removed (it was new)
    ");
    assert_eq!(content(&bot, "a"), "one");
    assert!(!file(&bot, "sub/b").exists());
    // Nothing came from outside, so the workspace is still all its person's own.
    let foreign = "SELECT outside_why FROM workspaces WHERE outside_why IS NOT NULL";
    assert_eq!(bot.rows(foreign).await, [""; 0]);
    let audited = "SELECT event FROM audit WHERE event = 'undone'";
    assert_eq!(bot.rows(audited).await, ["undone"]);

    chat.says("what is there?");
    chat.settles(|message| message.text == "ok: what is there?")
        .await;
    let told = conversation(bot.model.turn_requests().last().unwrap());
    let undone = "(the person has since undone the changes of these files: a, sub/b)";
    assert!(told.iter().any(|said| said.contains(undone)), "{told:?}");

    undoes(&chat, "removed a (it was new)").await;
    assert!(!file(&bot, "a").exists());
    undoes(&chat, "There is nothing to undo here").await;
    bot.assert_clean();
}

async fn a_file_that_changed_since_is_asked_about(platform: Platform) {
    let bot = TestBot::on_with(platform, UNASKED).await;
    let chat = bot.direct();
    writes(&bot, &chat, "begin", &[("a", "one"), ("b", "one")]).await;
    writes(&bot, &chat, "go on", &[("a", "two"), ("b", "two")]).await;
    std::fs::write(file(&bot, "a"), "by hand").unwrap();
    let card = undoes(&chat, "Put back what I changed").await;
    insta::assert_snapshot!(card.to_string(), @r"
    Sayso: Put back what I changed for “go on”?
      These files have changed since, and that would be lost:

      • a  [Put them back | Leave them]
    ");
    chat.press(&bot.ann, card.id, "Leave them").await;
    let left = chat.becomes(card.id, |card| !card.asks()).await;
    assert_eq!(left.text, "Left as they are.");
    assert_eq!(content(&bot, "a"), "by hand");
    assert_eq!(content(&bot, "b"), "two", "all or nothing");

    let card = undoes(&chat, "Put back what I changed").await;
    let yes = card.token("Put them back");
    chat.press(&bot.ann, card.id, "Put them back").await;
    chat.hears_with(|message| message.text.contains("Undone"))
        .await;
    assert_eq!(content(&bot, "a"), "one");
    assert_eq!(content(&bot, "b"), "one");
    let again = chat.press_token(&bot.ann, card.id, &yes).await;
    assert_eq!(
        again.text.as_deref(),
        Some("This was already answered. Nothing changed.")
    );
    bot.assert_clean();
}

async fn a_file_that_changed_between_two_writes_is_asked_about(platform: Platform) {
    let bot = TestBot::on_with(platform, UNASKED).await;
    let chat = bot.direct();
    writes(&bot, &chat, "begin", &[("a", "one")]).await;
    let write = |content| vec![("file_write", json!({"path": "a", "content": content}))];
    bot.model.calls(write("two"));
    let gate = Gate::new();
    bot.model
        .answers(Answer::calls(write("three")).held_by(&gate));
    bot.model.says("Written twice.");
    chat.says("go on");
    gate.reached_by(1).await;
    std::fs::write(file(&bot, "a"), "by hand").unwrap();
    gate.open();
    chat.settles(|message| message.text == "Written twice.")
        .await;
    let card = undoes(&chat, "Put back what I changed").await;
    assert_eq!(content(&bot, "a"), "three");
    chat.press(&bot.ann, card.id, "Put them back").await;
    chat.hears_with(|message| message.text.contains("Undone"))
        .await;
    assert_eq!(content(&bot, "a"), "one");
    bot.assert_clean();
}

async fn what_changes_behind_the_card_is_asked_about_anew(platform: Platform) {
    let bot = TestBot::on_with(platform, UNASKED).await;
    let chat = bot.direct();
    writes(&bot, &chat, "go on", &[("a", "two"), ("b", "two")]).await;
    std::fs::write(file(&bot, "a"), "by hand").unwrap();
    let card = undoes(&chat, "Put back what I changed").await;
    assert!(!card.text.contains("• b"), "{card}");
    std::fs::write(file(&bot, "b"), "by hand too").unwrap();
    chat.press(&bot.ann, card.id, "Put them back").await;
    let anew = chat.hears_with(Message::asks).await;
    assert!(
        anew.text.contains("• a") && anew.text.contains("• b"),
        "{anew}"
    );
    assert_eq!(content(&bot, "a"), "by hand");
    assert_eq!(content(&bot, "b"), "by hand too");
    chat.press(&bot.ann, anew.id, "Put them back").await;
    chat.hears_with(|message| message.text.contains("Undone"))
        .await;
    assert!(!file(&bot, "a").exists() && !file(&bot, "b").exists());
    bot.assert_clean();
}

#[tokio::test]
async fn what_the_disk_did_not_take_is_put_back_another_time() {
    let bot = TestBot::on_with(Platform::Telegram, UNASKED).await;
    let chat = bot.direct();
    writes(&bot, &chat, "begin", &[("a", "one")]).await;
    let workspace = bot.workspace();
    std::fs::remove_dir_all(&workspace).unwrap();
    let Some(_disk) = SmallDisk::mount(&workspace) else {
        println!("nothing may be mounted here");
        return;
    };
    std::fs::write(file(&bot, "a"), "one").unwrap();
    writes(&bot, &chat, "go on", &[("a", "two"), ("b", "two")]).await;
    let filler = file(&bot, "filler");
    fill(&filler);
    let undone = undoes(&chat, "Undone").await;
    insta::assert_snapshot!(undone.text, @r"
    ↩ Undone: 1 of 2 files of “go on”

    • a: could not be put back now; say /undo again
    • b: removed (it was new)
    ");
    assert_eq!(content(&bot, "a"), "two");
    std::fs::remove_file(filler).unwrap();
    let undone = undoes(&chat, "Undone").await;
    insta::assert_snapshot!(undone.text, @"↩ Undone: a is as it was before.");
    assert_eq!(content(&bot, "a"), "one");
    undoes(&chat, "removed a (it was new)").await;
    assert!(!file(&bot, "a").exists());
    bot.assert_clean();
}

async fn what_was_put_back_before_a_kill_counts(platform: Platform) {
    let mut bot = TestBot::on_with(platform, UNASKED).await;
    let chat = bot.direct();
    writes(&bot, &chat, "begin", &[("a", "one")]).await;
    writes(&bot, &chat, "go on", &[("a", "two")]).await;
    chat.says("/undo");
    bot.has_noted("SELECT state FROM undos").await;
    bot.kill().await;
    // As if the kill had come behind the last file.
    std::fs::write(file(&bot, "a"), "one").unwrap();
    bot.write("UPDATE undos SET state = 'wanted'").await;
    bot.start();
    bot.settles_in().await;
    chat.settles(|message| message.text.contains("Undone: a "))
        .await;
    assert_eq!(content(&bot, "a"), "one");
    bot.assert_clean();
}

async fn only_whose_turn_it_was_or_an_owner_may_undo_it(platform: Platform) {
    let bot = TestBot::on_with(platform, UNASKED).await;
    let group = bot.group("Workshop").with(&bot.ann);
    writes(&bot, &group, "@sayso_bot begin", &[("a", "one")]).await;
    group.says_as(&bot.bob, "/undo");
    group
        .hears_with(|message| message.text.contains("only they or an owner"))
        .await;
    assert_eq!(content(&bot, "a"), "one");
    // What others said is in view, so this one asks.
    let write = json!({"path": "a", "content": "two"});
    bot.model.calls(vec![("file_write", write)]);
    bot.model.says("Written.");
    group.says_as(&bot.bob, "@sayso_bot go on");
    let card = group.settles(Message::asks).await;
    group.press(&bot.bob, card.id, "Approve").await;
    group.settles(|message| message.text == "Written.").await;
    group.says_as(&bot.ann, "/undo");
    group
        .hears_with(|message| message.text.contains("Undone"))
        .await;
    assert_eq!(content(&bot, "a"), "one");
    bot.assert_clean();
}

async fn what_waits_for_a_yes_is_stopped_first(platform: Platform) {
    let bot = TestBot::on_with(platform, UNASKED).await;
    let chat = bot.direct();
    bot.model.calls(vec![
        ("file_write", json!({"path": "a", "content": "one"})),
        ("shell", json!({"command": "mktemp ./mark.XXXX"})),
    ]);
    chat.says("write, then make a mark");
    chat.settles(Message::asks).await;
    undoes(&chat, "I am not done with what changed files last").await;
    assert_eq!(content(&bot, "a"), "one");
    chat.says("/stop");
    chat.settles(|message| message.text.contains("Done before"))
        .await;
    undoes(&chat, "Undone").await;
    assert!(!file(&bot, "a").exists());
    bot.assert_clean();
}

async fn a_workspace_at_work_keeps_no_other_waiting(platform: Platform) {
    let settings = [UNASKED, &[("POLICY__CONFIRM_EXEC", "false")]].concat();
    let bot = TestBot::on_with(platform, &settings).await;
    let (anns, bobs) = (bot.direct(), bot.direct_with(&bot.bob));
    writes(&bot, &anns, "begin", &[("a", "one")]).await;
    let workspace = bot.workspace();
    writes(&bot, &bobs, "mine", &[("b", "one")]).await;
    let command = "while [ ! -e go ]; do sleep 0.02; done";
    bot.model
        .calls(vec![("shell", json!({"command": command}))]);
    bot.model.says("Gone.");
    anns.says("wait");
    anns.settles(|message| message.text.contains("sleep 0.02"))
        .await;
    anns.says("/undo");
    bot.has_noted("SELECT state FROM undos WHERE state = 'wanted'")
        .await;
    undoes(&bobs, "Undone").await;
    assert!(workspace.join("a").exists());
    std::fs::write(workspace.join("go"), "").unwrap();
    anns.settles(|message| message.text.contains("Undone"))
        .await;
    assert!(!workspace.join("a").exists());
    bot.assert_clean();
}

async fn a_kill_loses_no_wish_and_doubles_no_answer(platform: Platform) {
    let mut bot = TestBot::on_with(platform, UNASKED).await;
    let chat = bot.direct();
    writes(&bot, &chat, "begin", &[("a", "one"), ("b", "one")]).await;
    writes(&bot, &chat, "go on", &[("a", "two"), ("b", "two")]).await;
    chat.says("/undo");
    bot.has_noted("SELECT state FROM undos").await;
    bot.kill().await;
    // As if the kill had come between the two.
    std::fs::write(file(&bot, "a"), "one").unwrap();
    bot.start();
    bot.settles_in().await;
    chat.settles(|message| message.text.contains("Undone"))
        .await;
    assert_eq!(content(&bot, "a"), "one");
    assert_eq!(content(&bot, "b"), "one");
    bot.crash_when_noted().await;
    undoes(&chat, "“begin”").await;
    let undone = "SELECT event FROM audit WHERE event = 'undone'";
    assert_eq!(bot.rows(undone).await.len(), 2);
    bot.assert_clean();
}
