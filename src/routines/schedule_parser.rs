//! Schedules as a person or a model writes them: cron, words, intervals and moments.

use chrono::{DateTime, Local, TimeZone, Timelike as _};
use chrono_tz::Tz;

use super::schedule::{BadSchedule, Schedule};
use super::{phrases, zones};

/// Reads what a person or a model wrote.
///
/// # Errors
/// The reason why it is invalid, for its author.
pub fn parse(text: &str, now: DateTime<Local>) -> Result<Schedule, BadSchedule> {
    let text = text.trim();
    let read = match zones::split(text)? {
        (Some(zone), rest) => read(rest, &now.with_timezone(&zone)).map(|it| by_clock_of(it, zone)),
        (None, rest) => instant(rest).or_else(|| read(rest, &now)),
    };
    let Some(schedule) = read else {
        return Err(BadSchedule::Unreadable(text.to_owned()));
    };
    schedule.check(now)?;
    Ok(schedule)
}

/// Returns what was read by the clock of a zone. A moment is one wherever it is said.
fn by_clock_of(schedule: Schedule, zone: Tz) -> Schedule {
    match schedule {
        Schedule::Cron(fields) => Schedule::CronIn(zone, fields),
        Schedule::At(moment) => {
            let there = zone.from_local_datetime(&moment).earliest();
            let here = there.map(|there| there.with_timezone(&Local).naive_local());
            Schedule::At(here.unwrap_or(moment))
        }
        other @ (Schedule::CronIn(..) | Schedule::Every(_)) => other,
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
    let upper = text.to_ascii_uppercase();
    let moment = upper.strip_prefix("AT ").unwrap_or(&upper).trim();
    let with_offset = moment.strip_suffix('Z').map_or_else(
        || moment.to_owned(),
        |moment| format!("{}+00:00", moment.trim_end()),
    );
    let forms = [
        "%Y-%m-%dT%H:%M:%S%.f%:z",
        "%Y-%m-%dT%H:%M%:z",
        "%Y-%m-%dT%H:%M:%S%.f%z",
        "%Y-%m-%dT%H:%M%z",
    ];
    let joined = with_offset.replacen(' ', "T", 1).replace(' ', "");
    let moment = forms
        .iter()
        .find_map(|form| DateTime::parse_from_str(&joined, form).ok())?;
    let here = moment.with_timezone(&Local).naive_local();
    Some(Schedule::At(here.with_second(0)?.with_nanosecond(0)?))
}

#[cfg(test)]
mod tests {
    use chrono::{Local, NaiveDateTime, TimeZone as _};

    use super::parse;
    use crate::routines::next_time::due;
    use crate::routines::schedule::{MOMENT, Schedule};

    fn at(moment: &str) -> chrono::DateTime<Local> {
        let moment = NaiveDateTime::parse_from_str(moment, MOMENT).unwrap();
        Local.from_local_datetime(&moment).earliest().unwrap()
    }

    /// Wednesday.
    const NOW: &str = "2026-11-18 10:30";

    #[track_caller]
    fn check(text: &str, kept: &str, next: &str) {
        let schedule = parse(text, at(NOW)).unwrap();
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
            let schedule = parse(text, at(NOW)).unwrap();
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
            let schedule = parse(text, at(NOW)).unwrap();
            assert_eq!(schedule.as_text(), kept, "{text}");
            assert_eq!(Schedule::stored(kept), Some(schedule.clone()));
            let due = schedule.next_after(at("2026-12-10 12:00")).unwrap();
            let there = due.with_timezone(&chrono_tz::America::New_York);
            assert_eq!(there.format("%H:%M").to_string(), "09:00", "{text}");
        }
        let wrong = parse("CRON_TZ=Mars/Olympus 0 9 * * *", at(NOW)).unwrap_err();
        insta::assert_snapshot!(wrong, @"`Mars/Olympus` is no zone that is known; write one as `Europe/Berlin`");
    }

    #[test]
    fn u4_the_next_time_is_said_in_words_with_its_zone() {
        let said = |text: &str| {
            let schedule = parse(text, at(NOW)).unwrap();
            let due = due(&schedule, at(NOW)).unwrap();
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
            assert!(parse(text, at(NOW)).is_err(), "{text}");
        }
    }
}
