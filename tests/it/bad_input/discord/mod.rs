//! Rejections by Discord and unknown input from it: one log line for the person who can fix it, the
//! outbox records the outcome of each message, and Telegram in the same process keeps working.

/// Tokens, intents and events at the gateway.
mod connecting;
/// Slash commands while the store is slow.
mod loaded;
/// Places and rights: where a message cannot go, it fails with its reason or goes another way.
mod saying;

use std::time::Duration;

use sayso_fakes::discord::Chat;
use sayso_fakes::{Answer, Gate, telegram};

use crate::platform::Platform;
use crate::test_bot::{ANN, PATIENCE, TestBot};

/// The server in which Ann and Bob meet.
const SERVER: i64 = 1_400_000_000_000_000_000;
/// Ann's accounts, who owns the bot on both platforms.
const OWNERS: &str = r#"["telegram:101", "discord:1300000000000000101"]"#;

/// Builds a bot on Discord with Telegram beside it, in which nothing runs yet.
async fn closed(settings: &[(&str, &str)]) -> TestBot {
    let mut bot = TestBot::closed_on(Platform::Discord, &[("ACCESS__OWNERS", OWNERS)]).await;
    let (token, url) = (bot.telegram.token(), bot.telegram.url());
    bot.set("CHANNELS__TELEGRAM__TOKEN", token);
    bot.set("CHANNELS__TELEGRAM__API_URL", &url);
    for (key, value) in settings {
        bot.set(key, value);
    }
    bot
}

/// Opens such a bot.
async fn open(settings: &[(&str, &str)]) -> TestBot {
    let mut bot = closed(settings).await;
    bot.start();
    bot.listens().await;
    bot
}

/// A channel of the server, spoken in by Ann.
fn workshop(bot: &TestBot) -> Chat {
    let workshop = bot.discord.group_in(SERVER, SERVER + 100, "Workshop");
    workshop.with(&bot.ann)
}

/// The direct chat on Telegram with Ann.
fn beside(bot: &TestBot) -> telegram::Chat {
    let ann = bot.telegram.person(ANN, "Ann");
    bot.telegram.direct(&ann)
}

/// Telegram answers as if nothing had happened.
async fn telegram_goes_on(bot: &TestBot) {
    let chat = beside(bot);
    chat.says("still there?");
    chat.hears_with(|message| message.text == "ok: still there?")
        .await;
}

/// Returns what `/status` on Telegram says about Discord.
async fn status(bot: &TestBot) -> String {
    let chat = beside(bot);
    chat.says("/status details");
    let status = chat
        .hears_with(|message| message.text.contains("Channels"))
        .await;
    let line = status.text.lines().find(|line| line.contains("discord"));
    line.unwrap_or_else(|| panic!("{status}")).to_owned()
}

/// Has the next answer of the model wait at a gate, asks for it, and returns the gate once it was
/// reached.
async fn asked_and_held(bot: &TestBot, chat: &Chat, answer: &str) -> Gate {
    let gate = Gate::new();
    bot.model.answers(Answer::text(answer).held_by(&gate));
    chat.says("@sayso_bot what do you think?");
    gate.reached_by(1).await;
    gate
}

/// Returns what became of the messages on Discord that are outcomes: state and reason.
async fn outcomes(bot: &TestBot) -> Vec<String> {
    let query = "SELECT state || coalesce(': ' || why, '') FROM outbox
                 WHERE channel = 'discord' AND purpose IN ('final', 'more') ORDER BY id";
    bot.rows(query).await
}

/// Waits until the outcomes on Discord are these.
async fn outcomes_are(bot: &TestBot, expected: &[&str]) {
    let deadline = tokio::time::Instant::now() + PATIENCE;
    loop {
        let found = outcomes(bot).await;
        if found == expected {
            return;
        }
        let is_late = tokio::time::Instant::now() > deadline;
        assert!(!is_late, "{found:?}\n{}", bot.log());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Returns what the operator reads of faults: the lines of warnings and errors about Discord,
/// without times and numbers of rows.
fn complaints(bot: &TestBot) -> Vec<String> {
    let log = bot.log();
    let bad = log
        .lines()
        .filter(|line| line.contains(" WARN ") || line.contains(" ERROR "));
    let words = bad.map(|line| {
        let (_, words) = line.split_once(": ").unwrap_or(("", line));
        let words = words.split_whitespace();
        let kept = words.filter(|word| !word.starts_with("row="));
        kept.collect::<Vec<_>>().join(" ")
    });
    words.collect()
}
