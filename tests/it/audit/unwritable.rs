//! A call that cannot be written down is not run.

use sayso_fakes::Message;

use super::{SAID, open};
use crate::test_bot::TestBot;

/// Has the table of the audit refuse every row from the next start on.
async fn lock_the_audit(bot: &mut TestBot) {
    bot.listens().await;
    bot.stop().await;
    bot.write(
        "CREATE TRIGGER audit_is_locked BEFORE INSERT ON audit
             BEGIN SELECT raise(ABORT, 'locked for a test'); END",
    )
    .await;
    bot.start();
    bot.settles_in().await;
}

#[tokio::test]
async fn an_approved_call_that_cannot_be_audited_is_not_run() {
    let mut bot = open().await;
    lock_the_audit(&mut bot).await;
    let chat = bot.direct();
    chat.says("run: touch unaudited");
    let card = chat.hears_with(Message::asks).await;
    chat.press(&bot.ann, card.id, "Approve").await;
    let told = chat
        .hears_with(|message| message.text.starts_with("⚠️"))
        .await;
    insta::assert_snapshot!(told.text, @r"
    ⚠️ I did not run anything: what I do has to be written to the audit first, and it cannot be written.
    Whoever runs me finds the reason in the log.
    ");
    assert!(!bot.workspace().join("unaudited").exists());
    assert!(bot.rows(SAID).await.is_empty());
    bot.logs("locked for a test").await;
}

#[tokio::test]
async fn a_call_that_was_always_allowed_is_not_run_either() {
    let mut bot = open().await;
    let chat = bot.direct();
    super::says_and_presses(
        &bot,
        &chat,
        "run: touch granted",
        "Always this exact command",
    )
    .await;
    let marked = bot.workspace().join("granted");
    std::fs::remove_file(&marked).unwrap();
    chat.says("run: touch granted");
    chat.hears_with(|message| message.text == "done").await;
    assert!(marked.exists(), "the grant holds");
    std::fs::remove_file(&marked).unwrap();

    lock_the_audit(&mut bot).await;
    chat.says("run: touch granted");
    let told = chat
        .hears_with(|message| message.text.starts_with("⚠️"))
        .await;
    assert!(!told.asks(), "nobody is asked: {told}");
    assert!(told.text.contains("it cannot be written"), "{told}");
    assert!(!marked.exists());
    bot.logs("locked for a test").await;
}

#[tokio::test]
async fn what_runs_unasked_is_not_run_either() {
    let mut bot = open().await;
    bot.listens().await;
    lock_the_audit(&mut bot).await;
    let chat = bot.direct();
    chat.says("run: ls");
    let told = chat
        .hears_with(|message| message.text.starts_with("⚠️"))
        .await;
    assert!(told.text.contains("it cannot be written"), "{told}");
}

#[tokio::test]
async fn a_no_and_a_stop_count_also_when_they_cannot_be_audited() {
    let mut bot = open().await;
    lock_the_audit(&mut bot).await;
    let chat = bot.direct();
    chat.says("run: touch denied");
    let card = chat.hears_with(Message::asks).await;
    chat.press(&bot.ann, card.id, "Deny").await;
    chat.hears_with(|message| message.text == "done").await;
    chat.says("run: touch stopped");
    chat.hears_with(Message::asks).await;
    chat.says("/stop");
    chat.hears_with(|message| message.text.starts_with("⏹ Stopped"))
        .await;
    bot.logs("cannot write the audit log").await;
}

#[tokio::test]
async fn the_same_call_runs_where_the_audit_takes_it() {
    let bot = open().await;
    let chat = bot.direct();
    super::says_and_presses(&bot, &chat, "run: touch audited", "Approve").await;
    assert!(bot.workspace().join("audited").exists());
}
