//! What people read about routines and reminders.

use chrono::{DateTime, Datelike as _, Weekday};
use chrono_tz::Tz;
use sayso_channel::Language::{self, Chinese, English};
use sayso_channel::text;
use sayso_store::routine_runs::RunState;

/// What a button of a reminder does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReminderButton {
    /// It is settled.
    Done,
    /// It comes again in ten minutes.
    TenMinutes,
    /// It comes again in an hour.
    Hour,
    /// It comes again tomorrow at nine.
    Tomorrow,
}

impl ReminderButton {
    /// Every one, in the order in which they stand.
    pub const ALL: [Self; 4] = [Self::Done, Self::TenMinutes, Self::Hour, Self::Tomorrow];

    /// Returns what a button carries.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::TenMinutes => "ten",
            Self::Hour => "hour",
            Self::Tomorrow => "tomorrow",
        }
    }

    /// Returns the button that carries this.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.as_str() == name)
    }
}

/// The label of a button.
pub fn reminder_button(does: ReminderButton, language: Language) -> &'static str {
    match does {
        ReminderButton::Done => text!(language, "routines-button-done"),
        ReminderButton::TenMinutes => text!(language, "routines-button-ten-minutes"),
        ReminderButton::Hour => text!(language, "routines-button-hour"),
        ReminderButton::Tomorrow => text!(language, "routines-button-tomorrow"),
    }
}

/// A reminder that is due; `late` is when it was, where it comes late, and `missed` how many came
/// before it that were not said.
pub fn reminder(text: &str, late: Option<DateTime<Tz>>, missed: i64, language: Language) -> String {
    let mut notes = Vec::new();
    if let Some(due) = late {
        let due = moment(due, language);
        notes.push(text!(language, "routines-late", due));
    }
    if missed > 0 {
        notes.push(text!(language, "routines-missed-before", missed));
    }
    let said = format!("⏰ {text}");
    if notes.is_empty() {
        return said;
    }
    with_notes(
        &said,
        &notes.join(text!(language, "list-sentences")),
        language,
    )
}

/// A text with notes in parentheses below it.
pub(in crate::routines) fn with_notes(said: &str, notes: &str, language: Language) -> String {
    text!(language, "routines-with-notes", said, notes)
}

/// In the place of a reminder that was settled.
pub fn reminder_done(text: &str) -> String {
    format!("✅ {text}")
}

/// The notice for who settled it.
pub fn reminder_is_done(language: Language) -> &'static str {
    text!(language, "routines-is-done")
}

/// In the place of a reminder that was put off.
pub fn reminder_again(
    text: &str,
    again: DateTime<Tz>,
    now: Option<DateTime<Tz>>,
    language: Language,
) -> String {
    let is_today = now.is_some_and(|now| now.date_naive() == again.date_naive());
    let when = if is_today {
        again.format("%H:%M").to_string()
    } else {
        moment(again, language)
    };
    let again = text!(language, "routines-again", when);
    with_notes(&format!("⏰ {text}"), &again, language)
}

/// The notice for who put it off.
pub fn reminder_is_put_off(again: DateTime<Tz>, language: Language) -> String {
    let when = moment(again, language);
    text!(language, "routines-is-put-off", when)
}

/// When something comes, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WhenWords {
    /// Its rule or its moment, with the zone.
    pub when: String,
    /// The next times, where it comes again.
    pub next: Option<String>,
}

/// Says when something comes: by its rule where it comes again, and else by its moment.
pub fn when(rule: Option<&str>, next: &[DateTime<Tz>], language: Language) -> WhenWords {
    let Some(rule) = rule else {
        let first = next.first().copied();
        return WhenWords {
            when: first.map_or_else(String::new, |first| moment_in_zone(first, language)),
            next: None,
        };
    };
    let zone = next.first().map_or("", |first| first.timezone().name());
    let times: Vec<String> = next.iter().map(|at| moment(*at, language)).collect();
    let times = times.join(text!(language, "list-sentences"));
    WhenWords {
        when: text!(language, "routines-in-zone", when = rule, zone),
        next: Some(text!(language, "routines-then", times)),
    }
}

/// What became of an occurrence.
pub fn run_state(state: RunState, language: Language) -> &'static str {
    match state {
        RunState::Queued => text!(language, "routines-run-queued"),
        RunState::Running => text!(language, "routines-run-running"),
        RunState::Parked => text!(language, "routines-run-parked"),
        RunState::Done => text!(language, "routines-run-done"),
        RunState::Quiet => text!(language, "routines-run-quiet"),
        RunState::Failed => text!(language, "routines-run-failed"),
        RunState::Missed => text!(language, "routines-run-missed"),
        RunState::Overlapped => text!(language, "routines-run-overlapped"),
        RunState::OverBudget => text!(language, "routines-run-over-budget"),
        RunState::Undelivered => text!(language, "routines-run-undelivered"),
    }
}

/// What is said unasked of one routine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// How it is named to people.
    pub name: String,
    /// When the first of its occurrences was due.
    pub from: Option<DateTime<Tz>>,
    /// When the last one was.
    pub until: Option<DateTime<Tz>>,
    /// How many were missed.
    pub missed: i64,
    /// What became of the last one.
    pub state: RunState,
    /// Why, in words.
    pub why: Option<String>,
    /// Whether it was switched off for that.
    pub is_off: bool,
}

/// One line of what is said unasked.
pub fn told(told: &Told, language: Language) -> String {
    let name = &told.name;
    let at = |at: Option<DateTime<Tz>>| at.map_or_else(String::new, |at| moment(at, language));
    let (from, until) = (at(told.from), at(told.until));
    let why = told.why.as_deref().unwrap_or_default();
    let what = match told.state {
        RunState::Missed => {
            let missed = told.missed;
            text!(language, "routines-told-missed", missed, from, until)
        }
        state => {
            let state = run_state(state, language);
            text!(language, "routines-told-state", state, from, why)
        }
    };
    if told.is_off {
        return text!(language, "routines-told-off", name, what);
    }
    text!(language, "routines-told", name, what)
}

/// Why a routine was switched off of which nothing can be started.
pub fn unreadable(language: Language) -> &'static str {
    text!(language, "triggers-unreadable")
}

/// The button that runs a routine now.
pub fn run_button(name: &str, language: Language) -> String {
    text!(language, "routines-button-run-name", name)
}

/// The button that switches a routine on again.
pub fn on_button(name: &str, language: Language) -> String {
    text!(language, "routines-button-on-name", name)
}

/// What is asked of a run that speaks only of news.
fn only_news(language: Language) -> &'static str {
    text!(language, "routines-only-news")
}

/// What the turn of a run is asked; `late` is when it was due, where it comes late.
pub fn request(
    prompt: &str,
    late: Option<DateTime<Tz>>,
    is_only_news: bool,
    language: Language,
) -> String {
    let prompt = if is_only_news {
        format!("{prompt}\n\n({})", only_news(language))
    } else {
        prompt.to_owned()
    };
    let Some(due) = late else {
        return prompt;
    };
    let due = moment(due, language);
    format!("{prompt}\n\n{}", text!(language, "routines-run-late", due))
}

/// What a run reports, with the name of its routine and when it was due.
pub fn report(
    text: &str,
    name: &str,
    due: Option<DateTime<Tz>>,
    works_again: bool,
    language: Language,
) -> String {
    let due = due.map_or_else(String::new, |due| format!(" · {}", due.format("%H:%M")));
    let again = if works_again {
        format!(" · {}", text!(language, "routines-works-again"))
    } else {
        String::new()
    };
    format!("{text}\n\n*{name}{due}{again}*")
}

/// Something was kept.
pub fn kept(when: &WhenWords, words: &str, language: Language) -> String {
    let said = text!(language, "routines-kept", when = when.when, words);
    match &when.next {
        Some(next) => with_notes(&said, next, language),
        None => said,
    }
}

/// Deletes what was just kept.
pub fn delete_button(language: Language) -> &'static str {
    text!(language, "routines-button-delete")
}

/// Asks by whose clock a person lives; `zone` is taken so far.
pub fn which_zone(zone: &str, language: Language) -> String {
    text!(language, "routines-which-zone", zone)
}

/// The button that confirms the zone that is taken so far.
pub fn right_zone(zone: &str, language: Language) -> String {
    text!(language, "routines-button-right-zone", zone)
}

/// On a card: when something comes.
pub fn next_times(when: &str, language: Language) -> String {
    text!(language, "routines-card", when)
}

/// Nothing more is kept.
pub fn too_many_reminders(most: usize, language: Language) -> String {
    text!(language, "routines-too-many-reminders", most)
}

/// A moment with its day: `Thursday 19 November 2026, 09:00`.
pub fn moment(at: DateTime<Tz>, language: Language) -> String {
    match language {
        English => at.format("%A %-d %B %Y, %H:%M").to_string(),
        Chinese => format!(
            "{}{} {}",
            at.format("%Y年%-m月%-d日"),
            weekday(at.weekday()),
            at.format("%H:%M")
        ),
    }
}

/// The same with the zone whose clock it is.
pub fn moment_in_zone(at: DateTime<Tz>, language: Language) -> String {
    let zone = at.timezone().name();
    let when = moment(at, language);
    text!(language, "routines-in-zone", when, zone)
}

fn weekday(day: Weekday) -> &'static str {
    match day {
        Weekday::Mon => "星期一",
        Weekday::Tue => "星期二",
        Weekday::Wed => "星期三",
        Weekday::Thu => "星期四",
        Weekday::Fri => "星期五",
        Weekday::Sat => "星期六",
        Weekday::Sun => "星期日",
    }
}
