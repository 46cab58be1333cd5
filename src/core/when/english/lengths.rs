//! Lengths of time: `20 minutes`, `an hour and a half`, `1h30m`; and days by their distance.

use super::vocabulary::{SHORT_UNITS, look_up, unit};
use super::{English, Read};
use crate::when::expression::{Component, Day, Length, Unit};
use crate::when::question::Why;

impl English {
    /// Reads a length of one or several amounts.
    pub(super) fn length(&self, at: usize) -> Read<Length> {
        let (mut length, mut behind) = self.amount(at)?;
        loop {
            let next = self.past(self.past(behind, &[","]), &["and"]);
            let Some((more, end)) = self.amount(next) else {
                return Some((length, behind));
            };
            length = length.and(more);
            behind = end;
        }
    }

    /// Reads `half an hour`, `a quarter of an hour`, `1.5 hours`, `two and a half days`.
    fn amount(&self, at: usize) -> Read<Length> {
        if let Some(behind) = self.one_row(
            at,
            &[&["half", "an"], &["half", "a"], &["half"], &["a", "half"]],
        ) {
            let (unit, behind) = self.unit(behind)?;
            return Some((Length::halves(1, unit), behind));
        }
        if let Some((quarters, behind)) = self.quarters(at) {
            let behind = self.one_row(behind, &[&["of", "an", "hour"], &["hour"]])?;
            let seconds = i64::from(quarters) * 900;
            let length = Length {
                seconds,
                ..Length::default()
            };
            return Some((length, behind));
        }
        let (count, behind) = self.count(at)?;
        if self.word(behind) == "." && self.digits(behind + 1) == Some(5) {
            let (unit, behind) = self.unit(behind + 2)?;
            return Some((Length::halves(i64::from(count) * 2 + 1, unit), behind));
        }
        let half = self.row(behind, &["and", "a", "half"]);
        let (unit, behind) = self.unit(half.unwrap_or(behind))?;
        let late_half = self.row(behind, &["and", "a", "half"]);
        let has_half = half.or(late_half).is_some();
        let halves = i64::from(count) * 2 + i64::from(has_half);
        Some((Length::halves(halves, unit), late_half.unwrap_or(behind)))
    }

    fn quarters(&self, at: usize) -> Read<u32> {
        let behind = self.past(at, &["a"]);
        match self.word(behind) {
            "quarter" => Some((1, behind + 1)),
            "three" if self.word(behind + 1) == "quarters" => Some((3, behind + 2)),
            _ => None,
        }
    }

    /// Reads `a`, `three`, `a couple of`.
    pub(super) fn count(&self, at: usize) -> Read<u32> {
        let at = self.past(at, &["another"]);
        let couple = [
            &["a", "couple", "of"][..],
            &["a", "couple"],
            &["couple", "of"],
            &["couple"],
        ];
        if let Some(behind) = self.one_row(at, &couple) {
            return Some((2, behind));
        }
        if self.is(at, &["a", "an"]) {
            return Some((1, at + 1));
        }
        self.number(at)
    }

    /// Reads `a few`, which people mean as about three.
    pub(super) fn few(&self, at: usize) -> Read<u32> {
        let few = [&["a", "few"][..], &["few"], &["several"]];
        Some((3, self.one_row(at, &few)?))
    }

    /// Reads a unit; one of one letter only where it touches its number.
    pub(super) fn unit(&self, at: usize) -> Read<Unit> {
        let is_joined = at > 0 && self.touches(at - 1);
        let short = || look_up(&SHORT_UNITS, self.word(at)).filter(|_| is_joined);
        Some((unit(self.word(at)).or_else(short)?, at + 1))
    }

    /// Reads `in 20 minutes`, `two hours from now`, `3 days ago`, `a week from Monday`.
    pub(super) fn shift(&self, at: usize) -> Read<Vec<Component>> {
        if self.is(at, &["in", "after"]) {
            return self.shift_ahead(at);
        }
        if let Some(found) = self.ago(at) {
            return Some(found);
        }
        let fortnight = self.past(at, &["a"]);
        let (length, behind) = match self.word(fortnight) {
            "fortnight" => (Length::of(2, Unit::Week), fortnight + 1),
            _ => self.length(at)?,
        };
        if let Some(behind) = self.one_row(
            behind,
            &[&["from", "now"], &["later"], &["from", "today"], &["hence"]],
        ) {
            return Some((vec![Component::After(length)], behind));
        }
        if !length.is_days() {
            return None;
        }
        let is_back = match self.word(behind) {
            "from" | "after" => false,
            "before" => true,
            "today" | "tomorrow" => {
                let (day, end) = self.day(behind)?;
                return Some((vec![Component::Day(Day::From(Box::new(day), length))], end));
            }
            _ => return None,
        };
        let length = if is_back { length.back() } else { length };
        let (day, end) = self.day(behind + 1)?;
        Some((vec![Component::Day(Day::From(Box::new(day), length))], end))
    }

    fn shift_ahead(&self, at: usize) -> Read<Vec<Component>> {
        let fortnight = self.past(at + 1, &["a"]);
        if self.word(fortnight) == "fortnight" {
            let length = Length::of(2, Unit::Week);
            return Some((vec![Component::After(length)], fortnight + 1));
        }
        if let Some((_, few)) = self.few(at + 1) {
            let (_, behind) = self.unit(few)?;
            return Some((vec![Component::Unclear(Why::Vague)], behind));
        }
        let (length, behind) = self.length(at + 1)?;
        // "In a week's time".
        let apostrophe = self.past(behind, &["'"]);
        let behind = self.past(self.past(apostrophe, &["s"]), &["time"]);
        let behind = self.row(behind, &["from", "now"]).unwrap_or(behind);
        Some((vec![Component::After(length)], behind))
    }

    /// Reads `3 days ago`, `half an hour ago`.
    fn ago(&self, at: usize) -> Read<Vec<Component>> {
        let half = self.one_row(at, &[&["half", "an", "hour"], &["half", "a", "year"]]);
        let (count, unit, behind) = match (half, self.word(at + 2)) {
            (Some(behind), "hour") => (30, Unit::Minute, behind),
            (Some(behind), _) => (6, Unit::Month, behind),
            (None, _) => {
                let (count, behind) = self.few(at).or_else(|| self.count(at))?;
                let (unit, behind) = self.unit(behind)?;
                (count, unit, behind)
            }
        };
        let is_back = self.is(behind, &["ago", "back", "earlier"]);
        is_back.then(|| (vec![Component::Before(count, unit)], behind + 1))
    }
}
