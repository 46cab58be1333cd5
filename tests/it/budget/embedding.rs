//! What an embedder reads: on the bill of whom it was for.

use sayso_fakes::{EmbedderFault, FakeEmbedder};

use super::{costs, is_answered};
use crate::platform::Chat;
use crate::test_bot::TestBot;

/// Starts a bot whose embedder counts this many tokens for each text; answers cost 3,000 each.
async fn open(counted: u64, settings: &[(&str, &str)]) -> (TestBot, FakeEmbedder) {
    let embedder = FakeEmbedder::start().await;
    embedder.counts(counted);
    let settings = [
        settings,
        &[
            ("AGENT__ROUTING", "off"),
            ("MEMORY__EMBEDDER__MODEL", "tiny"),
        ],
    ]
    .concat();
    let mut bot = TestBot::closed(&settings).await;
    bot.set("MEMORY__EMBEDDER__BASE_URL", &embedder.url());
    bot.start();
    costs(&bot, 3_000);
    (bot, embedder)
}

/// Waits until what was said last is embedded, and so booked.
async fn is_embedded(bot: &TestBot) {
    bot
        .has_noted("SELECT 'all' WHERE NOT EXISTS (SELECT 1 FROM memories m WHERE NOT EXISTS (SELECT 1 FROM memory_vectors v WHERE v.memory_id = m.id)) AND (SELECT count(*) FROM memories) = (SELECT count(*) FROM turns)")
        .await;
}

/// Returns what `/usage` says of one's day.
async fn spent(chat: &Chat) -> String {
    chat.says("/usage details");
    let shown = chat
        .hears_with(|message| message.text.contains("You, today"))
        .await;
    let line = shown
        .text
        .lines()
        .find(|line| line.starts_with("You, today"));
    line.unwrap().to_owned()
}

#[tokio::test]
async fn question_and_memory_are_paid_by_whose_they_are() {
    let (bot, embedder) = open(1000, &[]).await;
    let (ann, bob) = (bot.direct(), bot.direct_with(&bot.bob));
    is_answered(&ann, "one").await;
    // The question, the answer, and the summary that is remembered of both.
    is_embedded(&bot).await;
    is_answered(&bob, "two").await;
    is_embedded(&bot).await;
    is_answered(&bob, "three").await;
    is_embedded(&bot).await;
    for (chat, tokens) in [(&ann, "5,000"), (&bob, "10,000")] {
        let spent = spent(chat).await;
        assert!(
            spent.contains(&format!("You, today: {tokens} of")),
            "{spent}"
        );
    }
    bot.assert_clean();
    embedder.assert_clean();
}

#[tokio::test]
async fn money_is_counted_by_the_price_of_the_embedder() {
    let (bot, embedder) = open(
        400_000,
        &[
            ("PRICES__0__MODEL", "fake-1"),
            ("PRICES__0__INPUT", "0"),
            ("PRICES__0__OUTPUT", "0"),
            ("PRICES__1__MODEL", "tiny"),
            ("PRICES__1__INPUT", "0.02"),
            ("PRICES__1__OUTPUT", "0"),
        ],
    )
    .await;
    let ann = bot.direct();
    is_answered(&ann, "one").await;
    is_embedded(&bot).await;
    let spent = spent(&ann).await;
    assert!(
        spent.contains("803,000 of") && spent.contains("0.016 USD"),
        "{spent}"
    );
    bot.assert_clean();
    embedder.assert_clean();
}

#[tokio::test]
async fn the_one_who_used_up_the_day_by_it_is_stopped() {
    let (bot, embedder) = open(10_000, &[("BUDGET__USER_DAY_TOKENS", "20000")]).await;
    let ann = bot.direct();
    is_answered(&ann, "one").await;
    is_embedded(&bot).await;
    super::is_refused(&ann, "two", "your limit for today is used up").await;
    bot.assert_clean();
    embedder.assert_clean();
}

#[tokio::test]
async fn what_was_not_embedded_costs_nothing() {
    let (bot, embedder) = open(1000, &[]).await;
    embedder.fails(EmbedderFault::Status(403, None));
    let ann = bot.direct();
    is_answered(&ann, "one").await;
    embedder.waits_for_text("one").await;
    let spent = spent(&ann).await;
    assert!(spent.contains("You, today: 3,000 of"), "{spent}");
    bot.assert_clean();
}
