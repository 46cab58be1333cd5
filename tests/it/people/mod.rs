//! People with several accounts: a code, a card for each account, one memory, and the way back.
//!
//! Mostly both accounts are on one platform, on either in turn, which the door does not care about.
//! An account is a [`Side`], whatever its chat is on.

/// From the code to the outcome on both cards.
mod account_links;
/// One account on Telegram, the other on Discord.
mod across;
/// Codes: how long, how often, where and from whom.
mod codes;
/// kill -9 around a confirmation.
mod crashing;
/// One person is erased, with every account; other people's data stays.
mod erasure;
/// Requests that expire without confirmation.
mod expiring;
/// Single memories are forgotten by a press.
mod forget;
/// What is recalled and forgotten before, between and after.
mod memory;
/// Presses that must not count.
mod pressing;
/// What stays with an account, and what a person may have.
mod retention;
/// Two bot accounts of one platform know the same people.
mod same_platform;

use sayso_fakes::{Message, Person};

use crate::platform::{Chat, Platform};
use crate::test_bot::TestBot;

/// One account with its direct chat.
struct Side {
    chat: Chat,
    person: Person,
}

impl Side {
    /// Says something and returns the answer.
    async fn asks(&self, text: &str) -> String {
        self.chat.says(text);
        self.chat.hears().await.text
    }

    /// Asks for a code and returns it.
    async fn code(&self) -> String {
        let said = self.asks("/link").await;
        let (_, rest) = said.split_once("Your code is ").unwrap();
        rest.split_once('.').unwrap().0.to_owned()
    }

    /// Waits for the next message with buttons.
    async fn card(&self) -> Message {
        self.chat.hears_with(Message::asks).await
    }

    /// Presses a button of a card of this chat and returns the notice.
    async fn presses(&self, card: &Message, label: &str) -> String {
        let told = self.chat.press(&self.person, card.id, label).await;
        told.text.unwrap_or_default()
    }

    /// Presses a button whose outcome the card shows as well, in these or other words.
    async fn answers(&self, card: &Message, label: &str, told: &str) {
        let notice = self.chat.press(&self.person, card.id, label).await;
        assert_eq!(notice.text.as_deref(), self.chat.platform().echo(told));
    }

    /// Waits until a card reads so and has no buttons.
    async fn closes(&self, card: &Message, words: &str) {
        self.chat
            .becomes(card.id, |message| {
                !message.asks() && message.text.contains(words)
            })
            .await;
    }

    /// Returns the names of the accounts that are linked with this one, as `/whoami` lists them.
    async fn linked(&self) -> Vec<String> {
        let said = self.asks("/whoami").await;
        let listed = said.lines().filter_map(|line| line.strip_prefix("• "));
        let names = listed.filter_map(|account| account.split(" (").next());
        names.map(str::to_owned).collect()
    }
}

/// The accounts of Ann and of Bob: one human's, unless a test says otherwise.
fn sides(bot: &TestBot) -> (Side, Side) {
    let side = |person: &Person| Side {
        chat: bot.direct_with(person),
        person: person.clone(),
    };
    (side(&bot.ann), side(&bot.bob))
}

/// A third account, which may talk with Sayso when the bot lets it in.
fn carol(bot: &TestBot) -> Side {
    let person = bot.person(103, "Carol");
    Side {
        chat: bot.direct_with(&person),
        person,
    }
}

/// Starts a bot that lets Bob and Carol in.
async fn with_carol(platform: Platform) -> TestBot {
    let allowed = platform.accounts(&[102, 103]);
    TestBot::on_with(platform, &[("ACCESS__ALLOW", &*allowed)]).await
}

/// Has the second account send the code of the first, and returns the cards of both.
async fn asked(one: &Side, other: &Side) -> (Message, Message) {
    let code = one.code().await;
    other.chat.says(&format!("/link {code}"));
    (one.card().await, other.card().await)
}

/// Joins two accounts.
async fn join(one: &Side, other: &Side) {
    let (ours, theirs) = asked(one, other).await;
    one.presses(&ours, "Confirm").await;
    other.presses(&theirs, "Confirm").await;
    one.closes(&ours, "Linked with").await;
    other.closes(&theirs, "Linked with").await;
}

/// Parts an account from its others.
async fn part(side: &Side) {
    side.chat.says("/unlink");
    let card = side.card().await;
    side.answers(&card, "Unlink", "Unlinked.").await;
    side.closes(&card, "is parted from").await;
}
