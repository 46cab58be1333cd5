//! Who is in the fake world: the people that a test plays, and the bot.

use serde_json::{Value, json};

/// The bot's user id.
pub const BOT_ID: i64 = 4242;
/// The bot's name as people see it.
pub const BOT_NAME: &str = "Sayso";
/// The bot's username, without the `@`.
pub const BOT_USERNAME: &str = "sayso_bot";

/// A person with an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// The user id, which is also the id of the direct chat with them.
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

    /// The person as a `User` of the Bot API.
    pub(crate) fn user(&self) -> Value {
        let mut user = json!({ "id": self.id, "is_bot": false, "first_name": self.name });
        if let Some(username) = &self.username {
            user["username"] = username.as_str().into();
        }
        if let Some(language) = &self.language {
            user["language_code"] = language.as_str().into();
        }
        user
    }
}

/// The bot as a `User` of the Bot API.
pub(crate) fn bot_user() -> Value {
    json!({ "id": BOT_ID, "is_bot": true, "first_name": BOT_NAME, "username": BOT_USERNAME })
}

/// What `getMe` tells, with the fields that only it has.
pub(crate) fn bot_full_user() -> Value {
    let mut user = bot_user();
    for (field, value) in [
        ("can_join_groups", true),
        ("can_read_all_group_messages", true),
        ("supports_inline_queries", false),
        ("can_connect_to_business", false),
        ("has_main_web_app", false),
    ] {
        user[field] = value.into();
    }
    user
}
