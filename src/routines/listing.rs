//! Routines and reminders as the tools list them for the model.

use sayso_channel::Language;
use sayso_store::routine_runs::RunRow;
use sayso_store::routines::{RoutineKind, RoutineRow};

use super::timetable::by_clock;
use super::triggers::Trigger;
use super::triggers::messages::when as trigger_in_words;

/// How a moment is written.
const MOMENT: &str = "%Y-%m-%d %H:%M";

/// Lists them, one line each.
pub fn listed(rows: &[RoutineRow]) -> String {
    if rows.is_empty() {
        return "no routines".to_owned();
    }
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Returns one in a line.
pub fn line(row: &RoutineRow) -> String {
    let kind = match row.kind {
        RoutineKind::Remind => "reminder: ",
        RoutineKind::Turn => "",
    };
    let name = match row.name.as_str() {
        "" => String::new(),
        name => format!("{name}: "),
    };
    let state = match (row.enabled, row.due_ms) {
        (false, _) => "off".to_owned(),
        (true, None) if row.source.is_some() => "waits for that".to_owned(),
        (true, Some(due)) => format!("due {}", moment(due, &row.zone)),
        (true, None) => "over".to_owned(),
    };
    let starts = match Trigger::of(row) {
        Some(trigger) => trigger_in_words(&trigger, Language::English),
        None => row.schedule.clone(),
    };
    format!(
        "- {kind}{name}{} (id {}; {starts}; {state})",
        row.prompt, row.id
    )
}

/// Returns one with what became of its last occurrences.
pub fn shown(row: &RoutineRow, runs: &[RunRow]) -> String {
    let mut lines = vec![line(row)];
    lines.extend(runs.iter().map(|run| {
        let count = match run.occurrences {
            1 => String::new(),
            count => format!(" ({count} occurrences)"),
        };
        let why = run.why.as_deref().map(|why| format!(": {why}"));
        format!(
            "  {} {}{count}{}",
            moment(run.due_ms, &row.zone),
            run.state.as_str(),
            why.unwrap_or_default()
        )
    }));
    lines.join("\n")
}

/// Returns a moment by the clock of a zone, with the zone.
fn moment(at_ms: i64, zone: &str) -> String {
    let there = zone.parse().ok().and_then(|zone| by_clock(at_ms, zone));
    there.map_or_else(String::new, |there| {
        format!("{} {zone}", there.format(MOMENT))
    })
}
