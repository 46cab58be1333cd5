//! What is said of an embedder: to people by `/status`, to machines by `/health` and `/metrics`, to the
//! operator by `doctor`.

use sayso_fakes::{EmbedderFault, FakeEmbedder};

use super::{get, health_until};
use crate::platform::Chat;
use crate::test_bot::{PATIENCE, TestBot};

/// Returns the lines of `/status` about memory.
async fn status(chat: &Chat, language: &str) -> String {
    let word = if language == "en" {
        "Memory is"
    } else {
        "记忆"
    };
    chat.says("/status details");
    let status = chat
        .hears_with(|message| message.text.contains("Sayso 0"))
        .await;
    let line = status.text.lines().find(|line| line.contains(word));
    let line = line.unwrap_or_else(|| panic!("{status}"));
    // Ages depend on the machine.
    line.chars()
        .map(|letter| if letter.is_ascii_digit() { '#' } else { letter })
        .collect()
}

/// Returns what is said before an outage, and in it.
async fn told(language: &str) -> [String; 2] {
    let embedder = FakeEmbedder::start().await;
    let settings = [("MEMORY__EMBEDDER__MODEL", "tiny"), ("LANGUAGE", language)];
    let mut bot = TestBot::closed(&settings).await;
    bot.set("MEMORY__EMBEDDER__BASE_URL", &embedder.url());
    bot.start();
    let ann = bot.direct();
    ann.says("hello");
    ann.hears_with(|message| message.text == "ok: hello").await;
    let well = status(&ann, language).await;
    embedder.fails(EmbedderFault::Status(403, None));
    ann.says("still there?");
    ann.hears_with(|message| message.text == "ok: still there?")
        .await;
    let away = status(&ann, language).await;
    bot.assert_clean();
    [well, away]
}

#[tokio::test]
async fn status_says_how_memory_is_found_in_both_languages() {
    let [well, away] = told("en").await;
    insta::assert_snapshot!(well, @"Memory is found by words and by meaning (tiny).");
    insta::assert_snapshot!(away, @"Memory is found by words alone: the embedder tiny has not answered for # s: the model service refuses (HTTP ###): This input is not accepted.");
    let [well, away] = told("zh-CN").await;
    insta::assert_snapshot!(well, @"记忆按词语和含义查找（tiny）。");
    insta::assert_snapshot!(away, @"目前只能按词语查找记忆：嵌入模型 tiny 已有 # 秒没有应答：the model service refuses (HTTP ###): This input is not accepted.");
    let bot = TestBot::open().await;
    let plain = status(&bot.direct(), "en").await;
    insta::assert_snapshot!(plain, @"Memory is found by words; no embedder is configured.");
}

#[tokio::test]
async fn machines_and_the_doctor_are_told_of_an_outage_and_its_end() {
    let embedder = FakeEmbedder::start().await;
    embedder.fails(EmbedderFault::Status(403, None));
    let mut bot = TestBot::closed(&[
        ("MEMORY__EMBEDDER__MODEL", "tiny"),
        ("HTTP__LISTEN", "127.0.0.1:0"),
    ])
    .await;
    bot.set("MEMORY__EMBEDDER__BASE_URL", &embedder.url());
    bot.start();
    let window = super::window_of(&bot).await;
    let ann = bot.direct();
    ann.says("hello");
    ann.hears_with(|message| message.text == "ok: hello").await;
    let is_away = |_: u16, report: &serde_json::Value| report["embedder"]["status"] == "waiting";
    let (status, report) = health_until(&window, PATIENCE, is_away).await;
    // Everything else works.
    assert_eq!(status, 200, "{report}");
    let reason = report["embedder"]["reason"].as_str().unwrap();
    assert!(reason.contains("HTTP 403"), "{reason}");
    let (_, metrics) = get(&window, "/metrics").await;
    assert!(metrics.contains("sayso_embedder_up 0"), "{metrics}");

    let doctor = bot.command().arg("doctor").output().await.unwrap();
    let told = String::from_utf8(doctor.stdout).unwrap();
    let line = "!!  memory: found by words alone, because the embedder `tiny` does not answer";
    assert!(told.contains(line), "{told}");

    embedder.heals();
    let is_back = |_: u16, report: &serde_json::Value| report["embedder"]["status"] == "connected";
    let (_, report) = health_until(&window, PATIENCE, is_back).await;
    assert_eq!(report["embedder"]["interruptions"], 1);
    let (_, metrics) = get(&window, "/metrics").await;
    assert!(metrics.contains("sayso_embedder_up 1"), "{metrics}");
    bot.assert_clean();
}
