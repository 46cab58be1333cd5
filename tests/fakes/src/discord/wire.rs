//! A message as Discord writes it, by REST and by the gateway, with and without what was said.

use serde_json::{Value, json};

use super::people::{APPLICATION_ID, bot_user, discord_user};
use super::room::{Post, Room, merged};
use super::snowflake::{text, timestamp};
use super::state::State;
use crate::message::Author;
use crate::people::BOT_ID;

impl State {
    /// The message as REST hands it out.
    pub(crate) fn rest_message(&self, room: i64, id: i64) -> Value {
        let room = self.room(room);
        self.full(room, &room.posts[&id], self.is_content_allowed())
    }

    /// The message as the gateway tells it to a session with or without the intent for content.
    pub(crate) fn told_message(&self, room: i64, id: i64, with_content: bool) -> Value {
        let room = self.room(room);
        let post = &room.posts[&id];
        let mut wire = self.full(room, post, with_content && self.is_content_allowed());
        if let Some(guild) = self.guild_of(room.id) {
            wire["guild_id"] = text(guild.id);
            if let Author::Person(person) = &post.seen.author
                && let Some(member) = guild.members.get(&person.id)
            {
                wire["member"] = member.partial();
            }
        }
        wire
    }

    /// With the message it replies to inside.
    fn full(&self, room: &Room, post: &Post, with_content: bool) -> Value {
        let mut wire = self.flat(room, post, with_content);
        if post.sort == 19
            && let Some(replied) = post.seen.reply_to
        {
            wire["message_reference"] = json!({
                "type": 0,
                "channel_id": channel_of(post),
                "message_id": replied.to_string(),
            });
            if let Some(guild) = room.guild() {
                wire["message_reference"]["guild_id"] = text(guild);
            }
            let replied = room.standing(replied).filter(|post| post.is_listed());
            wire["referenced_message"] = replied.map_or(Value::Null, |replied| {
                self.flat(room, replied, with_content)
            });
        }
        wire
    }

    fn flat(&self, room: &Room, post: &Post, with_content: bool) -> Value {
        let is_shown = with_content
            || room.guild().is_none()
            || post.seen.is_from_bot()
            || post.mentions_bot();
        let author = match &post.seen.author {
            Author::Bot => bot_user(),
            Author::Person(person) => discord_user(person),
            Author::AnonymousAdmin | Author::Channel => {
                json!({ "id": "1", "username": "webhook", "discriminator": "0000", "avatar": null,
                    "global_name": null, "bot": true })
            }
        };
        let mut wire = json!({
            "id": post.seen.id.to_string(),
            "channel_id": channel_of(post),
            "author": author,
            "content": if is_shown { post.content.as_str() } else { "" },
            "timestamp": timestamp(post.seen.date),
            "edited_timestamp": post.edited_at.map(timestamp),
            "tts": false,
            "mention_everyone": false,
            "mentions": self.mentioned(room, post),
            "mention_roles": self.mentioned_roles(room, post),
            "attachments": if is_shown { post.attachments.clone() } else { Vec::new() },
            "embeds": if is_shown { post.embeds.clone() } else { Vec::new() },
            "components": if is_shown { post.components.clone() } else { Vec::new() },
            "pinned": false,
            "type": post.sort,
            "flags": post.flags,
        });
        if let Some(nonce) = &post.nonce {
            wire["nonce"] = nonce.clone();
        }
        if let Some(interaction) = &post.interaction {
            wire["interaction_metadata"] = interaction.clone();
            wire["application_id"] = text(APPLICATION_ID);
            wire["webhook_id"] = text(APPLICATION_ID);
        }
        if let Some(thread) = room.threads.get(&post.seen.id) {
            wire["thread"] = room.thread(thread);
        }
        merged(wire, post.seen.extra.clone().into())
    }

    fn mentioned_roles(&self, room: &Room, post: &Post) -> Vec<Value> {
        let roles = self.guild_of(room.id).into_iter();
        let roles = roles.flat_map(|guild| guild.roles.keys());
        let is_named = |role: &&i64| post.content.contains(&format!("<@&{role}>"));
        roles.filter(is_named).map(|role| text(*role)).collect()
    }

    fn mentioned(&self, room: &Room, post: &Post) -> Vec<Value> {
        let guild = self.guild_of(room.id);
        let mentions = post.mentions.iter().filter_map(|id| {
            if *id == BOT_ID {
                return Some(bot_user());
            }
            let mut user = discord_user(self.find_person(*id)?);
            if let Some(member) = guild.and_then(|guild| guild.members.get(id)) {
                user["member"] = member.partial();
            }
            Some(user)
        });
        mentions.collect()
    }
}

/// The id of the channel or thread that the message is in.
pub(crate) fn channel_of(post: &Post) -> String {
    post.seen.thread.unwrap_or(post.seen.chat).to_string()
}
