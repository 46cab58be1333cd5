//! What stands in the place of a secret: on cards, in files that would be written, and in what a
//! person said.

use sayso_fakes::Message;
use serde_json::json;

use super::token;
use crate::test_bot::TestBot;

#[tokio::test]
async fn a_card_hides_the_token_of_a_command_says_so_and_the_command_runs_as_it_is() {
    let bot = TestBot::open().await;
    let secret = token("ghp_", 36);
    let command = format!("printf %s {secret} > out");
    bot.model
        .calls(vec![("shell", json!({ "command": command }))]);
    bot.model.says("Written.");
    let chat = bot.direct();
    chat.says("write it down");
    let card = chat.hears_with(Message::asks).await;
    assert!(
        card.text
            .contains("printf %s ••• (hidden: looks like an access token) > out"),
        "{}",
        card.text
    );
    assert!(
        card.text.contains("🔑 A secret is hidden above"),
        "{}",
        card.text
    );
    chat.press(&bot.ann, card.id, "Approve").await;
    chat.settles(|message| message.text == "Written.").await;
    let written = std::fs::read_to_string(bot.workspace().join("out")).unwrap();
    assert_eq!(written, secret);
    bot.assert_clean();
}

#[tokio::test]
async fn a_mark_is_never_written_over_a_secret() {
    let bot = TestBot::with(&[("POLICY__CONFIRM_WRITE", "false")]).await;
    let chat = bot.direct();
    bot.model.says("Hello.");
    chat.says("hello");
    chat.settles(|message| message.text == "Hello.").await;
    let path = bot.workspace().join("settings.env");
    std::fs::write(&path, format!("PORT=1\nKEY={}\n", token("ghp_", 36))).unwrap();
    let content = "PORT=2\nKEY=[redacted: github-token]\n";
    bot.model.calls(vec![(
        "file_write",
        json!({"path": "settings.env", "content": content}),
    )]);
    bot.model.says("It has a secret that I cannot see.");
    chat.says("make it port 2");
    chat.settles(|message| message.text.contains("cannot see"))
        .await;
    let result = bot.model.requests().last().unwrap().last_tool_result();
    assert!(
        result.contains("the secret would be overwritten"),
        "{result}"
    );
    assert!(
        std::fs::read_to_string(&path)
            .unwrap()
            .starts_with("PORT=1\n")
    );
    bot.assert_clean();
}

#[tokio::test]
async fn what_a_person_says_reaches_the_model_without_its_secret() {
    let bot = TestBot::open().await;
    bot.model.says("I will not need it.");
    let chat = bot.direct();
    chat.says(&format!("log in with {} please", token("glpat-", 20)));
    chat.settles(|message| message.text == "I will not need it.")
        .await;
    let asked = bot.model.requests().last().unwrap().last_user();
    assert!(
        asked.contains("log in with [redacted: gitlab-token] please"),
        "{asked}"
    );
    bot.assert_clean();
}
