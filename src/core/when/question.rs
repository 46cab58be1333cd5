//! What must be asked back before a time is understood, and why.

use chrono::DateTime;

use super::schedule::Schedule;
use crate::Language::{self, Chinese, English};

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
        let [english, chinese] = match self {
            Self::BadCron(what) => {
                return match language {
                    English => format!("These are not five fields of cron: {what}"),
                    Chinese => format!("这不是有效的五段 cron 表达式：{what}"),
                };
            }
            Self::UnknownZone(name) => {
                return match language {
                    English => {
                        format!("There is no time zone `{name}`; write one as `Europe/Berlin`")
                    }
                    Chinese => format!("没有时区 `{name}`；请写成 `Asia/Shanghai` 的形式"),
                };
            }
            Self::Vague => ["When exactly?", "具体是什么时候？"],
            Self::Event => [
                "I do not know when that is. At what time?",
                "我不知道那是什么时候。请告诉我具体时间",
            ],
            Self::Holiday => [
                "I do not know the date of that holiday. On which date?",
                "我不知道那个节日是哪一天。请告诉我日期",
            ],
            Self::NoSuchDay => ["There is no such day", "没有这一天"],
            Self::NoSuchTime => ["There is no such time of the day", "没有这个钟点"],
            Self::SeveralReadings => ["Which of these is meant?", "是指哪一个时间？"],
            Self::SpanForMoment => ["On which day, and at what time?", "是哪一天、几点？"],
            Self::PartOfMatter => ["When shall I remind you of that?", "要在什么时候提醒你？"],
            Self::TooOften => [
                "That is too often; once a minute is the most",
                "太频繁了，最多每分钟一次",
            ],
            Self::TooFar => ["That is too far away", "时间太远了"],
            Self::SixFields => [
                "Cron has five fields here: minute, hour, day, month, weekday; no seconds and no year",
                "cron 表达式只能有五段：分、时、日、月、星期；不含秒和年",
            ],
            Self::NeverDue => ["That never comes", "这个时间永远不会到来"],
        };
        match language {
            English => english.to_owned(),
            Chinese => chinese.to_owned(),
        }
    }
}
