//! How things are said: whom they alert, long answers, files, looks.

use sayso_fakes::{Gate, Message};
use serde_json::json;

use super::workshop;
use crate::platform::{Platform, Trouble};
use crate::test_bot::TestBot;

#[tokio::test]
async fn an_answer_alerts_no_one_but_the_asker() {
    let bot = TestBot::on(Platform::Discord).await;
    let group = workshop(&bot);
    bot.model.says(&format!(
        "@everyone and @here, <@{}> and <@&{}> must read this!",
        bot.bob.id,
        group.role_of_bot()
    ));
    group.says("@sayso_bot tell them");
    let said = group.hears().await;
    let calls = bot.discord.calls_of("create_message");
    let allowed = &calls.last().unwrap().params["allowed_mentions"];
    assert_eq!(allowed["parse"], json!([]), "{allowed}");
    assert_eq!(allowed["replied_user"], true, "{allowed}");
    assert!(said.reply_to.is_some());
    bot.assert_clean();
}

#[tokio::test]
async fn every_message_is_sent_with_a_nonce_that_is_enforced() {
    let bot = TestBot::on(Platform::Discord).await;
    let chat = bot.direct();
    chat.says("hello");
    chat.hears().await;
    let calls = bot.discord.calls_of("create_message");
    assert!(!calls.is_empty());
    for call in calls {
        assert_eq!(call.params["enforce_nonce"], true, "{call:?}");
        assert!(!call.text("nonce").is_empty(), "{call:?}");
    }
    bot.assert_clean();
}

#[tokio::test]
async fn a_card_whose_answer_was_lost_stands_once_and_is_answered() {
    let mut bot = TestBot::on(Platform::Discord).await;
    let chat = bot.direct();
    let never = Gate::new();
    bot.saying_fails_for("May I run this?", Trouble::AnswerHeld(never.clone()));
    bot.model
        .calls(vec![("shell", json!({"command": "touch hi"}))]);
    chat.says("greet");
    never.reached_by(1).await;
    bot.kill().await;
    bot.heal();
    bot.start();
    bot.listens().await;
    let card = chat.hears_with(Message::asks).await;
    chat.press(&bot.ann, card.id, "Approve").await;
    chat.settles(|message| message.text.starts_with("ok:"))
        .await;
    insta::assert_snapshot!(chat.transcript(), @r"
    Ann: greet
    Sayso: ✅ Approved by Ann: touch hi
    Sayso: ok: greet
    ");
    bot.assert_clean();
}

#[tokio::test]
async fn a_long_answer_goes_into_a_thread_when_the_operator_wants_so() {
    let bot = TestBot::on_with(
        Platform::Discord,
        &[("CHANNELS__DISCORD__LONG_ANSWERS", "thread")],
    )
    .await;
    let group = workshop(&bot);
    let lines: Vec<String> = (1..=400)
        .map(|number| format!("line number {number:04}"))
        .collect();
    bot.model.says(&format!(
        "Here it is:\n\n{}\n\nThat is all.",
        lines.join("\n\n")
    ));
    let asked = group.says("@sayso_bot print it");
    group
        .hears_with(|message| message.text.contains("That is all."))
        .await;
    let thread = group.thread_of(asked);
    let texts: Vec<String> = thread
        .messages()
        .into_iter()
        .map(|message| message.text)
        .collect();
    let said = texts.join("\n");
    let heard: Vec<&str> = said
        .lines()
        .filter(|line| line.starts_with("line number"))
        .collect();
    assert_eq!(heard, lines);
    // On a slow machine a live message came first; the answer does not stand in it.
    let mut outside = group
        .messages()
        .into_iter()
        .filter(|message| message.thread.is_none());
    assert!(
        outside.all(|message| !message.text.contains("line number 0400")),
        "the answer does not stand in the channel"
    );
    bot.assert_clean();
}

#[tokio::test]
async fn a_long_command_is_attached_as_a_file_that_holds_all_of_it() {
    let bot = TestBot::on(Platform::Discord).await;
    let chat = bot.discord.direct(&bot.ann);
    let command = format!("printf '%s' '{}' > out", "0123456789".repeat(510));
    bot.model
        .calls(vec![("shell", json!({ "command": command }))]);
    chat.says("please");
    let card = chat.hears_with(Message::asks).await;
    let files: Vec<Vec<u8>> = chat
        .messages()
        .iter()
        .flat_map(|message| chat.files_of(message.id))
        .collect();
    assert_eq!(files.len(), 1, "{}", chat.transcript());
    let shown = String::from_utf8(files[0].clone()).unwrap();
    assert!(shown.contains(&command), "{shown}");
    chat.press(&bot.ann, card.id, "Approve").await;
    chat.settles(|message| message.text.starts_with("ok:"))
        .await;
    let written = std::fs::read_to_string(bot.workspace().join("out")).unwrap();
    assert_eq!(written.len(), 5_100);
    bot.assert_clean();
}

#[tokio::test]
async fn formatted_text_is_shown_as_meant() {
    let bot = TestBot::on(Platform::Discord).await;
    let chat = bot.direct();
    bot.model.says("**Two** files, `a_b` *and* c_d:\n\n| name | size |\n|---|---|\n| a_b | 1 |\n| c | 20 |\n\n```rust\nlet x = 1 < 2;\n```\n- one\n- [two](https://example.org)\n\n<b>no tag</b> & _un*closed");
    chat.says("show me");
    let shown = chat.hears().await;
    insta::assert_snapshot!(shown.text, @r"
    Two files, a_b and c_d:

    name | size
    -----+-----
    a_b  | 1
    c    | 20

    let x = 1 < 2;

    • one
    • two

    <b>no tag</b> & _un*closed
    ");
    // A slow machine shows the beginning first, with the open marks closed, and edits it then.
    bot.has_said_all().await;
    let mut calls = bot.discord.calls_of("create_message");
    calls.extend(bot.discord.calls_of("update_message"));
    insta::assert_snapshot!(calls.last().unwrap().text("content"), @r"
    **Two** files, `a_b` *and* c\_d:

    ```
    name | size
    -----+-----
    a_b  | 1
    c    | 20
    ```

    ```rust
    let x = 1 < 2;
    ```

    • one
    • [two](<https://example.org>)

    \<b>no tag\</b> & \_un\*closed
    ");
    bot.assert_clean();
}
