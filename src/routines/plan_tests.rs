//! What becomes of routines that are due: late, missed, overlapping and spread ones, without a clock.

use std::time::Duration;

use chrono_tz::Tz;
use proptest::prelude::*;
use sayso_core::when::Schedule;
use sayso_store::routines::RoutineKind::{self, Remind, Turn};

use super::plan::{DueRoutine, Fate, LATE_MS, Late, Plan, PlannedRun, plan, spread_of, start};
use super::timetable::Timetable;

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;
/// 2026-11-19 00:00 UTC.
const DAY: i64 = 1_795_046_400_000;

fn hourly() -> Timetable {
    Timetable::new(Schedule::stored("0 * * * *").unwrap(), Tz::UTC, DAY)
}

fn due(kind: RoutineKind, timetable: &Timetable) -> DueRoutine<'_> {
    DueRoutine {
        kind,
        timetable,
        due_ms: DAY + HOUR,
        spread_ms: 0,
        late: Late::Half,
        is_open: false,
    }
}

fn one(due_ms: i64, fate: Fate) -> PlannedRun {
    PlannedRun {
        due_ms,
        fate,
        occurrences: 1,
        until_ms: None,
    }
}

const ON_TIME: Fate = Fate::Starts { is_late: false };
const LATE: Fate = Fate::Starts { is_late: true };

#[test]
fn what_is_due_now_starts_and_the_next_one_follows() {
    let timetable = hourly();
    for kind in [Remind, Turn] {
        for after in [0, LATE_MS] {
            let plan = plan(&due(kind, &timetable), DAY + HOUR + after);
            assert_eq!(plan.runs, [one(DAY + HOUR, ON_TIME)]);
            assert_eq!(plan.next, Some(start(DAY + 2 * HOUR, 0)));
        }
    }
}

#[test]
fn row_6_a_reminder_comes_however_late_and_says_so() {
    let timetable = hourly();
    let plan = plan(&due(Remind, &timetable), DAY + 10 * HOUR + 5 * MINUTE);
    let missed = PlannedRun {
        due_ms: DAY + HOUR,
        fate: Fate::Missed,
        occurrences: 9,
        until_ms: Some(DAY + 9 * HOUR),
    };
    assert_eq!(plan.runs, [missed, one(DAY + 10 * HOUR, LATE)]);
    let once = Timetable::new(
        Schedule::stored("at 2026-11-19 01:00").unwrap(),
        Tz::UTC,
        DAY,
    );
    for kind in [Remind, Turn] {
        let plan = super::plan::plan(&due(kind, &once), DAY + 4000 * HOUR);
        assert_eq!(plan.runs, [one(DAY + HOUR, LATE)], "{kind:?}");
        assert_eq!(plan.next, None);
    }
}

#[test]
fn row_5_a_missed_run_is_made_up_for_within_its_window_or_not_at_all() {
    let timetable = hourly();
    let now = DAY + 5 * HOUR;
    let table = [
        (Late::Half, 29 * MINUTE, true),
        (Late::Half, 31 * MINUTE, false),
        (Late::Skip, 3 * MINUTE, false),
        (Late::Skip, MINUTE, true),
        (Late::Within(Duration::from_mins(10)), 9 * MINUTE, true),
        (Late::Within(Duration::from_mins(10)), 11 * MINUTE, false),
    ];
    for (late, after, runs) in table {
        let due = DueRoutine {
            late,
            ..due(Turn, &timetable)
        };
        let Plan { runs: planned, .. } = plan(&due, now + after);
        let newest = planned.last().unwrap();
        assert_eq!(newest.fate != Fate::Missed, runs, "{late:?} {after}");
        let occurrences: i64 = planned.iter().map(|run| run.occurrences).sum();
        assert_eq!(occurrences, 5);
    }
}

#[test]
fn row_9_a_run_that_is_not_over_leaves_out_the_next_one() {
    let timetable = hourly();
    let open = DueRoutine {
        is_open: true,
        ..due(Turn, &timetable)
    };
    let plan = plan(&open, DAY + HOUR + MINUTE);
    assert_eq!(plan.runs, [one(DAY + HOUR, Fate::Overlapped)]);
    assert_eq!(plan.next, Some(start(DAY + 2 * HOUR, 0)));
}

#[test]
fn row_39_runs_of_models_are_spread_and_reminders_are_exact() {
    let minute = Duration::from_mins(1);
    let spread: Vec<i64> = (0..1000)
        .map(|id| spread_of(id, Turn, false, minute))
        .collect();
    assert!(spread.iter().all(|ms| (0..MINUTE).contains(ms)));
    // In each of six parts of the minute there is about a sixth of them.
    for part in 0..6 {
        let within = spread.iter().filter(|ms| **ms / 10_000 == part).count();
        assert!((100..=240).contains(&within), "{part}: {within}");
    }
    assert_eq!(
        spread_of(7, Turn, false, minute),
        spread_of(7, Turn, false, minute)
    );
    for exact in [
        spread_of(7, Remind, false, minute),
        spread_of(7, Turn, true, minute),
        spread_of(7, Turn, false, Duration::ZERO),
    ] {
        assert_eq!(exact, 0);
    }
}

#[test]
fn how_late_a_run_may_be_is_read_back() {
    for text in ["half", "skip", "6h", "90m", "48h"] {
        assert_eq!(Late::named(text).unwrap().as_text(), text);
    }
    assert_eq!(Late::named("2d").unwrap().as_text(), "48h");
    for text in [
        "",
        "later",
        "6",
        "h",
        "0h",
        "-1h",
        "6x",
        "99999999999999999999h",
        "六h",
    ] {
        assert_eq!(Late::named(text), None, "{text}");
    }
}

proptest! {
    /// Rows 2 and 3: no occurrence without a row, none in two, and what is next lies ahead.
    #[test]
    fn every_occurrence_up_to_now_is_in_one_run(
        minutes in 1_i64..3_000,
        step in 1_i64..180,
        kind in prop::sample::select(vec![Remind, Turn]),
        late in prop::sample::select(vec![Late::Half, Late::Skip, Late::Within(Duration::from_hours(2))]),
        is_open in any::<bool>(),
        spread_secs in 0_i64..60,
    ) {
        let timetable = Timetable::new(Schedule::every(step), Tz::UTC, DAY);
        let first = timetable.next_after(DAY).unwrap();
        let spread_ms = if kind == Turn { spread_secs * 1000 } else { 0 };
        let now = first + spread_ms + minutes * MINUTE;
        let due = DueRoutine { kind, timetable: &timetable, due_ms: first, spread_ms, late, is_open };
        let Plan { runs, next } = plan(&due, now);
        let expected: Vec<i64> = std::iter::successors(Some(first), |at| timetable.next_after(*at))
            .take_while(|at| at + spread_ms <= now)
            .collect();
        let occurrences: i64 = runs.iter().map(|run| run.occurrences).sum();
        // More are not counted one by one.
        prop_assert_eq!(occurrences, (expected.len() as i64).min(2_000));
        prop_assert_eq!(runs.first().unwrap().due_ms, first);
        let last = runs.last().unwrap();
        prop_assert_eq!(last.until_ms.unwrap_or(last.due_ms), *expected.last().unwrap());
        let next = next.unwrap();
        prop_assert!(next.next_ms > now);
        prop_assert_eq!(Some(next.due_ms), timetable.next_after(*expected.last().unwrap()));
        // At most one starts, and it is the newest.
        let starts = runs.iter().filter(|run| matches!(run.fate, Fate::Starts { .. })).count();
        prop_assert!(starts <= 1);
        prop_assert!(!(is_open && kind == Turn && starts > 0));
    }
}
