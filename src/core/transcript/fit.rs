//! What of a conversation gives way when it does not fit into a prompt, and in which order.
//!
//! Long results of tools are shortened first, then earlier turns are reduced to their text without
//! tool results, then the oldest of them are left out, and at last the oldest steps of the turn
//! itself. A call and its result go together, the first message is a user's, and what people said
//! in this turn, the texts of skills and the plan stay. What was left out once stays out, and more
//! goes at once than must (see [`STRIDE`]), so that the beginning of the prompt stays the same for
//! many steps and a service's cache of it stays good.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::{
    CallId, ConversationMessage, Past, PlannedStep, SHOWN_IMAGES, ToolOutcome, TurnId, first_chars,
    message_tokens,
};

/// The tool that shows what was shortened or left out.
pub const READ_RESULT: &str = "read_result";

/// The tools whose calls are shown to people as changes of lines.
pub const FILE_EDITS: [&str; 3] = ["apply_patch", "write_file", "undo_patch"];

/// To which share of the room a conversation that is too long for it is brought.
const STRIDE: (usize, usize) = (3, 4);
/// How much of a result is left of its beginning and of its end, in characters.
const HEAD_CHARS: usize = 800;
const TAIL_CHARS: usize = 400;
/// What a result must lose at least to be worth shortening, in characters.
const LEAST_LOSS: usize = 300;

/// How large a conversation may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// Its messages, without the system prompt.
    pub messages: usize,
    /// Its tokens, estimated.
    pub tokens: usize,
    /// Of these, what the earlier turns may have.
    pub past_tokens: usize,
}

/// What of a conversation is left out or shortened. It only grows in a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Cut {
    /// How much of the earlier turns is shown.
    pub past: Telling,
    /// How many of the earlier turns are left, the newest; all where nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turns: Option<usize>,
    /// Whether the summary before them is left out too.
    pub without_summary: bool,
    /// Among how many messages of the turn results are shortened, the oldest.
    pub results: usize,
    /// Among how many messages of the turn steps are left out, the oldest.
    pub steps: usize,
}

/// How much of the earlier turns is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Telling {
    /// As they were.
    #[default]
    Whole,
    /// With long results shortened.
    Shortened,
    /// Without what tools did.
    Words,
}

/// A conversation before anything of it gives way.
#[derive(Debug, Clone)]
pub struct Conversation<'a> {
    /// What sums up the turns before the earlier ones.
    pub summary: Option<&'a Past>,
    /// The earlier turns, oldest first.
    pub past: &'a [Past],
    /// The turn.
    pub turn: TurnId,
    /// Its messages.
    pub own: &'a [ConversationMessage],
    /// What else is said in it, each before the message at a place.
    pub notes: BTreeMap<usize, Vec<ConversationMessage>>,
    /// The tools whose results are instructions, which stay.
    pub instructing: &'a [&'a str],
    /// How many tokens a picture has, estimated: none for a model that sees none.
    pub image_tokens: usize,
}

/// How large a conversation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Size {
    /// Its messages.
    pub messages: usize,
    /// Its tokens, estimated.
    pub tokens: usize,
    /// Those of the earlier turns.
    pub past_tokens: usize,
}

impl Conversation<'_> {
    /// Returns what must give way for the conversation to fit, beside what does already: nothing
    /// more while it fits.
    pub fn fit(&self, cut: Cut, room: Room) -> Cut {
        let size = self.size(&cut);
        if size.fits(room) {
            return cut;
        }
        let target = size.target(room);
        let spends_tokens = size.tokens > room.tokens || size.past_tokens > room.past_tokens;
        let (mut fitting, mut last) = (None, cut);
        for candidate in self.candidates(cut, spends_tokens) {
            let size = self.size(&candidate);
            if size.fits(target) {
                return candidate;
            }
            if fitting.is_none() && size.fits(room) {
                fitting = Some(candidate);
            }
            last = candidate;
        }
        // What takes nothing away is not written down.
        let helps = self.size(&last) != size;
        fitting.unwrap_or(if helps { last } else { cut })
    }

    /// Returns how large it is with something left out.
    pub fn size(&self, cut: &Cut) -> Size {
        let tokens = |messages: &[ConversationMessage]| -> usize {
            messages.iter().map(message_tokens).sum()
        };
        let images = |messages: &[ConversationMessage], most: usize| -> usize {
            let all: usize = messages.iter().map(|it| it.images().len()).sum();
            all.min(most)
        };
        let (past, own) = (self.past_shown(cut).messages, self.own_shown(cut));
        let own_images = images(&own, SHOWN_IMAGES);
        let past_images = images(&past, SHOWN_IMAGES - own_images);
        let past_tokens = tokens(&past) + past_images * self.image_tokens;
        Size {
            messages: past.len() + own.len(),
            tokens: past_tokens + tokens(&own) + own_images * self.image_tokens,
            past_tokens,
        }
    }

    /// Returns what is shown of the earlier turns.
    pub fn past_shown(&self, cut: &Cut) -> Past {
        let mut shown = Past::default();
        let summary = self.summary.filter(|_| !cut.without_summary);
        let left_out = self.past.len() - cut.turns.unwrap_or(usize::MAX).min(self.past.len());
        for past in summary.into_iter().chain(self.past.iter().skip(left_out)) {
            let messages = self.told(past, cut.past);
            // Whatever a turn was, a prompt begins with what a user said.
            let is_user =
                |message: &ConversationMessage| matches!(message, ConversationMessage::User { .. });
            let messages = messages.into_iter();
            let is_first = shown.messages.is_empty();
            let messages = messages.skip_while(|message| is_first && !is_user(message));
            shown.messages.extend(messages);
            shown.taint.merge(&past.taint);
            shown.turns.extend(&past.turns);
        }
        shown
    }

    /// Returns what is shown of the turn itself.
    pub fn own_shown(&self, cut: &Cut) -> Vec<ConversationMessage> {
        let left_out = self.left_out(self.own, cut.steps);
        let mut shown = Vec::with_capacity(self.own.len());
        let mut told = false;
        for place in 0..=self.own.len() {
            let is_behind = place
                .checked_sub(1)
                .is_some_and(|it| left_out.contains(&it));
            let notes = self.notes.get(&place).into_iter().flatten();
            // What was recalled stays; the plan is in the line that stands for the steps.
            let stays = |note: &&ConversationMessage| !is_behind || !note.is_said();
            shown.extend(notes.filter(stays).cloned());
            let Some(message) = self.own.get(place) else {
                break;
            };
            if !left_out.contains(&place) {
                let is_short = place < cut.results;
                shown.push(if is_short {
                    self.shortened(self.turn, message)
                } else {
                    message.clone()
                });
            } else if !told {
                told = true;
                shown.push(self.line_for(&left_out));
            }
        }
        shown
    }

    /// Returns the cuts that come after one, in the order in which things give way.
    fn candidates(&self, cut: Cut, spends_tokens: bool) -> Vec<Cut> {
        let steps = steps(self.own);
        let newest = steps.last().map_or(self.own.len(), |step| step.start);
        let mut cuts = vec![cut];
        let mut then = |change: &dyn Fn(&mut Cut)| {
            let mut next = cuts.last().copied().unwrap_or(cut);
            change(&mut next);
            cuts.push(next);
        };
        if spends_tokens {
            then(&|cut| cut.past = cut.past.max(Telling::Shortened));
            then(&|cut| cut.results = cut.results.max(newest));
        }
        then(&|cut| cut.past = Telling::Words);
        let turns = cut.turns.unwrap_or(usize::MAX).min(self.past.len());
        for left in (0..turns).rev() {
            then(&|cut| cut.turns = Some(left));
        }
        then(&|cut| cut.without_summary = true);
        for step in steps.iter().take(steps.len().saturating_sub(1)) {
            then(&|cut| cut.steps = cut.steps.max(step.end));
        }
        if spends_tokens {
            then(&|cut| cut.results = self.own.len());
        }
        cuts
    }

    fn told(&self, past: &Past, telling: Telling) -> Vec<ConversationMessage> {
        let messages = past.messages.iter();
        match telling {
            Telling::Whole => messages.cloned().collect(),
            Telling::Shortened => messages
                .map(|message| match past.turns.first() {
                    Some(turn) => self.shortened(*turn, message),
                    None => message.clone(),
                })
                .collect(),
            Telling::Words => {
                let left_out = self.left_out(&past.messages, past.messages.len());
                let stays = |(place, _): &(usize, _)| !left_out.contains(place);
                let stay = messages.enumerate().filter(stays);
                stay.map(|(_, message)| message.clone()).collect()
            }
        }
    }

    /// Returns the indices of the steps that begin among the first `among` messages and are left
    /// out.
    fn left_out(&self, messages: &[ConversationMessage], among: usize) -> HashSet<usize> {
        let goes = |step: &Range<usize>| {
            let Some(ConversationMessage::Assistant(said)) = messages.get(step.start) else {
                return false;
            };
            let instructs = |name: &str| self.instructing.contains(&name);
            step.start < among
                && !said.calls.is_empty()
                && !said.calls.iter().any(|call| instructs(&call.name))
        };
        steps(messages).into_iter().filter(goes).flatten().collect()
    }

    /// Returns a message with the middle of a long result left out, and the id by which it is read.
    fn shortened(&self, turn: TurnId, message: &ConversationMessage) -> ConversationMessage {
        let mut message = message.clone();
        if let ConversationMessage::ToolResult {
            call,
            name,
            outcome,
            ..
        } = &mut message
            && !self.instructing.contains(&name.as_str())
            && outcome.given().is_some()
        {
            let id = result_id(turn, call);
            let whole = std::mem::replace(outcome, ToolOutcome::INTERRUPTED);
            *outcome = whole.map_texts(|text| head_and_tail(&text, &id).unwrap_or(text));
        }
        message
    }

    /// Returns the line that stands for the steps of the turn that are left out.
    fn line_for(&self, left_out: &HashSet<usize>) -> ConversationMessage {
        let (mut ids, mut tools, mut plan): (Vec<&CallId>, Vec<&str>, &[PlannedStep]) =
            (Vec::new(), Vec::new(), &[]);
        let mut steps = 0;
        for (place, message) in self.own.iter().enumerate() {
            if !left_out.contains(&place) {
                continue;
            }
            match message {
                ConversationMessage::Assistant(_) => steps += 1,
                ConversationMessage::ToolResult {
                    call,
                    name,
                    outcome,
                    ..
                } => {
                    ids.push(call);
                    if !tools.contains(&name.as_str()) {
                        tools.push(name);
                    }
                    if let ToolOutcome::Plans { steps } = outcome {
                        plan = steps;
                    }
                }
                ConversationMessage::User { .. } => {}
            }
        }
        let id = |call: Option<&&CallId>| call.map(|call| result_id(self.turn, call));
        let (first, last) = (id(ids.first()), id(ids.last()));
        let (first, last) = (first.unwrap_or_default(), last.unwrap_or_default());
        let mut line = format!(
            "[{steps} earlier steps of this request are left out to save room ({}). `{READ_RESULT}` \
             shows what they gave, by the ids `{first}` to `{last}`; do not do them again.]",
            tools.join(", ")
        );
        for step in plan {
            line.push('\n');
            line.push_str(&step.line());
        }
        ConversationMessage::user(line)
    }
}

impl Size {
    fn fits(self, room: Room) -> bool {
        self.messages <= room.messages
            && self.tokens <= room.tokens
            && self.past_tokens <= room.past_tokens
    }

    /// Returns to what it is brought: where it is over, to a share of the room.
    fn target(self, room: Room) -> Room {
        let share = |size: usize, room: usize| match room {
            _ if size > room => room / STRIDE.1 * STRIDE.0 + room % STRIDE.1 * STRIDE.0 / STRIDE.1,
            room => room,
        };
        Room {
            messages: share(self.messages, room.messages),
            tokens: share(self.tokens, room.tokens),
            past_tokens: share(self.past_tokens, room.past_tokens),
        }
    }
}

/// Returns how the result of a call is named across turns.
pub fn result_id(turn: TurnId, call: &CallId) -> String {
    format!("{}:{}", turn.0, call.0)
}

/// Returns the turn and the call of such a name.
pub fn parse_result_id(id: &str) -> Option<(TurnId, CallId)> {
    let (turn, call) = id.trim().trim_matches('`').split_once(':')?;
    Some((TurnId(turn.parse().ok()?), CallId(call.to_owned())))
}

/// Returns where the steps are: what the model said, with the results of its calls.
fn steps(messages: &[ConversationMessage]) -> Vec<Range<usize>> {
    let mut steps: Vec<Range<usize>> = Vec::new();
    for (place, message) in messages.iter().enumerate() {
        match message {
            ConversationMessage::Assistant(_) => steps.push(place..place + 1),
            ConversationMessage::ToolResult { .. } => {
                if let Some(step) = steps.last_mut().filter(|step| step.end == place) {
                    step.end = place + 1;
                }
            }
            ConversationMessage::User { .. } => {}
        }
    }
    steps
}

/// Returns the beginning and the end of a long text; `None` of one that is short enough.
fn head_and_tail(text: &str, id: &str) -> Option<String> {
    let head = first_chars(text, HEAD_CHARS)?;
    let rest = text.get(head.len()..)?;
    let left_out = rest.chars().count().checked_sub(TAIL_CHARS)?;
    if left_out < LEAST_LOSS {
        return None;
    }
    let middle = first_chars(rest, left_out)?;
    let tail = rest.get(middle.len()..)?;
    Some(format!(
        "{head}\n[{left_out} characters are left out; `{READ_RESULT}` shows them by the id `{id}`]\n{tail}"
    ))
}

#[cfg(test)]
#[path = "fit_tests.rs"]
mod tests;
