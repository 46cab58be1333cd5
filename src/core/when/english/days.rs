//! Days: `tomorrow`, `next Friday`, `May 3`, `the 5th`, `the last day of the month`.

use chrono::Weekday;

use super::vocabulary::{DOUBTFUL_WEEKDAYS, MONTHS, NEAR_DAYS, PARTS, WEEKDAYS, look_up, month};
use super::{English, Read};
use crate::when::expression::{Component, Day, Length, Month, Unit, Week, Year};
use crate::when::schedule::MonthDay;

impl English {
    /// Reads a day with the word before it, or a row of days.
    pub(super) fn day_piece(&self, at: usize) -> Read<Vec<Component>> {
        if self.is(at, &["until", "till", "through", "til"]) {
            let (day, behind) = self.day(at + 1).or_else(|| self.month_end(at + 1))?;
            return Some((vec![Component::Until(day)], behind));
        }
        let start = self.past(
            at,
            &["on", "for", "by", "from", "of", "between", "at", "due"],
        );
        let is_led = start > at;
        let (day, behind) = match self.day(start) {
            Some(found) => found,
            None => self.led_day(start).filter(|_| is_led)?,
        };
        if self.is(behind, &["to", "-", "until", "till", "through", "and"])
            && (self.word(behind) != "and" || self.word(at) == "between")
            && let Some((last, end)) = self.day(behind + 1)
        {
            return Some((vec![Component::Days(day, last)], end));
        }
        Some((vec![Component::Day(day)], behind))
    }

    /// Reads a day that is one without a word before it.
    pub(super) fn day(&self, at: usize) -> Read<Day> {
        self.near_day(at)
            .or_else(|| self.weekday_day(at))
            .or_else(|| self.date(at))
            .or_else(|| self.of_month(at))
            .or_else(|| self.holiday(at))
    }

    fn near_day(&self, at: usize) -> Read<Day> {
        let mut near = NEAR_DAYS.into_iter();
        near.find_map(|(row, days)| Some((Day::Offset(days), self.row(at, row)?)))
    }

    /// Reads `Friday`, `next Friday`, `Friday next week`, `next week on Friday`.
    fn weekday_day(&self, at: usize) -> Read<Day> {
        let (week, start) = match self.word(at) {
            "next" | "this" if self.word(at + 1) == "week" => {
                let week = Week::Offset(i64::from(self.word(at) == "next"));
                (Some(week), self.past(self.past(at + 2, &[","]), &["on"]))
            }
            "next" => (Some(Week::Offset(1)), at + 1),
            "last" => (Some(Week::Last), at + 1),
            "this" => (None, self.past(at + 1, &["coming"])),
            "the" => return self.weekday_after_next(at),
            "coming" | "following" => (None, at + 1),
            _ => (None, at),
        };
        let (weekday, behind) = self.weekday(start)?;
        if self.word(behind) == "week" {
            let day = Day::Weekday(weekday, Week::Nearest);
            let day = Day::From(Box::new(day), Length::of(1, Unit::Week));
            return Some((day, behind + 1));
        }
        let next = self.past(self.past(behind, &[","]), &["of"]);
        if let (None, Some(end)) = (week, self.row(next, &["next", "week"])) {
            return Some((Day::Weekday(weekday, Week::Offset(1)), end));
        }
        if let (None, Some(end)) = (week, self.row(next, &["this", "week"])) {
            return Some((Day::Weekday(weekday, Week::Offset(0)), end));
        }
        if let Some(end) = self.row(behind, &["after", "next"]) {
            return Some((Day::Weekday(weekday, Week::Offset(2)), end));
        }
        Some((Day::Weekday(weekday, week.unwrap_or(Week::Nearest)), behind))
    }

    /// Reads `the Monday after next`, `the coming Friday`.
    fn weekday_after_next(&self, at: usize) -> Read<Day> {
        let coming = self.past(at + 1, &["coming", "following", "next"]);
        let (weekday, behind) = self.weekday(coming)?;
        if let Some(end) = self.row(behind, &["after", "next"]) {
            return Some((Day::Weekday(weekday, Week::Offset(2)), end));
        }
        let week = match self.word(at + 1) {
            "next" => Week::Offset(1),
            _ => Week::Nearest,
        };
        (coming > at + 1).then_some((Day::Weekday(weekday, week), behind))
    }

    /// Reads the name of a weekday; one that is also another word only beside a word for a time.
    pub(super) fn weekday(&self, at: usize) -> Read<Weekday> {
        let word = self.word(at);
        if let Some(day) = look_up(&WEEKDAYS, word) {
            return Some((day, self.past_period(at)));
        }
        let day = look_up(&DOUBTFUL_WEEKDAYS, word)?;
        let before = at.checked_sub(1).map_or("", |before| self.word(before));
        let is_led = matches!(
            before,
            "on" | "this"
                | "next"
                | "last"
                | "every"
                | "each"
                | "by"
                | "until"
                | "from"
                | "-"
                | "coming"
        );
        let is_joined = |place: usize| {
            look_up(&WEEKDAYS, self.word(place)).is_some()
                || look_up(&DOUBTFUL_WEEKDAYS, self.word(place)).is_some()
        };
        let has_time = self.is_capital(at)
            && (self.clock(at + 1).is_some() || look_up(&PARTS, self.word(at + 1)).is_some())
            || (self.word(at + 1) == "at" && self.bare_hour(at + 2).is_some())
            || self.clock(at + 1).is_some();
        let is_row = matches!(before, "and" | "," | "&") && at >= 2 && is_joined(at - 2);
        let begins_row = matches!(self.word(at + 1), "-" | "," | "and") && is_joined(at + 2);
        let is_sure = is_led || has_time || is_row || begins_row;
        is_sure.then(|| (day, self.past_period(at)))
    }

    /// Returns the place behind a word and the period of its short form: `Fri.`
    fn past_period(&self, at: usize) -> usize {
        let is_short = self.word(at).len() <= 4 && self.touches(at) && self.word(at + 1) == ".";
        at + 1 + usize::from(is_short)
    }

    /// Reads `May 3`, `3rd of May 2027`, `2027-01-15`, `24.12.`, `12/24`.
    fn date(&self, at: usize) -> Read<Day> {
        self.written_date(at)
            .or_else(|| self.month_and_day(at))
            .or_else(|| self.day_and_month(at))
    }

    fn month_and_day(&self, at: usize) -> Read<Day> {
        let month = month(self.word(at))?;
        let start = self.past(self.past_period(at), &["the"]);
        let (day, behind) = self.ordinal(start).or_else(|| {
            Some((
                self.digits(start).filter(|_| self.is_day_number(start))?,
                start + 1,
            ))
        })?;
        // "You may 3 times", "march 2 miles".
        let is_doubtful = self.is(at, &["may", "march"]) && !self.is_capital(at);
        let is_sure = behind > start + 1 || self.ends_date(behind);
        (!is_doubtful || is_sure).then(|| self.with_year(month, day, behind))
    }

    /// Whether what stands here can follow a date.
    fn ends_date(&self, at: usize) -> bool {
        let word = self.word(at);
        let is_word = word.starts_with(|it: char| it.is_ascii_lowercase());
        !is_word
            || self.is(
                at,
                &[
                    "at", "by", "on", "in", "to", "until", "from", "next", "this",
                ],
            )
    }

    fn day_and_month(&self, at: usize) -> Read<Day> {
        let start = self.past(at, &["the"]);
        let (day, behind) = self
            .ordinal(start)
            .or_else(|| Some((self.digits(start)?, start + 1)))?;
        let behind = self.past(behind, &["of", "."]);
        let month = look_up(&MONTHS, self.word(behind)).or_else(|| month(self.word(behind)))?;
        // "3 may come" is no date.
        let is_doubtful = self.is(behind, &["may", "march"]) && !self.is_capital(behind);
        if is_doubtful && behind == start + 1 {
            return None;
        }
        Some(self.with_year(month, day, self.past_period(behind)))
    }

    /// Takes a year behind a date.
    fn with_year(&self, month: u32, day: u32, at: usize) -> (Day, usize) {
        let start = self.past(at, &[","]);
        let year = self.year(start).filter(|_| self.word(start + 1) != ":");
        let (year, behind) = match (
            year,
            self.row(at, &["next", "year"]),
            self.row(at, &["this", "year"]),
        ) {
            (Some(year), ..) => (Year::Number(year), start + 1),
            (None, Some(behind), _) => (Year::Offset(1), behind),
            (None, None, Some(behind)) => (Year::Offset(0), behind),
            (None, None, None) => (Year::Nearest, at),
        };
        (
            Day::OfMonth(MonthDay::Day(day), Month::Named(month, year)),
            behind,
        )
    }

    /// Whether a number can be the day behind the name of a month: `May 3`, not `May 3pm`.
    fn is_day_number(&self, at: usize) -> bool {
        let is_short = self.word(at).len() <= 2;
        let is_clock = self.clock(at).is_some() || (self.word(at + 1) == ":" && self.touches(at));
        is_short && !is_clock
    }

    fn written_date(&self, at: usize) -> Read<Day> {
        if let Some([year, month, day]) = self.year_month_day(at) {
            let year = Year::Number(i32::try_from(year).ok()?);
            let day = Day::OfMonth(MonthDay::Day(day), Month::Named(month, year));
            return Some((day, at + 5));
        }
        let mark = self.word(at + 1);
        let (first, second) = (self.short(at)?, self.short(at + 2)?);
        if !(self.touches(at) && self.touches(at + 1)) {
            return None;
        }
        let year = (self.word(at + 3) == mark && self.touches(at + 2) && self.touches(at + 3))
            .then(|| self.year(at + 4))
            .flatten();
        let behind = if year.is_some() { at + 5 } else { at + 3 };
        let year = year.map_or(Year::Nearest, Year::Number);
        let of = |month, day| Day::OfMonth(MonthDay::Day(day), Month::Named(month, year));
        match mark {
            // `24.12.` and `24.12.2026`; `24.12` is a number.
            "." => {
                let is_date =
                    behind == at + 5 || (self.word(at + 3) == "." && self.touches(at + 2));
                let is_number = self.word(at + 3) == "."
                    && self.touches(at + 3)
                    && self.digits(at + 4).is_some()
                    && behind == at + 3;
                let behind = self.past(behind, &["."]);
                (is_date && !is_number && second <= 12).then_some((of(second, first), behind))
            }
            "/" => match (first, second) {
                (1..=12, 13..=31) => Some((of(first, second), behind)),
                (13..=31, 1..=12) => Some((of(second, first), behind)),
                (1..=12, 1..=12) if first == second => Some((of(first, second), behind)),
                // Month and day in America, day and month in most of the world.
                (1..=12, 1..=12) if self.is_led_date(at) || year != Year::Nearest => Some((
                    Day::OneOf(vec![of(first, second), of(second, first)]),
                    behind,
                )),
                _ => None,
            },
            _ => None,
        }
    }

    fn short(&self, at: usize) -> Option<u32> {
        self.digits(at).filter(|_| self.word(at).len() <= 2)
    }

    fn is_led_date(&self, at: usize) -> bool {
        at > 0 && self.is(at - 1, &["on", "by", "until", "from", "for"])
    }

    /// Reads `the 5th`, `the last day of next month`, `the first Monday in March`.
    fn of_month(&self, at: usize) -> Read<Day> {
        if let Some(behind) = self.row(at, &["next", "month", "on", "the"]) {
            let (day, behind) = self.ordinal(behind)?;
            return Some((Day::OfMonth(MonthDay::Day(day), Month::Offset(1)), behind));
        }
        let start = self.past(at, &["the"]);
        // The end of a month is a period where people look back.
        let is_end = self.word(start) == "end";
        let (day, behind) = self.month_day(start).filter(|_| !is_end)?;
        let of = self.past(behind, &["of", "in"]);
        if of > behind
            && let Some((month, behind)) = self.which_month(of)
        {
            return Some((Day::OfMonth(day, month), behind));
        }
        // "The first" and "the second" are days only with figures.
        let is_led = at > 0 && self.is(at - 1, &["on", "by", "until", "from", "for", "due"]);
        let has_figures =
            self.digits(start).is_some() && start > at && (is_led || self.ends_date(behind));
        let is_number = matches!(day, MonthDay::Day(_));
        (has_figures && is_number).then_some((Day::OfMonth(day, Month::Nearest), behind))
    }

    /// Reads `the end of the month` as its last day.
    fn month_end(&self, at: usize) -> Read<Day> {
        let behind = self.row(self.past(at, &["the"]), &["end", "of"])?;
        let (month, behind) = self.which_month(behind)?;
        Some((Day::OfMonth(MonthDay::Last, month), behind))
    }

    /// Reads the day of `on the first` and `on 5th`, which the word before it makes one.
    fn led_day(&self, at: usize) -> Read<Day> {
        let start = self.past(at, &["the"]);
        let (day, behind) = self.ordinal(start)?;
        let is_day = (1..=31).contains(&day);
        is_day.then_some((Day::OfMonth(MonthDay::Day(day), Month::Nearest), behind))
    }

    /// Reads `5th`, `first day`, `last day`, `end`, `second Tuesday`, `last Friday`.
    pub(super) fn month_day(&self, at: usize) -> Read<MonthDay> {
        if self.word(at) == "last" {
            if self.word(at + 1) == "day" {
                return Some((MonthDay::Last, at + 2));
            }
            let (weekday, behind) = self.weekday(at + 1)?;
            return Some((MonthDay::LastOf(weekday), behind));
        }
        if self.word(at) == "end" {
            return Some((MonthDay::Last, at + 1));
        }
        let (number, behind) = self.ordinal(at)?;
        if let Some((weekday, behind)) = self.weekday(behind) {
            return (1..=5)
                .contains(&number)
                .then_some((MonthDay::Nth(number, weekday), behind));
        }
        Some((MonthDay::Day(number), self.past(behind, &["day"])))
    }

    /// Reads `the month`, `next month`, `March 2027`.
    fn which_month(&self, at: usize) -> Read<Month> {
        let rows: [(&[&str], i32); 6] = [
            (&["the", "month"], 0),
            (&["this", "month"], 0),
            (&["the", "current", "month"], 0),
            (&["next", "month"], 1),
            (&["the", "next", "month"], 1),
            (&["the", "following", "month"], 1),
        ];
        if let Some(found) = rows.into_iter().find_map(|(row, months)| {
            let month = if months == 0 {
                Month::Nearest
            } else {
                Month::Offset(months)
            };
            Some((month, self.row(at, row)?))
        }) {
            return Some(found);
        }
        let month = month(self.word(at))?;
        match self.year(at + 1) {
            Some(year) => Some((Month::Named(month, Year::Number(year)), at + 2)),
            None => Some((Month::Named(month, Year::Nearest), at + 1)),
        }
    }
}
