//! What `/routines` says.

use sayso_channel::Language;
use sayso_channel::text;
use sayso_core::transcript::first_chars;
use sayso_core::when::schedule_in_words;
use sayso_store::routines::RoutineRow;

/// The most of a routine in a list, in characters.
const PROMPT_CHARS: usize = 120;

/// What a button of the list does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoutineButton {
    /// Switches a routine on.
    On,
    /// Switches it off.
    Off,
    /// Deletes it.
    Delete,
}

/// `/routines`: all of them by number, and that nothing runs them yet.
pub fn routines(rows: &[RoutineRow], language: Language) -> String {
    if rows.is_empty() {
        return text!(language, "commands-routines").to_owned();
    }
    let lines: Vec<String> = rows
        .iter()
        .zip(1..)
        .map(|(row, number)| line(row, number, language))
        .collect();
    let head = text!(language, "commands-routines-head");
    let note = text!(language, "commands-routines-note");
    format!("{head}\n{}\n\n{note}", lines.join("\n"))
}

fn line(row: &RoutineRow, number: usize, language: Language) -> String {
    let prompt = row.prompt.split_whitespace().collect::<Vec<_>>().join(" ");
    let prompt = match first_chars(&prompt, PROMPT_CHARS) {
        Some(kept) => format!("{kept}…"),
        None => prompt,
    };
    let state = match (row.enabled, row.next_ms) {
        (false, _) => text!(language, "commands-routines-line-off"),
        (true, None) => text!(language, "commands-routines-line-over"),
        (true, Some(_)) => "",
    };
    let when =
        schedule_in_words(&row.schedule, language).unwrap_or_else(|| format!("`{}`", row.schedule));
    text!(
        language,
        "commands-routines-line",
        number,
        when,
        prompt,
        state
    )
}

/// The label of a button.
pub fn routine_button(does: RoutineButton, number: usize, language: Language) -> String {
    let word = match does {
        RoutineButton::On => text!(language, "commands-routines-routine-button-word-on"),
        RoutineButton::Off => text!(language, "commands-routines-routine-button-word-off"),
        RoutineButton::Delete => text!(language, "commands-routines-routine-button-word-delete"),
    };
    format!("{word} {number}")
}

/// After a press.
pub fn routine_done(does: RoutineButton, language: Language) -> String {
    match does {
        RoutineButton::On => text!(language, "commands-routines-routine-done-on"),
        RoutineButton::Off => text!(language, "commands-routines-routine-done-off"),
        RoutineButton::Delete => text!(language, "commands-routines-routine-done-delete"),
    }
    .to_owned()
}

/// A press on what is not due any more.
pub fn routine_is_over(language: Language) -> String {
    text!(language, "commands-routines-routine-is-over").to_owned()
}
