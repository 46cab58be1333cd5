//! Files that are sent to the chat.

use sayso_fakes::{Answer, Message};
use serde_json::{Value, json};

use crate::platform::{Platform, on_both};
use crate::test_bot::{TestBot, eventually};

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
async fn told(bot: &TestBot, arguments: Value) -> String {
    let chat = bot.direct();
    bot.model.calls(vec![("send_file", arguments)]);
    bot.model.says(DONE);
    chat.says("send it");
    chat.settles(|message| message.text == DONE).await;
    bot.model.requests().pop().unwrap().last_tool_result()
}

/// Says hello, so that there is a workspace, and puts a file there.
async fn put(bot: &TestBot, name: &str, content: impl AsRef<[u8]>) {
    let chat = bot.direct();
    chat.says("hello");
    chat.settles(|message| message.text == "ok: hello").await;
    std::fs::write(bot.workspace().join(name), content).unwrap();
}

async fn a_file_of_the_workspace_is_sent(platform: Platform) {
    let bot = TestBot::on(platform).await;
    put(&bot, "report.pdf", [0x25, 0, 0xff]).await;
    let arguments = json!({"path": "report.pdf", "caption": "For *May*"});
    insta::assert_snapshot!(told(&bot, arguments).await, @"sent to this chat: report.pdf (3 bytes)");
    let chat = bot.direct();
    let sent = chat.settles(|message| message.file.is_some()).await;
    insta::assert_snapshot!(sent.text, @"For May");
    assert_eq!(sent.file.unwrap().name, "report.pdf");
    assert_eq!(chat.files_of(sent.id), [[0x25, 0, 0xff]]);
    bot.assert_clean();
}

async fn a_text_is_sent_as_a_file_without_its_secrets(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let token = format!("ghp_{}", "a1B2c3D4e5".repeat(4).get(..36).unwrap());
    let text = format!("name,key\nbuild,{token}\n");
    insta::assert_snapshot!(told(&bot, json!({"text": text, "name": "keys.csv"})).await, @"sent to this chat: keys.csv (40 bytes)");
    let chat = bot.direct();
    let sent = chat.settles(|message| message.file.is_some()).await;
    assert_eq!(sent.file.unwrap().name, "keys.csv");
    let bytes = chat.files_of(sent.id).concat();
    insta::assert_snapshot!(String::from_utf8_lossy(&bytes), @r"
    name,key
    build,[redacted: github-token]
    ");
    bot.assert_clean();
}

async fn a_file_is_sent_once_when_sayso_is_killed(platform: Platform) {
    let mut bot = TestBot::on(platform).await;
    put(&bot, "list.txt", "one").await;
    let chat = bot.direct();
    bot.model
        .calls(vec![("send_file", json!({"path": "list.txt"}))]);
    bot.model.answers(Answer::hangs());
    bot.model.says(DONE);
    chat.says("send it");
    chat.hears_with(|message| message.file.is_some()).await;
    // The answer that hangs is for the turn before the kill.
    bot.model
        .waits_for(|request| !request.tool_results().is_empty())
        .await;
    // What is in the workspace by now is not what was sent.
    std::fs::write(bot.workspace().join("list.txt"), "two").unwrap();
    bot.crash_when_noted().await;
    chat.settles(|message| message.text == DONE).await;
    let messages = chat.messages();
    let files: Vec<_> = messages
        .iter()
        .flat_map(|message| chat.files_of(message.id))
        .collect();
    assert_eq!(files, [b"one"]);
    bot.assert_clean();
}

async fn a_file_that_is_too_large_is_told(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let limit = match platform {
        Platform::Telegram => 50_000_000,
        Platform::Discord => 10 * 1024 * 1024,
    };
    put(&bot, "film.mp4", "").await;
    let film = bot.workspace().join("film.mp4");
    let large = std::fs::File::create(film).unwrap();
    large.set_len(limit + 1).unwrap();
    let told = told(&bot, json!({"path": "film.mp4"})).await;
    assert!(told.contains(&format!("at most {limit}")), "{told}");
    assert!(told.contains(&(limit + 1).to_string()), "{told}");
    assert!(
        bot.direct()
            .messages()
            .iter()
            .all(|message| message.file.is_none())
    );
    bot.assert_clean();
}

async fn nothing_outside_the_workspace_is_sent_and_secrets_are_asked_about(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let outside = told(&bot, json!({"path": "/etc/hostname"})).await;
    insta::assert_snapshot!(outside, @"[failed] not run: `/etc/hostname` is outside the workspace, and tools are confined to it");
    put(&bot, ".env", "A=1").await;
    let chat = bot.direct();
    let send = json!({"path": ".env", "name": "env.txt"});
    bot.model.calls(vec![("send_file", send)]);
    bot.model.says("Not sent.");
    chat.says("send that too");
    let card = chat.hears_with(Message::asks).await;
    insta::assert_snapshot!(card.text, @r"
    May I use this file?

    .env

    • by its name, this file keeps secrets such as keys or passwords, and what is read goes to the model
    Expires in 30 min
    ");
    chat.press(&bot.ann, card.id, "Deny").await;
    chat.settles(|message| message.text == "Not sent.").await;
    assert!(chat.messages().iter().all(|message| message.file.is_none()));
    bot.assert_clean();
}

async fn the_copies_go_when_the_person_is_erased(platform: Platform) {
    let bot = TestBot::on(platform).await;
    told(&bot, json!({"text": "one", "name": "one.txt"})).await;
    let outgoing = bot.data().join("outgoing");
    let copies = || std::fs::read_dir(&outgoing).unwrap().count();
    assert_eq!(copies(), 1);
    let chat = bot.direct();
    chat.says("/forget everything");
    let card = chat.hears_with(Message::asks).await;
    chat.press(&bot.ann, card.id, "Erase everything").await;
    eventually("the copies are gone", || copies() == 0).await;
    bot.assert_clean();
}
