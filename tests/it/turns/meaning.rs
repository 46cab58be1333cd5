//! Memory by meaning: an embedder that knows words which mean the same, and one that is away.

use sayso_fakes::{EmbedderFault, FakeEmbedder, Gate};

use super::remembering::{asks, remembers, section};
use crate::house::House;

/// Builds a house with this embedder, in which nothing runs yet.
async fn closed_with(embedder: &FakeEmbedder) -> House {
    let mut house = House::closed(&[("MEMORY__EMBEDDER__MODEL", "tiny")]).await;
    house.set("MEMORY__EMBEDDER__BASE_URL", &embedder.url());
    house
}

#[tokio::test]
async fn what_shares_no_word_with_the_question_is_in_view() {
    let embedder = FakeEmbedder::start().await;
    embedder.teaches(&["automobile", "car", "汽车"]);
    let mut house = closed_with(&embedder).await;
    house.start();
    let (ann, bob) = (house.direct(), house.direct_with(&house.bob));
    remembers(&house, &ann, "Annie owns one blue automobile").await;
    embedder
        .waits_for_text("Annie owns one blue automobile")
        .await;
    house
        .has_noted("SELECT 'kept' FROM memory_vectors WHERE memory_id IN (SELECT id FROM memories WHERE text LIKE 'Annie%' AND kind = 'fact')")
        .await;
    for question in ["car?", "汽车"] {
        let system = asks(&house, &ann, question).await;
        let memories = section(&system, "[相关记忆]");
        assert!(memories.contains("blue automobile"), "{question}: {system}");
    }
    let system = asks(&house, &bob, "car?").await;
    assert!(!system.contains("automobile"), "{system}");
    house.assert_clean();
    embedder.assert_clean();
}

#[tokio::test]
async fn without_an_embedder_words_decide() {
    let house = House::open().await;
    let ann = house.direct();
    remembers(&house, &ann, "Annie owns one blue automobile").await;
    let system = asks(&house, &ann, "car?").await;
    assert!(!system.contains("automobile"), "{system}");
    house.assert_clean();
}

#[tokio::test]
async fn while_the_embedder_is_away_words_are_found_and_it_is_said_once() {
    let embedder = FakeEmbedder::start().await;
    embedder.fails(EmbedderFault::Status(403, None));
    let mut house = closed_with(&embedder).await;
    house.start();
    let ann = house.direct();
    remembers(&house, &ann, "Annie owns one blue automobile").await;
    for _ in 0..2 {
        let system = asks(&house, &ann, "what is blue?").await;
        let memories = section(&system, "[相关记忆]");
        assert!(memories.contains("blue automobile"), "{system}");
    }
    house.logs("memory is found by words alone").await;
    let said = house
        .log()
        .matches("memory is found by words alone")
        .count();
    assert_eq!(said, 1, "{}", house.log());

    embedder.heals();
    house.logs("the embedder answers again").await;
    house.has_noted("SELECT 'kept' FROM memory_vectors").await;
    house.assert_clean();
}

#[tokio::test]
async fn an_answer_does_not_wait_for_an_embedder_that_hangs() {
    let embedder = FakeEmbedder::start().await;
    embedder.waits_at(&Gate::new());
    let mut house = closed_with(&embedder).await;
    house.start();
    let ann = house.direct();
    remembers(&house, &ann, "Annie owns one blue automobile").await;
    let system = asks(&house, &ann, "what is blue?").await;
    let memories = section(&system, "[相关记忆]");
    assert!(memories.contains("blue automobile"), "{system}");
    house.assert_clean();
}

#[tokio::test]
async fn another_dimension_is_made_up_for_also_after_a_kill() {
    let embedder = FakeEmbedder::start().await;
    embedder.teaches(&["automobile", "car"]);
    let mut house = closed_with(&embedder).await;
    house.start();
    let ann = house.direct();
    remembers(&house, &ann, "Annie owns one blue automobile").await;
    house.has_noted("SELECT 'kept' FROM memory_vectors").await;
    house.kill().await;

    house.set("MEMORY__EMBEDDER__DIMENSIONS", "48");
    let gate = Gate::new();
    embedder.waits_at(&gate);
    house.start();
    // It has begun, and nothing came of it yet.
    gate.reached_by(1).await;
    let system = asks(&house, &ann, "what is blue?").await;
    assert!(system.contains("blue automobile"), "{system}");
    // What is not known to be sent would be sent again.
    house
        .has_noted("SELECT 'quiet' WHERE NOT EXISTS (SELECT 1 FROM outbox WHERE state IN ('pending', 'sending'))")
        .await;
    house.kill().await;

    gate.open();
    house.start();
    house
        .has_noted("SELECT 'all' WHERE NOT EXISTS (SELECT 1 FROM memory_vectors WHERE length(bytes) <> 48) AND (SELECT count(*) FROM memory_vectors) >= (SELECT count(*) FROM memories WHERE kind = 'fact')")
        .await;
    let system = asks(&house, &ann, "car?").await;
    assert!(system.contains("blue automobile"), "{system}");
    house.assert_clean();
    embedder.assert_clean();
}
