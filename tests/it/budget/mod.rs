//! Budgets: who is stopped when, who is notified, what an owner may raise, and what an idle Sayso
//! costs.

/// Each call of a model is checked first.
mod checked;
/// Limits in 简体中文.
mod chinese;
/// kill -9 while a model call is under way.
mod crashing;
/// What is booked of reports that are incomplete, too low or absurd, and of answers that broke off.
mod distrust;
/// What an embedder reads, and who pays for it.
mod embedding;
/// Sayso with nothing to do.
mod idle;
/// Limits that are reached, and days that end.
mod limits;
/// The card that asks owners, and their answer.
mod prompts;
/// Many chats at once, which share a limit.
mod sharing;
/// Models that only repeat themselves.
mod stuck;
/// What `/usage` shows to whom.
mod usage;

use sayso_fakes::{Answer, Message};

use crate::platform::{Chat, Platform};
use crate::test_bot::TestBot;

/// What one answer costs in these tests, in tokens.
const ANSWER: u64 = 10_000;

/// Starts a bot without Phase 1 in which each answer costs 10,000 tokens. Ann has spoken, so she
/// can be asked.
async fn open(platform: Platform, settings: &[(&str, &str)]) -> TestBot {
    let bot = open_unscripted(platform, settings).await;
    costs(&bot, ANSWER);
    bot
}

/// The same, where the test says what the model answers.
async fn open_unscripted(platform: Platform, settings: &[(&str, &str)]) -> TestBot {
    let settings = [settings, &[("AGENT__ROUTING", "off")]].concat();
    let bot = TestBot::on_with(platform, &settings).await;
    let ann = bot.direct();
    ann.says("/whoami");
    ann.hears_with(|message| message.text.contains("owner"))
        .await;
    bot
}

/// Has every answer cost this many tokens; what is far less than its prompt would not be believed.
fn costs(bot: &TestBot, tokens: u64) {
    bot.model.when(move |request| {
        let text = format!("ok: {}", request.last_user());
        Some(Answer::text(text).usage(tokens - 1, 1))
    });
}

/// Returns the number that a query finds, or 0.
async fn number(bot: &TestBot, query: &'static str) -> u64 {
    let found = bot.rows(query).await;
    found[0].parse().unwrap_or_default()
}

/// Says something, and waits for the model's answer to it.
async fn is_answered(chat: &Chat, text: &str) {
    chat.says(text);
    let answer = format!("ok: {text}");
    chat.hears_with(|message| message.text.contains(&answer))
        .await;
}

/// Says something, and waits until that is refused with these words.
async fn is_refused(chat: &Chat, text: &str, words: &str) -> Message {
    chat.says(text);
    chat.hears_with(|message| {
        message.text.contains("I stopped here") && message.text.contains(words)
    })
    .await
}

fn is_card(message: &Message) -> bool {
    message.asks()
}
