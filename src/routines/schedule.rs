//! When a routine is due: five fields of cron, an interval, or one moment; by the clock of this
//! machine.

use chrono::{DateTime, Datelike as _, Local, NaiveDateTime, TimeZone};
use chrono_tz::Tz;
use croner::Cron;
use croner::parser::{CronParser, Seconds, Year};
use thiserror::Error;

use super::zones::{self, UnknownZone};

/// The shortest time between two runs, in minutes.
pub const SHORTEST_MINUTES: i64 = 15;
/// The longest interval, in minutes.
const LONGEST_MINUTES: i64 = 366 * 24 * 60;
/// How many runs are looked at to see how close they come.
const LOOKED_AT: usize = 100;
/// The latest year of a moment.
const LAST_YEAR: i32 = 2099;
/// How a moment is written.
pub(super) const MOMENT: &str = "%Y-%m-%d %H:%M";
const MINUTE_MS: i64 = 60_000;

/// When a routine is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Schedule {
    /// By five fields of cron.
    Cron(String),
    /// The same by the clock of another zone.
    CronIn(Tz, String),
    /// Repeatedly, with this interval in minutes.
    Every(i64),
    /// Once, at this time of the local clock.
    At(NaiveDateTime),
}

/// Why a schedule is not taken, for its author.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BadSchedule {
    /// It cannot be read.
    #[error(
        "`{0}` is no schedule that is understood: write five fields of cron (`0 9 * * 1-5`, after \
         `CRON_TZ=Europe/Berlin` by the clock of that zone), `@daily`, `every 2 hours`, `every \
         weekday at 9:00`, `tomorrow at 9am`, `at 2026-12-01 09:00` or `at 2026-12-01T09:00:00Z`"
    )]
    Unreadable(String),
    /// It names a zone that does not exist.
    #[error(transparent)]
    UnknownZone(#[from] UnknownZone),
    /// It is written as cron and is none.
    #[error("`{0}` is not five fields of cron: {1}")]
    NoCron(String, String),
    /// Two runs come too close.
    #[error("a routine is due at most every {SHORTEST_MINUTES} minutes")]
    TooOften,
    /// Its interval is too long.
    #[error("an interval is at most a year")]
    TooSeldom,
    /// Its moment is too far away.
    #[error("a moment is before the end of {LAST_YEAR}")]
    TooLate,
    /// Its moment never comes.
    #[error("that moment is over, or the clock never shows it")]
    Over,
    /// Its fields name no day that there is.
    #[error("`{0}` is never due")]
    NeverDue(String),
}

impl Schedule {
    /// Reads what [`Schedule::as_text`] wrote.
    pub fn stored(text: &str) -> Option<Self> {
        if let Some(minutes) = text.strip_prefix("every ") {
            let minutes = minutes.strip_suffix(" minutes")?.parse().ok()?;
            return Some(Self::Every(minutes));
        }
        if let Some(zoned) = text.strip_prefix(zones::PREFIX) {
            let (zone, fields) = zoned.split_once(' ')?;
            return Some(Self::CronIn(zone.parse().ok()?, fields.to_owned()));
        }
        match text.strip_prefix("at ") {
            Some(moment) => NaiveDateTime::parse_from_str(moment, MOMENT)
                .ok()
                .map(Self::At),
            None => Some(Self::Cron(text.to_owned())),
        }
    }

    /// Returns how it is kept and shown.
    pub fn as_text(&self) -> String {
        match self {
            Self::Cron(fields) => fields.clone(),
            Self::CronIn(zone, fields) => format!("{}{zone} {fields}", zones::PREFIX),
            Self::Every(minutes) => format!("every {minutes} minutes"),
            Self::At(moment) => format!("at {}", moment.format(MOMENT)),
        }
    }

    /// Returns when it is due next after a time; `None`: never again.
    pub fn next_after(&self, now: DateTime<Local>) -> Option<DateTime<Local>> {
        match self {
            Self::Cron(fields) => cron(fields).ok()?.find_next_occurrence(&now, false).ok(),
            Self::CronIn(zone, fields) => {
                let there = now.with_timezone(zone);
                let next = cron(fields)
                    .ok()?
                    .find_next_occurrence(&there, false)
                    .ok()?;
                Some(next.with_timezone(&Local))
            }
            Self::Every(minutes) => {
                let next = now.timestamp_millis() + minutes * MINUTE_MS;
                Local.timestamp_millis_opt(next).single()
            }
            Self::At(moment) => {
                // A time that the clock skips is the first one behind it.
                let there = Local.from_local_datetime(moment).earliest();
                there.filter(|there| *there > now)
            }
        }
    }

    /// Refuses what is never due, or too often, with the reason for its author.
    pub(super) fn check(&self, now: DateTime<Local>) -> Result<(), BadSchedule> {
        match self {
            Self::Every(minutes) if *minutes < SHORTEST_MINUTES => Err(BadSchedule::TooOften),
            Self::Every(minutes) if *minutes > LONGEST_MINUTES => Err(BadSchedule::TooSeldom),
            Self::At(moment) if moment.year() > LAST_YEAR => Err(BadSchedule::TooLate),
            Self::At(_) if self.next_after(now).is_none() => Err(BadSchedule::Over),
            Self::Every(_) | Self::At(_) => Ok(()),
            Self::Cron(fields) | Self::CronIn(_, fields) => self.check_cron(fields, now),
        }
    }

    fn check_cron(&self, fields: &str, now: DateTime<Local>) -> Result<(), BadSchedule> {
        cron(fields)?;
        let Some(mut last) = self.next_after(now) else {
            return Err(BadSchedule::NeverDue(fields.to_owned()));
        };
        for _ in 0..LOOKED_AT {
            let Some(next) = self.next_after(last) else {
                return Ok(());
            };
            if (next - last).num_minutes() < SHORTEST_MINUTES {
                return Err(BadSchedule::TooOften);
            }
            last = next;
        }
        Ok(())
    }
}

/// Returns a moment as people read it.
pub fn moment_of(at_ms: i64) -> String {
    let there = Local.timestamp_millis_opt(at_ms).single();
    there.map_or_else(String::new, |there| there.format(MOMENT).to_string())
}

fn cron(fields: &str) -> Result<Cron, BadSchedule> {
    CronParser::builder()
        .seconds(Seconds::Disallowed)
        .year(Year::Disallowed)
        .build()
        .parse(fields)
        .map_err(|error| BadSchedule::NoCron(fields.to_owned(), error.to_string()))
}
