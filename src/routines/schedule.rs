//! When a routine is due: five fields of cron, an interval, or one moment; by the clock of this machine.

use chrono::{DateTime, Datelike as _, Local, NaiveDateTime, TimeZone as _};
use croner::Cron;
use croner::parser::{CronParser, Seconds, Year};

use super::phrases;

/// The shortest time between two runs, in minutes.
pub const SHORTEST_MINUTES: i64 = 15;
/// The longest interval, in minutes.
const LONGEST_MINUTES: i64 = 366 * 24 * 60;
/// How many runs are looked at to see how close they come.
const LOOKED_AT: usize = 100;
/// The latest year of a moment.
const LAST_YEAR: i32 = 2099;
/// How a moment is written.
const MOMENT: &str = "%Y-%m-%d %H:%M";
const MINUTE_MS: i64 = 60_000;

/// When a routine is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Schedule {
    /// By five fields of cron.
    Cron(String),
    /// After so many minutes, and again.
    Every(i64),
    /// Once, at this time of the local clock.
    At(NaiveDateTime),
}

impl Schedule {
    /// Reads what a person or a model wrote.
    ///
    /// # Errors
    /// What is wrong with it, for whoever wrote it.
    pub fn parse(text: &str, now: DateTime<Local>) -> Result<Self, String> {
        let text = text.trim();
        let read = phrases::read(text, now.naive_local()).or_else(|| {
            let is_cron = text.split_whitespace().count() == 5;
            is_cron.then(|| Self::Cron(text.split_whitespace().collect::<Vec<_>>().join(" ")))
        });
        let Some(schedule) = read else {
            return Err(format!(
                "`{text}` is no schedule that is understood: write five fields of cron \
                 (`0 9 * * 1-5`), `every 2 hours`, `every weekday at 9:00` or `at 2026-12-01 09:00`"
            ));
        };
        schedule.check(now)?;
        Ok(schedule)
    }

    /// Reads what [`Schedule::as_text`] wrote.
    pub fn stored(text: &str) -> Option<Self> {
        if let Some(minutes) = text.strip_prefix("every ") {
            let minutes = minutes.strip_suffix(" minutes")?.parse().ok()?;
            return Some(Self::Every(minutes));
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
            Self::Every(minutes) => format!("every {minutes} minutes"),
            Self::At(moment) => format!("at {}", moment.format(MOMENT)),
        }
    }

    /// Returns when it is due next after a time; `None`: never again.
    pub fn next_after(&self, now: DateTime<Local>) -> Option<DateTime<Local>> {
        match self {
            Self::Cron(fields) => cron(fields).ok()?.find_next_occurrence(&now, false).ok(),
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

    fn check(&self, now: DateTime<Local>) -> Result<(), String> {
        match self {
            Self::Every(minutes) if *minutes < SHORTEST_MINUTES => Err(too_often()),
            Self::Every(minutes) if *minutes > LONGEST_MINUTES => {
                Err("an interval is at most a year".to_owned())
            }
            Self::At(moment) if moment.year() > LAST_YEAR => {
                Err(format!("a moment is before the end of {LAST_YEAR}"))
            }
            Self::At(_) if self.next_after(now).is_none() => {
                Err("that moment is over, or the clock never shows it".to_owned())
            }
            Self::Every(_) | Self::At(_) => Ok(()),
            Self::Cron(fields) => self.check_cron(fields, now),
        }
    }

    fn check_cron(&self, fields: &str, now: DateTime<Local>) -> Result<(), String> {
        cron(fields)?;
        let Some(mut last) = self.next_after(now) else {
            return Err(format!("`{fields}` is never due"));
        };
        for _ in 0..LOOKED_AT {
            let Some(next) = self.next_after(last) else {
                return Ok(());
            };
            if (next - last).num_minutes() < SHORTEST_MINUTES {
                return Err(too_often());
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

fn too_often() -> String {
    format!("a routine is due at most every {SHORTEST_MINUTES} minutes")
}

fn cron(fields: &str) -> Result<Cron, String> {
    CronParser::builder()
        .seconds(Seconds::Disallowed)
        .year(Year::Disallowed)
        .build()
        .parse(fields)
        .map_err(|error| format!("`{fields}` is not five fields of cron: {error}"))
}

#[cfg(test)]
mod tests {
    use chrono::{Local, NaiveDateTime, TimeZone as _};

    use super::{MOMENT, Schedule};

    fn at(moment: &str) -> chrono::DateTime<Local> {
        let moment = NaiveDateTime::parse_from_str(moment, MOMENT).unwrap();
        Local.from_local_datetime(&moment).earliest().unwrap()
    }

    /// Wednesday.
    const NOW: &str = "2026-11-18 10:30";

    #[track_caller]
    fn check(text: &str, kept: &str, next: &str) {
        let schedule = Schedule::parse(text, at(NOW)).unwrap();
        assert_eq!(schedule.as_text(), kept, "{text}");
        let due = schedule.next_after(at(NOW)).unwrap();
        assert_eq!(due.format(MOMENT).to_string(), next, "{text}");
        assert_eq!(Schedule::stored(kept), Some(schedule));
    }

    #[test]
    fn schedules_are_read_in_every_form() {
        check("0 9 * * 1-5", "0 9 * * 1-5", "2026-11-19 09:00");
        check("every 2h", "every 120 minutes", "2026-11-18 12:30");
        check("every 30 minutes", "every 30 minutes", "2026-11-18 11:00");
        check("every day at 9", "0 9 * * *", "2026-11-19 09:00");
        check("daily at 7:45 pm", "45 19 * * *", "2026-11-18 19:45");
        check("every weekday at 9:30", "30 9 * * 1-5", "2026-11-19 09:30");
        check("Every Monday at 18:00", "0 18 * * 1", "2026-11-23 18:00");
        check("hourly", "0 * * * *", "2026-11-18 11:00");
        check(
            "at 2026-12-01 09:00",
            "at 2026-12-01 09:00",
            "2026-12-01 09:00",
        );
        check("tomorrow at 8", "at 2026-11-19 08:00", "2026-11-19 08:00");
        check("in 2 hours", "at 2026-11-18 12:30", "2026-11-18 12:30");
    }

    #[test]
    fn schedules_are_read_in_chinese() {
        check("每天早上8点", "0 8 * * *", "2026-11-19 08:00");
        check("每天晚上9点半", "30 21 * * *", "2026-11-18 21:30");
        check("每个工作日9点", "0 9 * * 1-5", "2026-11-19 09:00");
        check("每周一下午3点", "0 15 * * 1", "2026-11-23 15:00");
        check("每周日10:15", "15 10 * * 0", "2026-11-22 10:15");
        check("每小时", "0 * * * *", "2026-11-18 11:00");
        check("每隔2小时", "every 120 minutes", "2026-11-18 12:30");
        check("每30分钟", "every 30 minutes", "2026-11-18 11:00");
        check("每月1号9点", "0 9 1 * *", "2026-12-01 09:00");
        check("明天下午3点", "at 2026-11-19 15:00", "2026-11-19 15:00");
        check("每天早上八点", "0 8 * * *", "2026-11-19 08:00");
        check("每天中午12点", "0 12 * * *", "2026-11-18 12:00");
    }

    #[test]
    fn what_comes_too_often_or_never_is_refused() {
        for text in [
            "* * * * *",
            "*/5 * * * *",
            "0,10 9 * * *",
            "every 5 minutes",
            "every 0 hours",
            "every 9000 days",
            "at 2026-11-18 10:00",
            "at 2026-13-01 09:00",
            "0 9 30 2 *",
            "0 25 * * *",
            "every day at 25",
            "每天28点",
            "now and then",
            "",
            "0 0 9 * * *",
        ] {
            assert!(Schedule::parse(text, at(NOW)).is_err(), "{text}");
        }
    }
}
