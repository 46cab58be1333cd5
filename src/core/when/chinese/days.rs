//! Days: 明天, 下周五, 十二月二十四号, 5号, 月底, 农历八月十五, 除夕.

use chrono::Weekday;

use super::vocabulary::{
    DAY_PARTS, DAYS, EVES, HOLIDAYS, LUNAR_HOLIDAYS, STEPS, WEEK, WEEKDAYS, YEARS,
};
use super::{Chinese, Read};
use crate::when::expression::{Component, Day, Month, Part, Week, Year};
use crate::when::lunar::LunarDay;
use crate::when::schedule::MonthDay;

impl Chinese<'_> {
    pub(super) fn day_piece(&self, at: usize) -> Read<Vec<Component>> {
        let start = self.past(at, &["在", "于", "从"]);
        if let Some(until) = self.one_of(at, &["直到", "截止到", "到"])
            && let Some((day, behind)) = self.day(until).or_else(|| self.month_edge(until))
        {
            let is_end = self.word(at, "到").is_none() || self.word(behind, "为止").is_some();
            let says = if is_end {
                Component::Until(day)
            } else {
                Component::Day(day)
            };
            return Some((vec![says], self.past(behind, &["为止"])));
        }
        if let Some(((days, part), behind)) = self.day_part(start) {
            let says = vec![Component::Day(Day::Offset(days)), Component::Part(part)];
            return Some((says, behind));
        }
        let (day, behind) = self.day(start)?;
        if let Some(joint) = self.one_of(behind, &["到", "至", "-", "~"])
            && let Some((last, end)) = self.day(joint).or_else(|| self.last_of_range(&day, joint))
        {
            return Some((vec![Component::Days(day, last)], end));
        }
        Some((vec![Component::Day(day)], behind))
    }

    /// Reads 今晚 and 明早; 明早上 goes on with 上.
    pub(super) fn day_part(&self, at: usize) -> Read<(i64, Part)> {
        DAY_PARTS.into_iter().find_map(|(word, days, part)| {
            let behind = self.word(at, word)?;
            Some(((days, part), self.past(behind, &["上"])))
        })
    }

    /// Reads the last day of 周一到五 and 3号到5号.
    fn last_of_range(&self, first: &Day, at: usize) -> Read<Day> {
        match first {
            Day::Weekday(_, week) => {
                let weekday = self.weekday_character(at)?;
                Some((Day::Weekday(weekday, *week), at + 1))
            }
            _ => None,
        }
    }

    pub(super) fn day(&self, at: usize) -> Read<Day> {
        self.near_day(at)
            .or_else(|| self.weekday_day(at))
            .or_else(|| self.date(at))
            .or_else(|| self.of_month(at))
            .or_else(|| self.yearly(at, Year::Nearest))
    }

    fn near_day(&self, at: usize) -> Read<Day> {
        let (days, behind) = self.look_up(at, &DAYS)?;
        Some((Day::Offset(days), behind))
    }

    /// Reads 周五, 下周五, 下下个星期三, 本周日.
    fn weekday_day(&self, at: usize) -> Read<Day> {
        let (week, start) = match self.look_up(at, &STEPS) {
            Some((steps, behind)) => (Week::Offset(steps), behind),
            None => (Week::Nearest, at),
        };
        let (weekday, behind) = self.weekday(start)?;
        Some((Day::Weekday(weekday, week), behind))
    }

    /// Reads 周五, 星期天, 礼拜日.
    pub(super) fn weekday(&self, at: usize) -> Read<Weekday> {
        let behind = self.one_of(at, &WEEK)?;
        let weekday = self.weekday_character(behind)?;
        let is_number = self.at(behind).is_some_and(|it| it.is_ascii_digit())
            && self
                .at(behind + 1)
                .is_some_and(|it| it.is_ascii_digit() || it == ':');
        // 周一 of a number of weeks is another thing: 一周一次.
        let is_count = self.at(behind) == Some('一') && self.at(behind + 1) == Some('次');
        (!is_number && !is_count).then_some((weekday, behind + 1))
    }

    pub(super) fn weekday_character(&self, at: usize) -> Option<Weekday> {
        let character = self.at(at)?;
        let found = WEEKDAYS.iter().find(|(it, _)| *it == character);
        found.map(|(_, weekday)| *weekday)
    }

    /// Reads 明年, 2027年.
    pub(super) fn year(&self, at: usize) -> Read<Year> {
        if let Some((years, behind)) = self.look_up(at, &YEARS) {
            return Some((Year::Offset(years), behind));
        }
        let (year, digits) = self.number(at)?;
        let behind = self.word(digits, "年")?;
        let year = (1_900..=9_999).contains(&year).then_some(year)?;
        Some((Year::Number(i32::try_from(year).ok()?), behind))
    }

    /// Reads 十二月二十四号, 明年3月3号, 2027年1月15日, 2027-1-15, 12月底.
    fn date(&self, at: usize) -> Read<Day> {
        let (year, start) = self.year(at).unwrap_or((Year::Nearest, at));
        let start = self.past(start, &["的"]);
        if start > at
            && let Some(found) = self.yearly(start, year)
        {
            return Some(found);
        }
        let (month, digits) = self.short_number(start)?;
        let behind = self.past(self.one_of(digits, &["月份", "月"])?, &["的"]);
        let month = Month::Named(month, year);
        let (day, behind) = self.month_day(behind)?;
        Some((Day::OfMonth(day, month), behind))
    }

    /// Reads 5号, 下个月5号, 本月最后一天, 月底.
    fn of_month(&self, at: usize) -> Read<Day> {
        if let Some((steps, behind)) = self.look_up(at, &STEPS)
            && let Some(behind) = self.one_of(behind, &["月份", "月"])
            && let Some((day, end)) = self.month_day(self.past(behind, &["的"]))
        {
            let month = Month::Offset(i32::try_from(steps).ok()?);
            return Some((Day::OfMonth(day, month), end));
        }
        let (day, digits) = self.short_number(at)?;
        let behind = self.one_of(digits, &["号", "日"])?;
        // 3号线 and 5号楼 are no days.
        let is_thing = self
            .one_of(
                behind,
                &[
                    "线", "楼", "门", "房", "桌", "机", "店", "厅", "子", "院", "馆", "元", "本",
                    "语", "常",
                ],
            )
            .is_some();
        let is_numbered = self.before(at) == Some('第');
        let day = Day::OfMonth(MonthDay::Day(day), Month::Nearest);
        (!is_thing && !is_numbered).then_some((day, behind))
    }

    /// Reads 月底 and 下月初 as days.
    fn month_edge(&self, at: usize) -> Read<Day> {
        let (month, start) = match self.look_up(at, &STEPS) {
            Some((steps, behind)) => (Month::Offset(i32::try_from(steps).ok()?), behind),
            None => (Month::Nearest, at),
        };
        let (day, behind) = self.edge(self.word(start, "月")?)?;
        Some((Day::OfMonth(day, month), behind))
    }

    /// Reads the 底 or 初 of a month as a day.
    pub(super) fn edge(&self, at: usize) -> Read<MonthDay> {
        self.look_up(
            at,
            &[
                ("底", MonthDay::Last),
                ("末", MonthDay::Last),
                ("初", MonthDay::Day(1)),
            ],
        )
    }

    /// Reads 5号, 最后一天, 第一个周一, 最后一个周五.
    pub(super) fn month_day(&self, at: usize) -> Read<MonthDay> {
        if let Some(behind) = self.one_of(at, &["最后一天", "最后一日"]) {
            return Some((MonthDay::Last, behind));
        }
        if let Some(behind) = self.one_of(at, &["第一天"]) {
            return Some((MonthDay::Day(1), behind));
        }
        if let Some(behind) = self.one_of(at, &["最后一个", "最后的"]) {
            let (weekday, behind) = self.weekday(behind)?;
            return Some((MonthDay::LastOf(weekday), behind));
        }
        if let Some(start) = self.word(at, "第") {
            let (number, behind) = self.short_number(start)?;
            if let Some(behind) = self.word(behind, "天") {
                return Some((MonthDay::Day(number), behind));
            }
            let (weekday, behind) = self.weekday(self.past(behind, &["个"]))?;
            return (1..=5)
                .contains(&number)
                .then_some((MonthDay::Nth(number, weekday), behind));
        }
        let (day, behind) = self.short_number(at)?;
        let is_plain = !matches!(
            self.at(behind),
            Some('点' | ':' | '个' | '月' | '时' | '小' | '分' | '天' | '年' | '次')
        );
        let end = self.one_of(behind, &["号", "日"]);
        let end = end.or_else(|| is_plain.then_some(behind))?;
        Some((MonthDay::Day(day), end))
    }

    /// Reads a holiday or a day of the lunar calendar.
    fn yearly(&self, at: usize, year: Year) -> Read<Day> {
        if let Some(behind) = self.one_of(at, &EVES) {
            return Some((Day::Lunar(LunarDay::Eve, year), behind));
        }
        if let Some((month, day, behind)) = LUNAR_HOLIDAYS
            .into_iter()
            .find_map(|(word, month, day)| Some((month, day, self.word(at, word)?)))
        {
            return Some((Day::Lunar(LunarDay::Of { month, day }, year), behind));
        }
        if let Some((month, day, behind)) = HOLIDAYS
            .into_iter()
            .find_map(|(word, month, day)| Some((month, day, self.word(at, word)?)))
        {
            let day = Day::OfMonth(MonthDay::Day(day), Month::Named(month, year));
            return Some((day, behind));
        }
        let (day, behind) = self.lunar(at)?;
        Some((Day::Lunar(day, year), behind))
    }

    /// Reads 农历八月十五, 正月初五, 腊月廿三, 大年初三.
    fn lunar(&self, at: usize) -> Read<LunarDay> {
        if let Some(behind) = self.word(at, "大年初") {
            let (day, behind) = self.short_number(behind)?;
            return Some((LunarDay::Of { month: 1, day }, behind));
        }
        let led = self.one_of(at, &["农历", "阴历", "旧历"]);
        let start = led.unwrap_or(at);
        let named = self.look_up(start, &[("正月", 1), ("冬月", 11), ("腊月", 12)]);
        let (month, behind) = match (named, led) {
            (Some(named), _) => named,
            (None, Some(start)) => {
                let (month, digits) = self.short_number(start)?;
                (month, self.word(digits, "月")?)
            }
            (None, None) => return None,
        };
        let (day, behind) = self.short_number(self.past(behind, &["初"]))?;
        Some((
            LunarDay::Of { month, day },
            self.past(behind, &["号", "日"]),
        ))
    }
}
