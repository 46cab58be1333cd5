//! The card that asks owners to raise a limit: who may press it, what it changes, and when it ends.

use super::{is_answered, is_card, is_refused, open};
use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    an_owner_raises_the_limit_for_today_and_who_waits_is_told,
    a_no_holds_for_the_day,
    only_an_owner_raises_and_only_once,
    a_card_ends_with_its_day,
    a_raise_survives_a_crash
);

/// Returns a bot in which Bob has used up his day, with his chat.
async fn used_up(platform: Platform) -> (TestBot, Chat) {
    let bot = open(platform, &[("BUDGET__USER_DAY_TOKENS", "10000")]).await;
    let bob = bot.direct_with(&bot.bob);
    is_answered(&bob, "one").await;
    is_refused(&bob, "two", "An owner is asked").await;
    (bot, bob)
}

async fn is_told_of_a_raise(chat: &Chat) {
    chat.hears_with(|message| message.text.contains("has raised the limit for today"))
        .await;
}

async fn an_owner_raises_the_limit_for_today_and_who_waits_is_told(platform: Platform) {
    let (bot, bob) = used_up(platform).await;
    let ann = bot.direct();
    let card = ann.hears_with(is_card).await;
    bot.model.forget_requests();
    let told = ann.press(&bot.ann, card.id, "+50 %").await;
    assert_eq!(told.text.as_deref(), platform.echo("Raised for today."));
    let closed = ann.becomes(card.id, |message| !message.asks()).await;
    assert!(
        closed.text.contains("10,000 of 15,000 tokens (5,000 left)"),
        "{closed}"
    );
    is_told_of_a_raise(&bob).await;
    assert!(bot.model.requests().is_empty(), "nothing runs by itself");
    is_answered(&bob, "three").await;
    is_refused(&bob, "four", "An owner is asked").await;

    let card = ann.hears_with(is_card).await;
    ann.press(&bot.ann, card.id, "Double").await;
    let closed = ann.becomes(card.id, |message| !message.asks()).await;
    assert!(closed.text.contains("20,000 of 30,000 tokens"), "{closed}");
    is_told_of_a_raise(&bob).await;
    is_answered(&bob, "five").await;

    // The next day has the configured limit again.
    bot.change("UPDATE usage SET day = date(day, '-1 day')")
        .await;
    bot.change("UPDATE budget_days SET day = date(day, '-1 day')")
        .await;
    is_answered(&bob, "six").await;
    is_refused(&bob, "seven", "your limit").await;
    bot.assert_clean();
}

async fn a_no_holds_for_the_day(platform: Platform) {
    let (bot, bob) = used_up(platform).await;
    let ann = bot.direct();
    let card = ann.hears_with(is_card).await;
    let told = ann.press(&bot.ann, card.id, "No").await;
    assert_eq!(told.text.as_deref(), platform.echo("It stays as it is."));
    ann.becomes(card.id, |message| message.text.contains("stays as it is"))
        .await;
    let refused = is_refused(&bob, "three", "your limit").await;
    assert!(!refused.text.contains("An owner is asked"), "{refused}");
    // An answer behind it shows that no further card came before.
    is_answered(&ann, "hello").await;
    assert!(!ann.messages().iter().any(is_card));
    bot.assert_clean();
}

async fn only_an_owner_raises_and_only_once(platform: Platform) {
    let (bot, bob) = used_up(platform).await;
    let ann = bot.direct();
    let card = ann.hears_with(is_card).await;
    let (double, no) = (card.token("Double"), card.token("No"));
    let answer = bob.says("/whoami");
    assert!(answer > 0);
    let shown = bob
        .hears_with(|message| message.text.contains("member"))
        .await;
    let told = bob.press_token(&bot.bob, shown.id, &double).await;
    assert_eq!(told.text.as_deref(), Some("Only an owner can answer this."));
    ann.press(&bot.ann, card.id, "No").await;
    ann.becomes(card.id, |message| !message.asks()).await;
    for token in [double, no] {
        let told = ann.press_token(&bot.ann, card.id, &token).await;
        assert_eq!(
            told.text.as_deref(),
            Some("This was already answered. Nothing changed.")
        );
    }
    let told = ann.press_token(&bot.ann, card.id, "bu.half:forged").await;
    assert_eq!(told.text.as_deref(), Some("This button does nothing here."));
    is_refused(&bob, "three", "your limit").await;
    bot.assert_clean();
}

async fn a_card_ends_with_its_day(platform: Platform) {
    let (bot, bob) = used_up(platform).await;
    let ann = bot.direct();
    let card = ann.hears_with(is_card).await;
    bot.change("UPDATE prompts SET expires_ms = 0 WHERE kind = 'budget_raise'")
        .await;
    let late = ann
        .press_token(&bot.ann, card.id, &card.token("Double"))
        .await;
    assert_eq!(late.text.as_deref(), Some("Too late: this has expired."));
    let closed = ann.becomes(card.id, |message| !message.asks()).await;
    assert!(
        closed.text.contains("was not raised: the day is over"),
        "{closed}"
    );
    is_refused(&bob, "three", "your limit").await;
    bot.assert_clean();
}

async fn a_raise_survives_a_crash(platform: Platform) {
    let (mut bot, bob) = used_up(platform).await;
    let ann = bot.direct();
    let card = ann.hears_with(is_card).await;
    bot.crash_when_noted().await;
    ann.press(&bot.ann, card.id, "Double").await;
    bot.crash().await;
    is_told_of_a_raise(&bob).await;
    is_answered(&bob, "three").await;
    bot.assert_clean();
}
