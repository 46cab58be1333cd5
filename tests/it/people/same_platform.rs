//! Two bot accounts of one platform know the same people: an account is the same human on each.

use sayso_fakes::FakeTelegram;

use super::Side;
use super::memory::{recalls, remembers};
use crate::house::{ANN, BOB, House};
use crate::platform::Chat;

/// The second bot.
const WORK_TOKEN: &str = "4343:the-token-of-the-second-bot";

/// Opens a house with two bots on Telegram, and the second one's server.
async fn with_two_bots() -> (House, FakeTelegram) {
    let work = FakeTelegram::of_bot(WORK_TOKEN).await;
    let mut house = House::closed(&[]).await;
    house.set("CHANNELS__TELEGRAM__WORK__TOKEN", WORK_TOKEN);
    house.set("CHANNELS__TELEGRAM__WORK__API_URL", &work.url());
    house.start();
    (house, work)
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
    let (house, work) = with_two_bots().await;
    let (at_home, at_work) = (at(&house.telegram, ANN, "Ann"), at(&work, ANN, "Ann"));
    remembers(&house, &at_home, "the green tea is in the blue tin").await;
    let recalled = recalls(&house, &at_work).await;
    assert!(recalled.contains("blue"), "{recalled}");
    assert_eq!(at_work.linked().await, ["Ann"]);
    house.assert_clean();
    work.assert_clean();
}

#[tokio::test]
async fn another_account_at_the_other_bot_is_somebody_else() {
    let (house, work) = with_two_bots().await;
    let (at_home, at_work) = (at(&house.telegram, ANN, "Ann"), at(&work, BOB, "Bob"));
    remembers(&house, &at_home, "the green tea is in the blue tin").await;
    let recalled = recalls(&house, &at_work).await;
    assert!(!recalled.contains("blue"), "{recalled}");
    assert!(at_work.linked().await.is_empty());
    house.assert_clean();
    work.assert_clean();
}
