//! People and the bot as Discord writes them, and what members of a server are besides.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::snowflake::text;
use crate::people::{BOT_ID, BOT_NAME, BOT_USERNAME, Person};

/// The id of the bot's application, which is not the bot's user id.
pub const APPLICATION_ID: i64 = 4343;

/// A person in a server.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) person: Person,
    pub(crate) roles: BTreeSet<i64>,
}

impl Member {
    pub(crate) fn new(person: &Person) -> Self {
        Self {
            person: person.clone(),
            roles: BTreeSet::new(),
        }
    }

    /// The member without the user, as messages carry it beside their author.
    pub(crate) fn partial(&self) -> Value {
        partial_member(&self.roles)
    }

    /// The member with the user inside.
    pub(crate) fn whole(&self) -> Value {
        let mut member = self.partial();
        member["user"] = discord_user(&self.person);
        member
    }
}

fn partial_member(roles: &BTreeSet<i64>) -> Value {
    let roles: Vec<Value> = roles.iter().map(|role| text(*role)).collect();
    json!({
        "roles": roles,
        "nick": null,
        "avatar": null,
        "banner": null,
        "premium_since": null,
        "joined_at": "2024-01-01T00:00:00.000000+00:00",
        "deaf": false,
        "mute": false,
        "pending": false,
        "flags": 0,
        "communication_disabled_until": null,
    })
}

/// The person as a user.
pub(crate) fn discord_user(person: &Person) -> Value {
    let username = person
        .username
        .clone()
        .unwrap_or_else(|| format!("user{}", person.id));
    json!({
        "id": person.id.to_string(),
        "username": username,
        "global_name": person.name,
        "discriminator": "0",
        "avatar": null,
        "public_flags": 0,
        "flags": 0,
    })
}

/// The bot as a user.
pub(crate) fn bot_user() -> Value {
    json!({
        "id": BOT_ID.to_string(),
        "username": BOT_USERNAME,
        "global_name": BOT_NAME,
        "discriminator": "0",
        "avatar": null,
        "public_flags": 0,
        "flags": 0,
        "bot": true,
    })
}

/// The bot as a member of a server.
pub(crate) fn bot_member(roles: &BTreeSet<i64>) -> Value {
    let mut member = partial_member(roles);
    member["user"] = bot_user();
    member
}

/// The locale of the person's app as Discord names it.
pub(crate) fn locale(person: &Person) -> String {
    match person.language.as_deref() {
        None | Some("en") => "en-US".to_owned(),
        Some("zh" | "zh-Hans" | "zh-hans") => "zh-CN".to_owned(),
        Some(other) => other.to_owned(),
    }
}
