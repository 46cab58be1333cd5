//! Interactions: answered in time whatever else is going on.

use std::time::{Duration, Instant};

use sayso_channel::{
    Addressed, Argument, ArgumentKind, Channel, Choice, Command, Event, Notice, NoticeKind, Receipt,
};
use sayso_fakes::Person;
use sayso_fakes::discord::Chat;

use crate::bot::{Bot, config, fake, message_of, notice};

const LEVEL: Argument = Argument {
    name: "level",
    english: "How much I may do",
    chinese: "我可以做多少",
    kind: ArgumentKind::Choice(&[
        Choice {
            value: "full",
            english: "everything",
            chinese: "一切",
        },
        Choice {
            value: "none",
            english: "nothing",
            chinese: "什么都不做",
        },
    ]),
};

fn command(name: &'static str, argument: Option<Argument>) -> Command {
    Command {
        name,
        english: "A command",
        chinese: "一个命令",
        argument,
    }
}

struct Room {
    bot: Bot,
    chat: Chat,
    ann: Person,
}

async fn room() -> Room {
    room_with(crate::bot::IMPATIENT.answer_press_within).await
}

/// Starts a bot with two commands in a direct chat with Ann, who has said one thing.
async fn room_with(answer_press_within: Duration) -> Room {
    let fake = fake().await;
    let mut config = config(&fake);
    config.timeouts.answer_press_within = answer_press_within;
    let ann = fake.person(7, "Ann");
    let chat = fake.direct(&ann);
    let bot = Bot::starts_with(fake, config);
    bot.fake.waits_for_sessions(1).await;
    let commands = [command("help", None), command("autonomy", Some(LEVEL))];
    bot.channel.announce(&commands).await.unwrap();
    Room { bot, chat, ann }
}

#[tokio::test]
async fn slash_command_is_acknowledged_while_the_store_hangs() {
    let mut room = room().await;
    room.chat.says("/help");
    let hanging = room.bot.hears().await;
    room.bot
        .fake
        .waits_for_calls("create_interaction_response", 1)
        .await;
    let message = message_of(hanging.inbound.clone());
    assert_eq!(message.addressed, Addressed::Command);
    assert_eq!(message.command.unwrap().name, "help");
    assert!(message.message.as_str().starts_with("i:"));
    hanging.receipt.send(Receipt::default()).unwrap();
    room.bot.fake.assert_clean();
}

#[tokio::test]
async fn command_that_cannot_be_stored_is_answered_in_words() {
    let mut room = room().await;
    room.chat.says("/help");
    let refused = room.bot.hears().await;
    drop(refused.receipt);
    let seen = room.chat.hears().await;
    assert!(
        seen.text.contains("could not take this command"),
        "{seen:?}"
    );
    room.bot.fake.assert_clean();
}

#[tokio::test]
async fn press_is_answered_with_its_notice_or_plainly() {
    let mut room = room().await;
    let carrier = room.chat.says("a message");
    room.bot.stores_texts(&["a message"]).await;
    let echo = Receipt::with_notice(Some(Notice {
        text: "Approved.".to_owned(),
        kind: NoticeKind::Echo,
    }));
    for (receipt, expected) in [
        (notice("Done."), Some("Done.")),
        (Receipt::default(), None),
        // The message says it, so there is nothing to dismiss.
        (echo, None),
    ] {
        let press = room.chat.presses_token(&room.ann, carrier, "t0k3n");
        let delivery = room.bot.hears().await;
        let Event::Press(heard) = &delivery.inbound.event else {
            panic!("not a press");
        };
        assert_eq!(heard.token, "t0k3n");
        delivery.receipt.send(receipt).unwrap();
        assert_eq!(press.answered().await.text.as_deref(), expected);
    }
    room.bot.fake.assert_clean();
}

#[tokio::test]
async fn slow_judge_is_acknowledged_for_and_its_notice_follows() {
    let mut room = room_with(Duration::from_millis(20)).await;
    let carrier = room.chat.says("a message");
    room.bot.stores_texts(&["a message"]).await;
    let press = room.chat.presses_token(&room.ann, carrier, "t");
    let slow = room.bot.hears().await;
    let outcome = press.answered().await;
    assert_eq!(outcome.text, None);
    room.chat.says("meanwhile");
    room.bot.stores_texts(&["meanwhile"]).await;
    slow.receipt.send(notice("Too late.")).unwrap();
    room.bot.fake.waits_for_calls("execute_webhook", 1).await;
    room.bot.fake.assert_clean();
}

#[tokio::test]
async fn refused_press_is_offered_again_while_its_person_waits() {
    let mut room = room().await;
    let carrier = room.chat.says("a message");
    room.bot.stores_texts(&["a message"]).await;
    let press = room.chat.presses_token(&room.ann, carrier, "t");
    let refused = room.bot.hears().await;
    let key = refused.inbound.key.clone();
    drop(refused.receipt);
    let again = room.bot.hears().await;
    assert_eq!(again.inbound.key, key);
    again.receipt.send(notice("Done.")).unwrap();
    assert_eq!(press.answered().await.text.as_deref(), Some("Done."));
}

#[tokio::test]
async fn forged_presses_pass_as_they_are_and_each_is_answered_in_time() {
    let mut room = room().await;
    let carrier = room.chat.says("a message");
    room.bot.stores_texts(&["a message"]).await;
    let tokens: Vec<String> = (0..300).map(|number| format!("{number:0>100}")).collect();
    let presses: Vec<_> = tokens
        .iter()
        .map(|token| room.chat.presses_token(&room.ann, carrier, token))
        .collect();
    for _ in &tokens {
        let delivery = room.bot.hears().await;
        let Event::Press(press) = &delivery.inbound.event else {
            panic!("not a press");
        };
        assert_eq!(press.token.len(), 100);
        delivery.receipt.send(notice("No.")).unwrap();
    }
    for press in presses {
        let outcome = press.answered().await;
        assert!(outcome.answered_in < Duration::from_secs(3), "{outcome:?}");
    }
    room.bot.fake.assert_clean();
}

#[tokio::test]
async fn forged_choice_is_only_a_press() {
    let mut room = room().await;
    let carrier = room.chat.says("a message");
    room.bot.stores_texts(&["a message"]).await;
    let press = room
        .chat
        .chooses(&room.ann, carrier, "cmd:autonomy", "root");
    let delivery = room.bot.hears().await;
    assert!(matches!(delivery.inbound.event, Event::Press(_)));
    delivery.receipt.send(notice("No.")).unwrap();
    assert_eq!(press.answered().await.text.as_deref(), Some("No."));
}

#[tokio::test]
async fn message_can_be_asked_about() {
    let mut room = room().await;
    let about = room.chat.says("what is this?");
    room.bot.stores_texts(&["what is this?"]).await;
    room.chat.asks_about(&room.ann, about, "Ask Sayso");
    let message = room.bot.stores_message().await;
    assert_eq!(message.text, "");
    assert_eq!(message.quoted.unwrap().text, "what is this?");
    room.bot.fake.assert_clean();
}

#[tokio::test]
async fn thousand_commands_are_acknowledged_in_time_while_the_store_hangs() {
    let room = room().await;
    let given = Instant::now();
    for _ in 0..1_000 {
        room.chat.says("/help");
    }
    room.bot
        .fake
        .waits_for_calls("create_interaction_response", 1_000)
        .await;
    let took = given.elapsed();
    assert!(took < Duration::from_secs(3), "{took:?}");
    room.bot.shuts_down().await;
}
