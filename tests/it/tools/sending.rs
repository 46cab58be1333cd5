//! Files that are sent to the chat.

use sayso_fakes::{Answer, Message};
use serde_json::{Value, json};

use crate::house::{House, eventually};
use crate::platform::{Platform, on_both};

on_both!(
    a_file_of_the_workspace_is_sent,
    a_text_is_sent_as_a_file_without_its_secrets,
    a_file_is_sent_once_when_sayso_is_killed,
    a_file_that_is_too_large_is_told,
    nothing_outside_the_workspace_is_sent_and_secrets_are_asked_about,
    the_copies_go_when_the_person_is_erased
);

const DONE: &str = "Here it is.";

/// Has the model send something, and returns what it was told.
async fn told(house: &House, arguments: Value) -> String {
    let chat = house.direct();
    house.model.calls(vec![("send_file", arguments)]);
    house.model.says(DONE);
    chat.says("send it");
    chat.settles(|message| message.text == DONE).await;
    house.model.requests().pop().unwrap().last_tool_result()
}

/// Says hello, so that there is a workspace, and puts a file there.
async fn put(house: &House, name: &str, content: impl AsRef<[u8]>) {
    let chat = house.direct();
    chat.says("hello");
    chat.settles(|message| message.text == "ok: hello").await;
    std::fs::write(house.workspace().join(name), content).unwrap();
}

async fn a_file_of_the_workspace_is_sent(platform: Platform) {
    let house = House::on(platform).await;
    put(&house, "report.pdf", [0x25, 0, 0xff]).await;
    let arguments = json!({"path": "report.pdf", "caption": "For *May*"});
    insta::assert_snapshot!(told(&house, arguments).await, @"sent to this chat: report.pdf (3 bytes)");
    let chat = house.direct();
    let sent = chat.settles(|message| message.file.is_some()).await;
    insta::assert_snapshot!(sent.text, @"For May");
    assert_eq!(sent.file.unwrap().name, "report.pdf");
    assert_eq!(chat.files_of(sent.id), [[0x25, 0, 0xff]]);
    house.assert_clean();
}

async fn a_text_is_sent_as_a_file_without_its_secrets(platform: Platform) {
    let house = House::on(platform).await;
    let token = format!("ghp_{}", "a1B2c3D4e5".repeat(4).get(..36).unwrap());
    let text = format!("name,key\nbuild,{token}\n");
    insta::assert_snapshot!(told(&house, json!({"text": text, "name": "keys.csv"})).await, @"sent to this chat: keys.csv (40 bytes)");
    let chat = house.direct();
    let sent = chat.settles(|message| message.file.is_some()).await;
    assert_eq!(sent.file.unwrap().name, "keys.csv");
    let bytes = chat.files_of(sent.id).concat();
    insta::assert_snapshot!(String::from_utf8_lossy(&bytes), @r"
    name,key
    build,[redacted: github-token]
    ");
    house.assert_clean();
}

async fn a_file_is_sent_once_when_sayso_is_killed(platform: Platform) {
    let mut house = House::on(platform).await;
    put(&house, "list.txt", "one").await;
    let chat = house.direct();
    house
        .model
        .calls(vec![("send_file", json!({"path": "list.txt"}))]);
    house.model.answers(Answer::hangs());
    house.model.says(DONE);
    chat.says("send it");
    chat.hears_with(|message| message.file.is_some()).await;
    // The answer that hangs is for the turn before the kill.
    house
        .model
        .waits_for(|request| !request.tool_results().is_empty())
        .await;
    // What is in the workspace by now is not what was sent.
    std::fs::write(house.workspace().join("list.txt"), "two").unwrap();
    house.crash_when_noted().await;
    chat.settles(|message| message.text == DONE).await;
    let messages = chat.messages();
    let files: Vec<_> = messages
        .iter()
        .flat_map(|message| chat.files_of(message.id))
        .collect();
    assert_eq!(files, [b"one"]);
    house.assert_clean();
}

async fn a_file_that_is_too_large_is_told(platform: Platform) {
    let house = House::on(platform).await;
    let limit = match platform {
        Platform::Telegram => 50_000_000,
        Platform::Discord => 10 * 1024 * 1024,
    };
    put(&house, "film.mp4", "").await;
    let film = house.workspace().join("film.mp4");
    let large = std::fs::File::create(film).unwrap();
    large.set_len(limit + 1).unwrap();
    let told = told(&house, json!({"path": "film.mp4"})).await;
    assert!(told.contains(&format!("at most {limit}")), "{told}");
    assert!(told.contains(&(limit + 1).to_string()), "{told}");
    assert!(
        house
            .direct()
            .messages()
            .iter()
            .all(|message| message.file.is_none())
    );
    house.assert_clean();
}

async fn nothing_outside_the_workspace_is_sent_and_secrets_are_asked_about(platform: Platform) {
    let house = House::on(platform).await;
    let outside = told(&house, json!({"path": "/etc/hostname"})).await;
    insta::assert_snapshot!(outside, @"[failed] not run: `/etc/hostname` is outside the workspace, and tools are confined to it");
    put(&house, ".env", "A=1").await;
    let chat = house.direct();
    let send = json!({"path": ".env", "name": "env.txt"});
    house.model.calls(vec![("send_file", send)]);
    house.model.says("Not sent.");
    chat.says("send that too");
    let card = chat.hears_with(Message::asks).await;
    insta::assert_snapshot!(card.text, @r"
    May I do this?

    send_file

    .env

    By its name, this file keeps secrets such as keys or passwords. What is read goes to the model.
    ");
    chat.press(&house.ann, card.id, "Deny").await;
    chat.settles(|message| message.text == "Not sent.").await;
    assert!(chat.messages().iter().all(|message| message.file.is_none()));
    house.assert_clean();
}

async fn the_copies_go_when_the_person_is_erased(platform: Platform) {
    let house = House::on(platform).await;
    told(&house, json!({"text": "one", "name": "one.txt"})).await;
    let outgoing = house.data().join("outgoing");
    let copies = || std::fs::read_dir(&outgoing).unwrap().count();
    assert_eq!(copies(), 1);
    let chat = house.direct();
    chat.says("/forget everything");
    let card = chat.hears_with(Message::asks).await;
    chat.press(&house.ann, card.id, "Erase everything").await;
    eventually("the copies are gone", || copies() == 0).await;
    house.assert_clean();
}
