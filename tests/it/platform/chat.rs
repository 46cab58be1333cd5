//! A chat on either platform, with what people can do and see on both.

use sayso_fakes::{Message, Person, Press, PressOutcome, discord, telegram};

use super::Platform;

/// A chat as one person uses it; clones and the handles made of it are the same chat.
#[derive(Clone, Debug)]
pub enum Chat {
    /// On Telegram.
    Telegram(telegram::Chat),
    /// On Discord.
    Discord(discord::Chat),
}

impl Chat {
    /// Returns the platform that it is on.
    pub fn platform(&self) -> Platform {
        match self {
            Self::Telegram(_) => Platform::Telegram,
            Self::Discord(_) => Platform::Discord,
        }
    }
}

/// Has the platform's own chat do it.
macro_rules! either {
    ($chat:expr, $it:ident => $does:expr) => {
        match $chat {
            Chat::Telegram($it) => $does,
            Chat::Discord($it) => $does,
        }
    };
}

/// What is said.
impl Chat {
    /// The same chat with this person speaking.
    #[must_use]
    pub fn with(&self, person: &Person) -> Self {
        match self {
            Self::Telegram(chat) => Self::Telegram(chat.with(person)),
            Self::Discord(chat) => Self::Discord(chat.with(person)),
        }
    }

    /// Returns the chat's id.
    pub fn id(&self) -> i64 {
        either!(self, chat => chat.id())
    }

    /// Says the text; returns the message's id.
    pub fn says(&self, text: &str) -> i64 {
        either!(self, chat => chat.says(text))
    }

    /// Says the text in the name of this person.
    pub fn says_as(&self, person: &Person, text: &str) -> i64 {
        either!(self, chat => chat.says_as(person, text))
    }

    /// Replies to a message of this chat.
    pub fn replies(&self, to: i64, text: &str) -> i64 {
        either!(self, chat => chat.replies(to, text))
    }

    /// Sends a document.
    pub fn sends_document(&self, name: &str, bytes: impl Into<Vec<u8>>, caption: &str) -> i64 {
        either!(self, chat => chat.sends_document(name, bytes, caption))
    }

    /// Sends a photo.
    pub fn sends_photo(&self, bytes: impl Into<Vec<u8>>, caption: &str) -> i64 {
        either!(self, chat => chat.sends_photo(bytes, caption))
    }

    /// Sends a voice message.
    pub fn sends_voice(&self, bytes: impl Into<Vec<u8>>) -> i64 {
        either!(self, chat => chat.sends_voice(bytes))
    }

    /// Changes the text of a message of this person.
    pub fn edits(&self, id: i64, text: &str) {
        either!(self, chat => chat.edits(id, text));
    }

    /// Deletes a message.
    pub fn deletes(&self, id: i64) {
        either!(self, chat => chat.deletes(id));
    }

    /// The person no longer takes messages from the bot.
    pub fn blocks(&self) {
        either!(self, chat => chat.blocks());
    }

    /// The person takes messages from the bot again.
    pub fn unblocks(&self) {
        either!(self, chat => chat.unblocks());
    }
}

/// Buttons.
impl Chat {
    /// Presses the button with this label and waits for the answer.
    pub async fn press(&self, person: &Person, message: i64, label: &str) -> PressOutcome {
        either!(self, chat => chat.press(person, message, label).await)
    }

    /// Sends a press with any token, as a forged client can, and waits for the answer.
    pub async fn press_token(&self, person: &Person, message: i64, token: &str) -> PressOutcome {
        either!(self, chat => chat.press_token(person, message, token).await)
    }

    /// Sends a press with any token and does not wait.
    pub fn presses_token(&self, person: &Person, message: i64, token: &str) -> Press {
        either!(self, chat => chat.presses_token(person, message, token))
    }
}

/// What people see and hear.
impl Chat {
    /// Waits for the bot's next message that was not heard yet, and returns it as it stands. A live
    /// message is none: where a turn takes more than a second, it shows an answer before it is given.
    pub async fn hears(&self) -> Message {
        either!(self, chat => chat.hears().await)
    }

    /// Waits for a message of the bot that was not heard yet and that the test is for; what the bot
    /// said before it counts as heard.
    pub async fn hears_with(&self, is_it: impl Fn(&Message) -> bool) -> Message {
        either!(self, chat => chat.hears_with(is_it).await)
    }

    /// Waits until some message of the bot, heard or not, is as the test wants it; it counts as heard from then
    /// on, with what the bot said before it.
    pub async fn settles(&self, is_so: impl Fn(&Message) -> bool) -> Message {
        either!(self, chat => chat.settles(is_so).await)
    }

    /// Waits until this one message is as the test wants it, also deleted.
    pub async fn becomes(&self, id: i64, is_so: impl Fn(&Message) -> bool) -> Message {
        either!(self, chat => chat.becomes(id, is_so).await)
    }

    /// Waits until the messages of this chat, in order and without deleted ones, are as wanted.
    pub async fn sees(&self, is_so: impl Fn(&[Message]) -> bool) {
        either!(self, chat => chat.sees(is_so).await);
    }

    /// Waits until the bot has shown that it is typing at least so often.
    pub async fn sees_typing(&self, times: usize) {
        either!(self, chat => chat.sees_typing(times).await);
    }

    /// Returns what stands in this chat now.
    pub fn messages(&self) -> Vec<Message> {
        either!(self, chat => chat.messages())
    }

    /// Returns a message by its id, also a deleted one.
    pub fn message(&self, id: i64) -> Message {
        either!(self, chat => chat.message(id))
    }

    /// Returns the Markdown of a message, where the platform sends it as such.
    pub fn markdown_of(&self, message: i64) -> Option<String> {
        match self {
            Self::Telegram(_) => None,
            Self::Discord(chat) => Some(chat.content_of(message)),
        }
    }

    /// Returns the texts of the message's code blocks, as people would copy them.
    pub fn code_blocks(&self, message: i64) -> Vec<String> {
        either!(self, chat => chat.code_blocks(message))
    }

    /// Returns the bytes of the message's files.
    pub fn files_of(&self, message: i64) -> Vec<Vec<u8>> {
        either!(self, chat => chat.files_of(message))
    }

    /// Returns how many messages of the bot stand here that no test has heard.
    pub fn unheard(&self) -> usize {
        either!(self, chat => chat.unheard())
    }

    /// Renders what stands in this chat, a message after the other, for snapshots.
    pub fn transcript(&self) -> String {
        either!(self, chat => chat.transcript())
    }
}
