//! Occurrences against a clock that is walked minute by minute, through both changes of clocks of a
//! year in twenty zones.

use chrono::{DateTime, Datelike as _, NaiveDate, NaiveTime, TimeZone as _, Utc, Weekday};
use chrono_tz::Tz;
use sayso_core::when::Schedule;

use super::timetable::{Timetable, by_clock};

/// Zones with every kind of change: at midnight, by half an hour, southern, and none.
const ZONES: [Tz; 20] = [
    Tz::Europe__Berlin,
    Tz::Europe__London,
    Tz::Europe__Lisbon,
    Tz::Europe__Athens,
    Tz::America__New_York,
    Tz::America__Los_Angeles,
    Tz::America__Denver,
    Tz::America__Havana,
    Tz::America__Santiago,
    Tz::America__Asuncion,
    Tz::America__St_Johns,
    Tz::America__Sao_Paulo,
    Tz::Australia__Lord_Howe,
    Tz::Australia__Adelaide,
    Tz::Pacific__Auckland,
    Tz::Pacific__Chatham,
    Tz::Africa__Cairo,
    Tz::Asia__Beirut,
    Tz::Asia__Shanghai,
    Tz::Asia__Kathmandu,
];
/// All changes of clocks of these zones are at a multiple of it.
const STEP_MS: i64 = 15 * 60_000;

/// On which days something is due.
#[derive(Clone, Copy, Debug)]
enum Days {
    All,
    Weekdays,
    Only(Weekday),
    OfMonth(u32),
}

impl Days {
    fn fields(self) -> String {
        match self {
            Self::All => "* * *".to_owned(),
            Self::Weekdays => "* * 1-5".to_owned(),
            Self::Only(day) => format!("* * {}", day.num_days_from_sunday()),
            Self::OfMonth(day) => format!("{day} * *"),
        }
    }

    fn has(self, date: NaiveDate) -> bool {
        match self {
            Self::All => true,
            Self::Weekdays => date.weekday().number_from_monday() <= 5,
            Self::Only(day) => date.weekday() == day,
            Self::OfMonth(day) => date.day() == day,
        }
    }
}

/// The first moment at which the clock of a zone shows at least this time of each day, by walking.
fn walked(zone: Tz, time: NaiveTime, days: Days, from_ms: i64, until_ms: i64) -> Vec<i64> {
    let first = by_clock(from_ms, zone).unwrap().date_naive();
    let mut date = first.succ_opt().unwrap();
    let mut found = Vec::new();
    let mut at_ms = from_ms;
    while at_ms < until_ms {
        let shown = by_clock(at_ms, zone).unwrap().naive_local();
        if shown >= date.and_time(time) {
            if days.has(date) {
                found.push(at_ms);
            }
            date = date.succ_opt().unwrap();
        } else {
            at_ms += STEP_MS;
        }
    }
    found
}

fn cron(fields: &str) -> Schedule {
    Schedule::stored(fields).unwrap()
}

fn utc(year: i32, month: u32, day: u32) -> i64 {
    let day = Utc.with_ymd_and_hms(year, month, day, 0, 0, 0).unwrap();
    day.timestamp_millis()
}

#[test]
fn clock_times_are_those_that_a_walk_along_the_clock_meets() {
    let (from, until) = (utc(2026, 2, 20), utc(2026, 12, 10));
    let times = [(0, 0), (0, 30), (2, 0), (2, 30), (3, 15), (9, 0), (23, 45)];
    let days = [
        Days::All,
        Days::Weekdays,
        Days::Only(Weekday::Sun),
        Days::OfMonth(31),
    ];
    for zone in ZONES {
        for (number, (hour, minute)) in times.into_iter().enumerate() {
            let days = days[number % days.len()];
            let time = NaiveTime::from_hms_opt(hour, minute, 0).unwrap();
            let fields = format!("{minute} {hour} {}", days.fields());
            let timetable = Timetable::new(cron(&fields), zone, from);
            let walked = walked(zone, time, days, from, until);
            let first = *walked.first().unwrap();
            let mut found = vec![first];
            found.extend(timetable.next_few(first, walked.len() - 1));
            assert_eq!(found, walked, "{zone} {fields}");
        }
    }
}

#[test]
fn a_moment_that_the_clock_skips_is_the_first_one_behind_it() {
    let cases = [
        (
            Tz::Europe__Berlin,
            "2027-03-28 02:30",
            "2027-03-28T03:00:00+02:00",
        ),
        (
            Tz::Europe__Berlin,
            "2026-10-25 02:30",
            "2026-10-25T02:30:00+02:00",
        ),
        (
            Tz::America__Santiago,
            "2026-09-06 00:00",
            "2026-09-06T01:00:00-03:00",
        ),
        (
            Tz::Pacific__Apia,
            "2011-12-30 12:00",
            "2011-12-31T00:00:00+14:00",
        ),
    ];
    for (zone, moment, expected) in cases {
        let schedule = Schedule::stored(&format!("at {moment}")).unwrap();
        let found = Timetable::new(schedule, zone, 0).next_after(0).unwrap();
        let expected = DateTime::parse_from_rfc3339(expected).unwrap();
        assert_eq!(found, expected.timestamp_millis(), "{zone} {moment}");
    }
}

#[test]
fn intervals_elapse_from_their_anchor_whatever_the_clock_shows() {
    let zone = Tz::Europe__Berlin;
    let anchor = utc(2026, 10, 24) + 7 * 60_000;
    let timetable = Timetable::new(Schedule::every(90), zone, anchor);
    let next = timetable.next_few(anchor, 40);
    let expected: Vec<i64> = (1..=40).map(|n| anchor + n * 90 * 60_000).collect();
    assert_eq!(next, expected);
    // A clock that was set back to before the anchor does not begin earlier.
    assert_eq!(
        timetable.next_after(anchor - 5_000_000_000),
        Some(expected[0])
    );
}

#[test]
fn what_passed_is_counted_and_the_last_ones_are_known() {
    let zone = Tz::Asia__Shanghai;
    let from = utc(2026, 1, 1);
    for (schedule, minutes) in [
        (Schedule::every(30), 30),
        (cron("*/30 * * * *"), 30),
        (cron("0 * * * *"), 60),
    ] {
        let timetable = Timetable::new(schedule, zone, from);
        let step = minutes * 60_000;
        for count in [1, 2, 3, 500, 1_999, 2_000, 2_001, 90_000] {
            let (first, until) = (from + step, from + count * step + 1);
            let passed = timetable.passed(first, until);
            assert_eq!(passed.count, count.min(2_000), "{count}");
            assert_eq!(passed.last_ms, from + count * step, "{count}");
            assert_eq!(passed.next_ms, Some(from + (count + 1) * step));
            let before = (count > 1).then_some(from + (count - 1) * step);
            assert_eq!(passed.before_last_ms, before, "{count}");
        }
    }
}

#[test]
fn a_rule_that_never_comes_and_a_time_beyond_all_calendars_end() {
    let never = Timetable::new(cron("0 9 30 2 *"), Tz::UTC, 0);
    assert_eq!(never.next_after(utc(2026, 1, 1)), None);
    let always = Timetable::new(cron("0 9 * * *"), Tz::UTC, 0);
    assert_eq!(always.next_after(i64::MAX), None);
    assert!(
        always
            .next_after(utc(9999, 12, 30))
            .is_none_or(|at| at > utc(9999, 12, 30))
    );
}
