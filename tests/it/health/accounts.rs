//! Two bot accounts in one process: each hears and answers for itself.

use sayso_fakes::FakeTelegram;

use crate::command_line::CommandLine;
use crate::test_bot::{ANN, TestBot};

/// The second bot.
const WORK_TOKEN: &str = "4343:the-token-of-the-second-bot";

#[tokio::test]
async fn each_account_answers_in_its_own_chat() {
    let work = FakeTelegram::of_bot(WORK_TOKEN).await;
    let mut bot = TestBot::closed(&[]).await;
    bot.set("CHANNELS__TELEGRAM__WORK__TOKEN", WORK_TOKEN);
    bot.set("CHANNELS__TELEGRAM__WORK__API_URL", &work.url());
    bot.start();
    let ann_at_work = work.person(ANN, "Ann");
    let (at_home, at_work) = (bot.direct(), work.direct(&ann_at_work));
    at_home.says("hello from home");
    at_work.says("hello from work");
    at_home
        .settles(|message| message.text == "ok: hello from home")
        .await;
    at_work
        .settles(|message| message.text == "ok: hello from work")
        .await;
    assert!(!at_home.transcript().contains("work"));
    assert!(!at_work.transcript().contains("home"));

    at_work.says("/status details");
    let status = at_work
        .hears_with(|message| message.text.contains("Channels"))
        .await;
    for line in ["telegram: connected", "telegram.work: connected"] {
        assert!(status.text.contains(line), "{status}");
    }
    bot.assert_clean();
    work.assert_clean();
}

#[tokio::test]
async fn one_account_that_cannot_go_on_leaves_the_other_alone() {
    let bot = TestBot::with(&[
        ("CHANNELS__TELEGRAM__WORK__TOKEN", WORK_TOKEN),
        ("CHANNELS__TELEGRAM__WORK__API_URL", "http://127.0.0.1:9"),
    ])
    .await;
    let chat = bot.direct();
    chat.says("hello");
    chat.settles(|message| message.text == "ok: hello").await;
    chat.says("/status details");
    let status = chat
        .hears_with(|message| message.text.contains("Channels"))
        .await;
    assert!(
        status
            .text
            .contains("telegram.work: waiting: Telegram cannot be reached"),
        "{status}"
    );
    bot.assert_clean();
}

#[tokio::test]
async fn one_token_twice_is_refused() {
    let here = CommandLine::new();
    here.write(
        "sayso.toml",
        "[channels.telegram]\ntoken = \"1:one\"\n[channels.telegram.work]\ntoken = \"1:one\"\n",
    );
    let ran = here.run(&["run"], "").await;
    assert_eq!(ran.code, Some(2));
    assert_eq!(
        ran.err.trim_end(),
        "error: ./sayso.toml:4: `channels.telegram.work.token` must be another token than `channels.telegram.token`: with one token they would take each other's messages"
    );
}
