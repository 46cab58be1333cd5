//! Spans of days, weeks, months, seasons and years, seen from now.

use chrono::{Datelike as _, Days, Months, NaiveDate, NaiveDateTime, TimeDelta};

use super::dates::{Facing, dates, first_of_month, moved, moved_months};
use crate::when::Span;
use crate::when::clock::midnight;
use crate::when::expression::{Direction, Month, Period, Season, Third, Unit, Week, Year};
use crate::when::schedule::days::monday;

/// The years that are looked through for a month or season that names none.
const YEARS: i32 = 8;

/// Returns the span of a period by the wall clock; `None` where no calendar has it.
pub(super) fn span(
    period: &Period,
    now: NaiveDateTime,
    facing: Facing,
) -> Option<Span<NaiveDateTime>> {
    let today = now.date();
    match period {
        Period::Day(day) => days(dates(day, today, facing).into_iter().next()?, 1),
        Period::Week(weeks) => days(moved(monday(today), weeks.checked_mul(7)?)?, 7),
        Period::Weekend(week) => weekend(*week, now, facing),
        Period::Month(month) => month_span(*month, now, facing),
        Period::Year(year) => in_year(*year, now, facing, |year| months(year, 1, 12)),
        Period::Season(season, year) => in_year(*year, now, facing, |year| {
            months(year, first_month(*season), 3)
        }),
        Period::PartOf(whole, third) => part(span(whole, now, facing)?, *third),
        Period::Units(count, unit, Direction::Back) => last(now, *count, *unit),
        Period::Units(count, unit, Direction::Ahead) => next(now, *count, *unit),
        Period::Ago(count, unit) => ago(now, *count, *unit),
        Period::Range(first, last) => {
            let from = span(first, now, facing)?.from;
            let mut until = span(last, now, facing)?.until;
            if until <= from {
                until = until.checked_add_months(Months::new(12))?;
            }
            Some(Span { from, until })
        }
    }
}

/// Returns `count` days beginning with `first`.
pub(super) fn days(first: NaiveDate, count: u64) -> Option<Span<NaiveDateTime>> {
    let behind = first.checked_add_days(Days::new(count))?;
    Some(Span {
        from: midnight(first),
        until: midnight(behind),
    })
}

fn weekend(week: Week, now: NaiveDateTime, facing: Facing) -> Option<Span<NaiveDateTime>> {
    let in_week = |weeks: i64| days(moved(monday(now.date()), weeks * 7 + 5)?, 2);
    let this = in_week(0)?;
    match (week, facing) {
        (Week::Offset(weeks), _) => in_week(weeks.clamp(-5_000, 5_000)),
        (Week::Nearest, Facing::Back) if this.from > now => in_week(-1),
        // Its Sunday ends the week, so it is never over.
        (Week::Nearest, Facing::Ahead | Facing::Back) => Some(this),
        (Week::Last, _) => in_week(-1),
    }
}

fn month_span(month: Month, now: NaiveDateTime, facing: Facing) -> Option<Span<NaiveDateTime>> {
    match month {
        Month::Nearest => month_span(Month::Offset(0), now, facing),
        Month::Offset(count) => {
            let first = moved_months(first_of_month(now.date())?, count)?;
            months(first.year(), first.month(), 1)
        }
        Month::Named(month, year) => in_year(year, now, facing, |year| months(year, month, 1)),
    }
}

/// Returns `count` months beginning with a month.
fn months(year: i32, month: u32, count: u32) -> Option<Span<NaiveDateTime>> {
    let first = NaiveDate::from_ymd_opt(year, month, 1)?;
    let behind = first.checked_add_months(Months::new(count))?;
    Some(Span {
        from: midnight(first),
        until: midnight(behind),
    })
}

fn in_year(
    year: Year,
    now: NaiveDateTime,
    facing: Facing,
    of_year: impl Fn(i32) -> Option<Span<NaiveDateTime>>,
) -> Option<Span<NaiveDateTime>> {
    let this = now.date().year();
    let mut ahead = this - 1..=this + YEARS;
    let mut back = (this - YEARS..=this).rev();
    match (year, facing) {
        (Year::Number(year), _) => of_year(year),
        (Year::Offset(years), _) => of_year(this.checked_add(years)?),
        (Year::Nearest, Facing::Ahead) => {
            ahead.find_map(|year| of_year(year).filter(|span| span.until > now))
        }
        (Year::Nearest, Facing::Back) => {
            back.find_map(|year| of_year(year).filter(|span| span.from <= now))
        }
        (Year::Last, _) => back.find_map(|year| of_year(year).filter(|span| span.until <= now)),
    }
}

fn first_month(season: Season) -> u32 {
    match season {
        Season::Spring => 3,
        Season::Summer => 6,
        Season::Autumn => 9,
        Season::Winter => 12,
    }
}

fn part(whole: Span<NaiveDateTime>, third: Third) -> Option<Span<NaiveDateTime>> {
    let seconds = (whole.until - whole.from).num_seconds();
    let (from, until) = match third {
        Third::Beginning => (0, seconds / 3),
        Third::Middle => (seconds / 3, seconds / 3 * 2),
        Third::End => (seconds / 3 * 2, seconds),
        Third::FirstHalf => (0, seconds / 2),
        Third::SecondHalf => (seconds / 2, seconds),
    };
    Some(Span {
        from: whole.from.checked_add_signed(TimeDelta::seconds(from))?,
        until: whole.from.checked_add_signed(TimeDelta::seconds(until))?,
    })
}

/// Returns the span that "`count` units ago" means to people: the larger the unit, the wider.
fn ago(now: NaiveDateTime, count: u32, unit: Unit) -> Option<Span<NaiveDateTime>> {
    let today = now.date();
    match unit {
        Unit::Second | Unit::Minute | Unit::Hour => {
            days(now.checked_sub_signed(elapsed(count, unit)?)?.date(), 1)
        }
        Unit::Day => days(moved(today, -i64::from(count))?, 1),
        Unit::Week => days(moved(today, -i64::from(count) * 7 - 3)?, 7),
        Unit::Month => {
            let then = today.checked_sub_months(Months::new(count))?;
            days(moved(then, -15)?, 31)
        }
        Unit::Year => months(today.year().checked_sub_unsigned(count)?, 1, 12),
    }
}

/// Returns seconds, minutes or hours.
pub(super) fn elapsed(count: u32, unit: Unit) -> Option<TimeDelta> {
    let count = i64::from(count);
    match unit {
        Unit::Second => TimeDelta::try_seconds(count),
        Unit::Minute => TimeDelta::try_minutes(count),
        Unit::Hour => TimeDelta::try_hours(count),
        Unit::Day => TimeDelta::try_days(count),
        Unit::Week => TimeDelta::try_weeks(count),
        Unit::Month => TimeDelta::try_days(count.checked_mul(30)?),
        Unit::Year => TimeDelta::try_days(count.checked_mul(365)?),
    }
}

/// Returns the last `count` units, up to now.
fn last(now: NaiveDateTime, count: u32, unit: Unit) -> Option<Span<NaiveDateTime>> {
    let today = now.date();
    let from = match unit {
        Unit::Second | Unit::Minute | Unit::Hour => {
            let from = now.checked_sub_signed(elapsed(count, unit)?)?;
            return Some(Span { from, until: now });
        }
        Unit::Day => moved(today, -i64::from(count))?,
        Unit::Week => moved(today, -i64::from(count) * 7)?,
        Unit::Month => today.checked_sub_months(Months::new(count))?,
        Unit::Year => today.checked_sub_months(Months::new(count.checked_mul(12)?))?,
    };
    Some(Span {
        from: midnight(from),
        until: now,
    })
}

/// Returns the next `count` units: of days and more the whole ones behind today.
fn next(now: NaiveDateTime, count: u32, unit: Unit) -> Option<Span<NaiveDateTime>> {
    let tomorrow = now.date().succ_opt()?;
    let until = match unit {
        Unit::Second | Unit::Minute | Unit::Hour => {
            let until = now.checked_add_signed(elapsed(count, unit)?)?;
            return Some(Span { from: now, until });
        }
        Unit::Day => moved(tomorrow, count.into())?,
        Unit::Week => moved(tomorrow, i64::from(count) * 7)?,
        Unit::Month => tomorrow.checked_add_months(Months::new(count))?,
        Unit::Year => tomorrow.checked_add_months(Months::new(count.checked_mul(12)?))?,
    };
    Some(Span {
        from: midnight(tomorrow),
        until: midnight(until),
    })
}
