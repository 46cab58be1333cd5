//! The days of a schedule: those of cron's fields, every N days, weeks or months from a first
//! one, and days of the lunar calendar.

use chrono::{Datelike as _, NaiveDate, Weekday};

use super::cron::{CronDays, last_of_month};
use crate::when::lunar::LunarDay;

/// Days of the week.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WeekdaySet(u8);

impl WeekdaySet {
    /// No day.
    pub const NONE: Self = Self(0);
    /// Monday to Friday.
    pub const WORKDAYS: Self = Self(0b001_1111);
    /// Saturday and Sunday.
    pub const WEEKEND: Self = Self(0b110_0000);
    /// All seven.
    pub const ALL: Self = Self(0b111_1111);

    /// Returns it with one day more.
    pub fn with(self, day: Weekday) -> Self {
        Self(self.0 | bit(day))
    }

    /// Returns the days that are in either.
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the days that are not in the other.
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether a day is in it.
    pub fn has(self, day: Weekday) -> bool {
        self.0 & bit(day) != 0
    }

    /// Whether there is no day in it.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns each day as the one after it.
    pub fn shifted(self) -> Self {
        self.days()
            .fold(Self::default(), |set, day| set.with(day.succ()))
    }

    /// Returns the days, from Monday on.
    pub fn days(self) -> impl Iterator<Item = Weekday> {
        WEEK.into_iter().filter(move |day| self.has(*day))
    }
}

impl FromIterator<Weekday> for WeekdaySet {
    fn from_iter<T: IntoIterator<Item = Weekday>>(days: T) -> Self {
        days.into_iter().fold(Self::default(), Self::with)
    }
}

/// The days of a week, from Monday on.
pub(in crate::when) const WEEK: [Weekday; 7] = [
    Weekday::Mon,
    Weekday::Tue,
    Weekday::Wed,
    Weekday::Thu,
    Weekday::Fri,
    Weekday::Sat,
    Weekday::Sun,
];

fn bit(day: Weekday) -> u8 {
    1 << day.num_days_from_monday()
}

/// A day of a month.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MonthDay {
    /// By its number; months without it are left out.
    Day(u32),
    /// The last.
    Last,
    /// The first to fifth of a weekday.
    Nth(u32, Weekday),
    /// The last of a weekday.
    LastOf(Weekday),
}

impl MonthDay {
    /// Whether a date is it.
    pub fn is_on(self, date: NaiveDate) -> bool {
        match self {
            Self::Day(day) => date.day() == day,
            Self::Last => date.day() == last_of_month(date),
            Self::Nth(nth, weekday) => date.weekday() == weekday && date.day().div_ceil(7) == nth,
            Self::LastOf(weekday) => {
                date.weekday() == weekday && date.day() + 7 > last_of_month(date)
            }
        }
    }

    /// Returns the day in the month of a date.
    pub fn in_month(self, month: NaiveDate) -> Option<NaiveDate> {
        let mut days = month.with_day(1)?.iter_days().take(31);
        days.find(|date| date.month() == month.month() && self.is_on(*date))
    }
}

/// Which days are meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DaysRule {
    /// Those of three fields of cron: day of the month, month, day of the week.
    Cron(CronDays),
    /// Every N days.
    EveryDays {
        /// How many days from one to the next, at least 1.
        step: u32,
        /// The first.
        from: NaiveDate,
    },
    /// Days of every N weeks.
    EveryWeeks {
        /// How many weeks from one to the next, at least 1.
        step: u32,
        /// The days of such a week.
        on: WeekdaySet,
        /// The first of the days.
        from: NaiveDate,
    },
    /// A day of every N months.
    EveryMonths {
        /// How many months from one to the next, at least 1.
        step: u32,
        /// The day.
        on: MonthDay,
        /// The first of the days.
        from: NaiveDate,
    },
    /// A day of the lunar calendar, every year.
    Lunar(LunarDay),
}

impl DaysRule {
    /// Whether a date is one of the days.
    pub fn is_on(&self, date: NaiveDate) -> bool {
        match self {
            Self::Cron(days) => days.is_on(date),
            Self::EveryDays { step, from } => {
                date >= *from && is_multiple((date - *from).num_days(), *step)
            }
            Self::EveryWeeks { step, on, from } => {
                let weeks = (monday(date) - monday(*from)).num_days() / 7;
                date >= *from && on.has(date.weekday()) && is_multiple(weeks, *step)
            }
            Self::EveryMonths { step, on, from } => {
                let months = month_number(date) - month_number(*from);
                date >= *from && on.is_on(date) && is_multiple(months, *step)
            }
            Self::Lunar(day) => day.from(date) == Some(date),
        }
    }
}

fn is_multiple(count: i64, step: u32) -> bool {
    count.checked_rem(step.into()) == Some(0)
}

/// Returns the Monday of the week of a date.
pub(in crate::when) fn monday(date: NaiveDate) -> NaiveDate {
    date.week(Weekday::Mon).first_day()
}

fn month_number(date: NaiveDate) -> i64 {
    i64::from(date.year()) * 12 + i64::from(date.month0())
}
