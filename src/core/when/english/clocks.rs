//! Times of the clock: `9`, `9:30 pm`, `half past 7`, `between 2 and 4pm`; and moments as they are
//! written for machines.

use chrono::{DateTime, NaiveDate};

use super::{English, Read};
use crate::when::expression::{Clock, Component, Half};
use crate::when::question::Why;

impl English {
    /// Reads a time of the clock, with the word before it: a bare hour counts only behind one.
    pub(super) fn clock_piece(&self, at: usize) -> Read<Vec<Component>> {
        let start = self.past(at, &["at", "by", "around", "about", "@", "from", "after"]);
        let start = self.past(start, &["around", "about", "exactly"]);
        if let Some((clock, behind)) = self.clock(start) {
            return Some((vec![Component::Clock(clock)], behind));
        }
        if !self.is(at, &["at", "by", "around", "@"]) {
            return None;
        }
        // "One by one" is no time.
        let is_spelt = self.word(at) == "by" && self.digits(start).is_none();
        if let Some((clock, behind)) = self.bare_hour(start).filter(|_| !is_spelt) {
            return Some((vec![Component::Clock(clock)], behind));
        }
        let is_beyond = self
            .digits(start)
            .is_some_and(|hour| (25..100).contains(&hour))
            && self.ends_number(start + 1);
        is_beyond.then(|| (vec![Component::Unclear(Why::NoSuchTime)], start + 1))
    }

    /// Reads a time that is one without a word before it.
    pub(super) fn clock(&self, at: usize) -> Read<Clock> {
        self.past_or_to(at)
            .or_else(|| self.figures(at))
            .or_else(|| self.hour_in_half(at))
    }

    /// Reads `half past 7`, `quarter to 9`, `ten past 8`.
    fn past_or_to(&self, at: usize) -> Read<Clock> {
        let (minutes, behind) = match self.word(at) {
            "half" => (30, at + 1),
            "quarter" => (15, at + 1),
            "a" if self.word(at + 1) == "quarter" => (15, at + 2),
            _ => {
                let (minutes, behind) = self.number(at)?;
                (minutes, self.past(behind, &["minutes", "mins"]))
            }
        };
        let is_past = match self.word(behind) {
            "past" => true,
            "to" | "before" if minutes != 30 => false,
            _ => return None,
        };
        // "From 10 to 11:30" is a range, and "9 to 5" as well.
        let is_led = at > 0 && self.is(at - 1, &["from", "between"]);
        let is_bare = self.digits(at).is_some() && behind == at + 1;
        if !is_past && (is_led || is_bare && minutes % 5 != 0) {
            return None;
        }
        let (hour, behind) = self.number(behind + 1)?;
        if self.word(behind) == ":" {
            return None;
        }
        let hour = if is_past {
            hour
        } else {
            hour.checked_sub(1)
                .map(|hour| if hour == 0 { 12 } else { hour })?
        };
        let minute = if is_past {
            minutes
        } else {
            60_u32.checked_sub(minutes)?
        };
        let clock = Clock::new(hour, minute, 0)?;
        Some(self.with_half(clock, self.past(behind, &["oclock"])))
    }

    /// Reads `9:30`, `09:30:15 pm`, `9.30am`, `nine thirty`.
    fn figures(&self, at: usize) -> Read<Clock> {
        let hour = self.digits(at).filter(|_| self.word(at).len() <= 2)?;
        let mark = self.word(at + 1);
        if !matches!(mark, ":" | "." | "h") || !self.touches(at) || !self.touches(at + 1) {
            return None;
        }
        let minute = self
            .digits(at + 2)
            .filter(|_| self.word(at + 2).len() == 2)?;
        let has_seconds = self.word(at + 3) == ":" && self.touches(at + 2) && self.touches(at + 3);
        let second = self.digits(at + 4).filter(|_| has_seconds);
        let behind = if second.is_some() { at + 5 } else { at + 3 };
        let clock = Clock::new(hour, minute, second.unwrap_or(0))?;
        // `1.30` is a number as well, and `1h30` goes on with `m`.
        let (read, end) = self.with_half(clock, behind);
        if mark == "." && end == behind {
            return None;
        }
        if mark == "h" && self.touches(at + 2) && self.is(at + 3, &["m", "min", "mins"]) {
            return None;
        }
        if self.word(at).starts_with('0') && end == behind {
            let exact = Clock {
                half: Half::Exact,
                ..read
            };
            return Some((exact, end));
        }
        Some((read, end))
    }

    /// Reads `9am`, `nine o'clock`, `9 o'clock pm`, `0900 hours`.
    fn hour_in_half(&self, at: usize) -> Read<Clock> {
        let (hour, behind) = self.number(at)?;
        if let (Some(four), true) = (self.digits(at), self.word(at).len() == 4) {
            let behind = self
                .row(at + 1, &["hours"])
                .or_else(|| self.row(at + 1, &["h"]))?;
            let clock = Clock::new(four / 100, four % 100, 0)?;
            let half = Half::Exact;
            return Some((Clock { half, ..clock }, behind));
        }
        if let Some((minute, end)) = self.spoken_minute(at, behind) {
            let (clock, end) = self.with_half(Clock::new(hour, minute, 0)?, end);
            return (clock.half != Half::Open).then_some((clock, end));
        }
        let clock = Clock::new(hour, 0, 0)?;
        if self.word(behind) == "oclock" {
            return Some(self.with_half(clock, behind + 1));
        }
        let (clock, end) = self.with_half(clock, behind);
        (end > behind).then_some((clock, end))
    }

    /// Reads the minute of `nine thirty`.
    fn spoken_minute(&self, at: usize, behind: usize) -> Read<u32> {
        if self.digits(at).is_some() || self.digits(behind).is_some() {
            return None;
        }
        let (minute, end) = self.number(behind)?;
        (10..60).contains(&minute).then_some((minute, end))
    }

    /// Reads an hour that only its place tells from another number.
    pub(super) fn bare_hour(&self, at: usize) -> Read<Clock> {
        let (hour, behind) = self.number(at)?;
        if self.word(at).len() == 4 && self.digits(at).is_some() {
            let is_clock = self.word(at).starts_with('0');
            let clock = Clock::new(hour / 100, hour % 100, 0).filter(|_| is_clock)?;
            let half = Half::Exact;
            return Some((Clock { half, ..clock }, behind));
        }
        if let Some((minute, end)) = self.spoken_minute(at, behind) {
            return Some((Clock::new(hour, minute, 0)?, end));
        }
        let clock = Clock::new(hour, 0, 0)?;
        self.ends_number(behind).then_some((clock, behind))
    }

    /// Whether what stands here leaves the number before it an hour.
    fn ends_number(&self, at: usize) -> bool {
        let is_joined = at > 0 && self.touches(at - 1);
        let goes_on = match self.word(at) {
            "." | "," | ":" => is_joined && self.digits(at + 1).is_some() && self.touches(at),
            "-" | "/" | "%" | "'" => is_joined,
            "" => false,
            word => {
                is_joined && word.starts_with(|it: char| it.is_ascii_lowercase())
                    || self.digits(at).is_some()
                    || super::vocabulary::unit(word).is_some()
                    || matches!(
                        word,
                        "percent" | "dollars" | "euros" | "people" | "times" | "degrees"
                    )
            }
        };
        !goes_on
    }

    /// Takes `am` or `pm` behind a time.
    fn with_half(&self, clock: Clock, at: usize) -> (Clock, usize) {
        let half = match self.word(at) {
            "am" => Half::Am,
            "pm" => Half::Pm,
            "a" if self.word(at + 1) == "m" && self.touches(at) => Half::Am,
            "p" if self.word(at + 1) == "m" && self.touches(at) => Half::Pm,
            _ => return (clock, at),
        };
        match clock.in_half(half) {
            Some(clock) => (clock, at + 1),
            None => (clock, at),
        }
    }

    /// Reads `from 2 to 4pm`, `between 9 and 11`, `2-4pm`.
    pub(super) fn clock_range(&self, at: usize) -> Read<Vec<Component>> {
        let start = self.past(at, &["from", "between"]);
        let is_led = start > at;
        let between = self.word(at) == "between";
        let first = self.clock(start);
        let bare = || {
            let (hour, behind) = self.number(start)?;
            Some((Clock::new(hour, 0, 0)?, behind))
        };
        let (from, behind) = first.or_else(bare)?;
        let joins = match self.word(behind) {
            "and" => between,
            "to" | "-" | "until" | "till" | "til" => !between,
            _ => false,
        };
        if !joins {
            return None;
        }
        let second = self
            .clock(behind + 1)
            .or_else(|| self.named_end(behind + 1));
        let is_sure = is_led || first.is_some();
        let (until, end) = match second {
            Some(found) => found,
            None if is_sure => self.bare_hour(behind + 1)?,
            None => return None,
        };
        // "At 9 to call", "the 2-4 people".
        if !is_led && first.is_none() && until.half == Half::Open {
            return None;
        }
        Some((vec![Component::Clocks(from, until)], end))
    }

    /// Reads `noon` and `midnight` at the end of a range.
    fn named_end(&self, at: usize) -> Read<Clock> {
        let hour = match self.word(at) {
            "noon" | "midday" => 12,
            "midnight" => 24,
            _ => return None,
        };
        let half = Half::Exact;
        Some((
            Clock {
                half,
                ..Clock::new(hour, 0, 0)?
            },
            at + 1,
        ))
    }

    /// Reads `2027-01-15 16:45` and `2026-12-01T09:00:00+01:00`.
    pub(super) fn written_moment(&self, at: usize) -> Read<Vec<Component>> {
        let start = self.past(at, &["at", "on"]);
        let (date, behind) = self.year_first(start)?;
        let time = self.past(behind, &["t", ",", "at"]);
        let hour = self.digits(time).filter(|_| self.word(time + 1) == ":")?;
        let minute = self.digits(time + 2)?;
        let has_seconds = self.word(time + 3) == ":" && self.touches(time + 2);
        let second = self.digits(time + 4).filter(|_| has_seconds);
        let mut end = if second.is_some() { time + 5 } else { time + 3 };
        if second.is_some() && self.word(end) == "." && self.digits(end + 1).is_some() {
            end += 2;
        }
        let Some(wall) = date.and_hms_opt(hour, minute, second.unwrap_or(0)) else {
            return Some((vec![Component::Unclear(Why::NoSuchTime)], end));
        };
        // `9:30 pm` is read as any other time.
        if self.is(end, &["am", "pm"]) {
            return None;
        }
        match self.offset(end) {
            Some((offset, end)) => {
                let text = format!("{}{offset}", wall.format("%Y-%m-%dT%H:%M:%S"));
                let instant = DateTime::parse_from_rfc3339(&text).ok()?.to_utc();
                Some((vec![Component::Instant(instant)], end))
            }
            None => Some((vec![Component::Moment(wall)], end)),
        }
    }

    /// Reads `Z`, `+01:00` and `+0100`.
    fn offset(&self, at: usize) -> Read<String> {
        if self.word(at) == "z" {
            return Some(("+00:00".to_owned(), at + 1));
        }
        let sign = self.word(at);
        if !matches!(sign, "+" | "-") || !self.touches(at) {
            return None;
        }
        let digits = self.word(at + 1);
        self.digits(at + 1)?;
        if digits.len() == 4 {
            let (hours, minutes) = digits.split_at(2);
            return Some((format!("{sign}{hours}:{minutes}"), at + 2));
        }
        let is_pair = digits.len() == 2 && self.word(at + 2) == ":" && self.word(at + 3).len() == 2;
        self.digits(at + 3).filter(|_| is_pair)?;
        Some((format!("{sign}{digits}:{}", self.word(at + 3)), at + 4))
    }

    /// Reads `2027-01-15` and `2027/1/15`.
    pub(super) fn year_first(&self, at: usize) -> Read<NaiveDate> {
        let [year, month, day] = self.year_month_day(at)?;
        let date = NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)?;
        Some((date, at + 5))
    }

    /// Reads the figures of such a date, of a day that may not exist.
    pub(super) fn year_month_day(&self, at: usize) -> Option<[u32; 3]> {
        let year = self.digits(at).filter(|_| self.word(at).len() == 4)?;
        let mark = self.word(at + 1);
        let is_joined = (at..at + 4).all(|place| self.touches(place));
        if !matches!(mark, "-" | "/" | ".") || self.word(at + 3) != mark || !is_joined {
            return None;
        }
        Some([year, self.digits(at + 2)?, self.digits(at + 4)?])
    }
}
