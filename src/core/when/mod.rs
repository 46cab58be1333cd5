//! Times as people write and read them, in English and Chinese: what an expression means, schedules
//! and their next times, and both in words.
//!
//! # Files
//!
//! [`understand`] reads a text as seen from a moment, [`spoken_time`] as seen back from one (for
//! memory). A text becomes `folded` (one character for each of the text). `english` and `chinese` have
//! a vocabulary and a grammar each, and turn it into pieces in shared terms (`expression`); a text may
//! mix both languages. `groups` puts pieces together that stand beside each other, chooses the
//! expression that is meant, and leaves times that belong to the matter (`the 10 o'clock meeting`);
//! `intent` tells reminders from questions. `resolver` turns an expression into an instant, a span, a
//! [`Schedule`] or a question, for both languages: the rules of reading are at the head of
//! `resolver/times.rs` (hours) and in `resolver/dates.rs` (days). `written` reads cron and its like,
//! `lunar` calculates the Chinese calendar, `about` says what is left of the text, `schedule` keeps and
//! enumerates rules, and `schedule_words` says them in words. `tests/data/when.tsv` has cases; the
//! labelled set of the material is a test where it is there.
//!
//! # Invariants
//!
//! - It names `transcript` alone, for simplified characters, and reads no clock: the moment and its
//!   zone are arguments.
//! - What has several readings, names a day that does not exist, or hangs on something unknown is
//!   [`Answer::Ask`], with the readings where there are some; nothing is guessed.
//! - A time that the clock skips is the first instant behind the gap, one that comes twice is the first
//!   and is due once; hours and intervals elapse, days keep the time of the clock. A property test
//!   compares schedules with a walk through all minutes in twenty zones around each change of the
//!   clock, and five fields of cron with croner, which is only what tests compare with: it returns an
//!   error for a day that a zone left out (Pacific/Apia, 2011-12-30), and knows neither intervals of
//!   days nor lunar dates.
//! - Of a text 2,000 characters are looked at.

mod about;
#[cfg(test)]
mod back_tests;
mod chinese;
mod clock;
mod english;
mod expression;
mod folded;
mod groups;
mod intent;
mod lunar;
mod question;
mod resolver;
mod schedule;
mod schedule_words;
#[cfg(test)]
mod tests;
mod written;

use chrono::{DateTime, NaiveDateTime, TimeZone};

pub use self::clock::{UnknownZone, instant_of, zone_named};
use self::folded::Folded;
use self::groups::Group;
use self::intent::Intent;
pub use self::lunar::LunarDay;
pub use self::question::{Candidate, Question, Why};
use self::resolver::Resolver;
pub use self::schedule::{BadCron, Cron, DaysRule, MonthDay, Rule, Schedule, WeekdaySet};
pub use self::schedule_words::in_words as schedule_in_words;

/// A span of time, without its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span<T> {
    /// Its first moment.
    pub from: T,
    /// The moment behind its last.
    pub until: T,
}

/// What a text says about time, and what else.
#[derive(Debug, Clone, PartialEq)]
pub struct Understood<Z: TimeZone> {
    /// The time.
    pub answer: Answer<Z>,
    /// The text without its time and without words that ask to be reminded.
    pub about: String,
}

/// The time that a text means.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer<Z: TimeZone> {
    /// One instant, ahead of the moment that it was said.
    At(DateTime<Z>),
    /// Again and again.
    Recurring(Schedule),
    /// A span, which may be over.
    Span(Span<DateTime<Z>>),
    /// No time is meant.
    Nothing,
    /// An instant that is over.
    Past(DateTime<Z>),
    /// It must be asked back.
    Ask(Question<Z>),
}

/// Returns the time that a text means, as seen from a moment and by the clock of the moment's zone.
///
/// Of a long text the first 2,000 characters are looked at. Two bare readings of one text, a day that
/// does not exist and the like are [`Answer::Ask`]. Days and weeks keep the time of the clock, hours
/// and minutes elapse; weeks begin on Monday.
pub fn understand<Z: TimeZone>(text: &str, now: &DateTime<Z>) -> Understood<Z> {
    if let Some(answer) = written::read(text, now) {
        let about = String::new();
        return Understood { answer, about };
    }
    let folded = Folded::new(text);
    if folded.has_far_year() {
        // What else the text says of a time must not stand for it.
        return Understood {
            answer: Answer::Ask(Question {
                why: Why::TooFar,
                candidates: Vec::new(),
            }),
            about: String::new(),
        };
    }
    let (intent, used) = groups::of(&folded);
    let answer = match used.first() {
        Some(group) => answer_of(group, intent, now),
        None => Answer::Nothing,
    };
    let about = about::of(&folded, &used);
    Understood { answer, about }
}

fn answer_of<Z: TimeZone>(group: &Group, intent: Intent, now: &DateTime<Z>) -> Answer<Z> {
    let resolver = Resolver::new(now, intent, group.says.zone);
    let answer = resolver.answer(&group.says);
    match answer {
        // "Remind me of tomorrow's meeting" says no time for the reminder.
        Answer::At(at) if group.is_attribute && intent == Intent::Reminder => {
            Answer::Ask(Question {
                why: Why::PartOfMatter,
                candidates: vec![Candidate::At(at)],
            })
        }
        answer => answer,
    }
}

/// A time that a text speaks of where it looks back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spoken {
    /// The time, by the wall clock.
    pub span: Span<NaiveDateTime>,
    /// The rest of the text, in small letters and simplified characters.
    pub rest: String,
}

/// Returns the first time that a text speaks of, as seen back from a time of the wall clock: what
/// names no year is the last one that has begun.
pub fn spoken_time(text: &str, now: NaiveDateTime) -> Option<Spoken> {
    let folded = Folded::new(text);
    let found = groups::find(&folded).into_iter().find_map(|group| {
        let span = resolver::looking_back(&group.says, now)?;
        Some((group, span))
    });
    let (group, span) = found?;
    let before: String = folded.between(0, group.at).iter().collect();
    let behind: String = folded
        .between(group.end, folded.chars.len())
        .iter()
        .collect();
    Some(Spoken {
        span,
        rest: format!("{before} {behind}"),
    })
}
