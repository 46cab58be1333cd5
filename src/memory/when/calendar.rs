//! Days, weeks, months, seasons and years around the present. Nothing here panics: what no calendar
//! has is `None`.

use chrono::{
    Datelike as _, Days, Months, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Weekday,
};

/// A span of local time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    /// Its first moment.
    pub from: NaiveDateTime,
    /// The moment behind its last.
    pub until: NaiveDateTime,
}

/// A unit in which people count back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Hour,
    Day,
    Week,
    Month,
    Year,
}

/// A part of a span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Beginning,
    Middle,
    End,
    FirstHalf,
    SecondHalf,
}

/// A season of the north.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Season {
    Spring,
    Summer,
    Autumn,
    Winter,
}

impl Season {
    fn first_month(self) -> u32 {
        match self {
            Self::Spring => 3,
            Self::Summer => 6,
            Self::Autumn => 9,
            Self::Winter => 12,
        }
    }

    /// Returns the season that begins in a year.
    pub(super) fn of_year(self, year: i32) -> Option<Span> {
        months(year, self.first_month(), 3)
    }

    /// Returns the last one that has begun, or the last one that is over.
    pub(super) fn latest(self, now: NaiveDateTime, over: Over) -> Option<Span> {
        latest_of(now, over, |year| self.of_year(year))
    }
}

/// Whether the last of something may still go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Over {
    /// It has begun.
    Begun,
    /// It is over.
    Over,
}

impl Span {
    /// Returns a part of it.
    pub(crate) fn part(self, part: Part) -> Option<Self> {
        let seconds = (self.until - self.from).num_seconds();
        let (from, until) = match part {
            Part::Beginning => (0, seconds / 3),
            Part::Middle => (seconds / 3, seconds / 3 * 2),
            Part::End => (seconds / 3 * 2, seconds),
            Part::FirstHalf => (0, seconds / 2),
            Part::SecondHalf => (seconds / 2, seconds),
        };
        Some(Self {
            from: self.from.checked_add_signed(TimeDelta::seconds(from))?,
            until: self.from.checked_add_signed(TimeDelta::seconds(until))?,
        })
    }

    /// Returns the span from its beginning to the present.
    pub(crate) fn up_to(self, now: NaiveDateTime) -> Option<Self> {
        (self.from < now).then_some(Self {
            from: self.from,
            until: now,
        })
    }
}

/// Returns a day.
pub(super) fn day(date: NaiveDate) -> Option<Span> {
    days(date, 1)
}

/// Returns `count` days beginning with `first`.
pub(super) fn days(first: NaiveDate, count: u64) -> Option<Span> {
    let behind = first.checked_add_days(Days::new(count))?;
    Some(Span {
        from: first.and_time(NaiveTime::MIN),
        until: behind.and_time(NaiveTime::MIN),
    })
}

/// Returns the day `count` days ago.
pub(super) fn days_ago(now: NaiveDateTime, count: u64) -> Option<Span> {
    day(now.date().checked_sub_days(Days::new(count))?)
}

/// Returns the week, beginning on Monday, `count` weeks ago.
pub(super) fn weeks_ago(now: NaiveDateTime, count: u64) -> Option<Span> {
    let in_week = u64::from(now.weekday().num_days_from_monday());
    let back = count.checked_mul(7)?.checked_add(in_week)?;
    days(now.date().checked_sub_days(Days::new(back))?, 7)
}

/// Returns a weekday of the week `count` weeks ago.
pub(super) fn weekday_weeks_ago(now: NaiveDateTime, weekday: Weekday, count: u64) -> Option<Span> {
    let monday = weeks_ago(now, count)?.from.date();
    day(monday.checked_add_days(Days::new(weekday.num_days_from_monday().into()))?)
}

/// Returns the last such day before today; today itself only where it may still go on.
pub(super) fn latest_weekday(now: NaiveDateTime, weekday: Weekday, over: Over) -> Option<Span> {
    let back = (7 + now.weekday().num_days_from_monday() - weekday.num_days_from_monday()) % 7;
    let back = if back == 0 && over == Over::Over {
        7
    } else {
        back
    };
    days_ago(now, back.into())
}

/// Returns the Saturday and Sunday of the week `count` weeks ago.
pub(super) fn weekend_weeks_ago(now: NaiveDateTime, count: u64) -> Option<Span> {
    let monday = weeks_ago(now, count)?.from.date();
    days(monday.checked_add_days(Days::new(5))?, 2)
}

/// Returns a month of a year.
pub(super) fn month(year: i32, month: u32) -> Option<Span> {
    months(year, month, 1)
}

/// Returns `count` months beginning with a month.
fn months(year: i32, month: u32, count: u32) -> Option<Span> {
    let first = NaiveDate::from_ymd_opt(year, month, 1)?;
    let behind = first.checked_add_months(Months::new(count))?;
    Some(Span {
        from: first.and_time(NaiveTime::MIN),
        until: behind.and_time(NaiveTime::MIN),
    })
}

/// Returns the month `count` months ago.
pub(super) fn months_ago(now: NaiveDateTime, count: u32) -> Option<Span> {
    let then = now.date().checked_sub_months(Months::new(count))?;
    month(then.year(), then.month())
}

/// Returns a year.
pub(super) fn year(year: i32) -> Option<Span> {
    months(year, 1, 12)
}

/// Returns the last month of this number.
pub(super) fn latest_month(now: NaiveDateTime, number: u32, over: Over) -> Option<Span> {
    latest_of(now, over, |year| month(year, number))
}

/// Returns the last day of this month and number.
pub(super) fn latest_date(now: NaiveDateTime, month: u32, of_month: u32) -> Option<Span> {
    latest_of(now, Over::Begun, |year| date(year, month, of_month))
}

/// Returns a day of a year.
pub(super) fn date(year: i32, month: u32, of_month: u32) -> Option<Span> {
    day(NaiveDate::from_ymd_opt(year, month, of_month)?)
}

fn latest_of(
    now: NaiveDateTime,
    over: Over,
    of_year: impl Fn(i32) -> Option<Span>,
) -> Option<Span> {
    // A 29 February may be eight years ago.
    (0..=8).find_map(|back| {
        let span = of_year(now.year() - back)?;
        let is_there = match over {
            Over::Begun => span.from <= now,
            Over::Over => span.until <= now,
        };
        is_there.then_some(span)
    })
}

/// Returns the span that "`count` units ago" means to people: the larger the unit, the wider.
pub(super) fn ago(now: NaiveDateTime, count: u32, unit: Unit) -> Option<Span> {
    match unit {
        Unit::Hour => {
            let hours = TimeDelta::try_hours(count.into())?;
            day(now.checked_sub_signed(hours)?.date())
        }
        Unit::Day => days_ago(now, count.into()),
        Unit::Week => {
            let middle = u64::from(count).checked_mul(7)?;
            let first = now
                .date()
                .checked_sub_days(Days::new(middle.checked_add(3)?))?;
            days(first, 7)
        }
        Unit::Month => {
            let then = now.date().checked_sub_months(Months::new(count))?;
            days(then.checked_sub_days(Days::new(15))?, 31)
        }
        Unit::Year => year(now.year().checked_sub_unsigned(count)?),
    }
}

/// Returns the last `count` units, up to the present.
pub(super) fn last(now: NaiveDateTime, count: u32, unit: Unit) -> Option<Span> {
    let today = now.date();
    let from = match unit {
        Unit::Hour => {
            let hours = TimeDelta::try_hours(count.into())?;
            let from = now.checked_sub_signed(hours)?;
            return Some(Span { from, until: now });
        }
        Unit::Day => today.checked_sub_days(Days::new(count.into()))?,
        Unit::Week => today.checked_sub_days(Days::new(u64::from(count).checked_mul(7)?))?,
        Unit::Month => today.checked_sub_months(Months::new(count))?,
        Unit::Year => today.checked_sub_months(Months::new(count.checked_mul(12)?))?,
    };
    Some(Span {
        from: from.and_time(NaiveTime::MIN),
        until: now,
    })
}
