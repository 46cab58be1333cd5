//! The live message of a turn: what the tools do and what the model has said so far.

use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use sayso_channel::{Address, Language, MessageKey};

use super::{messages, stop};
use crate::agent::{TurnEvent, TurnEvents};
use crate::delivery::{LiveUpdate, OutboxWriter};
use crate::executor::{CallEvent, CallEvents};
use crate::transcript::{CallId, PlannedStep, ToolStatus, TurnId};

/// How many tool lines are shown; older ones are counted.
const SHOWN_LINES: usize = 12;
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
    /// Written by the turn's driver and read by the ticks of its session.
    shown: Mutex<Shown>,
}

#[derive(Default)]
struct Shown {
    /// Whether the turn was interrupted: that stays in view above what it does since.
    starts_again: bool,
    lines: Vec<(CallId, ToolStatus)>,
    /// The plan of the turn; empty where there is none.
    plan: Vec<PlannedStep>,
    joined: usize,
    text: String,
    /// What the model does before it says something.
    stage: Option<String>,
    /// When text was last shown.
    text_at: Option<Instant>,
    /// Whether there is a live message.
    visible: bool,
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
            shown: Mutex::default(),
        }
    }

    /// Says that the turn was interrupted and starts again.
    pub fn starts_again(&self) {
        let markdown = {
            let mut shown = self.lock();
            shown.starts_again = true;
            body(&shown, "", self.language)
        };
        self.show(markdown);
    }

    /// Shows that something is being written, unless the live message shows more.
    pub fn tick(&self) {
        if !self.lock().visible {
            self.update(None);
        }
    }

    fn show(&self, markdown: String) {
        if !self.is_shown {
            return;
        }
        self.lock().visible = true;
        self.update(Some(markdown));
    }

    fn update(&self, markdown: Option<String>) {
        self.outbox.show(LiveUpdate {
            turn: self.turn,
            address: self.address.clone(),
            markdown,
            button: stop::button(self.turn, self.language),
            reply_to: self.reply_to.clone(),
        });
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Shown> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes an event and returns what to show now, if anything.
    fn take(&self, event: TurnEvent) -> Option<String> {
        let mut shown = self.lock();
        let before = shown.stage.take();
        match event {
            TurnEvent::Starting => {
                shown.stage = Some(messages::starting(self.language).to_owned());
                if shown.stage == before {
                    return None;
                }
            }
            TurnEvent::Reading(percent) => {
                let is_under_way = percent < 100;
                shown.stage = is_under_way.then(|| messages::reading(percent, self.language));
                // Short questions are read at once.
                if !is_under_way || shown.stage == before || self.began.elapsed() < self.patience {
                    return None;
                }
            }
            TurnEvent::Text(text) => {
                shown.text = text;
                let since = shown
                    .text_at
                    .map_or(self.began.elapsed(), |at| at.elapsed());
                let patience = if shown.text_at.is_some() {
                    TEXT_EVERY
                } else {
                    self.patience
                };
                if since < patience {
                    return None;
                }
                shown.text_at = Some(Instant::now());
            }
            // What the model said before its calls stays in view until the next words.
            TurnEvent::StepDone => return None,
            TurnEvent::Joined => shown.joined += 1,
        }
        Some(self.body_of(&shown))
    }

    /// Takes an event of a call and returns what to show now.
    fn take_call(&self, event: CallEvent) -> String {
        let mut shown = self.lock();
        shown.stage = None;
        match event {
            CallEvent::Status(call, status) => {
                match shown.lines.iter_mut().find(|(known, _)| *known == call) {
                    Some((_, line)) => *line = status,
                    None => shown.lines.push((call, status)),
                }
            }
            CallEvent::Planned(call, steps) => {
                // The plan itself says it.
                shown
                    .lines
                    .retain(|(known, _)| Some(known) != call.as_ref());
                shown.plan = steps;
            }
        }
        self.body_of(&shown)
    }

    fn body_of(&self, shown: &Shown) -> String {
        // Its last word may be half of a secret, until the rest comes.
        let text = self.outbox.redactor().redact_unfinished(&shown.text);
        body(shown, &text, self.language)
    }
}

impl CallEvents for LiveMessage {
    fn call(&self, event: CallEvent) {
        let markdown = self.take_call(event);
        self.show(markdown);
    }
}

impl TurnEvents for LiveMessage {
    fn emit(&self, event: TurnEvent) {
        if let Some(markdown) = self.take(event) {
            self.show(markdown);
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
        let _ = writeln!(body, "- … {hidden}");
    }
    for (_, status) in shown.lines.iter().skip(hidden) {
        let _ = writeln!(body, "{}", messages::tool_line(status));
    }
    if shown.joined > 0 {
        let _ = writeln!(body, "{}", messages::added(shown.joined, language));
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
