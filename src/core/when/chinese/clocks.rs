//! Times of the clock: 九点, 三点半, 差一刻九点, 15:30, 两点到四点.

use super::{Chinese, Read};
use crate::when::expression::{Clock, Component, Half, Part};
use crate::when::question::Why;

/// Characters before which 三点 counts points, and behind which 一点 is "a little".
const COUNTS: [char; 22] = [
    '有', '这', '那', '第', '前', '共', '下', '几', '出', '了', '快', '慢', '早', '晚', '大', '小',
    '多', '少', '好', '差', '高', '低',
];

impl Chinese<'_> {
    pub(super) fn clock_piece(&self, at: usize) -> Read<Vec<Component>> {
        let start = self.past(at, &["在", "到", "于"]);
        if let Some(behind) = self.impossible(start) {
            return Some((vec![Component::Unclear(Why::NoSuchTime)], behind));
        }
        let (clock, behind) = self.clock(start)?;
        let is_bare = self.at(start) == Some('一') && behind == start + 2;
        let before = self.before(at);
        // 一点 alone is "a little", unless it begins the text or follows a part of the day.
        let is_little = is_bare
            && start == at
            && !self.follows_part(at)
            && before.is_some_and(|it| it != ' ' && it != ',');
        let counts = before.is_some_and(|it| COUNTS.contains(&it)) && !self.follows_part(at);
        let is_little = is_little
            || is_bare && matches!(self.at(behind), Some('都' | '也' | '儿' | '不' | '没'));
        (!is_little && !counts).then_some((vec![Component::Clock(clock)], behind))
    }

    /// Whether a word for a part of the day or a day ends here.
    fn follows_part(&self, at: usize) -> bool {
        (1..=3).any(|length| {
            let Some(start) = at.checked_sub(length) else {
                return false;
            };
            let ends_here = |end: usize| end == at;
            self.part(start).is_some_and(|found| ends_here(found.1))
                || self.day(start).is_some_and(|found| ends_here(found.1))
                || self.day_part(start).is_some_and(|found| ends_here(found.1))
        })
    }

    /// Returns the place behind a time that no clock shows: 28点.
    fn impossible(&self, at: usize) -> Option<usize> {
        let (hour, behind) = self.number(at)?;
        let behind = self.one_of(behind, &["点钟", "点"])?;
        (hour > 24 && hour < 100 && !self.continues_number(at)).then_some(behind)
    }

    pub(super) fn clock(&self, at: usize) -> Read<Clock> {
        self.short_of(at)
            .or_else(|| self.figures(at))
            .or_else(|| self.hour(at))
    }

    /// Reads 差一刻九点, 差五分十点.
    fn short_of(&self, at: usize) -> Read<Clock> {
        let start = self.word(at, "差")?;
        let (minutes, behind) = self.quarter_or_minutes(start)?;
        let (hour, behind) = self.short_number(self.past(behind, &["到"]))?;
        let behind = self.word(behind, "点")?;
        let hour = match hour.checked_sub(1)? {
            0 => 12,
            hour => hour,
        };
        Some((Clock::new(hour, 60_u32.checked_sub(minutes)?, 0)?, behind))
    }

    fn quarter_or_minutes(&self, at: usize) -> Read<u32> {
        let (count, behind) = self.short_number(at)?;
        if let Some(behind) = self.one_of(behind, &["刻钟", "刻"]) {
            return Some((count * 15, behind));
        }
        Some((count, self.one_of(behind, &["分钟", "分"])?))
    }

    /// Reads 15:30 and 09:30:15.
    fn figures(&self, at: usize) -> Read<Clock> {
        let pair = |at: usize| {
            let digits = (at..at + 2).map_while(|place| self.at(place)?.to_digit(10));
            let digits: Vec<u32> = digits.collect();
            let number = digits.iter().fold(0, |number, digit| number * 10 + digit);
            (!digits.is_empty()).then_some((number, at + digits.len()))
        };
        let (hour, behind) = pair(at)?;
        let start = self.word(behind, ":")?;
        let (minute, behind) = pair(start).filter(|(_, behind)| *behind == start + 2)?;
        let seconds = self.word(behind, ":").and_then(pair);
        let (second, behind) = seconds.unwrap_or((0, behind));
        let clock = Clock::new(hour, minute, second)?;
        let half = if self.at(at) == Some('0') {
            Half::Exact
        } else {
            clock.half
        };
        Some((Clock { half, ..clock }, behind))
    }

    /// Reads 九点, 九点半, 九点一刻, 九点四十五, 9点20分, 15时30分.
    fn hour(&self, at: usize) -> Read<Clock> {
        let (hour, behind) = self.short_number(at)?;
        let clock = |minute| Clock::new(hour, minute, 0);
        if let Some(behind) = self.word(behind, "时") {
            let is_span = matches!(self.at(behind), Some('候' | '间' | '段'));
            let (minute, behind) = match self.short_number(behind) {
                Some((minute, end)) => (minute, self.past(end, &["分"])),
                None => (0, self.past(behind, &["整"])),
            };
            return (!is_span).then_some((clock(minute)?, behind));
        }
        let behind = self.one_of(behind, &["点钟", "点"])?;
        if let Some(behind) = self.word(behind, "半") {
            return Some((clock(30)?, behind));
        }
        if let Some(behind) = self.one_of(behind, &["整"]) {
            return Some((clock(0)?, behind));
        }
        let start = self.past(behind, &["过", "零"]);
        if let Some((minute, end)) = self.quarter_or_minutes(start) {
            return Some((clock(minute)?, end));
        }
        // 九点四十五, but not 九点三个人 or 九点一起.
        let minute = self.short_number(start).filter(|(minute, end)| {
            let is_long = end - start >= 2 || start > behind;
            is_long
                && *minute < 60
                && self.unit(*end).is_none()
                && !matches!(self.at(*end), Some('个' | '号' | '点' | '月' | '人'))
        });
        match minute {
            Some((minute, end)) => Some((clock(minute)?, end)),
            None => Some((clock(0)?, behind)),
        }
    }

    /// Reads 两点到四点, 下午两点到晚上八点, 9:00-11:00.
    pub(super) fn clock_range(&self, at: usize) -> Read<Vec<Component>> {
        let start = self.past(at, &["从"]);
        let (from, behind) = self
            .clock_in_part(start)
            .or_else(|| self.bare_hour(start))?;
        let joint = self.one_of(behind, &["到", "至", "-", "~"])?;
        let (until, end) = self.clock_in_part(joint)?;
        let part = self.part(start).map(|(part, _)| Component::BarePart(part));
        let says = part
            .into_iter()
            .chain([Component::Clocks(from, until)])
            .collect();
        Some((says, end))
    }

    /// Reads the hour of 两到四点.
    fn bare_hour(&self, at: usize) -> Read<Clock> {
        let (hour, behind) = self.short_number(at)?;
        self.one_of(behind, &["到", "至", "-"])?;
        Some((Clock::new(hour, 0, 0)?, behind))
    }

    fn clock_in_part(&self, at: usize) -> Read<Clock> {
        let (part, start) = match self.part(at) {
            Some((part, behind)) => (Some(part), behind),
            None => (None, at),
        };
        let (clock, behind) = self.clock(start)?;
        let half = match part {
            Some(Part::Morning | Part::SmallHours) => Half::Am,
            Some(Part::Afternoon | Part::Evening | Part::Night) => Half::Pm,
            Some(Part::Noon | Part::Midnight) | None => return Some((clock, behind)),
        };
        Some((clock.in_half(half).unwrap_or(clock), behind))
    }
}
