//! Lengths of time: 二十分钟, 一个半小时, 一刻钟; and 三天后, 两小时前.

use super::vocabulary::UNITS;
use super::{Chinese, Read};
use crate::when::expression::{Component, Length, Unit};
use crate::when::question::Why;

/// How many 几 is where people look back.
const SEVERAL: u32 = 3;

impl Chinese<'_> {
    /// Reads a length of one or several amounts: 一小时二十分钟.
    pub(super) fn length(&self, at: usize) -> Read<Length> {
        let (mut length, mut behind) = self.amount(at)?;
        while let Some((more, end)) = self.amount(self.past(behind, &["零", "又"])) {
            length = length.and(more);
            behind = end;
        }
        Some((length, behind))
    }

    fn amount(&self, at: usize) -> Read<Length> {
        if let Some(behind) = self.word(at, "半") {
            let (unit, behind) = self.unit(behind)?;
            return Some((Length::halves(1, unit), behind));
        }
        let (count, behind) = self.number(at)?;
        if let Some(behind) = self.one_of(behind, &["刻钟", "刻"]) {
            let seconds = i64::from(count) * 900;
            let length = Length {
                seconds,
                ..Length::default()
            };
            return Some((length, behind));
        }
        // 一个半小时, 两天半, 1.5小时.
        if let Some(behind) = self.one_of(behind, &["个半", ".5个", ".5"]) {
            let (unit, behind) = self.unit(behind)?;
            return Some((Length::halves(i64::from(count) * 2 + 1, unit), behind));
        }
        let (unit, behind) = self.unit(behind)?;
        match self.word(behind, "半").filter(|_| unit != Unit::Minute) {
            Some(end) => Some((Length::halves(i64::from(count) * 2 + 1, unit), end)),
            None => Some((Length::of(count, unit), behind)),
        }
    }

    /// Reads a unit; a bare 月 names a month.
    pub(super) fn unit(&self, at: usize) -> Read<Unit> {
        let (unit, behind) = self.look_up(at, &UNITS)?;
        let is_month_name = unit == Unit::Month && self.at(at) == Some('月');
        (!is_month_name).then_some((unit, behind))
    }

    /// Reads 二十分钟后, 再过三天, 三天前.
    pub(super) fn shift(&self, at: usize) -> Read<Vec<Component>> {
        let leads = ["再过", "过了", "过", "等", "隔"];
        let start = self.past(at, &leads);
        let is_led = start > at && self.word(at, "等").is_none() && self.word(at, "隔").is_none();
        if let Some((_, behind)) = self.several(start)
            && (is_led || self.later(behind).is_some())
        {
            let behind = self.later(behind).unwrap_or(behind);
            return Some((vec![Component::Unclear(Why::Vague)], behind));
        }
        if let Some(found) = self.ago(at) {
            return Some(found);
        }
        let (length, behind) = self.length(start)?;
        let behind = match self.later(behind) {
            Some(behind) => behind,
            None if is_led => behind,
            None => return None,
        };
        Some((vec![Component::After(length)], behind))
    }

    /// Returns the place behind 后; 后天 and 后年 are words of their own.
    fn later(&self, at: usize) -> Option<usize> {
        let behind = self.one_of(at, &["以后", "之后", "过后", "后"])?;
        let is_word =
            self.at(at) == Some('后') && matches!(self.at(behind), Some('天' | '年' | '面' | '来'));
        (!is_word).then_some(behind)
    }

    /// Reads 几天, 几分钟.
    fn several(&self, at: usize) -> Read<(u32, Unit)> {
        let behind = self.one_of(at, &["好几", "几"])?;
        let (unit, behind) = self.unit(behind)?;
        Some(((SEVERAL, unit), behind))
    }

    /// Reads 三天前, 半年以前.
    fn ago(&self, at: usize) -> Read<Vec<Component>> {
        let ((count, unit), behind) = self.count_of_units(at)?;
        let behind = self.one_of(behind, &["以前", "之前", "前"])?;
        Some((vec![Component::Before(count, unit)], behind))
    }

    /// Reads 三个月, 几天, 半年.
    pub(super) fn count_of_units(&self, at: usize) -> Read<(u32, Unit)> {
        if let Some(found) = self.several(at) {
            return Some(found);
        }
        if let Some(behind) = self.word(at, "半") {
            let (unit, behind) = self.unit(behind)?;
            let half = match unit {
                Unit::Year => (6, Unit::Month),
                Unit::Month => (2, Unit::Week),
                Unit::Hour => (30, Unit::Minute),
                Unit::Day => (12, Unit::Hour),
                Unit::Second | Unit::Minute | Unit::Week => return None,
            };
            return Some((half, behind));
        }
        let (count, behind) = self.number(at)?;
        let (unit, behind) = self.unit(behind)?;
        Some(((count, unit), behind))
    }
}
