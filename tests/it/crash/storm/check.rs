//! What must hold when the storm is over, as the people in the chats see it.

use std::collections::{HashMap, HashSet};

use sayso_channel::RESENT_MARK;
use sayso_fakes::Message;
use serde::Deserialize;

use super::complaint::{Complaint, Wrong};
use super::job::{Kind, names};
use super::model::{END, ESSAY_LINES, effects, essay_line};
use super::scene::{Said, Scene};
use crate::platform::{Platform, dropped_by};
use crate::test_bot::rows_of;

/// A message that was heard, as the database knows it.
#[derive(Debug, Deserialize)]
struct Heard {
    chat: String,
    message: String,
    state: String,
    outcome: Option<String>,
    shown: Option<String>,
}

/// What became of what was heard.
const HEARD: &str = "SELECT json_object(
        'chat', i.address ->> 'chat', 'message', i.message, 'state', i.state,
        'outcome', (SELECT body -> 'outcome' ->> 'kind' FROM journal
                    WHERE turn_id = i.turn_id AND kind = 'ended'),
        'shown', (SELECT coalesce(o.message, '') FROM outbox o
                  WHERE o.turn_id = i.turn_id AND o.purpose = 'final' AND o.state = 'sent'))
    FROM inbox i WHERE i.kind = 'message' AND i.message IS NOT NULL";

/// The messages that are stored.
const STORED: &str = "SELECT event FROM inbox WHERE kind = 'message'";

/// Whether anything is still to be done.
const OPEN: &str = "SELECT 'turn ' || id || ' ' || state FROM turns WHERE state <> 'ended'
    UNION ALL SELECT 'inbox ' || id || ' ' || state FROM inbox WHERE state = 'waiting'
    UNION ALL SELECT 'outbox ' || id || ' ' || purpose || ' ' || state FROM outbox
        WHERE state IN ('pending', 'sending', 'unknown')";

impl Scene {
    /// Returns what is still to be done.
    pub async fn open_work(&self) -> Vec<String> {
        let mut open = rows_of(&self.database(), OPEN).await;
        open.extend(self.unheard().await);
        open
    }

    /// Returns what people did and Sayso has not stored.
    async fn unheard(&self) -> Vec<String> {
        let (count, what) = match self.bot.platform {
            Platform::Telegram => (self.bot.telegram.unconfirmed(), "updates"),
            Platform::Discord => {
                let stored: HashSet<String> = rows_of(&self.database(), STORED)
                    .await
                    .into_iter()
                    .collect();
                let said = self.bot.discord.said().into_iter();
                let missing = said.filter(|(id, _)| !stored.contains(&id.to_string()));
                (missing.count(), "messages")
            }
        };
        let unheard = (count > 0).then(|| format!("{count} {what}"));
        unheard.into_iter().collect()
    }

    /// Returns the chats in which `/stop` was said and nothing came of it.
    pub fn unheard_stops(&self) -> Vec<usize> {
        let rooms = 0..self.rooms.len();
        rooms
            .filter(|room| self.stops.contains(room) && self.answered_stops(*room) == 0)
            .collect()
    }

    /// Returns how many messages carry the mark of a repeated send.
    pub fn marked(&self) -> usize {
        let rooms = 0..self.rooms.len();
        let spoken = rooms.flat_map(|room| self.spoken(room));
        spoken.filter(is_marked).count()
    }

    /// Returns everything that is not as it must be.
    pub async fn check(&self) -> Vec<Complaint> {
        let mut complaints = self.complaints.clone();
        let open = self.open_work().await.into_iter();
        complaints.extend(open.map(|open| Complaint::new(Wrong::Unanswered, open)));
        let heard: HashMap<(String, String), Heard> = rows_of(&self.database(), HEARD)
            .await
            .iter()
            .map(|row| serde_json::from_str::<Heard>(row).unwrap())
            .map(|heard| ((heard.chat.clone(), heard.message.clone()), heard))
            .collect();
        for said in &self.said {
            let chat = self.rooms[said.room].chat.id().to_string();
            let fate = heard.get(&(chat, said.message.to_string()));
            complaints.extend(self.check_outcome(said, fate));
            complaints.extend(self.check_effects(said));
        }
        for room in 0..self.rooms.len() {
            complaints.extend(self.check_stops(room, &heard));
            complaints.extend(self.check_repetitions(room));
        }
        let violations = [
            self.bot.telegram.violations(),
            self.bot.discord.violations(),
            self.bot.model.violations(),
        ];
        let on_the_wire = |how| Complaint::new(Wrong::Wire, how);
        complaints.extend(violations.into_iter().flatten().map(on_the_wire));
        complaints
    }

    /// A request has one outcome, and any other copy of it carries the mark.
    fn check_outcome(&self, said: &Said, fate: Option<&Heard>) -> Vec<Complaint> {
        let Some(fate) = fate else {
            let how = format!("{} was never heard", said.job);
            return vec![Complaint::new(Wrong::Unanswered, how)];
        };
        let texts = expected_texts(said);
        let answers = |text: &String| self.copies(said, text) != (0, 0);
        if !texts.iter().any(|group| group.iter().all(answers)) {
            return self.check_other_outcome(said, fate).into_iter().collect();
        }
        texts
            .iter()
            .flatten()
            .filter_map(|text| {
                let (plain, marked) = self.copies(said, text);
                let how = format!("{plain} copies without and {marked} with the mark: {text}");
                let is_doubled = plain > 1 || marked > self.kills.len();
                is_doubled.then(|| Complaint::new(Wrong::Doubled, how))
            })
            .collect()
    }

    /// Counts the messages in the chat of a request that say this: without, and with the mark.
    fn copies(&self, said: &Said, text: &str) -> (usize, usize) {
        let says = |message: &&Message| match text.strip_prefix("Done: ") {
            Some(job) => {
                let is_whole = message.text.contains("Done: ") && message.text.contains(END);
                is_whole && names(&message.text, job)
            }
            // A reply to a question quotes it.
            None if text.starts_with("Which") => message.text.starts_with(text),
            None => message.text.contains(text),
        };
        let messages = self.spoken(said.room);
        let marked = messages
            .iter()
            .filter(says)
            .filter(|message| is_marked(message))
            .count();
        (messages.iter().filter(says).count() - marked, marked)
    }

    /// Not answered: then it was stopped, dropped by a stop, has failed, or is part of an essay.
    fn check_other_outcome(&self, said: &Said, fate: &Heard) -> Option<Complaint> {
        let was_dropped = fate.state == "settled" && self.stops.contains(&said.room);
        let shown = fate.shown.as_deref().and_then(|id| id.parse::<i64>().ok());
        let text = shown.and_then(|id| {
            self.spoken(said.room)
                .into_iter()
                .find(|message| message.id == id)
        });
        let is_said = text.is_some_and(|message| match fate.outcome.as_deref() {
            Some("stopped") => message.text.contains("topped"),
            Some("failed") => message.text.contains("I was interrupted three times"),
            // What joined an essay is answered by it.
            Some("replied") => message.text.contains(" of an essay "),
            _ => false,
        });
        let how = format!("{} ({:?}): {fate:?}", said.job, said.kind);
        (!was_dropped && !is_said).then(|| Complaint::new(Wrong::Unanswered, how))
    }

    /// What ran was approved, ran once, and is reported as it was.
    fn check_effects(&self, said: &Said) -> Option<Complaint> {
        let written = std::fs::read_to_string(effects(&self.directory())).unwrap_or_default();
        let times = written.lines().filter(|line| *line == said.job).count();
        let reports = |how: &str| {
            let report = format!("({how})");
            let mut messages = self.spoken(said.room).into_iter();
            messages.any(|message| {
                message.text.contains(&report)
                    && message.text.starts_with(&format!("Done: {} ", said.job))
            })
        };
        let is_denied = said.job.ends_with('5');
        let is_wrong = times > 1
            || (times > 0 && (is_denied || !said.kind.runs()))
            || (times == 0 && reports("ran"));
        let how = format!("{} ran {times} times", said.job);
        is_wrong.then(|| Complaint::new(Wrong::Effect, how))
    }

    /// Every `/stop` stops something visibly or says that there was nothing, and what it dropped
    /// is counted.
    fn check_stops(
        &self,
        room: usize,
        heard: &HashMap<(String, String), Heard>,
    ) -> Option<Complaint> {
        let asked = self.stops.iter().filter(|there| **there == room).count();
        let answered = self.answered_stops(room);
        let spoken = self.spoken(room);
        let dropped: usize = spoken.iter().map(|message| dropped_by(&message.text)).sum();
        let settled = self
            .said
            .iter()
            .filter(|said| said.room == room)
            .filter_map(|said| {
                let chat = self.rooms[room].chat.id().to_string();
                heard.get(&(chat, said.message.to_string()))
            })
            .filter(|fate| fate.state == "settled")
            .count();
        let how =
            format!("/stop: asked {asked}, answered {answered}; dropped {settled}, said {dropped}");
        (answered < asked.min(1) || dropped < settled)
            .then(|| Complaint::new(Wrong::Unanswered, how))
    }

    fn answered_stops(&self, room: usize) -> usize {
        let answers = ["⏹ ", "Nothing of yours"];
        let is_answer = |it: &Message| {
            let keeps_answer = ["\n⏹ stopped", "\n⏹ Stopped."]
                .iter()
                .any(|mark| it.text.contains(mark));
            keeps_answer || answers.iter().any(|start| it.text.starts_with(start))
        };
        self.spoken(room).iter().filter(|it| is_answer(it)).count()
    }

    /// Nothing else is said twice without the mark: questions. What is said of a stop is the same for
    /// each.
    fn check_repetitions(&self, room: usize) -> Vec<Complaint> {
        let mut seen: HashMap<&str, usize> = HashMap::new();
        let spoken = self.spoken(room);
        for message in spoken.iter().filter(|message| !is_marked(message)) {
            if message.text.starts_with("Which one, ") {
                *seen.entry(&message.text).or_default() += 1;
            }
        }
        seen.into_iter()
            .filter(|(_, count)| *count > 1)
            .map(|(text, count)| format!("said {count} times without the mark: {text}"))
            .map(|how| Complaint::new(Wrong::Doubled, how))
            .collect()
    }

    fn spoken(&self, room: usize) -> Vec<Message> {
        let messages = self.rooms[room].chat.messages();
        messages.into_iter().filter(Message::is_from_bot).collect()
    }
}

/// Returns the texts by which a request is answered: one of the groups, the whole of it.
fn expected_texts(said: &Said) -> Vec<Vec<String>> {
    let done = vec![format!("Done: {}", said.job)];
    match said.kind {
        Kind::Clarify => vec![vec![format!("Which one, {}?", said.job)], done],
        Kind::Essay => {
            let lines = (0..ESSAY_LINES)
                .map(|line| essay_line(&said.job, line))
                .collect();
            vec![lines, done]
        }
        _ => vec![done],
    }
}

fn is_marked(message: &Message) -> bool {
    message.text.contains(RESENT_MARK.trim())
}
