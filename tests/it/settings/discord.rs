//! `[channels.discord]`: which bot, on which server, by how many connections, and how it says much.

use std::fmt::Write as _;
use std::time::Duration;

use sayso_fakes::FakeDiscord;

use crate::test_bot::TestBot;

/// Each key and the test that proves its effect.
pub const PROOFS: &[(&str, fn())] = &[
    ("channels.discord.token", token_is_the_bot_that_speaks),
    (
        "channels.discord.api_url",
        api_url_is_the_server_that_is_asked,
    ),
    ("channels.discord.shards", so_many_shards_share_the_servers),
    (
        "channels.discord.long_answers",
        long_answer_is_a_thread_where_that_is_wanted,
    ),
];

/// Returns a bot with a Discord beside its Telegram, in which nothing runs yet.
async fn bot() -> (TestBot, FakeDiscord) {
    let discord = FakeDiscord::start().await;
    let mut bot = TestBot::closed(&[("ACCESS__ALLOW", "discord:*")]).await;
    bot.set("CHANNELS__DISCORD__TOKEN", discord.token());
    bot.set("CHANNELS__DISCORD__API_URL", &discord.url());
    (bot, discord)
}

#[tokio::test]
pub async fn token_is_the_bot_that_speaks() {
    let (mut bot, discord) = bot().await;
    bot.set("CHANNELS__DISCORD__TOKEN", "MTAx.Gx.the-wrong-one");
    bot.start();
    bot.logs("the platform refuses the token").await;
    assert_eq!(discord.connections(), 0);
    assert!(!bot.log().contains("the-wrong-one"));

    bot.kill().await;
    bot.set("CHANNELS__DISCORD__TOKEN", discord.token());
    bot.start();
    discord.waits_for_sessions(1).await;
    discord.assert_clean();
}

#[tokio::test]
pub async fn api_url_is_the_server_that_is_asked() {
    let (mut bot, discord) = bot().await;
    let other = FakeDiscord::start().await;
    bot.set("CHANNELS__DISCORD__API_URL", &other.url());
    bot.start();
    other.waits_for_sessions(1).await;
    assert_eq!(discord.calls().len(), 0);
    other.assert_clean();
}

#[tokio::test]
pub async fn so_many_shards_share_the_servers() {
    let (mut bot, discord) = bot().await;
    discord.recommends_shards(1, 16);
    // The second process knows nothing of when the first one identified.
    discord.spaces_identifies_by(Duration::ZERO);
    bot.set("CHANNELS__DISCORD__SHARDS", "3");
    bot.start();
    discord.waits_for_sessions(3).await;

    bot.kill().await;
    bot.set("CHANNELS__DISCORD__SHARDS", "auto");
    discord.recommends_shards(2, 16);
    let before = discord.identifies().len();
    bot.start();
    discord.waits_for_identifies(before + 2).await;
    discord.waits_for_sessions(2).await;
    discord.assert_clean();
}

/// Says something that is answered at length in a server, and returns how many threads were opened.
async fn threads_of_a_long_answer(long_answers: &str) -> usize {
    let (mut bot, discord) = bot().await;
    bot.set("CHANNELS__DISCORD__LONG_ANSWERS", long_answers);
    bot.start();
    discord.waits_for_sessions(1).await;
    let person = discord.person(102, "Bob");
    let chat = discord.group(5001, "lab").with(&person);
    let mut answer = String::new();
    for line in 0..200 {
        writeln!(
            answer,
            "Line {line} of a long answer that says very little.\n"
        )
        .unwrap();
    }
    answer.push_str("The end.");
    bot.model.says(&answer);
    chat.says("@sayso_bot tell me everything");
    let sent = |count: usize| discord.waits_for_calls("create_message", count);
    sent(5).await;
    discord.assert_clean();
    discord.count("create_thread_from_message")
}

#[tokio::test]
pub async fn long_answer_is_a_thread_where_that_is_wanted() {
    assert_eq!(threads_of_a_long_answer("messages").await, 0);
    assert_eq!(threads_of_a_long_answer("thread").await, 1);
}
