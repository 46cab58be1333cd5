//! Reading a file and checking each routine of it, without looking at the database.

use std::ops::Range;

use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use sayso_core::transcript::Taint;
use sayso_store::routines::{Notify, RoutineKind};
use toml::Spanned;

use super::written::{WrittenFile, WrittenKind, WrittenNotify, WrittenRoutine};
use crate::routines::context::{PersonalZone, RoutineLimits};
use crate::routines::keeping::{self, BadWords, NoTime, When};
use crate::routines::plan::Late;
use crate::routines::timetable::Timetable;
use crate::routines::triggers::{BadTrigger, Trigger};

/// Something that is wrong in a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub why: Why,
}

/// What is wrong.
#[derive(Debug, Clone, PartialEq)]
pub enum Why {
    /// It is no TOML, or has other keys or types: what the reader says.
    Unreadable(String),
    /// No account is called so, or Sayso does not know it.
    Person(String),
    /// No chat is called so, or Sayso does not know it.
    Chat(String),
    /// It is the direct chat of another person.
    OthersChat(String),
    /// Not one of the keys that say what starts it.
    Starts,
    /// No such schedule.
    Schedule(String),
    /// It comes more often than at this interval, in minutes.
    TooOften(i64),
    /// No such zone.
    Zone(String),
    /// No such moment.
    From(String),
    /// The words cannot be kept.
    Words(BadWords),
    /// The name cannot be kept.
    Name(BadWords),
    /// No such time for what is late.
    Late(String),
    /// It cannot start a routine.
    Trigger(BadTrigger),
    /// Reminders are started by the clock alone.
    TriggeredReminder,
    /// Words are listened for in groups alone.
    WordsOutsideGroup,
    /// Webhooks are made in direct chats alone.
    WebhookInGroup,
    /// There is no HTTP listener.
    NoListener,
    /// The person would have more than this many of the kind.
    TooMany(usize),
}

/// What starts a routine.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Start {
    /// The clock; its times are read when the zone of the person is known.
    Clock {
        schedule: String,
        zone: Option<Tz>,
        from_ms: Option<i64>,
    },
    /// Something else.
    Event(Trigger),
}

/// A routine of a file that is in order as far as the file tells.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CheckedRoutine {
    /// What is written, for what is copied from it.
    pub(super) written: WrittenRoutine,
    /// Where it begins in the file.
    pub(super) place: Place,
    pub(super) kind: RoutineKind,
    pub(super) start: Start,
    pub(super) words: String,
    pub(super) name: String,
    pub(super) notify: Notify,
    pub(super) late: String,
    pub(super) taint: Taint,
}

/// The lines of a routine in its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// Each key with its line.
    keys: Vec<(String, usize)>,
    first: usize,
}

impl Place {
    fn of(text: &str, span: &Range<usize>) -> Self {
        let before = text.get(..span.start).unwrap_or_default();
        let first = before.matches('\n').count() + 1;
        let lines = text.lines().zip(1..).skip(first - 1);
        let own = lines
            .enumerate()
            .take_while(|(at, (line, _))| *at == 0 || !line.trim_start().starts_with("[["))
            .map(|(_, it)| it);
        let key = |(line, number): (&str, usize)| {
            let (key, _) = line.split_once('=')?;
            Some((key.trim().to_owned(), number))
        };
        Self {
            keys: own.filter_map(key).collect(),
            first,
        }
    }

    /// Returns a problem with the value of a key.
    pub(super) fn problem(&self, key: &str, why: Why) -> Problem {
        let found = self.keys.iter().find(|(name, _)| name == key);
        Problem {
            line: found.map_or(self.first, |(_, line)| *line),
            why,
        }
    }
}

/// Reads a file.
///
/// # Errors
/// Everything that is wrong in it.
pub(super) fn check(text: &str) -> Result<Vec<CheckedRoutine>, Vec<Problem>> {
    let file: WrittenFile<Spanned<WrittenRoutine>> =
        toml::from_str(text).map_err(|error| vec![unreadable(text, &error)])?;
    let mut checked = Vec::new();
    let mut problems = Vec::new();
    for written in file.routines {
        let place = Place::of(text, &written.span());
        match check_one(written.into_inner(), place) {
            Ok(routine) => checked.push(routine),
            Err(problem) => problems.push(problem),
        }
    }
    if problems.is_empty() {
        Ok(checked)
    } else {
        Err(problems)
    }
}

fn unreadable(text: &str, error: &toml::de::Error) -> Problem {
    let start = error.span().map_or(0, |span| span.start);
    let before = text.get(..start).unwrap_or_default();
    Problem {
        line: before.matches('\n').count() + 1,
        why: Why::Unreadable(error.message().to_owned()),
    }
}

fn check_one(written: WrittenRoutine, place: Place) -> Result<CheckedRoutine, Problem> {
    let kind = match written.kind {
        WrittenKind::Turn => RoutineKind::Turn,
        WrittenKind::Remind => RoutineKind::Remind,
    };
    let start = start(&written, &place)?;
    if kind == RoutineKind::Remind && matches!(start, Start::Event(_)) {
        return Err(place.problem("kind", Why::TriggeredReminder));
    }
    let words = keeping::words_of(&written.words);
    let words = words.map_err(|why| place.problem("words", Why::Words(why)))?;
    let name = keeping::name_of(&written.name);
    let name = name.map_err(|why| place.problem("name", Why::Name(why)))?;
    let late = match written.late.as_str() {
        "" => String::new(),
        late => Late::named(late)
            .map(Late::as_text)
            .ok_or_else(|| place.problem("late", Why::Late(late.to_owned())))?,
    };
    let mut taint = Taint::default();
    if written.untrusted {
        taint.add_others();
    }
    Ok(CheckedRoutine {
        kind,
        start,
        words,
        name,
        late,
        notify: match written.notify {
            WrittenNotify::Always => Notify::Always,
            WrittenNotify::News => Notify::News,
        },
        taint,
        written,
        place,
    })
}

fn start(written: &WrittenRoutine, place: &Place) -> Result<Start, Problem> {
    let file = written.on_file.as_deref().map(Trigger::file);
    let words = written.on_words.as_deref().map(Trigger::words);
    let webhook = written.on_webhook.then_some(Ok(Trigger::Webhook));
    let found = [
        ("on_file", file),
        ("on_words", words),
        ("on_webhook", webhook),
    ];
    let mut events = found
        .into_iter()
        .filter_map(|(key, trigger)| Some((key, trigger?)));
    match (&written.schedule, events.next(), events.next()) {
        (Some(schedule), None, None) => clock(schedule, written, place),
        (None, Some((key, trigger)), None) => trigger
            .map(Start::Event)
            .map_err(|why| place.problem(key, Why::Trigger(why))),
        _ => Err(place.problem("schedule", Why::Starts)),
    }
}

fn clock(schedule: &str, written: &WrittenRoutine, place: &Place) -> Result<Start, Problem> {
    let zone = written.zone.as_deref().map(|name| {
        let zone = name.parse::<Tz>();
        zone.map_err(|_unknown| place.problem("zone", Why::Zone(name.to_owned())))
    });
    let from = written.from.as_deref().map(|text| {
        let from = DateTime::parse_from_rfc3339(text);
        from.map_err(|_unreadable| place.problem("from", Why::From(text.to_owned())))
    });
    Ok(Start::Clock {
        schedule: schedule.to_owned(),
        zone: zone.transpose()?,
        from_ms: from
            .transpose()?
            .map(|from| from.with_timezone(&Utc).timestamp_millis()),
    })
}

/// When something of a file is due; `None`: its time is over.
pub(super) fn when(
    routine: &CheckedRoutine,
    here: PersonalZone,
    limits: &RoutineLimits,
    now_ms: i64,
) -> Result<Option<When>, Problem> {
    let Start::Clock {
        schedule,
        zone,
        from_ms,
    } = &routine.start
    else {
        return Ok(None);
    };
    let here = PersonalZone {
        zone: zone.unwrap_or(here.zone),
        ..here
    };
    let problem = |why| Err(routine.place.problem("schedule", why));
    let read = keeping::read_when(schedule, routine.kind, here, limits, now_ms);
    let when = match read {
        Ok(read) if read.about.is_empty() => read.when,
        Err(NoTime::Over) => return Ok(None),
        Err(NoTime::TooOften(minutes)) => return problem(Why::TooOften(minutes)),
        Ok(_) | Err(NoTime::Missing | NoTime::Unclear(..)) => {
            return problem(Why::Schedule(schedule.clone()));
        }
    };
    let anchor_ms = from_ms.unwrap_or(when.timetable.anchor_ms());
    let timetable = Timetable::new(
        when.timetable.schedule().clone(),
        when.timetable.zone(),
        anchor_ms,
    );
    let due_ms = match from_ms {
        Some(_) => timetable.next_after(now_ms),
        None => Some(when.due_ms),
    };
    Ok(due_ms.map(|due_ms| When {
        timetable,
        follows: zone.is_none() && when.follows,
        due_ms,
    }))
}
