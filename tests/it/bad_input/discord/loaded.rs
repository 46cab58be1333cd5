//! Slash commands while the store is slow: Discord takes the first answer for three seconds only.

use std::time::Duration;

use rusqlite::Connection;
use sayso_fakes::discord::Chat;

use super::{SERVER, open, telegram_goes_on};
use crate::test_bot::TestBot;

/// How many people give commands at once, and how many each.
const PEOPLE: i64 = 100;
const EACH: usize = 3;
/// How long nothing can be written.
const SLOW_FOR: Duration = Duration::from_secs(2);

#[tokio::test]
async fn three_hundred_commands_are_acknowledged_in_time_and_answered_in_the_end() {
    let bot = open(&[("ACCESS__ALLOW", r#"["discord:*"]"#)]).await;
    let chats: Vec<Chat> = (0..PEOPLE).map(|number| chat(&bot, number)).collect();
    let other = Connection::open(bot.data().join("sayso.db")).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let locked = tokio::time::Instant::now();
    // A hundred at a time: more would measure how fast this machine starts connections.
    for wave in 1..=EACH {
        for chat in &chats {
            chat.says("/whoami");
        }
        bot.discord
            .waits_for_calls("create_interaction_response", chats.len() * wave)
            .await;
    }
    let commands = chats.len() * EACH;
    let promised = bot.discord.unanswered();
    assert_eq!(promised, commands, "nothing can be stored yet");
    tokio::time::sleep_until(locked + SLOW_FOR).await;
    other.execute_batch("COMMIT").unwrap();
    drop(other);
    for chat in &chats {
        for _ in 0..EACH {
            chat.hears_with(|message| message.text.contains(", a member ("))
                .await;
        }
        assert_eq!(chat.unheard(), 0, "{}", chat.transcript());
    }
    assert_eq!(bot.discord.unanswered(), 0);
    telegram_goes_on(&bot).await;
    // The fake calls an answer after three seconds a violation.
    bot.assert_clean();
}

/// A channel of the server in which one person speaks.
fn chat(bot: &TestBot, number: i64) -> Chat {
    let person = bot.person(2_000 + number, "Worker");
    let room = bot
        .discord
        .group_in(SERVER, SERVER + 1_000 + number, "Room");
    room.with(&person)
}
