//! What `/routines` says.

use sayso_channel::Language::{self, Chinese, English};
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
        return match language {
            English => "You have no routines here. Ask for one: “every weekday at 9, …”.",
            Chinese => "你在这里没有例行任务。可以直接说：“每个工作日9点……”。",
        }
        .to_owned();
    }
    let lines: Vec<String> = rows
        .iter()
        .zip(1..)
        .map(|(row, number)| line(row, number, language))
        .collect();
    let (head, note) = match language {
        English => (
            "**Your routines** (paused)",
            "I keep them and cannot run them yet.",
        ),
        Chinese => ("**你的例行任务**（已暂停）", "已经记下，目前还不会运行。"),
    };
    format!("{head}\n{}\n\n{note}", lines.join("\n"))
}

fn line(row: &RoutineRow, number: usize, language: Language) -> String {
    let prompt = row.prompt.split_whitespace().collect::<Vec<_>>().join(" ");
    let prompt = match first_chars(&prompt, PROMPT_CHARS) {
        Some(kept) => format!("{kept}…"),
        None => prompt,
    };
    let state = match (row.enabled, row.next_ms, language) {
        (false, _, English) => " (off)",
        (false, _, Chinese) => "（已停用）",
        (true, None, English) => " (over)",
        (true, None, Chinese) => "（已结束）",
        (true, Some(_), English | Chinese) => "",
    };
    let when =
        schedule_in_words(&row.schedule, language).unwrap_or_else(|| format!("`{}`", row.schedule));
    match language {
        English => format!("{number}. {when}: {prompt}{state}"),
        Chinese => format!("{number}. {when}：{prompt}{state}"),
    }
}

/// The label of a button.
pub fn routine_button(does: RoutineButton, number: usize, language: Language) -> String {
    let word = match (does, language) {
        (RoutineButton::On, English) => "Switch on",
        (RoutineButton::On, Chinese) => "启用",
        (RoutineButton::Off, English) => "Switch off",
        (RoutineButton::Off, Chinese) => "停用",
        (RoutineButton::Delete, English) => "Delete",
        (RoutineButton::Delete, Chinese) => "删除",
    };
    format!("{word} {number}")
}

/// After a press.
pub fn routine_done(does: RoutineButton, language: Language) -> String {
    match (does, language) {
        (RoutineButton::On, English) => "It is on.",
        (RoutineButton::On, Chinese) => "已启用。",
        (RoutineButton::Off, English) => "It is off.",
        (RoutineButton::Off, Chinese) => "已停用。",
        (RoutineButton::Delete, English) => "Deleted.",
        (RoutineButton::Delete, Chinese) => "已删除。",
    }
    .to_owned()
}

/// A press on what is not due any more.
pub fn routine_is_over(language: Language) -> String {
    match language {
        English => "Its time is over. Ask me for another one.",
        Chinese => "它的时间已经过了，请重新设一个。",
    }
    .to_owned()
}
