//! Presses: answered once and in time, judged as long as it takes, never in the way of messages.

use std::time::Duration;

use sayso_channel::{Button, ButtonLook, Event, Outbound, Receipt};
use sayso_fakes::{Chat, Person};

use crate::bot::{Bot, IMPATIENT, address, config, notice, send};

struct Card {
    bot: Bot,
    chat: Chat,
    ann: Person,
    message: i64,
}

/// Starts a bot that has sent Ann a card with one button.
async fn card(answer_press_within: Duration) -> Card {
    let fake = sayso_fakes::FakeTelegram::start().await;
    let ann = fake.person(7, "Ann");
    let chat = fake.direct(&ann);
    let mut config = config(&fake);
    config.timeouts.answer_press_within = answer_press_within;
    let bot = Bot::starts_with(fake, config);
    let message = Outbound {
        buttons: vec![vec![Button {
            label: "Yes".to_owned(),
            token: "t0k3n".to_owned(),
            key: None,
            look: ButtonLook::Yes,
        }]],
        ..Outbound::markdown("May I?")
    };
    send(&bot.channel, &address(chat.id()), &message)
        .await
        .unwrap();
    let message = chat.hears().await.id;
    Card {
        bot,
        chat,
        ann,
        message,
    }
}

#[tokio::test]
async fn press_is_answered_with_its_notice() {
    let mut card = card(IMPATIENT.answer_press_within).await;
    for (text, alert) in [("Done.", false), ("Only Bob may do this.", true)] {
        let press = card.chat.presses(&card.ann, card.message, "Yes");
        let delivery = card.bot.hears().await;
        let Event::Press(heard) = &delivery.inbound.event else {
            panic!("not a press");
        };
        assert_eq!(heard.token, "t0k3n");
        delivery.receipt.send(notice(text, alert)).unwrap();
        let outcome = press.answered().await;
        assert_eq!(
            (outcome.text.as_deref(), outcome.alert),
            (Some(text), alert)
        );
    }
    card.bot.fake.assert_clean();
}

#[tokio::test]
async fn press_is_acknowledged_within_two_seconds_of_a_slow_judge() {
    let mut card = card(IMPATIENT.answer_press_within).await;
    let press = card.chat.presses(&card.ann, card.message, "Yes");
    let slow = card.bot.hears().await;
    let outcome = press.answered().await;
    assert_eq!(outcome.text, None);
    assert!(
        outcome.answered_in < Duration::from_millis(2500),
        "{outcome:?}"
    );
    drop(slow);
}

#[tokio::test]
async fn slow_judge_holds_up_no_message_and_the_press_stays_unconfirmed() {
    let mut card = card(Duration::from_millis(20)).await;
    let press = card.chat.presses(&card.ann, card.message, "Yes");
    let slow = card.bot.hears().await;
    press.answered().await;

    card.chat.says("meanwhile");
    assert_eq!(card.bot.stores_message().await.text, "meanwhile");
    card.chat.says("and more");
    assert_eq!(card.bot.stores_message().await.text, "and more");
    assert_eq!(card.bot.fake.unconfirmed(), 3);

    slow.receipt.send(notice("too late", true)).unwrap();
    card.chat.says("last");
    assert_eq!(card.bot.stores_message().await.text, "last");
    let polls = card.bot.fake.count("getUpdates");
    card.bot.fake.waits_for_calls("getUpdates", polls + 1).await;
    assert_eq!(card.bot.fake.unconfirmed(), 0);
    assert_eq!(card.bot.fake.count("answerCallbackQuery"), 1);
}

#[tokio::test]
async fn press_that_was_not_stored_comes_again() {
    let mut card = card(IMPATIENT.answer_press_within).await;
    let press = card.chat.presses(&card.ann, card.message, "Yes");
    let lost = card.bot.hears().await;
    let key = lost.inbound.key.clone();
    drop(lost.receipt);

    let again = card.bot.hears().await;
    assert_eq!(again.inbound.key, key);
    again.receipt.send(notice("Done.", false)).unwrap();
    assert_eq!(press.answered().await.text.as_deref(), Some("Done."));
}

#[tokio::test]
async fn order_between_presses_and_messages_is_kept() {
    let fake = sayso_fakes::FakeTelegram::start().await;
    let ann = fake.person(7, "Ann");
    let chat = fake.direct(&ann);
    chat.says("first");
    drop(chat.presses_token(&ann, 1, "t"));
    chat.says("third");
    let config = config(&fake);
    let mut bot = Bot::starts_with(fake, config);
    let mut kinds = Vec::new();
    for _ in 0..3 {
        let delivery = bot.hears().await;
        kinds.push(delivery.inbound.key.kind.clone());
        delivery.receipt.send(Receipt::default()).unwrap();
    }
    assert_eq!(kinds, ["message", "press", "message"]);
}

#[tokio::test]
async fn press_that_was_refused_beside_a_stored_message_comes_again() {
    let fake = sayso_fakes::FakeTelegram::start().await;
    let ann = fake.person(7, "Ann");
    let chat = fake.direct(&ann);
    let press = chat.presses_token(&ann, 1, "t");
    chat.says("beside it");
    let config = config(&fake);
    let mut bot = Bot::starts_with(fake, config);

    let refused = bot.hears().await;
    let beside = bot.hears().await;
    let key = refused.inbound.key.clone();
    drop(refused.receipt);
    // The door is asked for the refusal before the message is stored.
    tokio::task::yield_now().await;
    beside.receipt.send(Receipt::default()).unwrap();

    let again = bot.hears().await;
    assert_eq!(again.inbound.key, key);
    again.receipt.send(notice("Done.", false)).unwrap();
    assert_eq!(press.answered().await.text.as_deref(), Some("Done."));
    let polls = bot.fake.count("getUpdates");
    chat.says("next");
    assert_eq!(bot.stores_message().await.text, "next");
    bot.fake.waits_for_calls("getUpdates", polls + 1).await;
}
