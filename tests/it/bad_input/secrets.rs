//! Where keys and tokens must not be found: in no log, no message and no file of the bot.

use std::path::{Path, PathBuf};

use sayso_fakes::{Answer, Fault, Message};
use serde_json::json;

use crate::test_bot::TestBot;

const KEY: &str = "sk-canary-of-the-house";

fn files_in(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(files_in(&path));
        } else {
            files.push(path);
        }
    }
    files
}

#[tokio::test]
async fn key_and_token_are_nowhere_after_a_long_story_with_errors() {
    let mut bot = TestBot::closed(&[("POLICY__CONFIRM_EXEC", "false")]).await;
    let token = bot.telegram.token();
    bot.telegram.fail_next("getMe", Fault::BadGateway);
    bot.telegram.fail_next("getUpdates", Fault::ServerError);
    bot.telegram.fail_next("getUpdates", Fault::DropBefore);
    bot.telegram.fail_next("sendMessage", Fault::DropBefore);
    bot.telegram.fail_next("sendMessage", Fault::BadGateway);
    let echo =
        format!(r#"{{"error":{{"message":"Incorrect API key provided: {KEY}. Bearer {KEY}"}}}}"#);
    bot.model.answers(Answer::error(401, echo.clone()));
    bot.model.answers(Answer::error(400, echo));
    bot.model.answers(Answer::garbage(format!(
        "<html>Authorization: Bearer {KEY}</html>"
    )));
    bot.model.answers(Answer::drops());
    bot.model.answers(Answer::drops());
    bot.start();
    let chat = bot.direct();
    for number in 1..=3 {
        chat.says(&format!("try {number}"));
        chat.hears_with(|message| message.text.starts_with("⚠️"))
            .await;
    }
    bot.model.calls(vec![
        (
            "shell",
            json!({"command": "env; set; cat /proc/self/environ /proc/$PPID/environ"}),
        ),
        ("self_info", json!({})),
    ]);
    bot.model.says("Looked everywhere.");
    chat.says("look for secrets");
    // What reaches past the sandbox asks in spite of the setting.
    let card = chat.hears_with(Message::asks).await;
    chat.press(&bot.ann, card.id, "Approve").await;
    chat.settles(|message| message.text == "Looked everywhere.")
        .await;
    chat.says("/status details");
    chat.hears_with(|message| message.text.contains("Channels"))
        .await;
    let told = chat.transcript();
    let asked: Vec<_> = bot
        .model
        .requests()
        .iter()
        .map(|asked| asked.body.to_string())
        .collect();
    assert_eq!(bot.stop().await, Some(0));

    for secret in [KEY, token] {
        assert!(!told.contains(secret), "{secret} was said");
        assert!(
            !asked.iter().any(|body| body.contains(secret)),
            "{secret} was shown to the model"
        );
        for file in files_in(bot.path("").as_path()) {
            let bytes = std::fs::read(&file).unwrap();
            let is_there = bytes
                .windows(secret.len())
                .any(|window| window == secret.as_bytes());
            assert!(!is_there, "{secret} is in {}", file.display());
        }
    }
}
