//! The people of the storm: they press every button that is for them, answer every question, and
//! press again when nothing comes of it.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use sayso_fakes::{Message, Person};

use super::job::jobs_in;
use super::model::offers_choices;
use crate::platform::Chat;

/// How long a person waits before they press again.
const PATIENCE: Duration = Duration::from_millis(1500);
/// How often a person presses the same button at most: a message that was sent again, because its
/// delivery was unknown, keeps its buttons.
const TRIES: u32 = 3;

/// A chat, and who speaks in it.
#[derive(Debug, Clone)]
pub struct Room {
    /// The chat, spoken in by `person`.
    pub chat: Chat,
    /// Who asks for everything here.
    pub person: Person,
    /// Whether the bot must be addressed by name.
    pub is_group: bool,
}

/// What people have done so far.
#[derive(Debug, Default)]
pub struct People {
    /// What was pressed on a message, how often, and when last.
    pressed: HashMap<(i64, i64), (u32, Instant)>,
    /// The card on which a job was decided, by the token of its first button.
    decided: HashMap<String, String>,
    /// Questions that were answered in words.
    answered: Vec<String>,
    /// Whether they only watch.
    pub idle: bool,
}

impl People {
    /// Does what is to be done in a chat now. Returns what was said, as job and text to say.
    pub fn act(&mut self, room: &Room) -> Vec<(String, Option<i64>)> {
        if self.idle {
            return Vec::new();
        }
        let messages = room.chat.messages();
        messages
            .iter()
            .filter(|message| message.is_from_bot())
            .filter_map(|message| self.look_at(room, message))
            .collect()
    }

    fn look_at(&mut self, room: &Room, message: &Message) -> Option<(String, Option<i64>)> {
        let (job, _) = jobs_in(&message.text).into_iter().next()?;
        if message.button("Approve").is_some() {
            let label = self.verdict(&job, &message.token("Approve"));
            self.press(room, message, label);
        } else if message.asks()
            && let [choice, ..] = message.labels().as_slice()
        {
            self.press(room, message, choice);
        } else if is_question(message) && !offers_choices(&job) && !self.answered.contains(&job) {
            self.answered.push(job.clone());
            return Some((format!("{job}b"), Some(message.id)));
        }
        None
    }

    /// A job is decided once: a second request for the same job is denied.
    fn verdict(&mut self, job: &str, token: &str) -> &'static str {
        let first = self
            .decided
            .entry(job.to_owned())
            .or_insert_with(|| token.to_owned());
        if first == token && !job.ends_with('5') {
            "Approve"
        } else {
            "Deny"
        }
    }

    fn press(&mut self, room: &Room, message: &Message, label: &str) {
        let key = (message.chat, message.id);
        let (tries, last) = self
            .pressed
            .get(&key)
            .copied()
            .unwrap_or((0, Instant::now()));
        if tries == 0 || (tries < TRIES && last.elapsed() > PATIENCE) {
            self.pressed.insert(key, (tries + 1, Instant::now()));
            // Whether it is answered shows in the chat.
            let token = message.token(label);
            drop(room.chat.presses_token(&room.person, message.id, &token));
        }
    }
}

fn is_question(message: &Message) -> bool {
    message.text.contains("Which one, ") && !message.text.contains('↳')
}
