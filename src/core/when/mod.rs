//! Times as people write and read them, in English and Chinese: what an expression means, schedules
//! and their next times, and both in words.
//!
//! [`understand`] reads a text as seen from a moment: a tokenizer and vocabulary for each language
//! (`english`, `chinese`) turn it into pieces in shared terms (`expression`), `groups` puts pieces
//! together that stand beside each other, and one `resolver` turns them into instants, spans and
//! [`Schedule`]s. What has several readings is a question ([`Answer::Ask`]), never a guess. Nothing
//! here reads a clock: the moment and its zone are arguments.

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
