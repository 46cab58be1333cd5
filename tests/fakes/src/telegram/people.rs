//! People and the bot as the Bot API writes them.

use serde_json::{Value, json};

use crate::people::{BOT_ID, BOT_NAME, BOT_USERNAME, Person};

impl Person {
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
