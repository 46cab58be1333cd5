//! What becomes of a chat and of who is in it: roles, rights, threads asleep, the bot thrown out.

use serde_json::json;

use super::acting::Chat;
use super::gateway::{Audience, GUILDS};
use super::rights::Right;
use super::room::RoomKind;
use super::threads;
use crate::people::Person;

/// Roles, rights and sleeping threads.
impl Chat {
    /// The thread falls asleep; locked, only moderators wake it.
    pub fn archives(&self, locked: bool) {
        let id = self.topic.expect("only a thread is archived");
        let mut state = self.world.state();
        if let Some(thread) = state.room_mut(self.id).threads.get_mut(&id) {
            thread.archived = true;
            thread.locked = locked;
        }
        threads::tell(&mut state, "THREAD_UPDATE", self.id, id);
    }

    /// Gives the person a role in the server.
    pub fn gives_role(&self, person: &Person, role: i64, name: &str) {
        let mut state = self.world.state();
        let guild = state.guild_of_mut(self.id).expect("roles are of servers");
        guild.join(person);
        guild.roles.insert(role, name.to_owned());
        if let Some(member) = guild.members.get_mut(&person.id) {
            member.roles.insert(role);
        }
    }

    /// Takes a role from the person.
    pub fn takes_role(&self, person: &Person, role: i64) {
        let mut state = self.world.state();
        let guild = state.guild_of_mut(self.id);
        if let Some(member) = guild.and_then(|guild| guild.members.get_mut(&person.id)) {
            member.roles.remove(&role);
        }
    }

    /// Takes a right from the bot in this channel.
    pub fn forbids(&self, right: Right) {
        self.world.state().room_mut(self.id).denied.insert(right);
    }

    /// Gives the bot a right in this channel.
    pub fn permits(&self, right: Right) {
        self.world.state().room_mut(self.id).denied.remove(&right);
    }

    /// The bot may do everything here.
    pub fn promotes_bot(&self) {
        self.world.state().room_mut(self.id).denied.clear();
    }
}

/// What happens to the chat.
impl Chat {
    /// The person takes no more messages from the bot, or the bot is thrown out of the server.
    pub fn blocks(&self) {
        let mut state = self.world.state();
        let Some(guild) = state.guild_of_mut(self.id) else {
            state.room_mut(self.id).is_closed = true;
            return;
        };
        let id = guild.id;
        let gone = json!({ "id": id.to_string() });
        state.dispatch("GUILD_DELETE", Audience::of_guild(id, GUILDS), |_| {
            gone.clone()
        });
        if let Some(guild) = state.guild_of_mut(self.id) {
            guild.is_out = true;
        }
    }

    /// The person takes messages again, or the bot is back in the server.
    pub fn unblocks(&self) {
        let mut state = self.world.state();
        let Some(guild) = state.guild_of_mut(self.id) else {
            state.room_mut(self.id).is_closed = false;
            return;
        };
        guild.is_out = false;
        let id = guild.id;
        let whole = state.whole_guild(id);
        state.dispatch("GUILD_CREATE", Audience::of_guild(id, GUILDS), |_| {
            whole.clone()
        });
    }

    /// The channel is deleted.
    pub fn vanishes(&self) {
        let mut state = self.world.state();
        let room = state.room_mut(self.id);
        room.is_gone = true;
        let (wire, guild) = (room.channel(), room.guild().expect("direct chats stay"));
        state.dispatch("CHANNEL_DELETE", Audience::of_guild(guild, GUILDS), |_| {
            wire.clone()
        });
    }

    /// Discord resolves the links of a message and embeds them; the bot gets an edit event although
    /// the author edited nothing.
    pub fn unfurls(&self, id: i64) {
        let mut state = self.world.state();
        let post = state.room_mut(self.id).standing_mut(id);
        let post = post.unwrap_or_else(|| panic!("no message {id} with a link"));
        post.embeds =
            vec![json!({ "type": "link", "url": "https://example.org", "title": "Example" })];
        state.tell_message("MESSAGE_UPDATE", self.id, id);
    }

    /// Whether this is the direct chat with one person.
    pub fn is_direct(&self) -> bool {
        matches!(self.world.state().room(self.id).kind, RoomKind::Direct(_))
    }
}
