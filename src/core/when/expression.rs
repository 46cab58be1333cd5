//! What expressions of time say, in terms that both languages share and before any of it is reckoned:
//! `resolver` turns it into instants, spans and schedules.

use chrono::{DateTime, NaiveDateTime, Utc, Weekday};
use chrono_tz::Tz;

use super::lunar::LunarDay;
use super::question::Why;
use super::schedule::{MonthDay, WeekdaySet};

/// A part of an expression, and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Piece {
    /// The first character.
    pub(super) at: usize,
    /// The character behind the last.
    pub(super) end: usize,
    /// What it says.
    pub(super) says: Vec<Component>,
}

/// What a part of an expression says.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Component {
    /// A day.
    Day(Day),
    /// From one day to another, which is included.
    Days(Day, Day),
    /// A span of several days.
    Period(Period),
    /// A part of a day that is named for itself: `in the morning`.
    Part(Part),
    /// A part of a day that is one only beside a day: `morning`.
    BarePart(Part),
    /// A time of the clock.
    Clock(Clock),
    /// From one time of the clock to another.
    Clocks(Clock, Clock),
    /// A length ahead of now.
    After(Length),
    /// N units before now.
    Before(u32, Unit),
    /// Again and again.
    Repeat(Repeat),
    /// The last day of something that is done again and again.
    Until(Day),
    /// From the beginning of a day or period up to now.
    Since(Period),
    /// By the clock of a zone.
    Zone(Tz),
    /// A moment that names its offset.
    Instant(DateTime<Utc>),
    /// A date with its time, by the clock.
    Moment(NaiveDateTime),
    /// Something that is no time by itself.
    Unclear(Why),
}

/// A day.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Day {
    /// Today, or N days ahead of it.
    Offset(i64),
    /// A day of a week.
    Weekday(Weekday, Week),
    /// A day of a month.
    OfMonth(MonthDay, Month),
    /// A day of the lunar calendar.
    Lunar(LunarDay, Year),
    /// Another day, and a length ahead of it (or behind it, below zero).
    From(Box<Self>, Length),
    /// One of several, which the text does not tell apart.
    OneOf(Vec<Self>),
}

/// Which week.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Week {
    /// That of the nearest such day.
    Nearest,
    /// That of the last such day before today.
    Last,
    /// This one, or N ahead of it.
    Offset(i64),
}

/// Which month.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Month {
    /// The nearest in which it lies ahead.
    Nearest,
    /// This one, or N ahead of it.
    Offset(i32),
    /// By its number.
    Named(u32, Year),
}

/// Which year.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Year {
    /// The nearest.
    Nearest,
    /// The last in which it is over.
    Last,
    /// This one, or N ahead of it.
    Offset(i32),
    /// By its number.
    Number(i32),
}

/// A span of several days.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Period {
    Day(Day),
    /// A week, from Monday on.
    Week(i64),
    /// Saturday and Sunday.
    Weekend(Week),
    Month(Month),
    Year(Year),
    Season(Season, Year),
    /// A part of a longer one.
    PartOf(Box<Self>, Third),
    /// N units up to now, or from now on.
    Units(u32, Unit, Direction),
    /// What is meant by N units ago: the larger the unit, the wider.
    Ago(u32, Unit),
    /// From one to another, which is included.
    Range(Box<Self>, Box<Self>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Ahead,
    Back,
}

/// A unit in which people count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Second,
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Year,
}

/// A season of the north.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Season {
    Spring,
    Summer,
    Autumn,
    Winter,
}

/// A part of a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Third {
    Beginning,
    Middle,
    End,
    FirstHalf,
    SecondHalf,
}

/// A part of the day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// The small hours: 凌晨.
    SmallHours,
    Morning,
    Noon,
    Afternoon,
    Evening,
    Night,
    /// The end of the day.
    Midnight,
}

/// A time of the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Clock {
    pub(super) hour: u32,
    pub(super) minute: u32,
    pub(super) second: u32,
    pub(super) half: Half,
}

/// Which half of the day a clock of twelve hours is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Half {
    /// It is not said.
    Open,
    Am,
    Pm,
    /// It is a clock of 24 hours.
    Exact,
}

impl Clock {
    /// Returns a time, if a clock shows it; 24:00 is one. An hour from 1 to 12 leaves its half open.
    pub(super) fn new(hour: u32, minute: u32, second: u32) -> Option<Self> {
        let is_shown = hour < 24 || (hour == 24 && minute == 0 && second == 0);
        let half = if (1..=12).contains(&hour) {
            Half::Open
        } else {
            Half::Exact
        };
        (is_shown && minute < 60 && second < 60).then_some(Self {
            hour,
            minute,
            second,
            half,
        })
    }

    /// Whether its half of the day is open.
    pub(super) fn is_open(self) -> bool {
        self.half == Half::Open
    }

    /// Returns it in a half of the day; `None` where its hour is none of twelve.
    pub(super) fn in_half(self, half: Half) -> Option<Self> {
        (1..=12)
            .contains(&self.hour)
            .then_some(Self { half, ..self })
    }
}

/// A length of time. Days and months keep the time of the clock, seconds elapse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Length {
    pub(super) months: i64,
    pub(super) days: i64,
    pub(super) seconds: i64,
}

impl Length {
    /// Returns N halves of a unit.
    pub(super) fn halves(count: i64, unit: Unit) -> Self {
        let mut length = Self::default();
        match unit {
            Unit::Second => length.seconds = count / 2,
            Unit::Minute => length.seconds = count * 30,
            Unit::Hour => length.seconds = count * 1_800,
            Unit::Day => {
                length.days = count / 2;
                length.seconds = count % 2 * 43_200;
            }
            Unit::Week => {
                length.days = count * 7 / 2;
                length.seconds = count % 2 * 43_200;
            }
            Unit::Month => {
                length.months = count / 2;
                length.days = count % 2 * 15;
            }
            Unit::Year => length.months = count * 6,
        }
        length
    }

    /// Returns N of a unit.
    pub(super) fn of(count: u32, unit: Unit) -> Self {
        Self::halves(i64::from(count) * 2, unit)
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self {
            months: self.months + other.months,
            days: self.days + other.days,
            seconds: self.seconds + other.seconds,
        }
    }

    /// Returns it in the other direction.
    pub(super) fn back(self) -> Self {
        Self {
            months: -self.months,
            days: -self.days,
            seconds: -self.seconds,
        }
    }

    /// Whether it says no time of the day: whole days.
    pub(super) fn is_days(self) -> bool {
        self.seconds == 0
    }
}

/// What is done again and again.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Repeat {
    /// After an interval.
    Interval(Length),
    /// Every N days.
    Days(u32),
    /// On days of every N weeks; none: on that of the first.
    Weeks(u32, WeekdaySet),
    /// On days of every N months; none: on that of the first.
    Months(u32, Vec<MonthDay>),
    /// On a day of every N years.
    Years(u32, Option<Day>),
}

impl Repeat {
    /// Returns the rule of N of a unit.
    pub(super) fn every(count: u32, unit: Unit) -> Self {
        match unit {
            Unit::Second | Unit::Minute | Unit::Hour => Self::Interval(Length::of(count, unit)),
            Unit::Day => Self::Days(count),
            Unit::Week => Self::Weeks(count, WeekdaySet::NONE),
            Unit::Month => Self::Months(count, vec![]),
            Unit::Year => Self::Years(count, None),
        }
    }
}

impl Component {
    /// Returns the rule of an interval: whole days, weeks and months keep the time of the clock.
    pub(super) fn every(length: Length) -> Self {
        let count = |count: i64| u32::try_from(count).unwrap_or(u32::MAX);
        let Length {
            months,
            days,
            seconds,
        } = length;
        let repeat = match (months, days, seconds) {
            (0, 0, ..60) => return Self::Unclear(Why::TooOften),
            (0, 0, _) => Repeat::Interval(length),
            (0, days, 0) if days % 7 == 0 => Repeat::Weeks(count(days / 7), WeekdaySet::NONE),
            (0, days, 0) => Repeat::Days(count(days)),
            (months, 0, 0) if months % 12 == 0 => Repeat::Years(count(months / 12), None),
            (months, 0, 0) => Repeat::Months(count(months), vec![]),
            _ => return Self::Unclear(Why::SeveralReadings),
        };
        Self::Repeat(repeat)
    }
}
