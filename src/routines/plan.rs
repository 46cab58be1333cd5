//! What becomes of a routine that is due: a pure function of the routine and the present time, so that
//! every rule about late, missed and overlapping runs can be tried without a clock.

use std::time::Duration;

use sayso_store::routines::{NextDue, RoutineKind};

use super::timetable::Timetable;

/// From this lateness on, what comes says that it is late, in milliseconds.
pub const LATE_MS: i64 = 120_000;
/// The longest time after which a missed run is made up for, where that goes by its period.
const HALF_PERIOD_MS: i64 = 12 * 60 * 60 * 1000;

/// What becomes of the newest run of a routine that was missed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Late {
    /// It is made up for within half the time to the next occurrence, and within 12 hours.
    Half,
    /// It is not made up for.
    Skip,
    /// It is made up for within this time.
    Within(Duration),
}

impl Late {
    /// Reads what [`Late::as_text`] writes: `half`, `skip`, or a time such as `6h`, `90m`.
    pub fn named(text: &str) -> Option<Self> {
        match text.trim() {
            "half" => Some(Self::Half),
            "skip" => Some(Self::Skip),
            time => {
                let unit = time.chars().last()?;
                let number: u64 = time[..time.len() - unit.len_utf8()].trim().parse().ok()?;
                let minutes = match unit {
                    'm' => number,
                    'h' => number.checked_mul(60)?,
                    'd' => number.checked_mul(24 * 60)?,
                    _ => return None,
                };
                let in_range = (1..=366 * 24 * 60).contains(&minutes);
                in_range.then(|| Self::Within(Duration::from_secs(minutes * 60)))
            }
        }
    }

    /// Returns how it is kept.
    pub fn as_text(self) -> String {
        match self {
            Self::Half => "half".to_owned(),
            Self::Skip => "skip".to_owned(),
            Self::Within(time) => match time.as_secs() / 60 {
                minutes if minutes.is_multiple_of(60) => format!("{}h", minutes / 60),
                minutes => format!("{minutes}m"),
            },
        }
    }

    fn window_ms(self, period_ms: Option<i64>) -> i64 {
        match self {
            Self::Half => {
                period_ms.map_or(HALF_PERIOD_MS, |period| (period / 2).min(HALF_PERIOD_MS))
            }
            Self::Skip => 0,
            Self::Within(time) => i64::try_from(time.as_millis()).unwrap_or(i64::MAX),
        }
    }
}

/// A routine that is due.
#[derive(Debug, Clone, Copy)]
pub struct DueRoutine<'a> {
    /// What an occurrence does.
    pub kind: RoutineKind,
    /// Its occurrences.
    pub timetable: &'a Timetable,
    /// The first occurrence of which nothing has become yet.
    pub due_ms: i64,
    /// By how much its runs are put off, so that not all routines start at once.
    pub spread_ms: i64,
    /// What becomes of a missed run.
    pub late: Late,
    /// Whether a run of it is not over.
    pub is_open: bool,
}

/// What becomes of an occurrence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It is said, or its turn begins.
    Starts {
        /// Whether it says that it is late.
        is_late: bool,
    },
    /// It came too late.
    Missed,
    /// The run before it is not over.
    Overlapped,
}

/// An occurrence, or several that were missed in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlannedRun {
    /// When it was due.
    pub due_ms: i64,
    /// What becomes of it.
    pub fate: Fate,
    /// How many occurrences it stands for.
    pub occurrences: i64,
    /// When the last of them was due, where they are several.
    pub until_ms: Option<i64>,
}

/// What becomes of a routine that is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The occurrences that have come, oldest first: at most what was missed, and the newest.
    pub runs: Vec<PlannedRun>,
    /// When it is due next.
    pub next: Option<NextDue>,
}

/// Plans what is done about a routine whose start has come.
pub fn plan(due: &DueRoutine<'_>, now_ms: i64) -> Plan {
    let passed = due.timetable.passed(due.due_ms, now_ms - due.spread_ms);
    let newest = PlannedRun {
        due_ms: passed.last_ms,
        fate: fate(due, passed.last_ms, passed.next_ms, now_ms),
        occurrences: 1,
        until_ms: None,
    };
    let missed = PlannedRun {
        due_ms: due.due_ms,
        fate: Fate::Missed,
        occurrences: passed.count - 1,
        until_ms: passed.before_last_ms,
    };
    let runs = match (newest.fate, passed.count) {
        (_, 1) => vec![newest],
        (Fate::Missed, count) => vec![PlannedRun {
            occurrences: count,
            until_ms: Some(passed.last_ms),
            ..missed
        }],
        (Fate::Starts { .. } | Fate::Overlapped, _) => vec![missed, newest],
    };
    Plan {
        runs,
        next: passed.next_ms.map(|next| start(next, due.spread_ms)),
    }
}

/// Returns when an occurrence is started.
pub fn start(due_ms: i64, spread_ms: i64) -> NextDue {
    NextDue {
        due_ms,
        next_ms: due_ms + spread_ms,
    }
}

/// Returns by how much the runs of a routine are put off: always by the same, by its number.
pub fn spread_of(id: i64, kind: RoutineKind, is_once: bool, spread: Duration) -> i64 {
    let span = i64::try_from(spread.as_millis()).unwrap_or_default();
    match kind {
        RoutineKind::Turn if !is_once && span > 0 => {
            // Fibonacci hashing: ids that follow each other come to lie far apart.
            let mixed = id.cast_unsigned().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 1;
            mixed.cast_signed() % span
        }
        RoutineKind::Turn | RoutineKind::Remind => 0,
    }
}

fn fate(due: &DueRoutine<'_>, due_ms: i64, following_ms: Option<i64>, now_ms: i64) -> Fate {
    let late_ms = now_ms - due_ms - due.spread_ms;
    let is_late = late_ms > LATE_MS;
    if due.kind == RoutineKind::Remind || due.timetable.is_once() {
        return Fate::Starts { is_late };
    }
    let window_ms = due.late.window_ms(following_ms.map(|next| next - due_ms));
    if is_late && late_ms > window_ms {
        Fate::Missed
    } else if due.is_open {
        Fate::Overlapped
    } else {
        Fate::Starts { is_late }
    }
}
