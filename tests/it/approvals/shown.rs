//! What a card shows is what runs.

use std::fmt::Write as _;

use sayso_fakes::{Gate, Message};
use serde_json::json;

use super::{asks, closed, hears, is_open_card, marks, obedient};
use crate::platform::{Chat, Platform, Trouble, on_both};
use crate::test_bot::TestBot;

on_both!(
    a_command_is_shown_as_it_is_whatever_it_holds,
    what_would_be_invisible_is_written_out,
    a_file_is_shown_with_its_content_before_it_is_written,
);

/// Has the model run a command, and returns its card with everything that was said above it.
async fn shown_for(bot: &TestBot, chat: &Chat, command: &str) -> (Message, Vec<Message>) {
    bot.model
        .calls(vec![("shell", json!({ "command": command }))]);
    let request = chat.says("please");
    let card = chat.hears_with(is_open_card).await;
    let mut shown = chat.messages();
    shown.retain(|message| message.id > request);
    (card, shown)
}

/// Returns what stands in the code blocks of these messages, as people see it.
fn blocks(chat: &Chat, messages: &[Message]) -> Vec<String> {
    let blocks = messages.iter().map(|message| chat.code_blocks(message.id));
    // Discord's code blocks cannot hold three backticks, so zero-width spaces separate them.
    let is_seen = |letter: &char| *letter != '\u{200b}';
    blocks
        .flatten()
        .map(|block| block.chars().filter(is_seen).collect())
        .collect()
}

/// Approves the card and returns what its command has written to the file `out`.
async fn written_by(bot: &TestBot, chat: &Chat, card: &Message) -> String {
    chat.press(&bot.ann, card.id, "Approve").await;
    chat.hears_with(|message| message.text.starts_with("result: "))
        .await;
    std::fs::read_to_string(bot.workspace().join("out")).unwrap()
}

async fn a_command_is_shown_as_it_is_whatever_it_holds(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    let commands = [
        ("printf '%s' '```' > out\n# ``` ````", "```"),
        ("printf '%s' \"a\\\"b\" > out", "a\"b"),
        (
            "printf '%s' '你好 🦀 <b>*x*_y_</b> [z](http://z)' > out",
            "你好 🦀 <b>*x*_y_</b> [z](http://z)",
        ),
        (
            "printf '%s' '  two\n\n\n\tlines ' > out",
            "  two\n\n\n\tlines ",
        ),
        ("printf '%s' `echo x` > out", "x"),
    ];
    for (command, wrote) in commands {
        let (card, shown) = shown_for(&bot, &chat, command).await;
        let shown: Vec<String> = blocks(&chat, &shown);
        assert_eq!(shown, [command]);
        assert_eq!(written_by(&bot, &chat, &card).await, wrote, "{command}");
    }
    bot.assert_clean();
}

async fn what_would_be_invisible_is_written_out(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    let (card, shown) = shown_for(&bot, &chat, "printf x > out # \u{202e}tuo\r\u{200b}").await;
    let shown: Vec<String> = blocks(&chat, &shown);
    assert_eq!(shown, ["printf x > out # \\u{202e}tuo\\u{d}\\u{200b}"]);
    assert_eq!(written_by(&bot, &chat, &card).await, "x");
    bot.assert_clean();
}

#[tokio::test]
async fn a_command_longer_than_a_message_stands_in_full_above_its_card() {
    let bot = obedient(Platform::Telegram, &[]).await;
    let chat = bot.direct();
    let mut lines = String::from("cat > out <<'END'");
    for number in 0..500 {
        write!(lines, "\n{number} ``` 你好").unwrap();
    }
    lines.push_str("\nEND");
    let one_line = format!("printf '%s' '{}' > out", "0123456789".repeat(510));
    for (command, glue) in [(lines, "\n"), (one_line, "")] {
        let (card, shown) = shown_for(&bot, &chat, &command).await;
        let pieces: Vec<String> = blocks(&chat, &shown);
        assert!(pieces.len() > 1);
        assert_eq!(pieces.join(glue), command);
        assert!(
            chat.code_blocks(card.id).is_empty(),
            "the card itself is short: {card}"
        );
        assert!(written_by(&bot, &chat, &card).await.len() >= 5_000);
        let closed = closed(&chat, card.id).await;
        assert!(closed.text.starts_with("✅ Approved by Ann: "), "{closed}");
        assert_eq!(closed.text.lines().count(), 1, "{closed}");
    }
    bot.assert_clean();
}

async fn a_file_is_shown_with_its_content_before_it_is_written(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    bot.model.calls(vec![(
        "file_write",
        json!({"path": "a/b.txt", "content": "one\n```\ntwo"}),
    )]);
    chat.says("write it");
    let card = chat.settles(is_open_card).await;
    assert_eq!(
        blocks(&chat, std::slice::from_ref(&card)),
        ["a/b.txt\n\none\n```\ntwo"]
    );
    chat.press(&bot.ann, card.id, "Approve").await;
    hears(&chat, "result: ").await;
    let written = std::fs::read_to_string(bot.workspace().join("a/b.txt")).unwrap();
    assert_eq!(written, "one\n```\ntwo");
    bot.assert_clean();
}

/// kill -9 between the wire and the confirmation: the card stands twice.
#[tokio::test]
async fn both_copies_of_a_card_that_was_sent_twice_lose_their_buttons() {
    let mut bot = obedient(Platform::Telegram, &[]).await;
    let chat = bot.direct();
    let never = Gate::new();
    bot.saying_fails_for("May I run this?", Trouble::AnswerHeld(never.clone()));
    let lost = asks(&bot, &chat, "a").await;
    never.reached_by(1).await;
    bot.kill().await;
    bot.heal();
    bot.start();
    bot.listens().await;
    let again = chat
        .settles(|card| is_open_card(card) && card.id != lost.id)
        .await;
    chat.press(&bot.ann, again.id, "Approve").await;
    closed(&chat, again.id).await;
    hears(&chat, "result: ").await;
    let told = chat.press(&bot.ann, lost.id, "Deny").await;
    assert_eq!(
        told.text.as_deref(),
        Some("This was already decided. Nothing changed.")
    );
    assert!(closed(&chat, lost.id).await.text.starts_with("✅ Approved"));
    assert_eq!(marks(&bot), ["a"]);
    bot.assert_clean();
}
