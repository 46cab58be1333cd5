//! Hello, and what a first conversation looks like.

use sayso_fakes::Message;
use serde_json::json;

use crate::platform::{Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    a_message_is_routed_and_answered,
    a_tool_runs_after_its_card_was_approved,
    a_card_shows_the_whole_text_that_would_be_written
);

async fn a_message_is_routed_and_answered(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    bot.model.says("Hello Ann!");
    chat.says("hello");
    chat.hears().await;
    insta::assert_snapshot!(chat.transcript(), @r"
    Ann: hello
    Sayso: Hello Ann!
    ");
    assert_eq!(bot.model.requests().len(), 2);
    bot.assert_clean();
}

async fn a_tool_runs_after_its_card_was_approved(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    bot.model.calls(vec![(
        "shell",
        json!({"command": "echo 42 > answer; cat answer"}),
    )]);
    bot.model.says("It says 42.");
    chat.says("what is the answer?");
    let card = chat.hears_with(Message::asks).await;
    chat.press(&bot.ann, card.id, "Approve").await;
    chat.settles(|message| message.text == "It says 42.").await;
    insta::assert_snapshot!(chat.transcript(), @r"
    Ann: what is the answer?
    Sayso: ✅ Approved by Ann: echo 42 > answer; cat answer
    Sayso: It says 42.
    ");
    bot.assert_clean();
}

async fn a_card_shows_the_whole_text_that_would_be_written(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    bot.model.calls(vec![(
        "file_write",
        json!({"path": "note.txt", "content": "buy tea\nand milk"}),
    )]);
    bot.model.says("Noted.");
    chat.says("note: buy tea and milk");
    let card = chat.hears_with(Message::asks).await;
    insta::assert_snapshot!(card.text, @r"
    May I write this?

    note.txt

    buy tea
    and milk

    • changes a file in your folder
    Expires in 30 min
    ");
    chat.press(&bot.ann, card.id, "Approve").await;
    chat.settles(|message| message.text == "Noted.").await;
    let written = std::fs::read_to_string(bot.workspace().join("note.txt")).unwrap();
    assert_eq!(written, "buy tea\nand milk");
    bot.assert_clean();
}
