//! The live message of a turn: what the tools do and what the model has said so far.

use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use sayso_channel::markdown::close_open_marks;
use sayso_channel::{Address, Language, MessageKey};
use sayso_core::transcript::{CallId, PlannedStep, TurnId};

use super::{messages, stop};
use crate::agent::{TurnEvent, TurnEvents};
use crate::approvals;
use crate::delivery::{LiveContent, LiveEnd, LiveUpdate, OutboxWriter};
use crate::executor::{CallEvent, CallEvents, PeopleLine, folded};

/// How many tool lines are shown; older ones are counted.
const SHOWN_LINES: usize = 12;
/// From this number of steps on, a line of what was done stays above an answer that is a message of its
/// own.
const KEPT_STEPS: usize = 4;
/// After this time without a sign of the model, people see that it is still waited for.
const STILL_WAITING_AFTER: Duration = Duration::from_secs(15);
/// The shortest time between two updates of streamed text; the budget may make it longer.
const TEXT_EVERY: Duration = Duration::from_millis(150);

/// Shows a turn at work. Cosmetic: nothing here is needed for the outcome.
pub struct LiveMessage {
    outbox: OutboxWriter,
    turn: TurnId,
    address: Address,
    reply_to: Option<MessageKey>,
    language: Language,
    began: Instant,
    /// Text alone is shown once the turn has taken this long.
    patience: Duration,
    /// Whether its channel changes messages where they stand.
    is_shown: bool,
    /// Whether not even typing is shown.
    is_unseen: bool,
    /// Written by the turn's driver and read by the ticks of its session.
    shown: Mutex<Shown>,
}

#[derive(Default)]
struct Shown {
    /// Whether the turn was interrupted: that stays in view above what it does since.
    starts_again: bool,
    lines: Vec<(CallId, PeopleLine)>,
    /// The plan of the turn; empty where there is none.
    plan: Vec<PlannedStep>,
    /// What was said meanwhile and has joined.
    joined: Vec<String>,
    /// What the model has said in the newest step that said something.
    text: String,
    /// How far that text is.
    words: Words,
    /// What the model does before it says something.
    stage: Option<String>,
    /// When the model gave its last sign, while it is asked.
    asked_at: Option<Instant>,
    /// When text was last shown.
    text_at: Option<Instant>,
    /// Whether there is a live message.
    visible: bool,
}

/// How far what the model said is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Words {
    /// More may come.
    #[default]
    Growing,
    /// All of them are there, of the newest step: a card repeats them.
    Whole,
    /// They are those of a step before.
    Earlier,
}

impl LiveMessage {
    /// Returns the live message of a turn; nothing is shown yet.
    pub fn new(
        outbox: OutboxWriter,
        turn: TurnId,
        address: Address,
        reply_to: Option<MessageKey>,
        language: Language,
    ) -> Self {
        let channel = outbox.channel(&address);
        let profile = channel.as_ref().map(|channel| channel.profile());
        let pace = profile.map(|profile| profile.direct_pace.every);
        let is_shown = profile.is_none_or(|profile| profile.edits);
        Self {
            outbox,
            turn,
            address,
            reply_to,
            language,
            began: Instant::now(),
            patience: pace.unwrap_or_default(),
            is_shown,
            is_unseen: false,
            shown: Mutex::default(),
        }
    }

    /// Returns the same, of which nothing is shown.
    pub fn unseen(self) -> Self {
        Self {
            is_shown: false,
            is_unseen: true,
            ..self
        }
    }

    /// Says that the turn was interrupted and starts again.
    pub fn starts_again(&self) {
        let update = {
            let mut shown = self.lock();
            shown.starts_again = true;
            self.update_of(&shown)
        };
        self.show(update);
    }

    /// Shows that something is being written, unless the live message shows more; and that the
    /// model is still waited for, once that takes long.
    pub fn tick(&self) {
        if self.is_unseen {
            return;
        }
        let update = {
            let mut shown = self.lock();
            let waits_long = shown
                .asked_at
                .is_some_and(|at| at.elapsed() >= STILL_WAITING_AFTER);
            if waits_long {
                shown.asked_at = None;
                shown.stage = Some(messages::still_waiting(self.language).to_owned());
                Some(self.update_of(&shown))
            } else {
                None
            }
        };
        if let Some(update) = update {
            self.show(update);
        } else if !self.lock().visible {
            self.outbox.show(self.typing());
        }
    }

    /// Returns what the model has said in the newest step that said something, as far as it may be
    /// shown; `None` where it said nothing.
    pub fn said(&self) -> Option<String> {
        let shown = self.lock();
        let text = self.text_of(&shown);
        let text = text.trim();
        match (text.is_empty(), shown.words != Words::Growing) {
            (true, _) => None,
            (false, true) => Some(text.to_owned()),
            (false, false) => Some(format!("{text} …")),
        }
    }

    fn show(&self, update: LiveUpdate) {
        if !self.is_shown {
            return;
        }
        self.lock().visible = update.content != LiveContent::Gone;
        self.outbox.show(update);
    }

    fn typing(&self) -> LiveUpdate {
        LiveUpdate {
            turn: self.turn,
            address: self.address.clone(),
            content: LiveContent::Typing,
            end: LiveEnd {
                line: String::new(),
                is_kept: false,
            },
            button: stop::button(self.turn, self.language),
            reply_to: self.reply_to.clone(),
        }
    }

    fn update_of(&self, shown: &Shown) -> LiveUpdate {
        let lines: Vec<&PeopleLine> = shown.lines.iter().map(|(_, line)| line).collect();
        LiveUpdate {
            content: LiveContent::Text(body(shown, &self.text_of(shown), self.language)),
            end: LiveEnd {
                line: folded(&lines, self.language),
                is_kept: lines.len() >= KEPT_STEPS,
            },
            ..self.typing()
        }
    }

    /// Returns the text of the model without secrets and open marks. While it grows, its last word
    /// may be half of a secret, and is left out.
    fn text_of(&self, shown: &Shown) -> String {
        let redactor = self.outbox.redactor();
        if shown.words != Words::Growing {
            return redactor.redact(&shown.text).into_owned();
        }
        close_open_marks(&redactor.redact_unfinished(&shown.text)).into_owned()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Shown> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes an event and returns what to show now, if anything.
    fn take(&self, event: TurnEvent) -> Option<LiveUpdate> {
        let mut shown = self.lock();
        let before = shown.stage.take();
        match event {
            TurnEvent::Asking => {
                shown.asked_at = Some(Instant::now());
                if shown.words == Words::Whole {
                    shown.words = Words::Earlier;
                }
                shown.stage = before;
                return None;
            }
            TurnEvent::Starting => {
                shown.asked_at = Some(Instant::now());
                shown.stage = Some(messages::starting(self.language).to_owned());
                if shown.stage == before {
                    return None;
                }
            }
            TurnEvent::Reading(percent) => {
                shown.asked_at = Some(Instant::now());
                let is_under_way = percent < 100;
                shown.stage = is_under_way.then(|| messages::reading(percent, self.language));
                // Short questions are read at once.
                if !is_under_way || shown.stage == before || self.began.elapsed() < self.patience {
                    return None;
                }
            }
            TurnEvent::Text(text) => {
                shown.asked_at = Some(Instant::now());
                shown.text = text;
                shown.words = Words::Growing;
                if !self.is_time_for_text(&shown) {
                    return None;
                }
                shown.text_at = Some(Instant::now());
            }
            // What the model said before its calls stays in view until the next words. Where
            // nothing is shown yet, it comes with the first call, or on the card that asks.
            TurnEvent::StepDone => {
                shown.asked_at = None;
                if shown.words == Words::Growing {
                    shown.words = Words::Whole;
                }
                if !shown.visible {
                    return None;
                }
            }
            TurnEvent::Discarded => {
                shown.text.clear();
                return None;
            }
            TurnEvent::Joined(texts) => {
                let joined = texts.iter().map(|text| messages::joined_words(text));
                shown.joined.extend(joined);
            }
        }
        Some(self.update_of(&shown))
    }

    fn is_time_for_text(&self, shown: &Shown) -> bool {
        match shown.text_at {
            Some(at) => at.elapsed() >= TEXT_EVERY,
            None => self.began.elapsed() >= self.patience,
        }
    }

    /// Takes an event of a call and returns what to show now, if anything.
    fn take_call(&self, event: CallEvent) -> Option<LiveUpdate> {
        let mut shown = self.lock();
        shown.stage = None;
        shown.asked_at = None;
        match event {
            CallEvent::Shown(call, line) => {
                let place = shown.lines.iter().position(|(known, _)| *known == call);
                match (place, line) {
                    (Some(place), Some(line)) => shown.lines[place].1 = line,
                    (Some(place), None) => drop(shown.lines.remove(place)),
                    (None, Some(line)) => shown.lines.push((call, line)),
                    (None, None) => return None,
                }
            }
            CallEvent::Planned(call, steps) => {
                // The plan itself says it.
                shown
                    .lines
                    .retain(|(known, _)| Some(known) != call.as_ref());
                shown.plan = steps;
            }
            CallEvent::Held => {
                if !shown.visible {
                    return None;
                }
                if shown.words == Words::Whole && approvals::is_all_claimed(&self.text_of(&shown)) {
                    shown.text.clear();
                }
                if body(&shown, &self.text_of(&shown), self.language).is_empty() {
                    return Some(LiveUpdate {
                        content: LiveContent::Gone,
                        ..self.typing()
                    });
                }
            }
        }
        Some(self.update_of(&shown))
    }
}

impl CallEvents for LiveMessage {
    fn call(&self, event: CallEvent) {
        if let Some(update) = self.take_call(event) {
            self.show(update);
        }
    }
}

impl TurnEvents for LiveMessage {
    fn emit(&self, event: TurnEvent) {
        if let Some(update) = self.take(event) {
            self.show(update);
        }
    }
}

/// `text` is what the model has said so far, without secrets.
fn body(shown: &Shown, text: &str, language: Language) -> String {
    let mut body = String::new();
    // Writing to a string cannot fail.
    if shown.starts_again {
        let _ = writeln!(body, "{}", messages::starts_again(language));
    }
    for step in &shown.plan {
        let _ = writeln!(body, "{}", step.line());
    }
    if !shown.plan.is_empty() {
        body.push('\n');
    }
    let hidden = shown.lines.len().saturating_sub(SHOWN_LINES);
    if hidden > 0 {
        let _ = writeln!(body, "{}", messages::earlier_steps(hidden, language));
    }
    for (_, line) in shown.lines.iter().skip(hidden) {
        let _ = writeln!(body, "{}", line.text);
    }
    for words in &shown.joined {
        let _ = writeln!(body, "{}", messages::got_it(words, language));
    }
    if !text.trim().is_empty() {
        if !body.is_empty() {
            body.push('\n');
        }
        body.push_str(text.trim_end());
    }
    if let Some(stage) = &shown.stage {
        if !body.is_empty() {
            body.push('\n');
        }
        body.push_str(stage);
    }
    body
}
