//! People who are only let in: what they may approve themselves, and what an owner must.

/// A kill between the card and the press.
mod crashing;
/// People who may only chat.
mod guests;
/// What two of them try on each other, on the configuration and on the database.
mod keeping_apart;
/// Cards that wait for an owner, in both chats.
mod waiting;
/// No one who could be asked, and settings that let no one be.
mod without_owners;

use sayso_fakes::{Message, Person};

use crate::approvals::{mark, obedient};
use crate::platform::{Chat, Platform};
use crate::test_bot::TestBot;

/// What a member reads who presses an approval that only an owner may give.
const OWNERS_APPROVE: &str = "Only an owner can approve this. You can deny it if it is yours.";

/// Starts a bot whose owner Ann has talked in her direct chat, so that she can be asked there.
async fn known_owner(platform: Platform, settings: &[(&str, &str)]) -> TestBot {
    let bot = obedient(platform, settings).await;
    greets(&bot.direct()).await;
    bot
}

/// Says something in a direct chat, so that it is known.
async fn greets(chat: &Chat) {
    chat.says("hello");
    chat.hears().await;
}

/// Returns a command that leaves a mark in the workspace and reads outside of it.
fn outward(bot: &TestBot, name: &str) -> String {
    format!("{}; cat /etc/hostname", mark(bot, name))
}

/// Waits for an open card in this chat that names the mark.
async fn card_of(chat: &Chat, name: &str) -> Message {
    let name = format!("mark-{name}.");
    chat.settles(|message| message.asks() && message.text.contains(&name))
        .await
}

/// Waits until a card has no buttons any more.
async fn closed(chat: &Chat, card: &Message) -> Message {
    chat.becomes(card.id, |message| !message.asks()).await
}

/// Has a member ask for a command that an owner must approve; returns both cards: what the member sees,
/// and what Ann is asked.
async fn asks_for(bot: &TestBot, member: &Person, command: &str, name: &str) -> (Message, Message) {
    let chat = bot.direct_with(member);
    chat.says(&format!("run: {command}"));
    let waiting = card_of(&chat, name).await;
    let asked = card_of(&bot.direct(), name).await;
    (waiting, asked)
}
