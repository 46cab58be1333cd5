//! Taint goes on: through history, waiting, memory, questions and groups.

use sayso_fakes::Message;
use serde_json::json;

use super::{has_file, reads};
use crate::house::House;
use crate::platform::Chat;

fn is_open_card(message: &Message) -> bool {
    message.asks()
}

/// Has the model remember something and returns the card that asks about it.
async fn asks_to_remember(house: &House, chat: &Chat, text: &str) -> Message {
    house
        .model
        .calls(vec![("memory_store", json!({ "text": text }))]);
    chat.says("keep that");
    chat.settles(|message| is_open_card(message) && message.text.contains(text))
        .await
}

/// Has the model remember something, which needs no approval.
async fn remembers_unasked(house: &House, chat: &Chat, text: &str) {
    house
        .model
        .calls(vec![("memory_store", json!({ "text": text }))]);
    house.model.says("Kept.");
    chat.says("keep that");
    chat.settles(|message| message.text == "Kept.").await;
    assert_eq!(facts(house).await.last().unwrap(), text);
}

async fn facts(house: &House) -> Vec<String> {
    house
        .rows("SELECT text FROM memories WHERE kind = 'fact' ORDER BY id")
        .await
}

#[tokio::test]
async fn a_later_turn_asks_until_a_new_conversation() {
    let house = House::open().await;
    let chat = house.direct();
    has_file(&house, &chat, "notes.txt", "Tea is ready.").await;
    remembers_unasked(&house, &chat, "Ann has a kettle.").await;
    reads(&house, &chat, "notes.txt").await;
    let card = asks_to_remember(&house, &chat, "Zebras have stripes.").await;
    assert!(
        card.text
            .contains("In view: text from file_read (an earlier turn)"),
        "{card}"
    );
    chat.press(&house.ann, card.id, "Deny").await;
    chat.settles(|message| message.text.starts_with("ok:") && message.text.contains("keep"))
        .await;
    // The turn that read it is the second but last: what it led to is in view as well.
    let card = asks_to_remember(&house, &chat, "Whales sing.").await;
    chat.press(&house.ann, card.id, "Deny").await;
    house.assert_clean();
}

#[tokio::test]
async fn a_new_conversation_has_nothing_in_view() {
    let house = House::open().await;
    let chat = house.direct();
    has_file(&house, &chat, "notes.txt", "Tea is ready.").await;
    reads(&house, &chat, "notes.txt").await;
    chat.says("/new");
    chat.settles(|message| message.text.contains("A new conversation."))
        .await;
    // Nothing that is remembered shares a word with it.
    house.model.calls(vec![(
        "memory_store",
        json!({"text": "Zebras have stripes."}),
    )]);
    house.model.says("Kept.");
    chat.says("zebras!");
    chat.settles(|message| message.text == "Kept.").await;
    assert_eq!(facts(&house).await, ["Zebras have stripes."]);
    house.assert_clean();
}

#[tokio::test]
async fn a_card_that_waits_keeps_what_was_in_view_through_a_crash_and_a_new_conversation() {
    let mut house = House::open().await;
    let chat = house.direct();
    has_file(&house, &chat, "notes.txt", "Tea is ready.").await;
    reads(&house, &chat, "notes.txt").await;
    house.model.calls(vec![
        ("memory_store", json!({"text": "Zebras have stripes."})),
        ("memory_store", json!({"text": "Whales sing."})),
    ]);
    chat.says("keep both");
    let card = chat.settles(is_open_card).await;
    chat.says("/new");
    chat.settles(|message| message.text.contains("A new conversation."))
        .await;
    house.crash().await;
    house.model.says("Kept.");
    chat.press(&house.ann, card.id, "Approve all").await;
    chat.settles(|message| message.text == "Kept.").await;
    let tainted = house
        .rows("SELECT taint FROM memories WHERE kind = 'fact' ORDER BY id")
        .await;
    assert_eq!(tainted.len(), 2);
    for taint in tainted {
        assert!(
            taint.contains(r#""way":"earlier""#) && taint.contains("file_read"),
            "{taint}"
        );
    }
    house.assert_clean();
}

#[tokio::test]
async fn a_memory_from_such_a_turn_brings_it_back() {
    let house = House::open().await;
    let chat = house.direct();
    has_file(&house, &chat, "notes.txt", "Tea is ready.").await;
    house
        .model
        .calls(vec![("file_read", json!({"path": "notes.txt"}))]);
    house.model.says("The aardvark sleeps.");
    chat.says("what does the aardvark do?");
    chat.settles(|message| message.text == "The aardvark sleeps.")
        .await;
    chat.says("/new");
    chat.settles(|message| message.text.contains("A new conversation."))
        .await;
    house.model.calls(vec![(
        "memory_store",
        json!({"text": "Zebras have stripes."}),
    )]);
    chat.says("more on the aardvark");
    let card = chat.settles(is_open_card).await;
    assert!(
        card.text.contains("text from file_read (a memory)"),
        "{card}"
    );
    house.assert_clean();
}

#[tokio::test]
async fn a_recall_brings_it_back_in_delimiters() {
    let house = House::open().await;
    let chat = house.direct();
    has_file(&house, &chat, "notes.txt", "Tea is ready.").await;
    reads(&house, &chat, "notes.txt").await;
    let card = asks_to_remember(&house, &chat, "Zebras have stripes.").await;
    house.model.says("Kept.");
    chat.press(&house.ann, card.id, "Approve").await;
    chat.settles(|message| message.text == "Kept.").await;
    chat.says("/new");
    chat.settles(|message| message.text.contains("A new conversation."))
        .await;
    house
        .model
        .calls(vec![("memory_recall", json!({"query": "zebras"}))]);
    house
        .model
        .calls(vec![("memory_store", json!({"text": "Whales sing."}))]);
    chat.says("hm");
    let card = chat.settles(is_open_card).await;
    assert!(
        card.text.contains("In view: text from memory_recall"),
        "{card}"
    );
    let (_, recalled) = house.model.turn_requests().pop().unwrap().tool_results()[0].clone();
    assert!(
        recalled.starts_with("[outside ") && recalled.contains("Zebras"),
        "{recalled}"
    );
    house.assert_clean();
}

#[tokio::test]
async fn words_of_others_that_a_question_was_asked_about_stay_words_of_others() {
    let house = House::open().await;
    let group = house.group("Friends");
    let _ = group.with(&house.bob);
    let group = group.with(&house.ann);
    let said = group.says_as(&house.bob, "just run everything");
    house
        .model
        .routes(r#"{"skills": [], "direct": false, "question": "What of it?"}"#);
    group.replies(said, "@sayso_bot do that");
    let question = group
        .settles(|message| message.text.contains("What of it?"))
        .await;
    house.model.calls(vec![(
        "memory_store",
        json!({"text": "Zebras have stripes."}),
    )]);
    // A reply is known as an answer once the question is known to stand there.
    house
        .has_noted("SELECT state FROM outbox WHERE purpose = 'question' AND state = 'sent'")
        .await;
    group.replies(question.id, "keep it");
    let card = group.settles(is_open_card).await;
    assert!(card.text.contains("In view: words of others"), "{card}");
    house.assert_clean();
}

#[tokio::test]
async fn in_a_group_the_turns_of_others_are_words_of_others() {
    let house = House::open().await;
    let group = house.group("Friends");
    let _ = group.with(&house.bob);
    let group = group.with(&house.ann);
    group.says_as(&house.bob, "@sayso_bot hello");
    group
        .settles(|message| message.text.starts_with("ok:"))
        .await;
    house.model.calls(vec![(
        "memory_store",
        json!({"text": "Zebras have stripes."}),
    )]);
    group.says("@sayso_bot keep it");
    let card = group.settles(is_open_card).await;
    assert!(
        card.text
            .contains("In view: words of others (an earlier turn)"),
        "{card}"
    );
    house.assert_clean();
}
