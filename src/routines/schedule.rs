//! When a routine is due: five fields of cron, an interval, or one moment; by the clock of this
//! machine.

use chrono::{DateTime, Datelike as _, Local, NaiveDateTime, TimeZone, Timelike as _};
use chrono_tz::Tz;
use croner::Cron;
use croner::parser::{CronParser, Seconds, Year};

use super::{phrases, zones};

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
    /// The same by the clock of another zone.
    CronIn(Tz, String),
    /// Repeatedly, with this interval in minutes.
    Every(i64),
    /// Once, at this time of the local clock.
    At(NaiveDateTime),
}

impl Schedule {
    /// Reads what a person or a model wrote.
    ///
    /// # Errors
    /// The reason why it is invalid, for its author.
    pub fn parse(text: &str, now: DateTime<Local>) -> Result<Self, String> {
        let text = text.trim();
        let read = match zones::split(text)? {
            (Some(zone), rest) => {
                read(rest, &now.with_timezone(&zone)).map(|it| it.by_clock_of(zone))
            }
            (None, rest) => instant(rest).or_else(|| read(rest, &now)),
        };
        let Some(schedule) = read else {
            return Err(format!(
                "`{text}` is no schedule that is understood: write five fields of cron \
                 (`0 9 * * 1-5`, after `CRON_TZ=Europe/Berlin` by the clock of that zone), `@daily`, \
                 `every 2 hours`, `every weekday at 9:00`, `tomorrow at 9am`, `at 2026-12-01 09:00` \
                 or `at 2026-12-01T09:00:00Z`"
            ));
        };
        schedule.check(now)?;
        Ok(schedule)
    }

    /// Returns what was read by the clock of a zone. A moment is one wherever it is said.
    fn by_clock_of(self, zone: Tz) -> Self {
        match self {
            Self::Cron(fields) => Self::CronIn(zone, fields),
            Self::At(moment) => {
                let there = zone.from_local_datetime(&moment).earliest();
                let here = there.map(|there| there.with_timezone(&Local).naive_local());
                Self::At(here.unwrap_or(moment))
            }
            other @ (Self::CronIn(..) | Self::Every(_)) => other,
        }
    }

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
            Self::Cron(fields) | Self::CronIn(_, fields) => self.check_cron(fields, now),
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

/// Reads a schedule by a clock: in words, or five fields of cron.
fn read<Z: TimeZone>(text: &str, now: &DateTime<Z>) -> Option<Schedule> {
    phrases::read(text, now.naive_local()).or_else(|| {
        let fields: Vec<&str> = text.split_whitespace().collect();
        (fields.len() == 5).then(|| Schedule::Cron(fields.join(" ")))
    })
}

/// Reads a moment that names its offset: `at 2026-12-01T09:00:00Z`, `2026-12-01 09:00+01:00`.
fn instant(text: &str) -> Option<Schedule> {
    let text = text.to_ascii_uppercase();
    let text = text.strip_prefix("AT ").unwrap_or(&text).trim();
    let text = text.strip_suffix('Z').map_or_else(
        || text.to_owned(),
        |moment| format!("{}+00:00", moment.trim_end()),
    );
    let forms = [
        "%Y-%m-%dT%H:%M:%S%.f%:z",
        "%Y-%m-%dT%H:%M%:z",
        "%Y-%m-%dT%H:%M:%S%.f%z",
        "%Y-%m-%dT%H:%M%z",
    ];
    let joined = text.replacen(' ', "T", 1).replace(' ', "");
    let moment = forms
        .iter()
        .find_map(|form| DateTime::parse_from_str(&joined, form).ok())?;
    let here = moment.with_timezone(&Local).naive_local();
    Some(Schedule::At(here.with_second(0)?.with_nanosecond(0)?))
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
    fn u4_schedules_that_people_write_are_read() {
        for (text, kept, next) in [
            ("@daily", "0 0 * * *", "2026-11-19 00:00"),
            ("@hourly", "0 * * * *", "2026-11-18 11:00"),
            ("@weekly", "0 0 * * 0", "2026-11-22 00:00"),
            ("@Monthly", "0 0 1 * *", "2026-12-01 00:00"),
            ("@yearly", "0 0 1 1 *", "2027-01-01 00:00"),
            ("@every 1h30m", "every 90 minutes", "2026-11-18 12:00"),
            ("at tomorrow 9am", "at 2026-11-19 09:00", "2026-11-19 09:00"),
            ("at 9am tomorrow", "at 2026-11-19 09:00", "2026-11-19 09:00"),
            (
                "tomorrow at 9:30 pm",
                "at 2026-11-19 21:30",
                "2026-11-19 21:30",
            ),
            ("at 9am", "at 2026-11-19 09:00", "2026-11-19 09:00"),
            ("at 18:00", "at 2026-11-18 18:00", "2026-11-18 18:00"),
            ("tonight at 8", "at 2026-11-18 20:00", "2026-11-18 20:00"),
            ("on friday at 9", "at 2026-11-20 09:00", "2026-11-20 09:00"),
            (
                "next wednesday at 9",
                "at 2026-11-25 09:00",
                "2026-11-25 09:00",
            ),
            (
                "at 2026-12-01 9am",
                "at 2026-12-01 09:00",
                "2026-12-01 09:00",
            ),
            (
                "2026-12-01T09:00:00",
                "at 2026-12-01 09:00",
                "2026-12-01 09:00",
            ),
            ("今晚8点", "at 2026-11-18 20:00", "2026-11-18 20:00"),
        ] {
            check(text, kept, next);
        }
    }

    #[test]
    fn u4_instants_and_zones_are_the_same_moment_wherever_they_are_read() {
        let moment = chrono::DateTime::parse_from_rfc3339("2026-12-01T09:00:00Z").unwrap();
        for text in [
            "at 2026-12-01T09:00:00Z",
            "2026-12-01T09:00Z",
            "at 2026-12-01t09:00:00.000z",
            "at 2026-12-01T10:00:00+01:00",
            "at 2026-12-01 10:00 +0100",
            "at 2026-12-01 10:00 Europe/Berlin",
            "TZ=Asia/Shanghai at 2026-12-01 17:00",
        ] {
            let schedule = Schedule::parse(text, at(NOW)).unwrap();
            assert_eq!(schedule.next_after(at(NOW)).unwrap(), moment, "{text}");
        }
        for (text, kept) in [
            (
                "CRON_TZ=America/New_York 0 9 * * *",
                "CRON_TZ=America/New_York 0 9 * * *",
            ),
            (
                "TZ=America/New_York 0 9 * * *",
                "CRON_TZ=America/New_York 0 9 * * *",
            ),
            (
                "CRON_TZ=America/New_York every day at 9",
                "CRON_TZ=America/New_York 0 9 * * *",
            ),
            (
                "0 9 * * * America/New_York",
                "CRON_TZ=America/New_York 0 9 * * *",
            ),
        ] {
            let schedule = Schedule::parse(text, at(NOW)).unwrap();
            assert_eq!(schedule.as_text(), kept, "{text}");
            assert_eq!(Schedule::stored(kept), Some(schedule.clone()));
            let due = schedule.next_after(at("2026-12-10 12:00")).unwrap();
            let there = due.with_timezone(&chrono_tz::America::New_York);
            assert_eq!(there.format("%H:%M").to_string(), "09:00", "{text}");
        }
        let wrong = Schedule::parse("CRON_TZ=Mars/Olympus 0 9 * * *", at(NOW)).unwrap_err();
        insta::assert_snapshot!(wrong, @"`Mars/Olympus` is no zone that is known; write one as `Europe/Berlin`");
    }

    #[test]
    fn u4_the_next_time_is_said_in_words_with_its_zone() {
        let said = |text: &str| {
            let due = Schedule::parse(text, at(NOW))
                .unwrap()
                .due(at(NOW))
                .unwrap();
            (due.english, due.chinese)
        };
        let (english, chinese) = said("0 9 * * 1-5");
        assert!(
            english.starts_with("Next time: Thursday, 2026-11-19 at 09:00 ("),
            "{english}"
        );
        assert!(english.contains("UTC"), "{english}");
        assert!(
            chinese.starts_with("下次执行：2026-11-19 星期四 09:00（"),
            "{chinese}"
        );
        let (english, _) = said("CRON_TZ=America/New_York 0 9 * * *");
        assert!(
            english.contains("at 09:00 (America/New_York, UTC-05:00)"),
            "{english}"
        );
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
