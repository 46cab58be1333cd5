//! What `/routines` and `/reminders` say.

use chrono_tz::Tz;
use sayso_channel::Language::{self, Chinese, English};
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
        return match (kind, language) {
            (RoutineKind::Turn, English) => {
                "You have no routines here. Ask for one: “every weekday at 9, …”."
            }
            (RoutineKind::Turn, Chinese) => "你在这里没有例行任务。可以直接说：“每个工作日9点……”。",
            (RoutineKind::Remind, English) => {
                "You have no reminders here. Ask for one: “remind me tomorrow at 9 to …”."
            }
            (RoutineKind::Remind, Chinese) => "你在这里没有提醒。可以直接说：“明天9点提醒我……”。",
        }
        .to_owned();
    }
    let lines: Vec<String> = rows
        .iter()
        .zip(1..)
        .map(|(row, number)| line(row, number, language))
        .collect();
    let head = match (kind, language) {
        (RoutineKind::Turn, English) => "**Your routines**",
        (RoutineKind::Turn, Chinese) => "**你的例行任务**",
        (RoutineKind::Remind, English) => "**Your reminders**",
        (RoutineKind::Remind, Chinese) => "**你的提醒**",
    };
    format!("{head}\n{}", lines.join("\n"))
}

fn line(row: &RoutineRow, number: usize, language: Language) -> String {
    let words = match row.name.as_str() {
        "" => beginning(&row.prompt),
        name => name.to_owned(),
    };
    let (when, state) = (rule(row, language), state(row, language));
    match language {
        English => format!("{number}. {when}: {words}{state}"),
        Chinese => format!("{number}. {when}：{words}{state}"),
    }
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
    match (row.enabled, row.is_to_come(), row.off_why, language) {
        (true, true, _, _) => "",
        (true, false, _, English) => " (over)",
        (true, false, _, Chinese) => "（已结束）",
        (false, _, None, English) => " (off)",
        (false, _, None, Chinese) => "（已停用）",
        (false, _, Some(OffReason::Failures), English) => " (off: it failed too often)",
        (false, _, Some(OffReason::Failures), Chinese) => "（已停用：多次失败）",
        (false, _, Some(OffReason::Undelivered), English) => " (off: I could not reach you)",
        (false, _, Some(OffReason::Undelivered), Chinese) => "（已停用：消息无法送达）",
        (false, _, Some(OffReason::Person), English) => " (off: no access)",
        (false, _, Some(OffReason::Person), Chinese) => "（已停用：没有权限）",
        (false, _, Some(OffReason::Unreadable), English) => " (off: it cannot be read)",
        (false, _, Some(OffReason::Unreadable), Chinese) => "（已停用：无法读取）",
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
        lines.push(match language {
            English => format!("Next: {}", next.join("; ")),
            Chinese => format!("接下来：{}", next.join("；")),
        });
    }
    if !runs.is_empty() {
        lines.push(match language {
            English => "Last:".to_owned(),
            Chinese => "最近：".to_owned(),
        });
        lines.extend(runs.iter().map(|run| run_line(run, zone, language)));
    }
    lines.join("\n")
}

fn run_line(run: &RunRow, zone: Tz, language: Language) -> String {
    let due = by_clock(run.due_ms, zone).map_or_else(String::new, |at| moment(at, language));
    let (count, state) = (run.occurrences, run_state(run.state, language));
    let why = match (run.why.as_deref(), language) {
        (None, _) => String::new(),
        (Some(why), English) => format!(": {why}"),
        (Some(why), Chinese) => format!("：{why}"),
    };
    match (count, language) {
        (1, English | Chinese) => format!("• {due} {state}{why}"),
        (_, English) => format!("• {due} {state} ({count} times){why}"),
        (_, Chinese) => format!("• {due} {state}（{count}次）{why}"),
    }
}

fn run_state(state: RunState, language: Language) -> &'static str {
    messages::run_state(state, language)
}

/// The label of a button.
pub fn routine_button(does: RoutineButton, language: Language) -> &'static str {
    match (does, language) {
        (RoutineButton::Run, English) => "Run now",
        (RoutineButton::Run, Chinese) => "立即运行",
        (RoutineButton::On, English) => "Switch on",
        (RoutineButton::On, Chinese) => "启用",
        (RoutineButton::Off, English) => "Switch off",
        (RoutineButton::Off, Chinese) => "停用",
        (RoutineButton::Delete, English) => "Delete",
        (RoutineButton::Delete, Chinese) => "删除",
    }
}

/// The button that leads back to the list.
pub fn back_button(language: Language) -> &'static str {
    match language {
        English => "Back",
        Chinese => "返回",
    }
}

/// After a press.
pub fn routine_done(does: RoutineButton, language: Language) -> String {
    match (does, language) {
        (RoutineButton::Run, English) => "It runs.",
        (RoutineButton::Run, Chinese) => "开始运行。",
        (RoutineButton::On, English) => "It is on.",
        (RoutineButton::On, Chinese) => "已启用。",
        (RoutineButton::Off, English) => "It is off.",
        (RoutineButton::Off, Chinese) => "已停用。",
        (RoutineButton::Delete, English) => "Deleted.",
        (RoutineButton::Delete, Chinese) => "已删除。",
    }
    .to_owned()
}

/// In the place of the message that said that it was kept.
pub fn routine_deleted(words: &str, language: Language) -> String {
    let words = beginning(words);
    match language {
        English => format!("🗑 Deleted: {words}"),
        Chinese => format!("🗑 已删除：{words}"),
    }
}

/// A press on what is not due any more.
pub fn routine_is_over(language: Language) -> String {
    match language {
        English => "Its time is over. Ask me for another one.",
        Chinese => "它的时间已经过了，请重新设一个。",
    }
    .to_owned()
}

/// A press on what runs.
pub fn routine_runs_already(language: Language) -> String {
    match language {
        English => "A run of it is not over yet.",
        Chinese => "它的上一次运行还没结束。",
    }
    .to_owned()
}
