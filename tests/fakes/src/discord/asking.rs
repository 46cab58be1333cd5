//! What people ask of the bot by Discord's own means: commands, buttons, menus. All of it returns at once.

use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::acting::Chat;
use super::commands;
use super::components::{self, Touch};
use super::gateway::Audience;
use super::interactions::{self, InteractionKind};
use super::people::{APPLICATION_ID, discord_user, locale};
use super::posting::Draft;
use super::room::merged;
use super::snowflake::text;
use super::state::State;
use crate::message::Author;
use crate::people::Person;
use crate::press::{Press, PressOutcome};

impl Chat {
    /// Presses the button, or chooses the option of a menu, with this label, and waits for the answer.
    pub async fn press(&self, person: &Person, message: i64, label: &str) -> PressOutcome {
        self.presses(person, message, label).answered().await
    }

    /// Presses the button, or chooses the option of a menu, with this label, and does not wait.
    pub fn presses(&self, person: &Person, message: i64, label: &str) -> Press {
        let state = self.world.state();
        let post = state.room(self.id).standing(message);
        let touch = post.and_then(|post| components::find(&post.components, label));
        drop(state);
        let touch = touch.unwrap_or_else(|| {
            panic!(
                "nothing says {label:?} below {message}\n{}",
                self.transcript()
            )
        });
        self.touches(person, message, &touch)
    }

    /// Sends a press with any custom id, as a forged client can, and waits for the answer.
    pub async fn press_token(&self, person: &Person, message: i64, token: &str) -> PressOutcome {
        self.presses_token(person, message, token).answered().await
    }

    /// Sends a press with any custom id and does not wait. The message need not be there any more.
    pub fn presses_token(&self, person: &Person, message: i64, token: &str) -> Press {
        self.touches(person, message, &Touch::Button(token.to_owned()))
    }

    /// Chooses any value in a menu with any custom id, as a forged client can, and does not wait.
    pub fn chooses(&self, person: &Person, message: i64, token: &str, value: &str) -> Press {
        let touch = Touch::Menu {
            token: token.to_owned(),
            value: value.to_owned(),
        };
        self.touches(person, message, &touch)
    }

    /// Picks a command from the menu of a message, as in "Ask Sayso"; returns the id of the line that shows it.
    pub fn asks_about(&self, person: &Person, message: i64, command: &str) -> i64 {
        let mut state = self.world.state();
        let mut data = commands::on_message(&state.commands, command);
        let about = state.rest_message(self.id, message);
        data["target_id"] = text(message);
        data["resolved"] = json!({ "messages": { message.to_string(): about } });
        let line = self.shows(&mut state, person, command);
        self.interact(
            &mut state,
            person,
            InteractionKind::Menu { line },
            &data,
            None,
        );
        line
    }

    /// Gives the line as a command, if the bot has registered one of that name that it fits.
    pub(crate) fn gives_command(&self, line: &str) -> Option<i64> {
        if !line.starts_with('/') {
            return None;
        }
        let person = self.person();
        let mut state = self.world.state();
        let data = commands::typed(&state.commands, line)?;
        let shown = self.shows(&mut state, &person, line);
        let kind = InteractionKind::Slash { line: shown };
        self.interact(&mut state, &person, kind, &data, None);
        Some(shown)
    }

    /// Shows what the person has done as a line of theirs; on the wire it is no message.
    fn shows(&self, state: &mut State, person: &Person, line: &str) -> i64 {
        state.post(
            self.place(),
            Draft {
                seen: Some(line.to_owned()),
                is_phantom: true,
                ..Draft::by(Author::Person(person.clone()))
            },
        )
    }

    fn touches(&self, person: &Person, message: i64, touch: &Touch) -> Press {
        let (answer, answered) = oneshot::channel();
        let data = match touch {
            Touch::Button(token) => json!({ "custom_id": token, "component_type": 2 }),
            Touch::Menu { token, value } => {
                json!({ "custom_id": token, "component_type": 3, "values": [value] })
            }
        };
        let mut state = self.world.state();
        let kind = InteractionKind::Component { message };
        self.interact(&mut state, person, kind, &data, Some(answer));
        drop(state);
        let chat = self.clone();
        Press::new(answered, move || chat.transcript())
    }

    fn interact(
        &self,
        state: &mut State,
        person: &Person,
        kind: InteractionKind,
        data: &Value,
        press: Option<oneshot::Sender<PressOutcome>>,
    ) {
        if let Some(guild) = state.guild_of_mut(self.id) {
            guild.join(person);
        }
        let id = state.ids.next();
        interactions::open(state, id, self.place(), person, kind, press);
        let told = self.interaction(state, id, person, kind, data);
        let audience = state.audience(self.id).all();
        let audience = if state.room(self.id).guild().is_none() {
            Audience::direct(0)
        } else {
            audience
        };
        let was_heard = state.dispatch("INTERACTION_CREATE", audience, |_| told.clone());
        if let Some(interaction) = state.interactions.get_mut(&id) {
            interaction.was_heard = was_heard;
        }
    }

    /// The interaction as the gateway tells it.
    fn interaction(
        &self,
        state: &State,
        id: i64,
        person: &Person,
        kind: InteractionKind,
        data: &Value,
    ) -> Value {
        let room = state.room(self.id);
        let channel = self.topic.and_then(|thread| room.threads.get(&thread));
        let channel = channel.map_or_else(|| room.channel(), |thread| room.thread(thread));
        let mut told = json!({
            "id": id.to_string(),
            "application_id": APPLICATION_ID.to_string(),
            "type": 2,
            "data": data,
            "channel_id": channel["id"],
            "channel": channel,
            "token": state.interactions[&id].token,
            "version": 1,
            "app_permissions": room.permissions().to_string(),
            "locale": locale(person),
            "entitlements": [],
            "authorizing_integration_owners": {},
            "context": i32::from(room.guild().is_none()),
            "attachment_size_limit": 10 * 1024 * 1024,
        });
        if let InteractionKind::Component { message } = kind {
            told["type"] = 3.into();
            told["message"] = self.pressed_message(state, message);
        }
        let Some(guild) = state.guild_of(self.id) else {
            told["user"] = discord_user(person);
            return told;
        };
        told["guild_id"] = text(guild.id);
        told["guild_locale"] = "en-US".into();
        told["guild"] = json!({ "id": guild.id.to_string(), "features": [], "locale": "en-US" });
        let member = guild.members[&person.id].whole();
        told["member"] = merged(member, json!({ "permissions": "2248473465835073" }));
        told
    }

    /// The message as it stands, or as the client of who pressed still had it.
    fn pressed_message(&self, state: &State, message: i64) -> Value {
        if state.room(self.id).posts.contains_key(&message) {
            return state.rest_message(self.id, message);
        }
        json!({
            "id": message.to_string(),
            "channel_id": self.topic.unwrap_or(self.id).to_string(),
            "author": super::people::bot_user(),
            "content": "",
            "timestamp": super::snowflake::timestamp(super::snowflake::now()),
            "edited_timestamp": null,
            "tts": false,
            "mention_everyone": false,
            "mentions": [],
            "mention_roles": [],
            "attachments": [],
            "embeds": [],
            "components": [],
            "pinned": false,
            "type": 0,
            "flags": 0,
        })
    }
}
