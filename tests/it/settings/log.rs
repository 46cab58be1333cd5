//! `[log]`: what the log file holds. That it holds no secret is shown in `tests/it/secrets`.

use serde_json::Value;

use crate::test_bot::TestBot;

/// Each key and the test that proves its effect.
pub const PROOFS: &[(&str, fn())] = &[
    ("log.level", level_says_what_the_log_file_holds),
    ("log.format", json_is_one_object_a_line_without_secrets),
    (
        "log.traces",
        crate::health::traces::collector_sees_turn_model_tool_and_message_but_no_word_of_them,
    ),
];

/// Returns the log file after one question at this level.
async fn log_at(level: &str) -> String {
    let mut bot = TestBot::with(&[("LOG__LEVEL", level)]).await;
    bot.model.says("Blue, I think.");
    let chat = bot.direct();
    chat.says("which colour?");
    chat.settles(|message| message.text == "Blue, I think.")
        .await;
    assert_eq!(bot.stop().await, Some(0));
    std::fs::read_to_string(bot.data().join("logs/sayso.log")).unwrap_or_default()
}

#[tokio::test]
pub async fn level_says_what_the_log_file_holds() {
    let all = log_at("debug").await;
    for part in [
        "llm_request",
        "model=",
        "temperature=",
        "max_tokens=",
        "api_mode=",
        "base_url=",
        "messages_count=",
        "user: which colour?",
        "llm_response",
        "text_length=",
        "text_preview=\"Blue, I think.\"",
        "truncated=false",
        "has_tool_call=false",
        "tool_call=[]",
    ] {
        assert!(all.contains(part), "{part} is missing in {all}");
    }
    let some = log_at("info").await;
    assert!(
        // Each line names the place in the source that wrote it.
        some.contains("src/sessions/journal/entries.rs:")
            && some.contains("turn ended")
            && !some.contains("which colour?"),
        "{some}"
    );
    let none = log_at("error").await;
    assert!(!none.contains("turn ended"), "{none}");
}

#[tokio::test]
pub async fn json_is_one_object_a_line_without_secrets() {
    let secret = "sk-canary-of-the-house";
    let mut bot = TestBot::with(&[("LOG__FORMAT", "json")]).await;
    let words = format!("Blue \\ \"{secret}\",\nI think.");
    bot.model.says(&words);
    let chat = bot.direct();
    chat.says("which colour?");
    chat.settles(|message| message.text.starts_with("Blue"))
        .await;
    assert_eq!(bot.stop().await, Some(0));
    let file = std::fs::read_to_string(bot.data().join("logs/sayso.log")).unwrap();
    for log in [bot.log(), file] {
        let lines: Vec<Value> = log
            .lines()
            .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}")))
            .collect();
        let ended = lines.iter().find(|line| line["message"] == "turn ended");
        assert_eq!(ended.unwrap()["level"], "INFO", "{log}");
        assert!(!log.contains(secret), "{log}");
    }
}
