//! Memory by meaning: an embedder that knows words which mean the same, and one that is away.

use sayso_fakes::{EmbedderFault, FakeEmbedder, Gate};

use super::remembering::{asks, remembers, section};
use crate::test_bot::TestBot;

/// Builds a bot with this embedder, in which nothing runs yet.
async fn closed_with(embedder: &FakeEmbedder) -> TestBot {
    let mut bot = TestBot::closed(&[("MEMORY__EMBEDDER__MODEL", "tiny")]).await;
    bot.set("MEMORY__EMBEDDER__BASE_URL", &embedder.url());
    bot
}

#[tokio::test]
async fn what_shares_no_word_with_the_question_is_in_view() {
    let embedder = FakeEmbedder::start().await;
    embedder.teaches(&["automobile", "car", "汽车"]);
    let mut bot = closed_with(&embedder).await;
    bot.start();
    let (ann, bob) = (bot.direct(), bot.direct_with(&bot.bob));
    remembers(&bot, &ann, "Annie owns one blue automobile").await;
    embedder
        .waits_for_text("Annie owns one blue automobile")
        .await;
    bot
        .has_noted("SELECT 'kept' FROM memory_vectors WHERE memory_id IN (SELECT id FROM memories WHERE text LIKE 'Annie%' AND kind = 'fact')")
        .await;
    for (question, heading) in [("car?", "[Related memories]"), ("汽车", "[相关记忆]")] {
        let system = asks(&bot, &ann, question).await;
        let memories = section(&system, heading);
        assert!(memories.contains("blue automobile"), "{question}: {system}");
    }
    let system = asks(&bot, &bob, "car?").await;
    assert!(!system.contains("automobile"), "{system}");
    bot.assert_clean();
    embedder.assert_clean();
}

#[tokio::test]
async fn without_an_embedder_words_decide() {
    let bot = TestBot::open().await;
    let ann = bot.direct();
    remembers(&bot, &ann, "Annie owns one blue automobile").await;
    let system = asks(&bot, &ann, "car?").await;
    assert!(!system.contains("automobile"), "{system}");
    bot.assert_clean();
}

#[tokio::test]
async fn while_the_embedder_is_away_words_are_found_and_it_is_said_once() {
    let embedder = FakeEmbedder::start().await;
    embedder.fails(EmbedderFault::Status(403, None));
    let mut bot = closed_with(&embedder).await;
    bot.start();
    let ann = bot.direct();
    remembers(&bot, &ann, "Annie owns one blue automobile").await;
    for _ in 0..2 {
        let system = asks(&bot, &ann, "what is blue?").await;
        let memories = section(&system, "[Related memories]");
        assert!(memories.contains("blue automobile"), "{system}");
    }
    bot.logs("memory search uses words only").await;
    let said = bot.log().matches("memory search uses words only").count();
    assert_eq!(said, 1, "{}", bot.log());

    embedder.heals();
    bot.logs("embedder available again").await;
    bot.has_noted("SELECT 'kept' FROM memory_vectors").await;
    bot.assert_clean();
}

#[tokio::test]
async fn an_answer_does_not_wait_for_an_embedder_that_hangs() {
    let embedder = FakeEmbedder::start().await;
    embedder.waits_at(&Gate::new());
    let mut bot = closed_with(&embedder).await;
    bot.start();
    let ann = bot.direct();
    remembers(&bot, &ann, "Annie owns one blue automobile").await;
    let system = asks(&bot, &ann, "what is blue?").await;
    let memories = section(&system, "[Related memories]");
    assert!(memories.contains("blue automobile"), "{system}");
    bot.assert_clean();
}

#[tokio::test]
async fn another_dimension_is_made_up_for_also_after_a_kill() {
    let embedder = FakeEmbedder::start().await;
    embedder.teaches(&["automobile", "car"]);
    let mut bot = closed_with(&embedder).await;
    bot.start();
    let ann = bot.direct();
    remembers(&bot, &ann, "Annie owns one blue automobile").await;
    bot.has_noted("SELECT 'kept' FROM memory_vectors").await;
    bot.kill().await;

    bot.set("MEMORY__EMBEDDER__DIMENSIONS", "48");
    let gate = Gate::new();
    embedder.waits_at(&gate);
    bot.start();
    // It has begun, and nothing came of it yet.
    gate.reached_by(1).await;
    let system = asks(&bot, &ann, "what is blue?").await;
    assert!(system.contains("blue automobile"), "{system}");
    // What is not known to be sent would be sent again.
    bot
        .has_noted("SELECT 'quiet' WHERE NOT EXISTS (SELECT 1 FROM outbox WHERE state IN ('pending', 'sending'))")
        .await;
    bot.kill().await;

    gate.open();
    bot.start();
    bot
        .has_noted("SELECT 'all' WHERE NOT EXISTS (SELECT 1 FROM memory_vectors WHERE length(bytes) <> 48) AND (SELECT count(*) FROM memory_vectors) >= (SELECT count(*) FROM memories WHERE kind = 'fact')")
        .await;
    let system = asks(&bot, &ann, "car?").await;
    assert!(system.contains("blue automobile"), "{system}");
    bot.assert_clean();
    embedder.assert_clean();
}
