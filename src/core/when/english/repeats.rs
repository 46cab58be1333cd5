//! What is done again and again: `every Monday and Thursday`, `every second Friday`, `the last day of
//! every month`, `daily`.

use super::vocabulary::{PARTS, look_up, month};
use super::{English, Read};
use crate::when::expression::{Component, Day, Length, Month, Part, Repeat, Unit};
use crate::when::question::Why;
use crate::when::schedule::{MonthDay, WeekdaySet};

/// Words that are a rule by themselves.
const SINGLE: [(&str, Repeat); 11] = [
    ("daily", Repeat::Days(1)),
    ("hourly", HOURLY),
    ("weekly", Repeat::Weeks(1, WeekdaySet::NONE)),
    ("fortnightly", Repeat::Weeks(2, WeekdaySet::NONE)),
    ("monthly", Repeat::Months(1, Vec::new())),
    ("quarterly", Repeat::Months(3, Vec::new())),
    ("yearly", Repeat::Years(1, None)),
    ("annually", Repeat::Years(1, None)),
    ("weekdays", Repeat::Weeks(1, WeekdaySet::WORKDAYS)),
    ("workdays", Repeat::Weeks(1, WeekdaySet::WORKDAYS)),
    ("weekends", Repeat::Weeks(1, WeekdaySet::WEEKEND)),
];
const HOURLY: Repeat = Repeat::Interval(Length {
    months: 0,
    days: 0,
    seconds: 3_600,
});

impl English {
    pub(super) fn repeat(&self, at: usize) -> Read<Vec<Component>> {
        self.single(at)
            .or_else(|| self.plural_weekdays(at))
            .or_else(|| self.of_every_month(at))
            .or_else(|| self.times_a_unit(at))
            .or_else(|| {
                let start = self.past(at, &["on"]);
                let start = self.is(start, &["every", "each"]).then_some(start + 1)?;
                self.every(self.past(start, &["single"]))
            })
    }

    /// Reads `daily`, `on weekdays`, `weekday mornings`, `nightly`.
    fn single(&self, at: usize) -> Read<Vec<Component>> {
        let start = self.past(self.past(at, &["on", "at"]), &["the"]);
        if self.word(at) == "nightly" {
            let says = vec![
                Component::Repeat(Repeat::Days(1)),
                Component::Part(Part::Night),
            ];
            return Some((says, at + 1));
        }
        if let (true, Some(part)) = (
            self.is(start, &["weekday", "weekend"]) && self.word(start + 1).ends_with('s'),
            look_up(&PARTS, self.word(start + 1)),
        ) {
            let set = match self.word(start) {
                "weekday" => WeekdaySet::WORKDAYS,
                _ => WeekdaySet::WEEKEND,
            };
            let repeat = Component::Repeat(Repeat::Weeks(1, set));
            return Some((vec![repeat, Component::Part(part)], start + 2));
        }
        let word = self.word(start);
        if word == "biweekly" {
            // Twice a week to some, every second week to others.
            return Some((vec![Component::Unclear(Why::SeveralReadings)], start + 1));
        }
        let (_, repeat) = SINGLE.into_iter().find(|(name, _)| *name == word)?;
        Some(self.with_month_days(Component::Repeat(repeat), start + 1))
    }

    /// Reads `Mondays and Thursdays`, `on Fridays`, `Monday mornings`.
    fn plural_weekdays(&self, at: usize) -> Read<Vec<Component>> {
        let start = self.past(at, &["on"]);
        let (set, behind) = self.weekday_list(start, |reader, at| {
            let part = reader.word(at + 1);
            reader.word(at).ends_with("days")
                || (part.ends_with('s') && look_up(&PARTS, part).is_some())
        })?;
        Some(self.with_part(Repeat::Weeks(1, set), behind))
    }

    /// Reads weekdays joined by `and`, commas or `to`, as far as each is allowed.
    fn weekday_list(&self, at: usize, allowed: impl Fn(&Self, usize) -> bool) -> Read<WeekdaySet> {
        let (first, mut behind) = self.weekday(at).filter(|_| allowed(self, at))?;
        let mut set = WeekdaySet::default().with(first);
        let mut last = first;
        loop {
            let is_range = self.is(behind, &["to", "through", "thru", "-"]);
            let comma = self.past(behind, &[","]);
            let next = if is_range {
                behind + 1
            } else {
                self.past(self.past(comma, &["and", "&", "or"]), &["on", "every"])
            };
            if next == behind {
                return Some((set, behind));
            }
            let Some((day, end)) = self.weekday(next).filter(|_| allowed(self, next)) else {
                return Some((set, behind));
            };
            while is_range && last != day {
                last = last.succ();
                set = set.with(last);
            }
            set = set.with(day);
            last = day;
            behind = end;
        }
    }

    /// Takes a part of the day behind a rule: `every Friday evening`.
    fn with_part(&self, repeat: Repeat, at: usize) -> (Vec<Component>, usize) {
        match look_up(&PARTS, self.word(at)) {
            Some(part) => (
                vec![Component::Repeat(repeat), Component::Part(part)],
                at + 1,
            ),
            None => (vec![Component::Repeat(repeat)], at),
        }
    }

    /// Reads `the first of every month`, `the last Friday of each month`, `the 1st and 15th of the
    /// month` behind `every`.
    fn of_every_month(&self, at: usize) -> Read<Vec<Component>> {
        let start = self.past(self.past(at, &["on", "at"]), &["the"]);
        let (days, behind) = self.month_days(start)?;
        let behind = self.one_row(
            behind,
            &[
                &["of", "every", "month"],
                &["of", "each", "month"],
                &["of", "every", "single", "month"],
                &["every", "month"],
                &["each", "month"],
            ],
        )?;
        Some((vec![Component::Repeat(Repeat::Months(1, days))], behind))
    }

    /// Takes the days behind `every month`: `on the 1st and 15th`.
    fn with_month_days(&self, says: Component, at: usize) -> (Vec<Component>, usize) {
        let days = self
            .row(at, &["on", "the"])
            .and_then(|start| self.month_days(start));
        match (says, days) {
            (Component::Repeat(Repeat::Months(step, none)), Some((days, behind)))
                if none.is_empty() =>
            {
                (vec![Component::Repeat(Repeat::Months(step, days))], behind)
            }
            (says, _) => (vec![says], at),
        }
    }

    fn month_days(&self, at: usize) -> Read<Vec<MonthDay>> {
        let (first, mut behind) = self.month_day(at)?;
        let mut days = vec![first];
        loop {
            let comma = self.past(behind, &[","]);
            let next = self.past(self.past(comma, &["and", "&"]), &["the"]);
            match self.month_day(next).filter(|_| next > behind) {
                Some((day, end)) => {
                    days.push(day);
                    behind = end;
                }
                None => return Some((days, behind)),
            }
        }
    }

    /// Reads `once a day`; `twice a day` leaves open at what times.
    fn times_a_unit(&self, at: usize) -> Read<Vec<Component>> {
        let (is_once, behind) = match self.word(at) {
            "once" => (true, at + 1),
            "twice" => (false, at + 1),
            _ => {
                let (_, behind) = self.number(at)?;
                (false, self.row(behind, &["times"])?)
            }
        };
        let behind = self
            .is(behind, &["a", "an", "per", "every"])
            .then_some(behind + 1)?;
        let (unit, behind) = self.unit(behind)?;
        let says = match unit {
            Unit::Second => Component::Unclear(Why::TooOften),
            _ if !is_once => Component::Unclear(Why::SeveralReadings),
            unit => Component::Repeat(Repeat::every(1, unit)),
        };
        Some((vec![says], behind))
    }

    /// Reads what stands behind `every`.
    fn every(&self, at: usize) -> Read<Vec<Component>> {
        let few = self.few(at).and_then(|(_, behind)| self.unit(behind));
        if let Some((_, behind)) = few {
            return Some((vec![Component::Unclear(Why::Vague)], behind));
        }
        self.every_weekdays(at, 1)
            .or_else(|| self.every_nth(at))
            .or_else(|| self.every_date(at))
            .or_else(|| self.every_length(at))
            .or_else(|| {
                let part = look_up(&PARTS, self.word(at))?;
                Some((
                    vec![Component::Repeat(Repeat::Days(1)), Component::Part(part)],
                    at + 1,
                ))
            })
    }

    fn every_weekdays(&self, at: usize, step: u32) -> Read<Vec<Component>> {
        let set = match self.word(at) {
            "weekday" | "workday" => WeekdaySet::WORKDAYS,
            "weekend" => WeekdaySet::WEEKEND,
            "business" | "working" | "work" if self.word(at + 1) == "day" => {
                return Some(self.with_part(Repeat::Weeks(step, WeekdaySet::WORKDAYS), at + 2));
            }
            _ => {
                let (set, behind) = self.weekday_list(at, |_, _| true)?;
                return Some(self.with_part(Repeat::Weeks(step, set), behind));
            }
        };
        let behind = self.row(at + 1, &["day"]).unwrap_or(at + 1);
        Some(self.with_part(Repeat::Weeks(step, set), behind))
    }

    /// Reads `other day`, `second Friday`, `first Monday of the month`, `15th`, `3rd day`.
    fn every_nth(&self, at: usize) -> Read<Vec<Component>> {
        if self.is(at, &["other", "alternate"]) {
            return self.every_step(at + 1, 2);
        }
        if let Some((days, behind)) = self.month_days(at) {
            let of_month = self.one_row(
                behind,
                &[
                    &["of", "the", "month"],
                    &["of", "each", "month"],
                    &["of", "every", "month"],
                    &["of", "a", "month"],
                    &["in", "the", "month"],
                ],
            );
            if let Some(behind) = of_month {
                return Some((vec![Component::Repeat(Repeat::Months(1, days))], behind));
            }
            let days_are_sure = days
                .iter()
                .all(|day| matches!(day, MonthDay::Last | MonthDay::LastOf(_)));
            if days_are_sure && self.word(at) == "last" {
                return Some((vec![Component::Repeat(Repeat::Months(1, days))], behind));
            }
        }
        let (number, behind) = self.ordinal(at)?;
        if let Some(found) = self.every_step(behind, number) {
            return Some(found);
        }
        let is_day = self.digits(at).is_some() && (1..=31).contains(&number);
        let days = vec![MonthDay::Day(number)];
        is_day.then_some((vec![Component::Repeat(Repeat::Months(1, days))], behind))
    }

    /// Reads the unit or weekdays behind `every second`.
    fn every_step(&self, at: usize, step: u32) -> Read<Vec<Component>> {
        if let Some((says, behind)) = self.every_weekdays(at, step) {
            // `every third Friday` may be that of each month.
            return Some(match step {
                0..=2 => (says, behind),
                _ => (vec![Component::Unclear(Why::SeveralReadings)], behind),
            });
        }
        let (unit, behind) = self.unit(at)?;
        Some((vec![Component::Repeat(Repeat::every(step, unit))], behind))
    }

    /// Reads `March 8`, `8th of March`, `Christmas`, `year on March 8`.
    fn every_date(&self, at: usize) -> Read<Vec<Component>> {
        let is_date = month(self.word(at)).is_some()
            || self.ordinal(at).is_some()
            || self.holiday(at).is_some();
        let (day, behind) = self.day(at).filter(|_| is_date)?;
        match day {
            Day::OfMonth(_, Month::Named(..)) | Day::Lunar(..) => {
                let repeat = Repeat::Years(1, Some(day));
                Some((vec![Component::Repeat(repeat)], behind))
            }
            _ => None,
        }
    }

    fn every_length(&self, at: usize) -> Read<Vec<Component>> {
        if let Some((unit, behind)) = self.unit(at) {
            let says = match unit {
                Unit::Second => Component::Unclear(Why::TooOften),
                unit => Component::Repeat(Repeat::every(1, unit)),
            };
            // `every hour and a half`.
            if let Some(end) = self.row(behind, &["and", "a", "half"]) {
                let says = Component::every(Length::halves(3, unit));
                return Some((vec![says], end));
            }
            return Some(self.with_month_days(says, behind));
        }
        if let Some((length, behind)) = self.length(at) {
            return Some(self.with_month_days(Component::every(length), behind));
        }
        let is_quarter = self.word(at) == "quarter";
        let quarterly = Component::Repeat(Repeat::Months(3, vec![]));
        is_quarter.then(|| (vec![quarterly], at + 1))
    }
}
