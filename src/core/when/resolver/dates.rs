//! Days on the calendar, seen from today: the nearest ahead, or the last that has begun.

use chrono::{Datelike as _, Days, Months, NaiveDate, Weekday};

use crate::when::expression::{Day, Length, Month, Week, Year};
use crate::when::schedule::MonthDay;
use crate::when::schedule::days::monday;

/// Which way people look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::when) enum Facing {
    /// To what lies ahead: reminders, calendars.
    Ahead,
    /// To what was: memory.
    Back,
}

/// The last year that a time may lie in.
pub(in crate::when) const LAST_YEAR: i32 = 2_099;
/// How many years are looked through for a date that names none: a 29 February may be eight away.
const YEARS: i32 = 8;
/// How many months are looked through for a day that names none.
const MONTHS: u32 = 13;

/// Returns the dates that a day may be, the best first; none where there is no such day.
pub(super) fn dates(day: &Day, today: NaiveDate, facing: Facing) -> Vec<NaiveDate> {
    match day {
        Day::Offset(days) => moved(today, *days).into_iter().collect(),
        Day::Weekday(weekday, week) => weekdays(*weekday, *week, today, facing),
        Day::OfMonth(on, Month::Nearest) => {
            let months = (0..=MONTHS).filter_map(|count| match facing {
                Facing::Ahead => first_of_month(today)?.checked_add_months(Months::new(count)),
                Facing::Back => first_of_month(today)?.checked_sub_months(Months::new(count)),
            });
            let days = months.filter_map(|month| on.in_month(month));
            days.filter(|date| is_towards(*date, today, facing))
                .collect()
        }
        Day::OfMonth(on, Month::Offset(months)) => {
            let month = first_of_month(today).and_then(|first| moved_months(first, *months));
            month
                .and_then(|month| on.in_month(month))
                .into_iter()
                .collect()
        }
        Day::OfMonth(on, Month::Named(month, year)) => {
            in_years(*year, today, facing, |year| of_year(*on, *month, year))
        }
        Day::Lunar(day, year) => in_years(*year, today, facing, |year| day.in_year(year)),
        Day::From(day, length) => {
            let from = dates(day, today, facing).into_iter();
            from.filter_map(|date| ahead(date, *length)).collect()
        }
        Day::OneOf(days) => {
            let each = days
                .iter()
                .filter_map(|day| dates(day, today, facing).into_iter().next());
            each.collect()
        }
    }
}

fn of_year(on: MonthDay, month: u32, year: i32) -> Option<NaiveDate> {
    on.in_month(NaiveDate::from_ymd_opt(year, month, 1)?)
}

fn is_towards(date: NaiveDate, today: NaiveDate, facing: Facing) -> bool {
    match facing {
        Facing::Ahead => date >= today,
        Facing::Back => date <= today,
    }
}

/// Returns a yearly date in the years that are meant.
fn in_years(
    year: Year,
    today: NaiveDate,
    facing: Facing,
    of_year: impl Fn(i32) -> Option<NaiveDate>,
) -> Vec<NaiveDate> {
    let this = today.year();
    match (year, facing) {
        (Year::Number(year), _) => of_year(year).into_iter().collect(),
        (Year::Offset(years), _) => of_year(this.saturating_add(years)).into_iter().collect(),
        (Year::Nearest, Facing::Ahead) => {
            // A day of the lunar year that began last year may lie ahead.
            let years = (this - 1..=this + YEARS).filter_map(of_year);
            years.filter(|date| *date >= today).collect()
        }
        (Year::Nearest, Facing::Back) | (Year::Last, _) => {
            let years = (this - YEARS..=this).rev().filter_map(of_year);
            years.filter(|date| *date <= today).collect()
        }
    }
}

fn weekdays(weekday: Weekday, week: Week, today: NaiveDate, facing: Facing) -> Vec<NaiveDate> {
    let place = i64::from(weekday.num_days_from_monday());
    let in_week = |weeks: i64| moved(monday(today), weeks.checked_mul(7)?.checked_add(place)?);
    let (this, last, next) = (in_week(0), in_week(-1), in_week(1));
    let candidates: Vec<NaiveDate> = match (week, facing) {
        (Week::Offset(weeks), _) => return in_week(weeks).into_iter().collect(),
        (Week::Nearest, Facing::Ahead) => [this, next, in_week(2)].into_iter().flatten().collect(),
        (Week::Nearest, Facing::Back) => [this, last].into_iter().flatten().collect(),
        (Week::Last, _) => {
            let before = [this, last].into_iter().flatten();
            return before.filter(|date| *date < today).take(1).collect();
        }
    };
    candidates
        .into_iter()
        .filter(|date| is_towards(*date, today, facing))
        .collect()
}

/// Returns a date N days ahead, or behind below zero.
pub(super) fn moved(date: NaiveDate, days: i64) -> Option<NaiveDate> {
    let count = Days::new(days.unsigned_abs());
    if days < 0 {
        date.checked_sub_days(count)
    } else {
        date.checked_add_days(count)
    }
}

pub(super) fn moved_months(date: NaiveDate, months: i32) -> Option<NaiveDate> {
    let count = Months::new(months.unsigned_abs());
    if months < 0 {
        date.checked_sub_months(count)
    } else {
        date.checked_add_months(count)
    }
}

/// Returns a date a length of days and months ahead, or behind below zero.
pub(super) fn ahead(date: NaiveDate, length: Length) -> Option<NaiveDate> {
    let months = i32::try_from(length.months).ok()?;
    moved(moved_months(date, months)?, length.days)
}

pub(super) fn first_of_month(date: NaiveDate) -> Option<NaiveDate> {
    date.with_day(1)
}
