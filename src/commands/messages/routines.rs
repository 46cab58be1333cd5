//! What `/routines` and `/reminders` say.

use chrono_tz::Tz;
use sayso_channel::{Language, text};
use sayso_core::transcript::first_chars;
use sayso_core::when::schedule_in_words;
use sayso_store::routine_runs::{RunRow, RunState};
use sayso_store::routines::{OffReason, RoutineKind, RoutineRow};

use crate::routines::by_clock;
use crate::routines::messages::{moment, moment_in_zone};
use crate::routines::{Timetable, Trigger, messages, trigger_in_words};

/// The most of a routine in a list, in characters.
const PROMPT_CHARS: usize = 120;
/// How many of the next times are shown of one.
const NEXT: usize = 3;

/// What a button below a routine does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoutineButton {
    /// Runs it now.
    Run,
    /// Switches it on.
    On,
    /// Switches it off.
    Off,
    /// Deletes it.
    Delete,
}

impl RoutineButton {
    /// Every one.
    pub const ALL: [Self; 4] = [Self::Run, Self::On, Self::Off, Self::Delete];

    /// Returns what a button carries.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::On => "on",
            Self::Off => "off",
            Self::Delete => "delete",
        }
    }

    /// Returns the button that carries this.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.as_str() == name)
    }
}

/// A list: all of one kind by number.
pub fn routines(kind: RoutineKind, rows: &[RoutineRow], language: Language) -> String {
    if rows.is_empty() {
        return match kind {
            RoutineKind::Turn => text!(language, "routines-none"),
            RoutineKind::Remind => text!(language, "routines-no-reminders"),
        }
        .to_owned();
    }
    let lines: Vec<String> = rows
        .iter()
        .zip(1..)
        .map(|(row, number)| line(row, number, language))
        .collect();
    let head = match kind {
        RoutineKind::Turn => text!(language, "routines-list"),
        RoutineKind::Remind => text!(language, "routines-list-reminders"),
    };
    format!("{head}\n{}", lines.join("\n"))
}

fn line(row: &RoutineRow, number: usize, language: Language) -> String {
    let words = match row.name.as_str() {
        "" => beginning(&row.prompt),
        name => name.to_owned(),
    };
    let (when, state) = (rule(row, language), state(row, language));
    text!(language, "routines-list-line", number, when, words, state)
}

fn beginning(prompt: &str) -> String {
    let prompt = prompt.split_whitespace().collect::<Vec<_>>().join(" ");
    match first_chars(&prompt, PROMPT_CHARS) {
        Some(kept) => format!("{kept}…"),
        None => prompt,
    }
}

/// Returns when it is due: its rule in words, or its moment.
fn rule(row: &RoutineRow, language: Language) -> String {
    if let Some(trigger) = Trigger::of(row) {
        return trigger_in_words(&trigger, language);
    }
    let is_once = Timetable::of(row).is_some_and(|it| it.is_once());
    let due = row.due_ms.filter(|_| is_once);
    if let Some(due) = due.and_then(|due| by_clock(due, zone_of(row))) {
        return moment(due, language);
    }
    schedule_in_words(&row.schedule, language).unwrap_or_else(|| format!("`{}`", row.schedule))
}

fn zone_of(row: &RoutineRow) -> Tz {
    row.zone.parse().unwrap_or(Tz::UTC)
}

fn state(row: &RoutineRow, language: Language) -> &'static str {
    match (row.enabled, row.is_to_come(), row.off_why) {
        (true, true, _) => "",
        (true, false, _) => text!(language, "routines-state-over"),
        (false, _, None) => text!(language, "routines-state-off"),
        (false, _, Some(OffReason::Failures)) => text!(language, "routines-state-failures"),
        (false, _, Some(OffReason::Undelivered)) => text!(language, "routines-state-undelivered"),
        (false, _, Some(OffReason::Person)) => text!(language, "routines-state-person"),
        (false, _, Some(OffReason::Unreadable)) => text!(language, "routines-state-unreadable"),
    }
}

/// One routine: what, when, the next times, and what became of the last ones.
pub fn routine(row: &RoutineRow, runs: &[RunRow], now_ms: i64, language: Language) -> String {
    let zone = zone_of(row);
    let mut lines = Vec::new();
    if !row.name.is_empty() {
        lines.push(format!("**{}**", row.name));
    }
    lines.push(row.prompt.clone());
    lines.push(format!(
        "{} {}{}",
        if row.source.is_some() { "⚡" } else { "⏰" },
        rule(row, language),
        state(row, language)
    ));
    let is_coming = row.enabled && row.due_ms.is_some();
    if let Some(timetable) = Timetable::of(row).filter(|it| is_coming && !it.is_once()) {
        let next: Vec<String> = timetable
            .next_few(now_ms, NEXT)
            .into_iter()
            .filter_map(|at| by_clock(at, timetable.zone()))
            .map(|at| moment_in_zone(at, language))
            .collect();
        let times = next.join(text!(language, "list-sentences"));
        lines.push(text!(language, "routines-next", times));
    }
    if !runs.is_empty() {
        lines.push(text!(language, "routines-last").to_owned());
        lines.extend(runs.iter().map(|run| run_line(run, zone, language)));
    }
    lines.join("\n")
}

fn run_line(run: &RunRow, zone: Tz, language: Language) -> String {
    let due = by_clock(run.due_ms, zone).map_or_else(String::new, |at| moment(at, language));
    let (count, state) = (run.occurrences, run_state(run.state, language));
    let colon = text!(language, "list-colon");
    let why = run.why.as_deref();
    let why = why.map_or_else(String::new, |why| format!("{colon}{why}"));
    if count == 1 {
        return text!(language, "routines-run", due, state, why);
    }
    text!(language, "routines-runs", due, state, count, why)
}

fn run_state(state: RunState, language: Language) -> &'static str {
    messages::run_state(state, language)
}

/// The label of a button.
pub fn routine_button(does: RoutineButton, language: Language) -> &'static str {
    match does {
        RoutineButton::Run => text!(language, "routines-button-run"),
        RoutineButton::On => text!(language, "routines-button-on"),
        RoutineButton::Off => text!(language, "routines-button-off"),
        RoutineButton::Delete => text!(language, "routines-button-delete"),
    }
}

/// The button that leads back to the list.
pub fn back_button(language: Language) -> &'static str {
    text!(language, "routines-button-back")
}

/// After a press.
pub fn routine_done(does: RoutineButton, language: Language) -> String {
    match does {
        RoutineButton::Run => text!(language, "routines-pressed-run"),
        RoutineButton::On => text!(language, "routines-pressed-on"),
        RoutineButton::Off => text!(language, "routines-pressed-off"),
        RoutineButton::Delete => text!(language, "routines-pressed-delete"),
    }
    .to_owned()
}

/// In the place of the message that said that it was kept.
pub fn routine_deleted(words: &str, language: Language) -> String {
    let words = beginning(words);
    text!(language, "routines-deleted", words)
}

/// A press on what is not due any more.
pub fn routine_is_over(language: Language) -> String {
    text!(language, "routines-is-over").to_owned()
}

/// A press on what runs.
pub fn routine_runs_already(language: Language) -> String {
    text!(language, "routines-runs-already").to_owned()
}
