//! What goes out while the platform enforces what it publishes: nothing is lost, the order is kept,
//! and hardly anything is refused.

use sayso_fakes::{Answer, Message};

use crate::platform::{Chat, Platform, Trouble, on_both};
use crate::test_bot::TestBot;

on_both!(
    a_long_answer_is_paced_and_never_refused,
    a_flood_of_answers_in_one_chat_is_refused_hardly_ever
);

fn enforce_limits(bot: &TestBot) {
    match bot.platform {
        Platform::Telegram => bot.telegram.enforce_limits(true),
        Platform::Discord => bot.discord.enforce_limits(true),
    }
}

fn refused(bot: &TestBot) -> usize {
    match bot.platform {
        Platform::Telegram => bot.telegram.refused_for_limits(),
        Platform::Discord => bot.discord.refused_for_limits(),
    }
}

/// Returns a text that this platform splits into `parts` messages, one chapter each.
fn chapters(platform: Platform, parts: usize) -> String {
    let filler = "word ".repeat(platform.longest_text() / 5 - 30);
    let chapter = |part| format!("Chapter {part}: {}", filler.trim_end());
    (1..=parts).map(chapter).collect::<Vec<_>>().join("\n\n")
}

/// Returns the numbers of the chapters in a chat, in order.
fn chapters_in(chat: &Chat) -> Vec<usize> {
    let messages = chat.messages();
    let texts = messages.iter().filter(|it| it.is_from_bot());
    let chapters = texts.flat_map(|message| message.text.split("Chapter ").skip(1));
    let numbers = chapters.map(|chapter| chapter.split(':').next().unwrap().parse().unwrap());
    numbers.collect()
}

async fn a_long_answer_is_paced_and_never_refused(platform: Platform) {
    let bot = TestBot::on_with(platform, &[("AGENT__ROUTING", "off")]).await;
    enforce_limits(&bot);
    let parts = 10;
    bot.model.says(&chapters(platform, parts));
    let chat = bot.direct();
    chat.says("write much");
    let last = format!("Chapter {parts}:");
    chat.settles(|message| message.text.contains(&last)).await;
    assert_eq!(chapters_in(&chat), (1..=parts).collect::<Vec<_>>());
    assert_eq!(refused(&bot), 0);
    bot.assert_clean();
}

async fn a_flood_of_answers_in_one_chat_is_refused_hardly_ever(platform: Platform) {
    let bot = TestBot::on_with(platform, &[("AGENT__ROUTING", "off")]).await;
    enforce_limits(&bot);
    let chat = bot.direct();
    for number in 1..=18 {
        chat.says(&number.to_string());
    }
    chat.settles(|message| message.text == "ok: 18").await;
    let answers = chat.messages().into_iter().filter(Message::is_from_bot);
    let answers: Vec<String> = answers.map(|message| message.text).collect();
    let expected: Vec<String> = (1..=18).map(|number| format!("ok: {number}")).collect();
    assert_eq!(answers, expected);
    let refused = refused(&bot);
    match platform {
        // The first refusal is how the limit is learned; a spell of patience ends once meanwhile.
        Platform::Telegram => assert!((1..=2).contains(&refused), "{refused}"),
        // It says beforehand what it would refuse.
        Platform::Discord => assert_eq!(refused, 0),
    }
    bot.assert_clean();
}

/// Telegram says only afterwards what is too much. Discord tells of its room for edits, which is
/// apart.
#[tokio::test]
async fn once_something_was_refused_answers_go_before_edits() {
    let bot = TestBot::with(&[("AGENT__ROUTING", "off")]).await;
    bot.listens().await;
    let chat = bot.direct();
    bot.saying_fails(Trouble::TooMany { seconds: 1 });
    chat.says("hello");
    chat.settles(|message| message.text == "ok: hello").await;
    let story = "Once upon a time there was a bot that asked before it acted. ".repeat(3);
    let slowly = Answer::text(story.trim())
        .chunks_of(10)
        .between_chunks(std::time::Duration::from_millis(100));
    bot.model.answers(slowly);
    chat.says("tell me a story");
    chat.settles(|message| message.text == story.trim()).await;
    assert_eq!(bot.telegram.count("editMessageText"), 0);
    assert_eq!(bot.telegram.count("sendMessage"), 3, "one was refused");
    bot.assert_clean();
}

/// More people are answered at once than Telegram takes messages in a second.
#[tokio::test]
async fn everybody_is_answered_when_more_is_to_be_said_than_the_account_may() {
    let people = 60;
    let everybody = Platform::Telegram.everybody();
    let settings = [("AGENT__ROUTING", "off"), ("ACCESS__ALLOW", everybody)];
    let bot = TestBot::with(&settings).await;
    enforce_limits(&bot);
    let chats: Vec<Chat> = (0..people)
        .map(|number| bot.direct_with(&bot.person(6_000 + number, &format!("Guest{number}"))))
        .collect();
    for round in 1..=2 {
        for chat in &chats {
            chat.says(&format!("round {round}"));
        }
    }
    for chat in &chats {
        chat.settles(|message| message.text == "ok: round 2").await;
        let answers = chat.messages().into_iter().filter(Message::is_from_bot);
        let answers: Vec<String> = answers.map(|message| message.text).collect();
        assert_eq!(answers, ["ok: round 1", "ok: round 2"]);
    }
    // At most what was on its way when the first was refused.
    let refused = refused(&bot);
    assert!(refused <= people as usize, "{refused}");
    bot.assert_clean();
}

/// A group is given 20 messages a minute.
#[tokio::test]
async fn a_long_answer_in_a_group_keeps_to_the_pace_of_groups() {
    let bot = TestBot::with(&[("AGENT__ROUTING", "off")]).await;
    enforce_limits(&bot);
    bot.model.says(&chapters(Platform::Telegram, 8));
    let group = bot.group("Readers");
    group.says_as(&bot.ann, "@sayso_bot write much");
    group
        .settles(|message| message.text.contains("Chapter 8:"))
        .await;
    // A slow machine shows the end first, in the message that grows.
    bot.has_said_all().await;
    assert_eq!(chapters_in(&group), (1..=8).collect::<Vec<_>>());
    assert_eq!(refused(&bot), 0);
    bot.assert_clean();
}
