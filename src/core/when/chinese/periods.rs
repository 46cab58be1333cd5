//! Spans of several days: 下周, 这个周末, 十二月, 去年春天, 最近三天.

use super::vocabulary::{SEASONS, STEPS, THIRDS, WEEK};
use super::{Chinese, Read};
use crate::when::expression::{Component, Direction, Month, Period, Unit, Week, Year};

/// What 最近 reaches back, in days.
const RECENTLY: u32 = 30;

impl Chinese<'_> {
    pub(super) fn period_piece(&self, at: usize) -> Read<Vec<Component>> {
        let start = self.past(at, &["在"]);
        let (period, behind) = self.period(start)?;
        if let Some(joint) = self.one_of(behind, &["到", "至"])
            && let Some((last, end)) = self.period(joint)
        {
            let range = Period::Range(Box::new(period), Box::new(last));
            return Some((vec![Component::Period(range)], end));
        }
        Some((vec![Component::Period(period)], behind))
    }

    fn period(&self, at: usize) -> Read<Period> {
        self.of_year(at)
            .or_else(|| self.stepped(at))
            .or_else(|| self.month(at, Year::Nearest))
            .or_else(|| self.counted(at))
            .or_else(|| {
                let behind = self.word(self.one_of(at, &WEEK)?, "末")?;
                Some((Period::Weekend(Week::Nearest), behind))
            })
            .or_else(|| {
                // 月底, 月初.
                let start = self.word(at, "月")?;
                let (third, behind) = self.look_up(start, &THIRDS)?;
                let month = Period::Month(Month::Offset(0));
                Some((Period::PartOf(Box::new(month), third), behind))
            })
            .or_else(|| {
                let (third, behind) = self.look_up(at, &THIRDS)?;
                let is_word = behind - at >= 2 && matches!(self.at(at), Some('年' | '上' | '下'));
                let is_year = is_word && self.at(behind - 1) != Some('旬');
                let year = Period::Year(Year::Offset(0));
                is_year.then_some((Period::PartOf(Box::new(year), third), behind))
            })
            .or_else(|| {
                let (season, behind) = self.look_up(at, &SEASONS)?;
                Some((Period::Season(season, Year::Nearest), behind))
            })
    }

    /// Reads 去年, 去年春天, 今年三月, 去年底.
    fn of_year(&self, at: usize) -> Read<Period> {
        let (year, behind) = self.year(at)?;
        let rest = self.past(behind, &["的"]);
        if let Some(found) = self.month(rest, year) {
            return Some(found);
        }
        if let Some((season, behind)) = self.look_up(rest, &SEASONS) {
            return Some((Period::Season(season, year), behind));
        }
        let whole = Period::Year(year);
        Some(self.third_of(whole, behind))
    }

    /// Reads 三月, 5月初, 12月份.
    fn month(&self, at: usize, year: Year) -> Read<Period> {
        let (month, digits) = self
            .short_number(at)
            .filter(|(month, _)| (1..=12).contains(month))?;
        let behind = self.one_of(digits, &["月份", "月"])?;
        Some(self.third_of(Period::Month(Month::Named(month, year)), behind))
    }

    /// Returns the third of a period that follows it, or all of it, and the place behind.
    fn third_of(&self, whole: Period, at: usize) -> (Period, usize) {
        match self.look_up(at, &THIRDS) {
            Some((third, behind)) => (Period::PartOf(Box::new(whole), third), behind),
            None => (whole, at),
        }
    }

    /// Reads 下周, 上个月, 这个月初, 这个周末, 上个冬天.
    fn stepped(&self, at: usize) -> Read<Period> {
        let (steps, start) = self.look_up(at, &STEPS)?;
        if let Some(behind) = self.one_of(start, &WEEK) {
            return Some(match self.word(behind, "末") {
                Some(behind) => (Period::Weekend(Week::Offset(steps)), behind),
                // 周围 is no week.
                None if self.at(behind) == Some('围') => return None,
                None => (Period::Week(steps), behind),
            });
        }
        if let Some(behind) = self.one_of(start, &["月份", "月"]) {
            let month = Month::Offset(i32::try_from(steps).ok()?);
            return Some(self.third_of(Period::Month(month), behind));
        }
        let (season, behind) = self.look_up(start, &SEASONS)?;
        let year = if steps < 0 { Year::Last } else { Year::Nearest };
        Some((Period::Season(season, year), behind))
    }

    /// Reads 最近, 最近三天, 过去两周, 这几天, 未来三天.
    fn counted(&self, at: usize) -> Read<Period> {
        let (direction, start) = self.look_up(
            at,
            &[
                ("接下来的", Direction::Ahead),
                ("接下来", Direction::Ahead),
                ("未来", Direction::Ahead),
                ("今后", Direction::Ahead),
                ("过去", Direction::Back),
                ("最近", Direction::Back),
                ("近", Direction::Back),
                ("这", Direction::Back),
            ],
        )?;
        if let Some(((count, unit), behind)) = self.count_of_units(self.past(start, &["这", "的"]))
        {
            return Some((Period::Units(count, unit, direction), behind));
        }
        let recent = Period::Units(RECENTLY, Unit::Day, Direction::Back);
        self.word(at, "最近").map(|behind| (recent, behind))
    }
}
