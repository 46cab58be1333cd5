//! Due times of schedules: known ones, and every one of random schedules against a walk through all
//! minutes, in many zones and around both changes of the clock.

use std::str::FromStr as _;

use chrono::{
    DateTime, Datelike as _, NaiveDate, NaiveTime, TimeDelta, TimeZone as _, Timelike as _, Utc,
    Weekday,
};
use chrono_tz::Tz;
use proptest::prelude::*;

use super::cron::last_of_month;
use super::*;

fn at(zone: Tz, wall: &str) -> DateTime<Tz> {
    let wall = NaiveDateTime::parse_from_str(wall, "%Y-%m-%d %H:%M").unwrap();
    instant_of(wall, &zone).unwrap()
}

#[track_caller]
fn check(zone: Tz, text: &str, after: &str, expected: &[&str]) {
    let schedule = Schedule::stored(text).unwrap();
    assert_eq!(schedule.as_text(), text);
    let after = at(zone, after);
    let due = schedule.occurrences(&after).take(expected.len());
    let due: Vec<String> = due.map(|at| at.to_rfc3339()).collect();
    assert_eq!(due, expected, "{text}");
}

#[test]
fn clock_times_keep_through_changes_of_the_clock() {
    check(
        Tz::Europe__Berlin,
        "30 2 * * *",
        "2027-03-27 12:00",
        &["2027-03-28T03:00:00+02:00", "2027-03-29T02:30:00+02:00"],
    );
    check(
        Tz::Europe__Berlin,
        "30 2 * * *",
        "2026-10-24 12:00",
        &["2026-10-25T02:30:00+02:00", "2026-10-26T02:30:00+01:00"],
    );
    check(
        Tz::Pacific__Apia,
        "0 9 * * *",
        "2011-12-29 08:00",
        &[
            "2011-12-29T09:00:00-10:00",
            "2011-12-31T00:00:00+14:00",
            "2011-12-31T09:00:00+14:00",
        ],
    );
}

#[test]
fn wildcards_run_through_both_hours_and_intervals_elapse() {
    check(
        Tz::Europe__Berlin,
        "0 * * * *",
        "2026-10-25 01:30",
        &[
            "2026-10-25T02:00:00+02:00",
            "2026-10-25T02:00:00+01:00",
            "2026-10-25T03:00:00+01:00",
        ],
    );
    check(
        Tz::Europe__Berlin,
        "every 60 minutes from 2026-10-25T00:15:00Z",
        "2026-10-25 02:20",
        &["2026-10-25T02:15:00+01:00", "2026-10-25T03:15:00+01:00"],
    );
}

// long: a table.
#[test]
fn other_rules_are_kept_and_enumerated() {
    let zone = Tz::Asia__Shanghai;
    let now = "2026-11-18 10:30";
    check(
        zone,
        "every 2 days at 09:00 from 2026-11-19",
        now,
        &["2026-11-19T09:00:00+08:00", "2026-11-21T09:00:00+08:00"],
    );
    check(
        zone,
        "every 2 weeks on mon,fri at 09:00 from 2026-11-20",
        now,
        &[
            "2026-11-20T09:00:00+08:00",
            "2026-11-30T09:00:00+08:00",
            "2026-12-04T09:00:00+08:00",
        ],
    );
    check(
        zone,
        "every 3 months on last at 08:00 from 2026-11-30",
        now,
        &["2026-11-30T08:00:00+08:00", "2027-02-28T08:00:00+08:00"],
    );
    check(
        zone,
        "every 2 months on 2#tue at 08:00 from 2026-12-08",
        now,
        &["2026-12-08T08:00:00+08:00", "2027-02-09T08:00:00+08:00"],
    );
    check(
        zone,
        "times 09:00,18:30 on * * 1-5",
        now,
        &["2026-11-18T18:30:00+08:00", "2026-11-19T09:00:00+08:00"],
    );
    check(
        zone,
        "lunar eve at 20:00",
        now,
        &["2027-02-05T20:00:00+08:00", "2028-01-25T20:00:00+08:00"],
    );
    check(
        zone,
        "lunar 8-15 at 09:00",
        now,
        &["2027-09-15T09:00:00+08:00"],
    );
    check(
        zone,
        "0 9 15W * *",
        now,
        &[
            "2026-12-15T09:00:00+08:00",
            "2027-01-15T09:00:00+08:00",
            "2027-02-15T09:00:00+08:00",
        ],
    );
    check(zone, "0 9 * * 5L", now, &["2026-11-27T09:00:00+08:00"]);
    check(zone, "0 9 29 2 *", now, &["2028-02-29T09:00:00+08:00"]);
    check(
        zone,
        "0 9 * * * until 2026-11-19",
        now,
        &["2026-11-19T09:00:00+08:00"],
    );
    let last = Schedule::stored("0 9 * * * until 2026-11-19").unwrap();
    assert_eq!(last.occurrences(&at(zone, now)).count(), 1);
    check(
        zone,
        "CRON_TZ=Europe/Berlin 0 9 * * *",
        now,
        &["2026-11-18T16:00:00+08:00"],
    );
    assert_eq!(
        Schedule::stored("0 9 30 2 *")
            .unwrap()
            .next_after(&at(zone, now)),
        None
    );
}

#[test]
fn what_is_no_rule_is_refused() {
    for text in [
        "0 25 * * *",
        "60 9 * * *",
        "0 9 32 * *",
        "0 9 * 13 *",
        "0 9 * * 8",
        "0 9 * * 1#6",
        "0 9 * *",
        "0 0 9 * * *",
        "every 0 days at 09:00 from 2026-11-19",
        "every 2 weeks on  at 09:00 from 2026-11-19",
        "lunar 8 at 09:00",
        "",
        "at noon",
        "a b c d e",
    ] {
        assert_eq!(Schedule::stored(text), None, "{text}");
    }
}

/// Zones of every kind: none, half hours, half-hour summer time, the southern half, midnight gaps.
const ZONES: [Tz; 20] = [
    Tz::UTC,
    Tz::Europe__Berlin,
    Tz::America__New_York,
    Tz::America__Santiago,
    Tz::Africa__Cairo,
    Tz::Australia__Lord_Howe,
    Tz::Australia__Sydney,
    Tz::Pacific__Auckland,
    Tz::Pacific__Chatham,
    Tz::America__St_Johns,
    Tz::Asia__Shanghai,
    Tz::Asia__Kolkata,
    Tz::Asia__Kathmandu,
    Tz::America__Havana,
    Tz::Asia__Beirut,
    Tz::Africa__Casablanca,
    Tz::America__Asuncion,
    Tz::Europe__London,
    Tz::America__Los_Angeles,
    Tz::Pacific__Apia,
];

/// What a rule says, in terms of the walk.
#[derive(Debug, Clone)]
struct Said {
    /// Minutes and hours.
    minutes: Vec<u32>,
    hours: Vec<u32>,
    days: SaidDays,
}

#[derive(Debug, Clone)]
enum SaidDays {
    Every,
    Weekdays(Vec<u32>),
    OfMonth(u32),
    Last,
    Second(u32, NaiveDate),
    Nth(u32, u32),
}

impl Said {
    fn text(&self) -> String {
        let list = |numbers: &[u32]| {
            numbers
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join(",")
        };
        let (minutes, hours) = (list(&self.minutes), list(&self.hours));
        match &self.days {
            SaidDays::Every => format!("{minutes} {hours} * * *"),
            SaidDays::Weekdays(days) => format!("{minutes} {hours} * * {}", list(days)),
            SaidDays::OfMonth(day) => format!("{minutes} {hours} {day} * *"),
            SaidDays::Last => format!("{minutes} {hours} L * *"),
            SaidDays::Nth(nth, day) => format!("{minutes} {hours} * * {day}#{nth}"),
            SaidDays::Second(step, from) => {
                let times: Vec<String> = self
                    .times()
                    .map(|(hour, minute)| format!("{hour:02}:{minute:02}"))
                    .collect();
                format!("every {step} days at {} from {from}", times.join(","))
            }
        }
    }

    fn times(&self) -> impl Iterator<Item = (u32, u32)> {
        let hours = self.hours.iter();
        hours.flat_map(|hour| self.minutes.iter().map(|minute| (*hour, *minute)))
    }

    fn is_on(&self, date: NaiveDate) -> bool {
        let sunday_based = date.weekday().num_days_from_sunday();
        match &self.days {
            SaidDays::Every => true,
            SaidDays::Weekdays(days) => days.contains(&sunday_based),
            SaidDays::OfMonth(day) => date.day() == *day,
            SaidDays::Last => date.succ_opt().unwrap().month() != date.month(),
            SaidDays::Nth(nth, day) => sunday_based == *day && (date.day() - 1) / 7 + 1 == *nth,
            SaidDays::Second(step, from) => {
                date >= *from && (date - *from).num_days() % i64::from(*step) == 0
            }
        }
    }
}

/// Walks through every minute that passes, and notes when the clock first shows a time of the rule or
/// has just skipped it.
fn walked(said: &Said, from: DateTime<Tz>, days: i64) -> Vec<DateTime<Tz>> {
    let mut due = Vec::new();
    let mut shown: Vec<NaiveDateTime> = Vec::new();
    let mut last = (from - TimeDelta::days(2)).naive_local();
    let mut at = from - TimeDelta::days(2);
    while at < from + TimeDelta::days(days) {
        at += TimeDelta::minutes(1);
        let wall = at.naive_local();
        // All times that the clock came to or past since the minute before.
        let mut passed = last;
        let mut is_due = false;
        while passed < wall {
            passed += TimeDelta::minutes(1);
            let is_time = said
                .times()
                .any(|(hour, minute)| (passed.hour(), passed.minute()) == (hour, minute));
            if is_time && said.is_on(passed.date()) && !shown.contains(&passed) {
                shown.push(passed);
                is_due = true;
            }
        }
        if is_due && at > from {
            due.push(at);
        }
        last = wall;
    }
    due
}

fn said() -> impl Strategy<Value = Said> {
    let days = prop_oneof![
        Just(SaidDays::Every),
        prop::collection::btree_set(0_u32..7, 1..4)
            .prop_map(|days| SaidDays::Weekdays(days.into_iter().collect())),
        (1_u32..32).prop_map(SaidDays::OfMonth),
        Just(SaidDays::Last),
        (1_u32..5, 0_u32..7).prop_map(|(nth, day)| SaidDays::Nth(nth, day)),
        (1_u32..5, 0_u64..20).prop_map(|(step, ahead)| SaidDays::Second(
            step,
            NaiveDate::from_ymd_opt(2026, 3, 1).unwrap() + chrono::Days::new(ahead)
        )),
    ];
    let minutes =
        prop::collection::btree_set(prop::sample::select(vec![0_u32, 1, 15, 30, 45, 59]), 1..3);
    let hours = prop::collection::btree_set(prop_oneof![0_u32..5, 0_u32..24], 1..3);
    (minutes, hours, days).prop_map(|(minutes, hours, days)| Said {
        minutes: minutes.into_iter().collect(),
        hours: hours.into_iter().collect(),
        days,
    })
}

/// Instants of 2026 some days before the clocks of a zone change, or any where they do not.
fn changes(zone: Tz) -> Vec<DateTime<Tz>> {
    let start = zone.from_utc_datetime(
        &NaiveDate::from_ymd_opt(2026, 1, 5)
            .unwrap()
            .and_time(NaiveTime::MIN),
    );
    let days = (0..355).map(|day| start + TimeDelta::days(day));
    let offset = |at: &DateTime<Tz>| at.naive_local() - at.naive_utc();
    let changing: Vec<_> = days
        .filter(|at| offset(at) != offset(&(*at + TimeDelta::days(1))))
        .collect();
    if changing.is_empty() {
        vec![start]
    } else {
        changing
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn occurrences_are_those_of_a_walk_through_all_minutes(said in said(), back in 0_i64..50) {
        let schedule = Schedule::stored(&said.text()).unwrap();
        for zone in ZONES {
            for change in changes(zone) {
                let from = change - TimeDelta::hours(back);
                let expected = walked(&said, from, 6);
                let until = from + TimeDelta::days(6);
                let found: Vec<_> = schedule.occurrences(&from).take_while(|at| *at <= until).collect();
                prop_assert_eq!(&found, &expected, "{} in {} from {}", said.text(), zone, from);
            }
        }
    }

    #[test]
    fn five_fields_are_due_as_another_reader_of_cron_says(said in said(), hours in 0_i64..9_000) {
        let Rule::Cron(cron) = Schedule::stored(&said.text()).unwrap().rule else {
            return Ok(());
        };
        let other = croner::Cron::from_str(cron.as_text()).unwrap();
        let after = Utc.timestamp_opt(1_767_225_600, 0).unwrap() + TimeDelta::hours(hours);
        let schedule = Schedule::from(Rule::Cron(cron));
        let expected: Vec<_> = other.iter_after(after).take(20).collect();
        let found: Vec<_> = schedule.occurrences(&after).take(20).collect();
        prop_assert_eq!(found, expected, "{}", said.text());
    }

    #[test]
    fn what_was_written_is_read_again(said in said()) {
        let text = said.text();
        prop_assert_eq!(Schedule::stored(&text).unwrap().as_text(), text);
    }

    #[test]
    fn no_stored_text_panics(text in "[ 0-9*/,#LW-]{0,30}|.{0,40}") {
        if let Some(schedule) = Schedule::stored(&text) {
            let after = Utc.timestamp_opt(1_700_000_000, 0).unwrap();
            let _ = schedule.next_after(&after);
        }
    }

    #[test]
    fn the_last_day_of_a_month_is_its_last(days in 0_u64..60_000) {
        let date = NaiveDate::from_ymd_opt(1950, 1, 1).unwrap() + chrono::Days::new(days);
        let last = date.with_day(last_of_month(date)).unwrap();
        prop_assert_eq!(last.succ_opt().unwrap().day(), 1);
        prop_assert!(last.weekday() == last.weekday().succ().pred());
        prop_assert!(MonthDay::Last.in_month(date) == Some(last));
        prop_assert!(Weekday::Mon == days::monday(date).weekday());
    }
}
