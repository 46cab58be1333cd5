//! Two bot accounts of one platform know the same people: an account is the same human on each.

use sayso_fakes::FakeTelegram;

use super::Side;
use super::memory::{recalls, remembers};
use crate::platform::Chat;
use crate::test_bot::{ANN, BOB, TestBot};

/// The second bot.
const WORK_TOKEN: &str = "4343:the-token-of-the-second-bot";

/// Starts a bot with two bots on Telegram, and the second one's server.
async fn with_two_bots() -> (TestBot, FakeTelegram) {
    let work = FakeTelegram::of_bot(WORK_TOKEN).await;
    let mut bot = TestBot::closed(&[]).await;
    bot.set("CHANNELS__TELEGRAM__WORK__TOKEN", WORK_TOKEN);
    bot.set("CHANNELS__TELEGRAM__WORK__API_URL", &work.url());
    bot.start();
    (bot, work)
}

/// An account where it talks with this bot.
fn at(server: &FakeTelegram, number: i64, name: &str) -> Side {
    let person = server.person(number, name);
    Side {
        chat: Chat::Telegram(server.direct(&person)),
        person,
    }
}

#[tokio::test]
async fn what_is_told_to_one_bot_is_recalled_by_the_other_without_a_link() {
    let (bot, work) = with_two_bots().await;
    let (at_home, at_work) = (at(&bot.telegram, ANN, "Ann"), at(&work, ANN, "Ann"));
    remembers(&bot, &at_home, "the green tea is in the blue tin").await;
    let recalled = recalls(&bot, &at_work).await;
    assert!(recalled.contains("blue"), "{recalled}");
    assert_eq!(at_work.linked().await, ["Ann"]);
    bot.assert_clean();
    work.assert_clean();
}

#[tokio::test]
async fn another_account_at_the_other_bot_is_somebody_else() {
    let (bot, work) = with_two_bots().await;
    let (at_home, at_work) = (at(&bot.telegram, ANN, "Ann"), at(&work, BOB, "Bob"));
    remembers(&bot, &at_home, "the green tea is in the blue tin").await;
    let recalled = recalls(&bot, &at_work).await;
    assert!(!recalled.contains("blue"), "{recalled}");
    assert!(at_work.linked().await.is_empty());
    bot.assert_clean();
    work.assert_clean();
}
