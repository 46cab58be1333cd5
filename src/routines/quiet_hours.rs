//! Quiet hours: a time of the day in which unasked messages wait.

use std::fmt;

use chrono::{NaiveTime, Timelike as _};

/// When unasked messages wait, by the clock of their person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuietHours {
    /// Never.
    Off,
    /// From one time of the day to another, which may be on the next day.
    Between(NaiveTime, NaiveTime),
}

impl QuietHours {
    /// Reads `22:30-07:30`, `22-7`, or `off`.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.eq_ignore_ascii_case("off") {
            return Some(Self::Off);
        }
        let (from, until) = text.split_once(['-', '–', '—', '~', '至', '到'])?;
        let (from, until) = (time_of(from)?, time_of(until)?);
        (from != until).then_some(Self::Between(from, until))
    }

    /// Returns whether unasked messages wait at a time of the day.
    pub fn hold_at(self, time: NaiveTime) -> bool {
        match self {
            Self::Off => false,
            Self::Between(from, until) if from < until => (from..until).contains(&time),
            Self::Between(from, until) => time >= from || time < until,
        }
    }
}

impl fmt::Display for QuietHours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Off => f.write_str("off"),
            Self::Between(from, until) => write!(
                f,
                "{:02}:{:02}-{:02}:{:02}",
                from.hour(),
                from.minute(),
                until.hour(),
                until.minute()
            ),
        }
    }
}

fn time_of(text: &str) -> Option<NaiveTime> {
    let text = text.trim().replace('：', ":");
    let (hour, minute) = text.split_once(':').unwrap_or((&text, "0"));
    NaiveTime::from_hms_opt(hour.trim().parse().ok()?, minute.trim().parse().ok()?, 0)
}

#[cfg(test)]
mod tests {
    use chrono::NaiveTime;

    use super::QuietHours;

    fn at(hour: u32, minute: u32) -> NaiveTime {
        NaiveTime::from_hms_opt(hour, minute, 0).unwrap()
    }

    #[test]
    fn quiet_hours_may_go_over_midnight() {
        let night = QuietHours::parse("22:30-07:30").unwrap();
        let expected = [
            (at(22, 29), false),
            (at(22, 30), true),
            (at(0, 0), true),
            (at(7, 29), true),
            (at(7, 30), false),
            (at(12, 0), false),
        ];
        for (time, holds) in expected {
            assert_eq!(night.hold_at(time), holds, "{time}");
        }
        let noon = QuietHours::parse("12-13:30").unwrap();
        assert!(noon.hold_at(at(13, 29)) && !noon.hold_at(at(13, 30)));
        assert!(!QuietHours::Off.hold_at(at(3, 0)));
    }

    #[test]
    fn what_is_no_time_of_the_day_is_refused() {
        for text in ["", "22:30", "25-7", "7-7", "22:61-7", "night", "22:30-"] {
            assert_eq!(QuietHours::parse(text), None, "{text}");
        }
        for text in ["22:30-07:30", "off"] {
            let read = QuietHours::parse(text).unwrap();
            assert_eq!(read.to_string(), text);
        }
        assert_eq!(
            QuietHours::parse("22：30–7").unwrap().to_string(),
            "22:30-07:00"
        );
    }
}
