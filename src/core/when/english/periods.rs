//! Spans of several days: `next week`, `this weekend`, `in December`, `the last 3 weeks`.

use super::vocabulary::{PLAIN_MONTHS, SEASONS, look_up, month};
use super::{English, Read};
use crate::when::expression::{Component, Direction, Month, Period, Third, Unit, Week, Year};

/// What "recently" reaches back, in days.
const RECENTLY: u32 = 30;

impl English {
    pub(super) fn period_piece(&self, at: usize) -> Read<Vec<Component>> {
        if self.word(at) == "since" {
            let since = self
                .period(at + 1)
                .or_else(|| self.named(at + 1))
                .or_else(|| {
                    let (day, behind) = self.day(at + 1)?;
                    Some((Period::Day(day), behind))
                });
            let (period, behind) = since?;
            return Some((vec![Component::Since(period)], behind));
        }
        let rows: [&[&str]; 14] = [
            &["by", "the"],
            &["by"],
            &["at"],
            &["on"],
            &["in"],
            &["on", "the"],
            &["at", "the"],
            &["over", "the"],
            &["for", "the"],
            &["in", "the"],
            &["during", "the"],
            &["within", "the"],
            &["for"],
            &["the"],
        ];
        let start = self.one_row(at, &rows).unwrap_or(at);
        let led = self.past(
            at,
            &[
                "in",
                "during",
                "throughout",
                "of",
                "from",
                "around",
                "for",
                "by",
            ],
        );
        let led = self.past(led, &["the"]);
        let (period, behind) = self
            .period(start)
            .or_else(|| {
                self.named(led)
                    .filter(|_| led > at && self.word(at) != "the")
            })
            .or_else(|| self.plain(at))?;
        if self.is(behind, &["to", "-", "until", "through"])
            && let Some((last, end)) = self.period(behind + 1).or_else(|| self.named(behind + 1))
        {
            let range = Period::Range(Box::new(period), Box::new(last));
            return Some((vec![Component::Period(range)], end));
        }
        Some((vec![Component::Period(period)], behind))
    }

    /// Reads a period that is one without a word before it.
    fn period(&self, at: usize) -> Read<Period> {
        self.relative(at)
            .or_else(|| self.units(at))
            .or_else(|| self.part_of(at))
            .or_else(|| {
                let is_recent = self.is(at, &["recently", "lately"]);
                let recent = Period::Units(RECENTLY, Unit::Day, Direction::Back);
                is_recent.then_some((recent, at + 1))
            })
    }

    /// Reads `next week`, `this weekend`, `the month after next`, `last spring`.
    fn relative(&self, at: usize) -> Read<Period> {
        let steps = match self.word(at) {
            "this" | "current" => 0,
            "next" | "coming" | "following" => 1,
            "last" | "past" | "previous" => -1,
            "week" if self.row(at, &["week", "after", "next"]).is_some() => {
                return Some((Period::Week(2), at + 3));
            }
            "month" if self.row(at, &["month", "after", "next"]).is_some() => {
                return Some((Period::Month(Month::Offset(2)), at + 3));
            }
            "weekend" => return Some((Period::Weekend(Week::Nearest), at + 1)),
            _ => return None,
        };
        let year = if steps < 0 { Year::Last } else { Year::Nearest };
        let period = match self.word(at + 1) {
            "week" => Period::Week(steps),
            "weekend" => Period::Weekend(match steps {
                0 => Week::Nearest,
                1 => Week::Offset(1),
                _ => Week::Last,
            }),
            "month" => Period::Month(Month::Offset(steps as i32)),
            "year" => Period::Year(Year::Offset(steps as i32)),
            // "This may be" is no month.
            "may" | "march" if steps == 0 && !self.is_capital(at + 1) => return None,
            word => match (month(word), look_up(&SEASONS, word)) {
                (Some(month), _) => Period::Month(Month::Named(month, year)),
                (None, Some(season)) => Period::Season(season, year),
                (None, None) => return None,
            },
        };
        Some((period, at + 2))
    }

    /// Reads `next 3 days`, `past few weeks`.
    fn units(&self, at: usize) -> Read<Period> {
        let direction = match self.word(at) {
            "next" | "coming" | "following" => Direction::Ahead,
            "last" | "past" | "previous" => Direction::Back,
            _ => return None,
        };
        let (count, behind) = self.few(at + 1).or_else(|| self.count(at + 1))?;
        let (unit, behind) = self.unit(behind)?;
        Some((Period::Units(count, unit, direction), behind))
    }

    /// Reads `beginning of March`, `early May`, `end of the year`.
    fn part_of(&self, at: usize) -> Read<Period> {
        let third = match self.word(at) {
            "early" | "beginning" | "start" => Third::Beginning,
            "mid" | "middle" => Third::Middle,
            "late" | "end" => Third::End,
            _ => return None,
        };
        let start = self.past(self.past(at + 1, &["-"]), &["of"]);
        let the = self.past(start, &["the"]);
        let current: [(&str, Period); 3] = [
            ("week", Period::Week(0)),
            ("month", Period::Month(Month::Offset(0))),
            ("year", Period::Year(Year::Offset(0))),
        ];
        let named = current
            .into_iter()
            .find(|(word, _)| self.word(the) == *word);
        let (period, behind) = match named {
            Some((_, period)) => (period, the + 1),
            None => self.named(the).or_else(|| self.relative(the))?,
        };
        Some((Period::PartOf(Box::new(period), third), behind))
    }

    /// Reads what is a period only behind a word like `in`: `March`, `2027`, `spring of 2024`.
    fn named(&self, at: usize) -> Read<Period> {
        if let Some(year) = self.year(at).filter(|year| *year < 2_200) {
            let is_alone = !(self.touches(at) && self.is(at + 1, &["-", ":", "/"]));
            return is_alone.then_some((Period::Year(Year::Number(year)), at + 1));
        }
        if let Some(season) = look_up(&SEASONS, self.word(at)) {
            return Some(match self.year_behind(at + 1) {
                Some((year, behind)) => (Period::Season(season, Year::Number(year)), behind),
                None => (Period::Season(season, Year::Nearest), at + 1),
            });
        }
        let month = month(self.word(at))?;
        Some(match self.year_behind(at + 1) {
            Some((year, behind)) => (
                Period::Month(Month::Named(month, Year::Number(year))),
                behind,
            ),
            None => (Period::Month(Month::Named(month, Year::Nearest)), at + 1),
        })
    }

    fn year_behind(&self, at: usize) -> Read<i32> {
        let at = self.past(at, &["of"]);
        Some((self.year(at).filter(|year| *year < 2_200)?, at + 1))
    }

    /// Reads a month that is plainly one: `December`, `March 2025`.
    fn plain(&self, at: usize) -> Read<Period> {
        let is_plain = PLAIN_MONTHS.contains(&self.word(at)) || self.year_behind(at + 1).is_some();
        month(self.word(at)).filter(|_| is_plain)?;
        self.named(at)
    }
}
