//! Making a routine or a reminder, for the tools and the commands alike: when it is due is read, how it
//! reads in words is said back, and it is kept once.

use chrono::{DateTime, Timelike as _};
use chrono_tz::Tz;
use sayso_channel::Language;
use sayso_core::transcript::{RoutineId, Taint};
use sayso_core::when::{Answer, Candidate, Question, Rule, Schedule, Why, understand};
use sayso_injection::{Treatment, check_tool_result};
use sayso_policy::Due;
use sayso_store::routines::{self, Added, NewRoutine, Notify, RoutineKind};
use sayso_store::{StoreError, Tx};

use super::asker::Asker;
use super::context::{PersonalZone, RoutineLimits};
use super::messages::{self, WhenWords};
use super::plan::{spread_of, start};
use super::timetable::{Timetable, by_clock};

/// The longest text of what is to be done or said, in characters.
pub const WORDS: usize = 1000;
/// The longest name, in characters.
pub const NAME: usize = 40;
/// How many of the next times are said when something is made that comes again.
const SAID: usize = 3;
/// How many occurrences are looked at to see how close they come.
const LOOKED_AT: usize = 100;
const MINUTE_MS: i64 = 60_000;

/// When something is to be done, as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct When {
    /// Its occurrences.
    pub timetable: Timetable,
    /// Whether its zone is the person's, and changes with it.
    pub follows: bool,
    /// Its first occurrence.
    pub due_ms: i64,
}

/// Why a text is not taken for when something is to be done.
#[derive(Debug, Clone, PartialEq)]
pub enum NoTime {
    /// It names no time.
    Missing,
    /// That moment is over.
    Over,
    /// It must be asked back, with the readings to choose from.
    Unclear(Why, Vec<DateTime<Tz>>),
    /// It comes more often than at this interval, in minutes.
    TooOften(i64),
}

/// When something is to be done, and the rest of the text.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    /// When.
    pub when: When,
    /// What, where the text says that too.
    pub about: String,
}

/// Reads when something is to be done, as its person wrote it at `now_ms`.
///
/// # Errors
/// Why it is not taken.
pub fn read_when(
    text: &str,
    kind: RoutineKind,
    here: PersonalZone,
    limits: &RoutineLimits,
    now_ms: i64,
) -> Result<Read, NoTime> {
    let now = by_clock(now_ms, here.zone).ok_or(NoTime::Over)?;
    let understood = understand(text, &now);
    let when = match understood.answer {
        Answer::At(at) => once(at, &now),
        Answer::Recurring(schedule) => {
            let when = recurring(schedule, here.zone, now_ms)?;
            when.check(limits.shortest_minutes_of(kind))?;
            when
        }
        Answer::Span(_) => return Err(NoTime::Unclear(Why::SpanForMoment, Vec::new())),
        Answer::Nothing => return Err(NoTime::Missing),
        Answer::Past(_) => return Err(NoTime::Over),
        Answer::Ask(question) => return Err(unclear(question)),
    };
    Ok(Read {
        when,
        about: understood.about,
    })
}

/// Something that comes once. What was said as a time from now on keeps its moment when its person
/// moves to another zone; a time of the clock moves with them.
fn once(at: DateTime<Tz>, now: &DateTime<Tz>) -> When {
    let is_elapsed = at.second() != 0 || at.nanosecond() != 0;
    let has_figures = now.second() != 0 || now.nanosecond() != 0;
    let timetable = Timetable::new(
        Schedule::once(at.naive_local()),
        at.timezone(),
        now.timestamp_millis(),
    );
    When {
        timetable,
        follows: !(is_elapsed && has_figures),
        due_ms: at.timestamp_millis(),
    }
}

fn recurring(mut schedule: Schedule, here: Tz, now_ms: i64) -> Result<When, NoTime> {
    // A zone that is named stands beside the schedule, and does not change with the person's.
    let named = schedule.zone.take();
    // So does the moment from which an interval is counted.
    let from = match &mut schedule.rule {
        Rule::Every { from, .. } => from.take(),
        Rule::Once(_) | Rule::Cron(_) | Rule::Times { .. } => None,
    };
    let anchor_ms = from.map_or(now_ms, |from| from.timestamp_millis());
    let timetable = Timetable::new(schedule, named.unwrap_or(here), anchor_ms);
    let never = || NoTime::Unclear(Why::NeverDue, Vec::new());
    Ok(When {
        due_ms: timetable.next_after(now_ms).ok_or_else(never)?,
        follows: named.is_none(),
        timetable,
    })
}

fn unclear(question: Question<Tz>) -> NoTime {
    let readings = question.candidates.into_iter();
    let moments = readings.filter_map(|reading| match reading {
        Candidate::At(at) => Some(at),
        Candidate::Recurring(_) => None,
    });
    NoTime::Unclear(question.why, moments.collect())
}

impl When {
    /// Refuses what comes more often than every `shortest` minutes.
    fn check(&self, shortest: i64) -> Result<(), NoTime> {
        let next = self.timetable.next_few(self.due_ms - 1, LOOKED_AT);
        let close = |pair: &[i64]| matches!(pair, [one, next] if next - one < shortest * MINUTE_MS);
        if next.windows(2).any(close) {
            return Err(NoTime::TooOften(shortest));
        }
        Ok(())
    }

    /// Returns it in words: the rule where it comes again, and the next times.
    pub fn words(&self, language: Language) -> WhenWords {
        let count = if self.timetable.is_once() { 1 } else { SAID };
        let next = self.timetable.next_few(self.due_ms - 1, count);
        let zone = self.timetable.zone();
        let next: Vec<_> = next.iter().filter_map(|at| by_clock(*at, zone)).collect();
        let rule = self.timetable.rule_in_words(language);
        let rule = rule.filter(|_| !self.timetable.is_once());
        messages::when(rule.as_deref(), &next, language)
    }

    /// Returns the same in one line.
    pub fn in_words(&self, language: Language) -> String {
        let WhenWords { when, next } = self.words(language);
        match (next, language) {
            (None, _) => when,
            (Some(next), Language::English) => format!("{when}; {next}"),
            (Some(next), Language::Chinese) => format!("{when}；{next}"),
        }
    }

    /// Returns what its card says of when it is due.
    pub fn due(&self) -> Due {
        Due {
            english: messages::next_times(&self.in_words(Language::English), Language::English),
            chinese: messages::next_times(&self.in_words(Language::Chinese), Language::Chinese),
        }
    }
}

impl Timetable {
    /// Returns its rule in words.
    pub fn rule_in_words(&self, language: Language) -> Option<String> {
        let text = self.schedule().as_text();
        let words = sayso_core::when::schedule_in_words(&text, language);
        words.or(match self.schedule().rule {
            Rule::Once(_) => None,
            Rule::Every { .. } | Rule::Cron(_) | Rule::Times { .. } => Some(text),
        })
    }
}

/// What is to be kept.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// What an occurrence does.
    pub kind: RoutineKind,
    /// When.
    pub when: When,
    /// What is to be done, or said.
    pub words: String,
    /// The untrusted text that is in view.
    pub taint: Taint,
    /// What people call it; empty where it goes by its words.
    pub name: String,
    /// When it reports.
    pub notify: Notify,
    /// What becomes of a run that is late; empty: what the configuration says.
    pub late: String,
}

/// Keeps it, once.
pub async fn keep(
    tx: &mut Tx,
    limits: &RoutineLimits,
    asker: &Asker,
    wanted: &Wanted,
) -> Result<Added, StoreError> {
    let Wanted { kind, when, .. } = wanted;
    let new = NewRoutine {
        user: asker.user,
        role: asker.role,
        chat: asker.chat,
        session: asker.session,
        address: asker.address.clone(),
        kind: *kind,
        name: wanted.name.clone(),
        schedule: when.timetable.schedule().as_text(),
        zone: when.timetable.zone().name().to_owned(),
        follows: when.follows,
        anchor_ms: when.timetable.anchor_ms(),
        prompt: wanted.words.clone(),
        taint: wanted.taint.clone(),
        notify: wanted.notify,
        late: wanted.late.clone(),
        due_ms: Some(when.due_ms),
        source: None,
    };
    let (kind, is_once, spread) = (*kind, when.timetable.is_once(), limits.spread);
    let due_ms = when.due_ms;
    let starts = |id: RoutineId| start(due_ms, spread_of(id.0, kind, is_once, spread)).next_ms;
    routines::add(tx, &new, limits.most_of(kind), &starts).await
}

/// Why words are not kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadWords {
    /// There are none.
    Missing,
    /// They are too long: their length in characters.
    TooLong(usize),
    /// They give orders to get around the rules of a model.
    Orders,
}

/// Returns what is to be done or said, where it can be kept. What a later turn is asked, or a person
/// reads, is not to be what a page wants.
///
/// # Errors
/// Why not.
pub fn words_of(text: &str) -> Result<String, BadWords> {
    let text = text.trim();
    match text.chars().count() {
        0 => return Err(BadWords::Missing),
        1..=WORDS => {}
        length => return Err(BadWords::TooLong(length)),
    }
    match check_tool_result(text).treatment {
        Treatment::Clean | Treatment::Warn | Treatment::Review => Ok(text.to_owned()),
        Treatment::Block => Err(BadWords::Orders),
    }
}

/// Returns a name in one line, where it can be kept.
///
/// # Errors
/// Why not.
pub fn name_of(text: &str) -> Result<String, BadWords> {
    let name = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match name.chars().count() {
        length if length > NAME => Err(BadWords::TooLong(length)),
        _ => match check_tool_result(&name).treatment {
            Treatment::Clean | Treatment::Warn => Ok(name),
            Treatment::Review | Treatment::Block => Err(BadWords::Orders),
        },
    }
}
