//! Who is in the fake worlds: the people that a test plays, and the bot.

/// The bot's user id.
pub const BOT_ID: i64 = 4242;
/// The bot's name as people see it.
pub const BOT_NAME: &str = "Sayso";
/// The bot's username, without the `@`.
pub const BOT_USERNAME: &str = "sayso_bot";

/// A person with an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// The user id; on Telegram it is also the id of the direct chat with them.
    pub id: i64,
    /// The first name.
    pub name: String,
    /// The username, without the `@`.
    pub username: Option<String>,
    /// The language of their app, as an IETF tag.
    pub language: Option<String>,
}

impl Person {
    /// Returns a person whose username is the name in lower case, where that makes one.
    pub(crate) fn new(id: i64, name: &str) -> Self {
        let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        Self {
            id,
            name: name.to_owned(),
            username: is_plain.then(|| name.to_ascii_lowercase()),
            language: Some("en".to_owned()),
        }
    }

    /// The same person with an app in another language.
    #[must_use]
    pub fn speaking(mut self, language: &str) -> Self {
        self.language = Some(language.to_owned());
        self
    }

    /// The same person without a username.
    #[must_use]
    pub fn without_username(mut self) -> Self {
        self.username = None;
        self
    }
}
