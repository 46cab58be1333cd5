//! A server: its members, and its representation in events to the bot.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::people::{Member, bot_member};
use super::room::{Room, merged};
use super::snowflake::text;
use crate::people::{BOT_ID, BOT_NAME, Person};

/// One server.
#[derive(Debug)]
pub(crate) struct Guild {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) members: BTreeMap<i64, Member>,
    pub(crate) roles: BTreeMap<i64, String>,
    /// Whether the bot was thrown out.
    pub(crate) is_out: bool,
}

impl Guild {
    pub(crate) fn new(id: i64, name: &str) -> Self {
        Self {
            id,
            name: name.to_owned(),
            members: BTreeMap::new(),
            roles: BTreeMap::from([(role_of_bot(id), BOT_NAME.to_owned())]),
            is_out: false,
        }
    }

    /// The bot as a member: it has the role that was made for it.
    pub(crate) fn bot(&self) -> Value {
        bot_member(&BTreeSet::from([role_of_bot(self.id)]))
    }

    pub(crate) fn join(&mut self, person: &Person) {
        self.members
            .entry(person.id)
            .or_insert_with(|| Member::new(person));
    }

    /// The server as `GUILD_CREATE` tells it.
    pub(crate) fn whole<'a>(&self, rooms: impl Iterator<Item = &'a Room> + Clone) -> Value {
        let channels: Vec<Value> = rooms.clone().map(Room::channel).collect();
        let threads: Vec<Value> = rooms
            .flat_map(|room| {
                let open = room.threads.values().filter(|thread| !thread.archived);
                open.map(|thread| room.thread(thread))
            })
            .collect();
        let people = self.members.values().map(Member::whole);
        let members: Vec<Value> = people.chain([self.bot()]).collect();
        merged(
            self.settings(),
            json!({
                "joined_at": "2024-01-01T00:00:00.000000+00:00",
                "large": false,
                "unavailable": false,
                "member_count": members.len(),
                "members": members,
                "channels": channels,
                "threads": threads,
                "voice_states": [],
                "presences": [],
                "stage_instances": [],
                "guild_scheduled_events": [],
                "soundboard_sounds": [],
            }),
        )
    }

    fn settings(&self) -> Value {
        let everyone = role(self.id, "@everyone");
        let named = self.roles.iter().map(|(id, name)| {
            let mut role = role(*id, name);
            if *id == role_of_bot(self.id) {
                role["managed"] = true.into();
                role["tags"] = json!({ "bot_id": text(BOT_ID) });
            }
            role
        });
        let roles: Vec<Value> = std::iter::once(everyone).chain(named).collect();
        json!({
            "id": self.id.to_string(),
            "name": self.name,
            "owner_id": "1",
            "icon": null,
            "splash": null,
            "discovery_splash": null,
            "banner": null,
            "description": null,
            "afk_channel_id": null,
            "afk_timeout": 300,
            "application_id": null,
            "system_channel_id": null,
            "system_channel_flags": 0,
            "rules_channel_id": null,
            "public_updates_channel_id": null,
            "safety_alerts_channel_id": null,
            "vanity_url_code": null,
            "verification_level": 0,
            "default_message_notifications": 0,
            "explicit_content_filter": 0,
            "mfa_level": 0,
            "nsfw_level": 0,
            "nsfw": false,
            "premium_tier": 0,
            "premium_subscription_count": 0,
            "premium_progress_bar_enabled": false,
            "preferred_locale": "en-US",
            "max_members": 500_000,
            "max_video_channel_users": 25,
            "max_stage_video_channel_users": 50,
            "features": [],
            "emojis": [],
            "stickers": [],
            "roles": roles,
        })
    }
}

/// The id of the role that a server makes for the bot when it is added.
pub(crate) fn role_of_bot(server: i64) -> i64 {
    server + 5
}

fn role(id: i64, name: &str) -> Value {
    json!({
        "id": id.to_string(),
        "name": name,
        "color": 0,
        "colors": { "primary_color": 0, "secondary_color": null, "tertiary_color": null },
        "hoist": false,
        "icon": null,
        "unicode_emoji": null,
        "position": 0,
        "permissions": "0",
        "managed": false,
        "mentionable": true,
        "flags": 0,
    })
}
