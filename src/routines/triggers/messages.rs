//! What people read about what starts a routine besides the clock, and what its run reads of it.

use sayso_channel::{Language, text};
use sayso_core::transcript::RoutineId;

use super::trial::Trial;
use super::trigger::Trigger;
use super::webhooks::Webhooks;
use crate::routines::messages::with_notes;

/// When a routine starts, in a few words: `when a file … changes`.
pub fn when(trigger: &Trigger, language: Language) -> String {
    match trigger {
        Trigger::File { glob } => text!(language, "triggers-when-file", glob),
        Trigger::Words { words } => {
            let words = listed(words, language);
            text!(language, "triggers-when-words", words)
        }
        Trigger::Webhook => text!(language, "triggers-when-webhook").to_owned(),
    }
}

fn listed(words: &[String], language: Language) -> String {
    let quoted: Vec<String> = words.iter().map(|it| format!("“{it}”")).collect();
    quoted.join(text!(language, "list-names"))
}

/// What stands on the card: when it would start, how often, and what would have started it.
pub(super) fn card(trigger: &Trigger, trial: &Trial, most: usize, language: Language) -> String {
    let when = when(trigger, language);
    let starts = text!(language, "triggers-card", when, most = most as i64);
    format!("{starts}\n{}", tried(trigger, trial, language))
}

/// What would have started it.
fn tried(trigger: &Trigger, trial: &Trial, language: Language) -> String {
    let (looked, matching) = (trial.looked_at as i64, trial.matching as i64);
    let shown = trial.shown.join(text!(language, "list-sentences"));
    match (trigger, looked, matching) {
        (Trigger::File { .. }, 0, _) => text!(language, "triggers-tried-no-files").to_owned(),
        (Trigger::File { .. }, _, 0) => text!(language, "triggers-tried-files-none", looked),
        (Trigger::File { .. }, _, _) => {
            text!(language, "triggers-tried-files", looked, matching, shown)
        }
        (Trigger::Words { .. }, 0, _) => text!(language, "triggers-tried-no-words").to_owned(),
        (Trigger::Words { .. }, _, 0) => text!(language, "triggers-tried-words-none", looked),
        (Trigger::Words { .. }, _, _) => {
            text!(language, "triggers-tried-words", looked, matching, shown)
        }
        (Trigger::Webhook, _, _) => text!(language, "triggers-tried-webhook").to_owned(),
    }
}

/// What the model is informed of about the trial: numbers, and no text of others.
pub(in crate::routines) fn tried_for_model(trial: &Trial) -> String {
    format!(
        "of the last {} events {} would have started it",
        trial.looked_at, trial.matching
    )
}

/// Something was kept.
pub(super) fn kept(trigger: &Trigger, words: &str, trial: &Trial, language: Language) -> String {
    let when = when(trigger, language);
    let said = text!(language, "triggers-kept", when, words);
    with_notes(&said, &tried(trigger, trial, language), language)
}

/// How a webhook is called. Nothing else shows its key.
pub(super) fn webhook(id: RoutineId, key: &str, language: Language) -> String {
    let path = Webhooks::path_of(id);
    text!(language, "triggers-webhook", path, key)
}

/// What a run reads of what started it; `unread` is how many further events it does not read.
pub(super) fn happened(events: &[String], unread: i64, language: Language) -> String {
    let mut parts: Vec<String> = events
        .iter()
        .map(|event| {
            let lines = event.lines().map(|line| format!("> {line}"));
            lines.collect::<Vec<_>>().join("\n")
        })
        .collect();
    if unread > 0 {
        parts.push(text!(language, "triggers-unread", unread));
    }
    format!(
        "{}\n\n{}",
        text!(language, "triggers-happened"),
        parts.join("\n\n")
    )
}

/// In the place of an event that gives orders to a model.
pub(super) fn withheld(language: Language) -> &'static str {
    text!(language, "triggers-withheld")
}

/// An event that is longer than what is shown of it; lengths are in characters.
pub(super) fn cut(beginning: &str, shown: usize, all: usize, language: Language) -> String {
    let note = text!(
        language,
        "triggers-cut",
        shown = shown as i64,
        all = all as i64
    );
    format!("{beginning}\n{note}")
}
