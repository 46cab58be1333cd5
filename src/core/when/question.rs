//! What must be asked back before a time is understood, and why.

use chrono::DateTime;

use super::schedule::Schedule;
use crate::{Language, text};

/// A question about a time, with the readings to choose from, which may be none.
#[derive(Debug, Clone, PartialEq)]
pub struct Question<Z: chrono::TimeZone> {
    /// Why it is asked.
    pub why: Why,
    /// The readings.
    pub candidates: Vec<Candidate<Z>>,
}

/// A reading of an expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Candidate<Z: chrono::TimeZone> {
    /// One instant.
    At(DateTime<Z>),
    /// Again and again.
    Recurring(Schedule),
}

/// Why a time is asked back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// It says no time: `later`.
    Vague,
    /// It hangs on something whose time is not known here: `before the meeting`.
    Event,
    /// A holiday whose date is not calculated here.
    Holiday,
    /// There is no such day: 31 February.
    NoSuchDay,
    /// There is no such time of the clock: 25:00.
    NoSuchTime,
    /// It can be read in several ways.
    SeveralReadings,
    /// It is a span, where one moment is needed: a reminder `next week`.
    SpanForMoment,
    /// The time belongs to the matter: `remind me of tomorrow's meeting`.
    PartOfMatter,
    /// It is due more than once a minute.
    TooOften,
    /// It lies behind the last year that is reckoned with.
    TooFar,
    /// It is written as cron with seconds or a year.
    SixFields,
    /// It is written as cron and is none.
    BadCron(String),
    /// Its rule is never due: `0 9 30 2 *`.
    NeverDue,
    /// A zone that does not exist.
    UnknownZone(String),
}

impl Why {
    /// Returns the name that programs know it by.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Vague => "vague",
            Self::Event => "event",
            Self::Holiday => "holiday",
            Self::NoSuchDay => "no_such_day",
            Self::NoSuchTime => "no_such_time",
            Self::SeveralReadings => "several_readings",
            Self::SpanForMoment => "span_for_moment",
            Self::PartOfMatter => "part_of_matter",
            Self::TooOften => "too_often",
            Self::TooFar => "too_far",
            Self::SixFields => "six_fields",
            Self::BadCron(_) => "bad_cron",
            Self::NeverDue => "never_due",
            Self::UnknownZone(_) => "unknown_zone",
        }
    }

    /// Returns it for people, as a sentence without its period.
    pub fn in_words(&self, language: Language) -> String {
        let words = match self {
            Self::BadCron(what) => return text!(language, "when-bad-cron", what),
            Self::UnknownZone(name) => return text!(language, "when-unknown-zone", name),
            Self::Vague => text!(language, "when-vague"),
            Self::Event => text!(language, "when-event"),
            Self::Holiday => text!(language, "when-holiday"),
            Self::NoSuchDay => text!(language, "when-no-such-day"),
            Self::NoSuchTime => text!(language, "when-no-such-time"),
            Self::SeveralReadings => text!(language, "when-several-readings"),
            Self::SpanForMoment => text!(language, "when-span-for-moment"),
            Self::PartOfMatter => text!(language, "when-part-of-matter"),
            Self::TooOften => text!(language, "when-too-often"),
            Self::TooFar => text!(language, "when-too-far"),
            Self::SixFields => text!(language, "when-six-fields"),
            Self::NeverDue => text!(language, "when-never-due"),
        };
        words.to_owned()
    }
}
