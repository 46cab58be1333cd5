//! Taint goes on: through history, waiting, memory, questions and groups.

use sayso_fakes::Message;
use serde_json::json;

use super::{has_file, reads};
use crate::platform::Chat;
use crate::test_bot::TestBot;

fn is_open_card(message: &Message) -> bool {
    message.asks()
}

/// Has the model remember something and returns the card that asks about it.
async fn asks_to_remember(bot: &TestBot, chat: &Chat, text: &str) -> Message {
    bot.model
        .calls(vec![("memory_store", json!({ "text": text }))]);
    chat.says("keep that");
    chat.settles(|message| is_open_card(message) && message.text.contains(text))
        .await
}

/// Has the model remember something, which needs no approval.
async fn remembers_unasked(bot: &TestBot, chat: &Chat, text: &str) {
    bot.model
        .calls(vec![("memory_store", json!({ "text": text }))]);
    bot.model.says("Kept.");
    chat.says("keep that");
    chat.settles(|message| message.text == "Kept.").await;
    assert_eq!(facts(bot).await.last().unwrap(), text);
}

async fn facts(bot: &TestBot) -> Vec<String> {
    bot.rows("SELECT text FROM memories WHERE kind = 'fact' ORDER BY id")
        .await
}

#[tokio::test]
async fn a_later_turn_asks_until_a_new_conversation() {
    let bot = TestBot::open().await;
    let chat = bot.direct();
    has_file(&bot, &chat, "notes.txt", "Tea is ready.").await;
    remembers_unasked(&bot, &chat, "Ann has a kettle.").await;
    reads(&bot, &chat, "notes.txt").await;
    let card = asks_to_remember(&bot, &chat, "Zebras have stripes.").await;
    assert!(
        card.text.contains("I have recently read: notes.txt."),
        "{card}"
    );
    chat.press(&bot.ann, card.id, "Deny").await;
    chat.settles(|message| message.text.starts_with("ok:") && message.text.contains("keep"))
        .await;
    // The turn that read it is the second but last: what it led to is in view as well.
    let card = asks_to_remember(&bot, &chat, "Whales sing.").await;
    chat.press(&bot.ann, card.id, "Deny").await;
    bot.assert_clean();
}

#[tokio::test]
async fn a_new_conversation_has_nothing_in_view() {
    let bot = TestBot::open().await;
    let chat = bot.direct();
    has_file(&bot, &chat, "notes.txt", "Tea is ready.").await;
    reads(&bot, &chat, "notes.txt").await;
    chat.says("/new");
    chat.settles(|message| message.text.contains("New conversation."))
        .await;
    // Nothing that is remembered shares a word with it.
    bot.model.calls(vec![(
        "memory_store",
        json!({"text": "Zebras have stripes."}),
    )]);
    bot.model.says("Kept.");
    chat.says("zebras!");
    chat.settles(|message| message.text == "Kept.").await;
    assert_eq!(facts(&bot).await, ["Zebras have stripes."]);
    bot.assert_clean();
}

#[tokio::test]
async fn a_card_that_waits_keeps_what_was_in_view_through_a_crash_and_a_new_conversation() {
    let mut bot = TestBot::open().await;
    let chat = bot.direct();
    has_file(&bot, &chat, "notes.txt", "Tea is ready.").await;
    reads(&bot, &chat, "notes.txt").await;
    bot.model.calls(vec![
        ("memory_store", json!({"text": "Zebras have stripes."})),
        ("memory_store", json!({"text": "Whales sing."})),
    ]);
    chat.says("keep both");
    let card = chat.settles(is_open_card).await;
    chat.says("/new");
    chat.settles(|message| message.text.contains("New conversation."))
        .await;
    bot.crash().await;
    bot.model.says("Kept.");
    chat.press(&bot.ann, card.id, "Approve all").await;
    chat.settles(|message| message.text == "Kept.").await;
    let tainted = bot
        .rows("SELECT taint FROM memories WHERE kind = 'fact' ORDER BY id")
        .await;
    assert_eq!(tainted.len(), 2);
    for taint in tainted {
        assert!(
            taint.contains(r#""way":"earlier""#) && taint.contains("file_read"),
            "{taint}"
        );
    }
    bot.assert_clean();
}

#[tokio::test]
async fn a_memory_from_such_a_turn_brings_it_back() {
    let bot = TestBot::open().await;
    let chat = bot.direct();
    has_file(&bot, &chat, "notes.txt", "Tea is ready.").await;
    bot.model
        .calls(vec![("file_read", json!({"path": "notes.txt"}))]);
    bot.model.says("The aardvark sleeps.");
    chat.says("what does the aardvark do?");
    chat.settles(|message| message.text == "The aardvark sleeps.")
        .await;
    chat.says("/new");
    chat.settles(|message| message.text.contains("New conversation."))
        .await;
    bot.model.calls(vec![(
        "memory_store",
        json!({"text": "Zebras have stripes."}),
    )]);
    chat.says("more on the aardvark");
    let card = chat.settles(is_open_card).await;
    assert!(card.text.contains("notes.txt (remembered)"), "{card}");
    bot.assert_clean();
}

#[tokio::test]
async fn a_recall_brings_it_back_in_delimiters() {
    let bot = TestBot::open().await;
    let chat = bot.direct();
    has_file(&bot, &chat, "notes.txt", "Tea is ready.").await;
    reads(&bot, &chat, "notes.txt").await;
    let card = asks_to_remember(&bot, &chat, "Zebras have stripes.").await;
    bot.model.says("Kept.");
    chat.press(&bot.ann, card.id, "Approve").await;
    chat.settles(|message| message.text == "Kept.").await;
    chat.says("/new");
    chat.settles(|message| message.text.contains("New conversation."))
        .await;
    bot.model
        .calls(vec![("memory_recall", json!({"query": "zebras"}))]);
    bot.model
        .calls(vec![("memory_store", json!({"text": "Whales sing."}))]);
    chat.says("hm");
    let card = chat.settles(is_open_card).await;
    assert!(
        card.text.contains("I have recently read: my earlier notes"),
        "{card}"
    );
    let (_, recalled) = bot.model.turn_requests().pop().unwrap().tool_results()[0].clone();
    assert!(
        recalled.starts_with("[outside ") && recalled.contains("Zebras"),
        "{recalled}"
    );
    bot.assert_clean();
}

#[tokio::test]
async fn words_of_others_that_a_question_was_asked_about_stay_words_of_others() {
    let bot = TestBot::open().await;
    let group = bot.group("Friends");
    let _ = group.with(&bot.bob);
    let group = group.with(&bot.ann);
    let said = group.says_as(&bot.bob, "just run everything");
    bot.model
        .routes(r#"{"skills": [], "direct": false, "question": "What of it?"}"#);
    group.replies(said, "@sayso_bot do that");
    let question = group
        .settles(|message| message.text.contains("What of it?"))
        .await;
    bot.model.calls(vec![(
        "memory_store",
        json!({"text": "Zebras have stripes."}),
    )]);
    // A reply is known as an answer once the question is known to stand there.
    bot.has_noted("SELECT state FROM outbox WHERE purpose = 'question' AND state = 'sent'")
        .await;
    group.replies(question.id, "keep it");
    let card = group.settles(is_open_card).await;
    assert!(
        card.text.contains("I have recently read: words of others"),
        "{card}"
    );
    bot.assert_clean();
}

#[tokio::test]
async fn in_a_group_the_turns_of_others_are_words_of_others() {
    let bot = TestBot::open().await;
    let group = bot.group("Friends");
    let _ = group.with(&bot.bob);
    let group = group.with(&bot.ann);
    group.says_as(&bot.bob, "@sayso_bot hello");
    group
        .settles(|message| message.text.starts_with("ok:"))
        .await;
    bot.model.calls(vec![(
        "memory_store",
        json!({"text": "Zebras have stripes."}),
    )]);
    group.says("@sayso_bot keep it");
    let card = group.settles(is_open_card).await;
    assert!(
        card.text.contains("I have recently read: words of others"),
        "{card}"
    );
    bot.assert_clean();
}
