//! The sandbox as people and the model meet it: in a chat.

use sayso_fakes::Message;
use serde_json::json;

use crate::test_bot::TestBot;

/// Has Ann approve a script that the shell parser cannot inspect and that reads Sayso's own
/// database. Returns the result that the model gets.
async fn peeks(sandbox: &str) -> String {
    let bot = TestBot::with(&[("POLICY__SANDBOX", sandbox)]).await;
    let chat = bot.direct();
    chat.says("hello");
    chat.hears().await;
    let script = "head -c 15 ../../sayso.db && echo && echo peeked";
    std::fs::write(bot.workspace().join("peek.sh"), script).unwrap();
    bot.model
        .calls(vec![("shell", json!({"command": "sh peek.sh"}))]);
    bot.model.says("Seen.");
    chat.says("run it");
    let card = chat.hears_with(Message::asks).await;
    chat.press(&bot.ann, card.id, "Approve").await;
    chat.settles(|message| message.text == "Seen.").await;
    bot.assert_clean();
    bot.model.requests().pop().unwrap().last_tool_result()
}

#[tokio::test]
pub async fn an_approved_script_is_held_to_the_workspace_unless_the_sandbox_is_off() {
    let held = peeks("require").await;
    assert!(held.contains("Permission denied"), "{held}");
    assert!(
        held.contains("hint: it ran with access `workspace`"),
        "{held}"
    );
    assert!(!held.contains("peeked"), "{held}");

    let free = peeks("off").await;
    assert!(
        free.contains("SQLite format 3") && free.contains("peeked"),
        "{free}"
    );
    assert!(!free.contains("hint:"), "{free}");
}

/// Where the kernel keeps every promise, `prefer` holds commands as `require` does.
#[tokio::test]
async fn prefer_holds_as_much_as_the_kernel_can() {
    let held = peeks("prefer").await;
    assert!(!held.contains("peeked"), "{held}");
}
