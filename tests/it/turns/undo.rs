//! `/undo`: what was changed in files is put back.

use std::path::PathBuf;

use sayso_fakes::Message;
use serde_json::json;

use super::conversation;
use crate::house::House;
use crate::platform::{Chat, Platform, on_both};

on_both!(
    the_newest_changes_are_put_back_and_then_those_before,
    a_file_that_changed_since_is_asked_about,
    only_whose_turn_it_was_or_an_owner_may_undo_it,
    what_waits_for_a_yes_is_stopped_first,
    a_kill_loses_no_wish_and_doubles_no_answer
);

const UNASKED: &[(&str, &str)] = &[("POLICY__CONFIRM_WRITE", "false")];

/// Has the model write these files in one turn, and waits until it has.
async fn writes(house: &House, chat: &Chat, request: &str, files: &[(&str, &str)]) {
    let calls = files
        .iter()
        .map(|(path, content)| ("file_write", json!({"path": path, "content": content})));
    house.model.calls(calls.collect());
    let answer = format!("Done: {request}");
    house.model.says(&answer);
    chat.says(request);
    chat.settles(|message| message.text == answer).await;
}

fn file(house: &House, name: &str) -> PathBuf {
    house.workspace().join(name)
}

fn content(house: &House, name: &str) -> String {
    std::fs::read_to_string(file(house, name)).unwrap()
}

/// Says `/undo` and waits for this answer.
async fn undoes(chat: &Chat, answer: &str) -> Message {
    chat.says("/undo");
    chat.hears_with(|message| message.text.contains(answer))
        .await
}

async fn the_newest_changes_are_put_back_and_then_those_before(platform: Platform) {
    let house = House::on_with(platform, UNASKED).await;
    let chat = house.direct();
    undoes(&chat, "There is nothing to undo here").await;
    writes(&house, &chat, "begin", &[("a", "one")]).await;
    let both = [("a", "two"), ("a", "three"), ("sub/b", "new")];
    writes(&house, &chat, "go on", &both).await;
    let undone = undoes(&chat, "Undone").await;
    insta::assert_snapshot!(undone.text, @r"
    ↩ Undone: what I changed in files for “go on”.

    • a: as it was before
    • sub/b: removed, it was not there before
    ");
    assert_eq!(content(&house, "a"), "one");
    assert!(!file(&house, "sub/b").exists());
    // Nothing came from outside, so the workspace is still all its person's own.
    let foreign = "SELECT outside_why FROM workspaces WHERE outside_why IS NOT NULL";
    assert_eq!(house.rows(foreign).await, [""; 0]);
    let audited = "SELECT event FROM audit WHERE event = 'undone'";
    assert_eq!(house.rows(audited).await, ["undone"]);

    chat.says("what is there?");
    chat.settles(|message| message.text == "ok: what is there?")
        .await;
    let told = conversation(house.model.turn_requests().last().unwrap());
    let undone = "(the person has since undone the changes of these files: a, sub/b)";
    assert!(told.iter().any(|said| said.contains(undone)), "{told:?}");

    undoes(&chat, "“begin”").await;
    assert!(!file(&house, "a").exists());
    undoes(&chat, "There is nothing to undo here").await;
    house.assert_clean();
}

async fn a_file_that_changed_since_is_asked_about(platform: Platform) {
    let house = House::on_with(platform, UNASKED).await;
    let chat = house.direct();
    writes(&house, &chat, "begin", &[("a", "one"), ("b", "one")]).await;
    writes(&house, &chat, "go on", &[("a", "two"), ("b", "two")]).await;
    std::fs::write(file(&house, "a"), "by hand").unwrap();
    let card = undoes(&chat, "Put back what I changed").await;
    insta::assert_snapshot!(card.to_string(), @r"
    Sayso: Put back what I changed for “go on”?
      These files have changed since, and that would be lost:

      • a  [Put them back | Leave them]
    ");
    chat.press(&house.ann, card.id, "Leave them").await;
    let left = chat.becomes(card.id, |card| !card.asks()).await;
    assert_eq!(left.text, "Left as they are.");
    assert_eq!(content(&house, "a"), "by hand");
    assert_eq!(content(&house, "b"), "two", "all or nothing");

    let card = undoes(&chat, "Put back what I changed").await;
    let yes = card.token("Put them back");
    chat.press(&house.ann, card.id, "Put them back").await;
    chat.hears_with(|message| message.text.contains("Undone"))
        .await;
    assert_eq!(content(&house, "a"), "one");
    assert_eq!(content(&house, "b"), "one");
    let again = chat.press_token(&house.ann, card.id, &yes).await;
    assert_eq!(
        again.text.as_deref(),
        Some("This was already answered. Nothing changed.")
    );
    house.assert_clean();
}

async fn only_whose_turn_it_was_or_an_owner_may_undo_it(platform: Platform) {
    let house = House::on_with(platform, UNASKED).await;
    let group = house.group("Workshop").with(&house.ann);
    writes(&house, &group, "@sayso_bot begin", &[("a", "one")]).await;
    group.says_as(&house.bob, "/undo");
    group
        .hears_with(|message| message.text.contains("only they or an owner"))
        .await;
    assert_eq!(content(&house, "a"), "one");
    // What others said is in view, so this one asks.
    let write = json!({"path": "a", "content": "two"});
    house.model.calls(vec![("file_write", write)]);
    house.model.says("Written.");
    group.says_as(&house.bob, "@sayso_bot go on");
    let card = group.settles(Message::asks).await;
    group.press(&house.bob, card.id, "Approve").await;
    group.settles(|message| message.text == "Written.").await;
    group.says_as(&house.ann, "/undo");
    group
        .hears_with(|message| message.text.contains("Undone"))
        .await;
    assert_eq!(content(&house, "a"), "one");
    house.assert_clean();
}

async fn what_waits_for_a_yes_is_stopped_first(platform: Platform) {
    let house = House::on_with(platform, UNASKED).await;
    let chat = house.direct();
    house.model.calls(vec![
        ("file_write", json!({"path": "a", "content": "one"})),
        ("shell", json!({"command": "mktemp ./mark.XXXX"})),
    ]);
    chat.says("write, then make a mark");
    chat.settles(Message::asks).await;
    undoes(&chat, "I am not done with what changed files last").await;
    assert_eq!(content(&house, "a"), "one");
    chat.says("/stop");
    chat.settles(|message| message.text.contains("Stopped"))
        .await;
    undoes(&chat, "Undone").await;
    assert!(!file(&house, "a").exists());
    house.assert_clean();
}

async fn a_kill_loses_no_wish_and_doubles_no_answer(platform: Platform) {
    let mut house = House::on_with(platform, UNASKED).await;
    let chat = house.direct();
    writes(&house, &chat, "begin", &[("a", "one"), ("b", "one")]).await;
    writes(&house, &chat, "go on", &[("a", "two"), ("b", "two")]).await;
    chat.says("/undo");
    house.has_noted("SELECT token FROM undos").await;
    house.kill().await;
    // As if the kill had come between the two.
    std::fs::write(file(&house, "a"), "one").unwrap();
    house.start();
    house.settles_in().await;
    chat.settles(|message| message.text.contains("Undone"))
        .await;
    assert_eq!(content(&house, "a"), "one");
    assert_eq!(content(&house, "b"), "one");
    house.crash_when_noted().await;
    undoes(&chat, "“begin”").await;
    let undone = "SELECT event FROM audit WHERE event = 'undone'";
    assert_eq!(house.rows(undone).await.len(), 2);
    house.assert_clean();
}
