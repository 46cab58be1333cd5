//! What is done again and again: 每天, 每周一和周四, 隔周五, 每月最后一天, 每年除夕.

use super::{Chinese, Read};
use crate::when::expression::{Component, Day, Length, Month, Part, Repeat, Unit};
use crate::when::question::Why;
use crate::when::schedule::{MonthDay, WeekdaySet};

/// 一刻钟.
const QUARTER: Length = Length {
    months: 0,
    days: 0,
    seconds: 900,
};
const WEEKS: [&str; 5] = ["个星期", "个礼拜", "星期", "礼拜", "周"];

impl Chinese<'_> {
    pub(super) fn repeat(&self, at: usize) -> Read<Vec<Component>> {
        if let Some(behind) = self.one_of(at, &["天天", "日日"]) {
            return Some((vec![Component::Repeat(Repeat::Days(1))], behind));
        }
        if let Some(behind) = self.one_of(at, &["工作日", "平日"]) {
            let days = Repeat::Weeks(1, WeekdaySet::WORKDAYS);
            return Some((vec![Component::Repeat(days)], behind));
        }
        if let Some(found) = self.times_a_unit(at) {
            return Some(found);
        }
        if let Some(start) = self.one_of(at, &["每隔", "隔"]) {
            let is_each = self.word(at, "每").is_some();
            return self.alternate(start, is_each);
        }
        if let Some(start) = self.one_of(at, &["每逢", "逢"]) {
            let (says, behind) = self.every(start)?;
            return Some((vec![says], behind));
        }
        let start = self.one_of(at, &["每一", "每"])?;
        let parts = [
            ("晚上", Part::Night),
            ("晚", Part::Night),
            ("早上", Part::Morning),
            ("早", Part::Morning),
        ];
        if let Some((part, behind)) = self.look_up(start, &parts) {
            let says = vec![Component::Repeat(Repeat::Days(1)), Component::Part(part)];
            return Some((says, behind));
        }
        let (says, behind) = self.every(start)?;
        Some((vec![says], behind))
    }

    /// Reads 一天三次, 每天两次: it is open at what times.
    fn times_a_unit(&self, at: usize) -> Read<Vec<Component>> {
        let start = self.one_of(at, &["每", "一"])?;
        let (unit, behind) = self.unit(start)?;
        let (count, behind) = self.short_number(behind)?;
        let behind = self.one_of(behind, &["次", "遍"])?;
        let says = match (unit, count) {
            (Unit::Second, _) => Component::Unclear(Why::TooOften),
            (unit, 1) => Component::Repeat(Repeat::every(1, unit)),
            _ => Component::Unclear(Why::SeveralReadings),
        };
        Some((vec![says], behind))
    }

    /// Reads what stands behind 每.
    fn every(&self, at: usize) -> Read<Component> {
        if let Some(behind) = self.one_of(at, &["个工作日", "工作日"]) {
            return Some((
                Component::Repeat(Repeat::Weeks(1, WeekdaySet::WORKDAYS)),
                behind,
            ));
        }
        if let Some(behind) = self.one_of(at, &["个周末", "周末", "个星期末"]) {
            return Some((
                Component::Repeat(Repeat::Weeks(1, WeekdaySet::WEEKEND)),
                behind,
            ));
        }
        if let Some(found) = self.every_week(at, 1) {
            return Some(found);
        }
        if let Some(behind) = self.one_of(at, &["个月", "月"]) {
            return Some(self.every_month(behind, 1));
        }
        if let Some(behind) = self.word(at, "年") {
            return Some(self.every_year(behind));
        }
        if let Some(behind) = self.one_of(at, &["个季度", "季度", "季"]) {
            return Some((Component::Repeat(Repeat::Months(3, vec![])), behind));
        }
        if let Some(behind) = self.word(at, "刻钟") {
            return Some((Component::every(QUARTER), behind));
        }
        if let Some((unit, behind)) = self.unit(at) {
            let says = match unit {
                Unit::Second => Component::Unclear(Why::TooOften),
                unit => Component::Repeat(Repeat::every(1, unit)),
            };
            return Some((says, behind));
        }
        self.every_length(at)
    }

    /// Reads 每两周的周五, 每3个月, 每90分钟.
    fn every_length(&self, at: usize) -> Read<Component> {
        if let Some((count, behind)) = self.number(at) {
            if let Some(found) = self.every_week(behind, count) {
                return Some(found);
            }
            if let Some(behind) = self.word(behind, "个月") {
                return Some(self.every_month(behind, count));
            }
        }
        let (length, behind) = self.length(at)?;
        Some((Component::every(length), behind))
    }

    /// Reads 周一, 周一三五, 周一和周四, 周一到周五, and a week alone.
    fn every_week(&self, at: usize, step: u32) -> Read<Component> {
        let mut behind = self.one_of(at, &WEEKS)?;
        let inner = self.past(behind, &["的"]);
        let mut set = WeekdaySet::NONE;
        if let Some((day, end)) = self.week_day_behind(behind).or_else(|| self.weekday(inner)) {
            set = set.with(day);
            behind = end;
            let mut last = day;
            loop {
                let joint = self.one_of(behind, &["到", "至", "-"]);
                let is_range = joint.is_some();
                let next = joint
                    .unwrap_or_else(|| self.past(behind, &["和", "及", "与", "跟", ",", "还有"]));
                let weekday = self.weekday(next).or_else(|| self.week_day_behind(next));
                let Some((day, end)) = weekday else {
                    break;
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
        Some((Component::Repeat(Repeat::Weeks(step, set)), behind))
    }

    /// Reads the day behind 周, which is no number of something.
    fn week_day_behind(&self, at: usize) -> Read<chrono::Weekday> {
        let day = self.weekday_character(at)?;
        let is_number = matches!(
            self.at(at + 1),
            Some('点' | '次' | ':' | '时' | '个' | '十' | '号' | '小' | '遍')
        ) || (self.at(at)?.is_ascii_digit()
            && self.at(at + 1).is_some_and(|it| it.is_ascii_digit()));
        (!is_number).then_some((day, at + 1))
    }

    /// Reads the days behind 每月: 1号, 1号和15号, 最后一天, 第一个周一.
    fn every_month(&self, at: usize, step: u32) -> (Component, usize) {
        let mut days: Vec<MonthDay> = Vec::new();
        let mut behind = at;
        loop {
            let next = if days.is_empty() {
                self.past(behind, &["的"])
            } else {
                self.past(behind, &["和", "及", "与", ","])
            };
            match self
                .month_day(next)
                .or_else(|| self.edge(next))
                .filter(|_| days.is_empty() || next > behind)
            {
                Some((day, end)) => {
                    days.push(day);
                    behind = end;
                }
                None => return (Component::Repeat(Repeat::Months(step, days)), behind),
            }
        }
    }

    /// Reads the date behind 每年.
    fn every_year(&self, at: usize) -> (Component, usize) {
        let day = self
            .day(self.past(at, &["的"]))
            .filter(|(day, _)| matches!(day, Day::OfMonth(_, Month::Named(..)) | Day::Lunar(..)));
        match day {
            Some((day, behind)) => (Component::Repeat(Repeat::Years(1, Some(day))), behind),
            None => (Component::Repeat(Repeat::Years(1, None)), at),
        }
    }

    /// Reads what stands behind 隔: 隔天 and 每隔一天 are every second day.
    fn alternate(&self, at: usize, is_each: bool) -> Read<Vec<Component>> {
        let repeat = |repeat, behind| Some((vec![Component::Repeat(repeat)], behind));
        if let Some(behind) = self.one_of(at, &["天", "日"]) {
            return repeat(Repeat::Days(2), behind);
        }
        if let Some((Component::Repeat(Repeat::Weeks(_, days)), behind)) = self.every_week(at, 2) {
            return repeat(Repeat::Weeks(2, days), behind);
        }
        if let Some(behind) = self.one_of(at, &["个月", "月"]) {
            return Some((
                vec![self.every_month(behind, 2).0],
                self.every_month(behind, 2).1,
            ));
        }
        if let Some(behind) = self.word(at, "年") {
            return repeat(Repeat::Years(2, None), behind);
        }
        let (count, behind) = self.number(at)?;
        if let (1, Some((Component::Repeat(Repeat::Weeks(_, days)), behind))) =
            (count, self.every_week(behind, 2))
        {
            return repeat(Repeat::Weeks(2, days), behind);
        }
        let (length, behind) = self.length(at)?;
        if length.seconds > 0 {
            return is_each.then(|| (vec![Component::every(length)], behind));
        }
        let (unit, end) = self.unit(behind - 1).or_else(|| self.unit(behind - 2))?;
        match (count, end == behind) {
            (1, true) => repeat(Repeat::every(2, unit), behind),
            // 每隔两天 is every third day to some and every second to others.
            _ => is_each.then(|| (vec![Component::Unclear(Why::SeveralReadings)], behind)),
        }
    }
}
