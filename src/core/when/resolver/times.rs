//! Times of the day: what an hour means without its half, and a part of the day without its hour.
//!
//! A day without an hour is 09:00; morning 09:00, noon 12:00, afternoon 15:00, evening 18:00, night
//! 20:00; midnight ends its day. An hour from 1 to 12 without its half is, today, the nearest ahead;
//! on another day 1 to 6 are in the afternoon and 7 to 11 in the morning. At night 1 to 5 belong to
//! the next day.

use chrono::NaiveTime;

use crate::when::expression::{Clock, Half, Part};
use crate::when::groups::TimeOfDay;

/// A time of the clock, of the day that is named or of the one behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reading {
    /// How many days behind the named one it is: 0 or 1.
    pub(super) days: u64,
    pub(super) time: NaiveTime,
}

/// What a day without an hour is.
const MORNING: u32 = 9;

impl Reading {
    fn at(hour: u32, clock: Option<Clock>) -> Option<Self> {
        let (minute, second) = clock.map_or((0, 0), |clock| (clock.minute, clock.second));
        Some(Self {
            days: u64::from(hour / 24),
            time: NaiveTime::from_hms_opt(hour % 24, minute, second)?,
        })
    }
}

/// Returns what a time of day means, the earliest first; `None` stands for a day without one. Only
/// an open hour of today has two meanings.
pub(super) fn readings(time: Option<TimeOfDay>, is_today: bool) -> Vec<Reading> {
    let Some(TimeOfDay { part, clock }) = time else {
        return Reading::at(MORNING, None).into_iter().collect();
    };
    let Some(clock) = clock else {
        let hour = part.map_or(Some(MORNING), hour_of);
        return hour
            .and_then(|hour| Reading::at(hour, None))
            .into_iter()
            .collect();
    };
    let hours = match (clock.half, part) {
        (Half::Open, None) if is_today => vec![clock.hour % 12, clock.hour % 12 + 12],
        (Half::Open, None) => vec![open_hour(clock.hour)],
        (Half::Am, part) => vec![of_night(clock.hour % 12, part)],
        (Half::Pm, _) => vec![clock.hour % 12 + 12],
        (Half::Open | Half::Exact, Some(part)) => vec![in_part(clock.hour, part)],
        (Half::Exact, None) => vec![clock.hour],
    };
    hours
        .into_iter()
        .filter_map(|hour| Reading::at(hour, Some(clock)))
        .collect()
}

/// Returns the hour of a part of the day without one; `None` where it would be a guess.
fn hour_of(part: Part) -> Option<u32> {
    Some(match part {
        Part::SmallHours => return None,
        Part::Morning => MORNING,
        Part::Noon => 12,
        Part::Afternoon => 15,
        Part::Evening => 18,
        Part::Night => 20,
        Part::Midnight => 24,
    })
}

fn open_hour(hour: u32) -> u32 {
    match hour {
        1..=6 => hour + 12,
        _ => hour,
    }
}

/// The small hours of a night belong to the next day.
fn of_night(hour: u32, part: Option<Part>) -> u32 {
    let is_night = matches!(part, Some(Part::Night | Part::Midnight));
    if is_night && hour < 6 {
        hour + 24
    } else {
        hour
    }
}

fn in_part(hour: u32, part: Part) -> u32 {
    match (part, hour) {
        (Part::SmallHours, 12) => 0,
        (Part::Noon, 1..=3) | (Part::Afternoon | Part::Evening, 1..=11) | (Part::Night, 6..=11) => {
            hour + 12
        }
        (Part::Evening | Part::Night | Part::Midnight, 12) => 24,
        (Part::Night | Part::Midnight, 0..=5) => hour + 24,
        (
            Part::SmallHours
            | Part::Morning
            | Part::Noon
            | Part::Afternoon
            | Part::Evening
            | Part::Night
            | Part::Midnight,
            _,
        ) => hour,
    }
}

/// Returns the hours that a part of the day takes, for what is asked about it.
pub(super) fn hours_of(part: Part) -> [i64; 2] {
    match part {
        Part::SmallHours => [0, 6],
        Part::Morning => [6, 12],
        Part::Noon => [11, 14],
        Part::Afternoon => [12, 18],
        Part::Evening | Part::Night => [18, 24],
        Part::Midnight => [23, 24],
    }
}

/// Returns the two ends of a range of the clock; an end that is not behind the beginning is on the
/// next day.
pub(super) fn range(from: Clock, until: Clock, part: Option<Part>) -> Option<[Reading; 2]> {
    let with = |clock: Clock| {
        let time = TimeOfDay {
            part: part.filter(|_| clock.is_open()),
            clock: Some(clock),
        };
        readings(Some(time), false).into_iter().next()
    };
    let (from, until) = match (from.half, until.half) {
        (Half::Open, Half::Am | Half::Pm) if part.is_none() => {
            let same = from.in_half(until.half)?;
            let other = match until.half {
                Half::Am => from.in_half(Half::Pm)?,
                Half::Open | Half::Pm | Half::Exact => from.in_half(Half::Am)?,
            };
            let end = with(until)?;
            let is_before = with(same).is_some_and(|same| same.time < end.time);
            (if is_before { with(same)? } else { with(other)? }, end)
        }
        _ => (with(from)?, with(until)?),
    };
    if until.time > from.time || until.days > from.days {
        return Some([from, until]);
    }
    // "From 9 to 5", "10 to 2 pm".
    let later = until
        .time
        .overflowing_add_signed(chrono::TimeDelta::hours(12));
    if later.1 == 0 && later.0 > from.time {
        let time = later.0;
        return Some([from, Reading { time, ..until }]);
    }
    Some([from, Reading { days: 1, ..until }])
}
