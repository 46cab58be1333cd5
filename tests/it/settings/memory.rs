//! `[memory.embedder]`: what is asked for the meaning of a memory, where, how, and for how long.

use sayso_fakes::{FakeEmbedder, Gate};
use serde_json::json;

use crate::house::House;

/// Builds a house with an embedder, and the embedder.
async fn closed(settings: &[(&str, &str)]) -> (House, FakeEmbedder) {
    let embedder = FakeEmbedder::start().await;
    let mut house = House::closed(&[("MEMORY__EMBEDDER__MODEL", "tiny")]).await;
    house.set("MEMORY__EMBEDDER__BASE_URL", &embedder.url());
    for (key, value) in settings {
        house.set(key, value);
    }
    (house, embedder)
}

/// Has this remembered.
async fn remembers(house: &House, text: &str) {
    let chat = house.direct();
    house
        .model
        .calls(vec![("memory_store", json!({ "text": text }))]);
    chat.says("remember it");
    chat.hears_with(|message| message.text.starts_with("ok:"))
        .await;
}

/// That anything came to this server is what `base_url` does.
#[tokio::test]
pub async fn request_is_as_configured() {
    let (mut house, embedder) = closed(&[
        ("MEMORY__EMBEDDER__MODEL", "the-small-one"),
        ("MEMORY__EMBEDDER__DIMENSIONS", "48"),
    ])
    .await;
    house.start();
    remembers(&house, "tea is at four").await;
    embedder.waits_for_text("tea is at four").await;
    for body in embedder.bodies() {
        assert_eq!(body["model"], "the-small-one");
        assert_eq!(body["dimensions"], 48);
    }
    house
        .has_noted("SELECT 'kept' FROM memory_vectors WHERE length(bytes) = 48")
        .await;
    house.assert_clean();
}

#[tokio::test]
pub async fn key_opens_the_server() {
    let (mut house, embedder) = closed(&[("MEMORY__EMBEDDER__API_KEY", "sk-embed-1234")]).await;
    embedder.requires_key("sk-embed-1234");
    house.start();
    remembers(&house, "tea is at four").await;
    house.has_noted("SELECT 'kept' FROM memory_vectors").await;

    house.stop().await;
    house.set("MEMORY__EMBEDDER__API_KEY", "sk-another-5678");
    house.start();
    remembers(&house, "cake is at five").await;
    house.logs("Incorrect API key provided").await;
    house.assert_clean();
}

#[tokio::test]
pub async fn only_what_is_near_enough_is_found() {
    let (mut house, embedder) = closed(&[("MEMORY__EMBEDDER__MIN_SIMILARITY", "0.3")]).await;
    embedder.teaches(&["automobile", "car"]);
    house.start();
    remembers(&house, "one blue automobile").await;
    house
        .has_noted("SELECT 'kept' FROM memory_vectors v JOIN memories m ON m.id = v.memory_id WHERE m.kind = 'fact'")
        .await;
    assert!(sees_it(&house).await);
    house.stop().await;
    house.set("MEMORY__EMBEDDER__MIN_SIMILARITY", "0.95");
    house.start();
    assert!(!sees_it(&house).await);
    house.assert_clean();
}

/// Tells whether the memory is found by another word.
async fn sees_it(house: &House) -> bool {
    let chat = house.direct();
    house
        .model
        .calls(vec![("memory_recall", json!({ "query": "car" }))]);
    chat.says("look it up");
    chat.hears_with(|message| message.text.starts_with("ok:"))
        .await;
    let request = house.model.turn_requests().pop().unwrap();
    request.last_tool_result().contains("one blue automobile")
}

#[tokio::test]
pub async fn silent_embedder_is_given_up_in_time() {
    let (mut house, embedder) = closed(&[("MEMORY__EMBEDDER__TIMEOUT_SECS", "1")]).await;
    embedder.waits_at(&Gate::new());
    house.start();
    remembers(&house, "tea is at four").await;
    house.logs("the model did not answer within 1 s").await;
    house.assert_clean();
}
