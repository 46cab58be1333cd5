//! `[log]`: what the log file holds. That it holds no secret is shown in `tests/it/secrets`.

use crate::house::House;

/// Returns the log file after one question at this level.
async fn log_at(level: &str) -> String {
    let mut house = House::with(&[("LOG__LEVEL", level)]).await;
    house.model.says("Blue, I think.");
    let chat = house.direct();
    chat.says("which colour?");
    chat.settles(|message| message.text == "Blue, I think.")
        .await;
    assert_eq!(house.stop().await, Some(0));
    std::fs::read_to_string(house.data().join("logs/sayso.log")).unwrap_or_default()
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
        some.contains("src/sessions/journal.rs:")
            && some.contains("turn ended")
            && !some.contains("which colour?"),
        "{some}"
    );
    let none = log_at("error").await;
    assert!(!none.contains("turn ended"), "{none}");
}
