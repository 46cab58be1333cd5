//! Who did what, by whose word, with what outcome.

use std::os::unix::fs::PermissionsExt as _;

use sayso_fakes::Message;

use super::{SAID, lines, open, says_and_presses, sayso, with_a_past};
use crate::test_bot::eventually;

#[tokio::test]
async fn approvals_denials_and_refusals_are_written_down() {
    let bot = with_a_past().await;
    insta::assert_snapshot!(bot.rows(SAID).await.join("\n"), @r"
    decided shell: approved by Ann
    called shell: approved by Ann
    returned shell: success
    decided shell: denied by Ann
    refused file_write: denied by policy
    ");
}

#[tokio::test]
async fn a_stop_and_an_expiry_are_written_down() {
    let mut bot = open().await;
    let chat = bot.direct();
    chat.says("run: touch stopped");
    chat.hears_with(Message::asks).await;
    chat.says("/stop");
    chat.hears_with(|message| message.text.starts_with("⏹ Stopped"))
        .await;
    chat.says("run: touch expired");
    chat.hears_with(Message::asks).await;
    bot.change("UPDATE cards SET expires_ms = 1 WHERE state = 'open'")
        .await;
    chat.sees(|messages| {
        messages
            .iter()
            .any(|message| message.text.starts_with("⌛"))
    })
    .await;
    bot.stop().await;
    insta::assert_snapshot!(bot.rows(SAID).await.join("\n"), @r"
    decided shell: stopped by Ann
    stopped by Ann
    decided shell: expired by time
    ");
}

#[tokio::test]
async fn lowered_autonomy_and_revoked_grants_are_written_down() {
    let mut bot = open().await;
    let chat = bot.direct();
    says_and_presses(
        &bot,
        &chat,
        "run: touch always",
        "Always this exact command",
    )
    .await;
    for command in ["/grants revoke 1", "/autonomy read_only"] {
        chat.says(command);
        chat.hears().await;
    }
    bot.stop().await;
    let said = bot.rows(SAID).await.join("\n");
    insta::assert_snapshot!(said, @r"
    granted by Ann
    decided shell: approved by Ann
    called shell: approved by Ann
    returned shell: success
    revoked by Ann
    autonomy by Ann
    ");
}

#[tokio::test]
async fn what_was_run_is_kept_beside_the_chain_and_not_in_the_file() {
    let bot = with_a_past().await;
    let payloads = "SELECT payload FROM audit_payloads ORDER BY seq LIMIT 1";
    let payloads = bot.rows(payloads).await;
    assert_eq!(payloads, [r#"{"arguments":{"command":"touch approved"}}"#]);
    let file = lines(&bot);
    assert_eq!(file.len(), 5);
    assert!(!file.iter().any(|line| line.contains("touch")), "{file:?}");
}

#[tokio::test]
async fn a_plain_answer_writes_nothing_down() {
    let mut bot = open().await;
    let chat = bot.direct();
    chat.says("hello");
    chat.hears().await;
    bot.stop().await;
    assert!(bot.rows(SAID).await.is_empty());
    let ran = sayso(&bot, &["audit", "verify"]).await;
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (Some(0), "ok: the audit has no entries yet\n")
    );
}

#[tokio::test]
async fn only_its_owner_may_read_the_file() {
    let bot = with_a_past().await;
    let file = bot.data().join("audit.jsonl");
    let mode = std::fs::metadata(file).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[tokio::test]
async fn strangers_that_are_let_in_are_written_down() {
    let mut bot = open().await;
    let carol = bot.person(103, "Carol");
    let owner = bot.direct();
    owner.says("hello");
    owner.hears().await;
    bot.direct_with(&carol).says("hi");
    let card = owner.hears_with(Message::asks).await;
    owner.press(&bot.ann, card.id, "Allow").await;
    let file = bot.data().join("audit.jsonl");
    eventually("the export", || file.exists()).await;
    bot.stop().await;
    assert_eq!(bot.rows(SAID).await, ["admitted: approved by Ann"]);
}
