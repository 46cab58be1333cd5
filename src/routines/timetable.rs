//! The occurrences of a routine: its schedule, by the clock of its zone. Pure: the present time is an
//! argument.
//!
//! What a schedule means, also where a clock is set forward or back, is `core/when`'s.

use chrono::{DateTime, TimeZone as _, Utc};
use chrono_tz::Tz;
use sayso_core::when::{Rule, Schedule};
use sayso_store::routines::RoutineRow;

/// How many occurrences are counted one by one; a longer row of them is counted as this many.
const COUNTED: i64 = 2_000;
const MINUTE_MS: i64 = 60_000;

/// When a routine is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timetable {
    schedule: Schedule,
    zone: Tz,
    /// From where intervals are counted, in milliseconds since 1970.
    anchor_ms: i64,
}

/// Occurrences that came one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Passed {
    /// How many, counted up to a limit; at least one.
    pub count: i64,
    /// The one before the last, where there are two.
    pub before_last_ms: Option<i64>,
    /// The last one.
    pub last_ms: i64,
    /// The one that follows, if any does.
    pub next_ms: Option<i64>,
}

impl Timetable {
    /// Returns the timetable of a schedule.
    pub fn new(schedule: Schedule, zone: Tz, anchor_ms: i64) -> Self {
        Self {
            schedule,
            zone,
            anchor_ms,
        }
    }

    /// Returns the timetable of a routine; `None` where its schedule or its zone is one of another
    /// version.
    pub fn of(row: &RoutineRow) -> Option<Self> {
        let schedule = Schedule::stored(&row.schedule)?;
        Some(Self::new(schedule, row.zone.parse().ok()?, row.anchor_ms))
    }

    /// Returns its rule.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// Returns by whose clock it goes.
    pub fn zone(&self) -> Tz {
        self.schedule.zone.unwrap_or(self.zone)
    }

    /// Returns from where intervals are counted, in milliseconds since 1970.
    pub fn anchor_ms(&self) -> i64 {
        self.anchor_ms
    }

    /// Returns whether it comes once only.
    pub fn is_once(&self) -> bool {
        matches!(self.schedule.rule, Rule::Once(_))
    }

    /// Returns the first occurrence after a time, both in milliseconds since 1970.
    pub fn next_after(&self, after_ms: i64) -> Option<i64> {
        if let Rule::Every {
            minutes,
            from: None,
        } = self.schedule.rule
        {
            return self.next_interval(minutes, after_ms);
        }
        let after = DateTime::<Utc>::from_timestamp_millis(after_ms)?;
        let next = self.schedule.next_after(&after.with_timezone(&self.zone))?;
        Some(next.timestamp_millis())
    }

    /// Returns the next time at which a whole number of intervals has passed since the anchor; also
    /// where a clock was set back to before it.
    fn next_interval(&self, minutes: i64, after_ms: i64) -> Option<i64> {
        let period = minutes.checked_mul(MINUTE_MS).filter(|it| *it > 0)?;
        let passed = after_ms.checked_sub(self.anchor_ms)?.div_euclid(period);
        let steps = passed.checked_add(1)?.max(1);
        self.anchor_ms.checked_add(steps.checked_mul(period)?)
    }

    /// Returns the next few occurrences after a time.
    pub fn next_few(&self, after_ms: i64, count: usize) -> Vec<i64> {
        let first = self.next_after(after_ms);
        let rest = std::iter::successors(first, |last| self.next_after(*last));
        rest.take(count).collect()
    }

    /// Returns what came from an occurrence up to a time, that occurrence included.
    pub fn passed(&self, first_ms: i64, until_ms: i64) -> Passed {
        let mut passed = Passed {
            count: 1,
            before_last_ms: None,
            last_ms: first_ms,
            next_ms: self.next_after(first_ms),
        };
        let mut jumped = false;
        while let Some(next) = passed.next_ms.filter(|next| *next <= until_ms) {
            if passed.count == COUNTED && !jumped {
                jumped = true;
                passed.last_ms = self.shortly_before(until_ms, passed.last_ms);
                passed.next_ms = self.next_after(passed.last_ms);
            } else {
                passed.count = (passed.count + 1).min(COUNTED);
                passed.before_last_ms = Some(passed.last_ms);
                passed.last_ms = next;
                passed.next_ms = self.next_after(next);
            }
        }
        passed
    }

    /// Returns an occurrence that is followed by another one up to a time: found from there backwards,
    /// in steps that double. `known_ms` is one too.
    fn shortly_before(&self, until_ms: i64, known_ms: i64) -> i64 {
        let mut back = MINUTE_MS;
        while until_ms - back > known_ms {
            let found = self.next_after(until_ms - back);
            let follows = found.and_then(|found| self.next_after(found));
            if let (Some(found), Some(follows)) = (found, follows)
                && follows <= until_ms
            {
                return found;
            }
            back *= 2;
        }
        known_ms
    }
}

/// Returns a moment by the clock of a zone.
pub fn by_clock(at_ms: i64, zone: Tz) -> Option<DateTime<Tz>> {
    zone.timestamp_millis_opt(at_ms).single()
}
